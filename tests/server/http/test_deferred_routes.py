"""Routes that come late: asked for at any moment, they are there, and the first ones never wait."""

import threading
from pathlib import Path

import anyio
import pytest
from fastapi import APIRouter, FastAPI
from starlette.testclient import TestClient

from doors import open_doors
from hermes.server.http import api as serving_api
from hermes.server.http.crossing import Crossing
from hermes.server.http.deferral import LateRoutes


def router(path: str, loaded: list[str]) -> APIRouter:
    made = APIRouter()

    @made.get(path)
    async def answer() -> str:
        return path

    loaded.append(path)
    return made


@pytest.fixture
def loaded() -> list[str]:
    return []


@pytest.fixture
def api(loaded: list[str]) -> FastAPI:
    made = FastAPI()
    made.include_router(router("/first", []))
    late = LateRoutes(made, lambda: [router("/a", loaded), router("/b", loaded)], Crossing())
    made.state.late = late
    return made


def test_what_is_there_first_loads_nothing_else(api: FastAPI, loaded: list[str]) -> None:
    assert TestClient(api).get("/first").json() == "/first"
    assert loaded == []


def test_the_first_who_asks_has_the_others_loaded_once(api: FastAPI, loaded: list[str]) -> None:
    client = TestClient(api)
    assert client.get("/b").json() == "/b"
    assert client.get("/a").json() == "/a"
    assert client.get("/nowhere").status_code == 404
    assert client.post("/first").status_code == 405
    assert loaded == ["/a", "/b"]


def test_a_wrong_method_is_told_so_before_and_after(api: FastAPI) -> None:
    client = TestClient(api)
    assert client.post("/first").status_code == 405
    assert client.post("/a").status_code == 405


def test_many_who_ask_at_once_wait_for_one_load(loaded: list[str]) -> None:
    api, go = FastAPI(), threading.Event()

    def load() -> list[APIRouter]:
        assert go.wait(10)
        return [router("/a", loaded)]

    late = LateRoutes(api, load, Crossing())

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(late.settle)
            await anyio.lowlevel.checkpoint()
            go.set()

    anyio.run(ask)
    assert loaded == ["/a"]
    assert TestClient(api).get("/a").json() == "/a"


def test_routes_that_cannot_be_loaded_are_told_of_and_the_rest_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[str] = []
    closed: list[str] = []

    def fail() -> list[APIRouter]:
        tries.append("once")
        raise ZeroDivisionError("/home/mara/.hermes")

    monkeypatch.setattr(serving_api, "late_routers", fail)
    with open_doors(tmp_path / "home") as address:
        profiles = address.api.state.entry.profiles
        close = profiles.close

        def close_and_tell() -> None:
            closed.append("profiles")
            close()

        monkeypatch.setattr(profiles, "close", close_and_tell)
        for path in ("/v1/facts", "/v1/sessions", "/v1/openapi.json"):
            answer = address.ask("GET", path)
            assert (answer.status, answer.json()["error"]) == (503, "Unavailable")
            assert "log" in answer.json()["hint"]
        ready = address.ask("GET", "/readyz", token="")
        assert ready.status == 503
        assert ready.json()["reason"] == "The routes could not be loaded (ZeroDivisionError)."
        assert address.ask("GET", "/healthz", token="").status == 200
    assert tries == ["once"]
    assert closed == ["profiles"]
    assert "the routes could not be loaded" in caplog.text
    assert "/home/mara/.hermes" in caplog.text, "the log says why"
