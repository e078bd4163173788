"""Whether the daemon is ready: the store answers, it is silent, it fails, it is being replaced."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from doors import open_doors
from hermes.errors import Corrupt
from hermes.server.http.crossing import Crossing
from hermes.server.http.readiness import Readiness
from hermes.server.http.standstill import Standstill
from postgres_server import as_url, new_cluster, new_database, wheel_bin


def test_ready_while_the_store_answers(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home") as address:
        answer = address.ask("GET", "/readyz", token="")
        assert (answer.status, answer.json()) == (200, {"ok": True, "reason": ""})


def test_a_silent_store_is_asked_once_however_many_ask() -> None:
    silent, asked = threading.Event(), 0

    def ask() -> None:
        nonlocal asked
        asked += 1
        silent.wait(60)

    async def scene() -> None:
        readiness = Readiness(ask, Standstill(Crossing()), wait_s=0.05)
        try:
            told = await asyncio.gather(*(readiness.find_reason() for _ in range(20)))
            assert set(told) == {"The store has not answered within 0.05 seconds."}
            assert asked == 1
        finally:
            silent.set()
        while await readiness.find_reason():
            pass
        assert asked <= 2

    asyncio.run(scene())


def test_a_store_that_fails_is_named_by_its_kind_alone() -> None:
    def ask() -> None:
        raise Corrupt("/home/mara/.hermes/memory.db is damaged.", "Restore a backup.")

    async def scene() -> str:
        return await Readiness(ask, Standstill(Crossing())).find_reason()

    assert asyncio.run(scene()) == "The store cannot be read (Corrupt)."


def test_an_error_nobody_knows_is_no_failure_of_the_probe(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def ask() -> None:
        raise ZeroDivisionError("/home/mara/.hermes")

    async def scene() -> str:
        return await Readiness(ask, Standstill(Crossing())).find_reason()

    assert asyncio.run(scene()) == "The store cannot be asked."
    assert "ZeroDivisionError" in caplog.text


def test_told_at_once_while_a_store_is_replaced(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home") as address:
        standstill: Standstill = address.api.state.standstill
        seen: list[int] = []

        def replace() -> None:
            seen.append(address.ask("GET", "/readyz", token="").status)

        asyncio.run(standstill.replace(address.app, replace))
        assert seen == [503]
        assert address.ask("GET", "/readyz", token="").status == 200


@pytest.mark.slow
def test_a_stopped_postgresql_is_told_within_two_seconds(tmp_path: Path) -> None:
    cluster = new_cluster(wheel_bin())
    place = as_url(new_database(cluster.address))
    settings = {"memory.backend": "postgres", "memory.connectionString": place}
    with open_doors(tmp_path / "home", settings) as address:
        assert address.ask("GET", "/readyz", token="").status == 200
        cluster.stop("immediate")
        began_s = time.monotonic()
        answer = address.ask("GET", "/readyz", token="")
        assert time.monotonic() - began_s < 10  # 1.5 s, and what a busy machine adds
        assert answer.status == 503
        assert set(answer.json()) == {"ok", "reason"}
        assert place.rpartition("/")[2] not in answer.json()["reason"]
        assert address.ask("GET", "/healthz", token="").status == 200
        cluster.start()
        until_s = time.monotonic() + 60
        while address.ask("GET", "/readyz", token="").status != 200:
            assert time.monotonic() < until_s
    cluster.remove()
