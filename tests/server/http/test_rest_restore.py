"""Restoring a backup while the server runs: others wait, nothing is lost, and it can be undone."""

import asyncio
import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

import pytest

from doors import Address, open_doors, turn
from hermes.app import App, open_app
from hermes.config.paths import Home
from hermes.errors import Unavailable
from hermes.server.http.crossing import Crossing
from hermes.server.http.standstill import Standstill
from hermes.server.shift import Shift

NO_APP = cast(App, None)  # of a server without a worker, which nobody looks at


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


def told(address: Address) -> list[str]:
    found = address.ask("GET", "/v1/facts").json()["items"]
    return sorted(each["text"] for each in found)


def add(address: Address, text: str) -> None:
    assert address.ask("POST", "/v1/facts", {"text": text}).status == 201


def test_a_backup_is_restored_and_that_is_undone(address: Address) -> None:
    add(address, "User lives in Lisbon")
    made = address.ask("POST", "/v1/backups").json()["name"]
    add(address, "User plays the cello")
    restored = address.ask("POST", f"/v1/backups/{made}/restore")
    assert restored.status == 200, restored.body
    assert restored.json()["counts"]["facts"] == 1
    assert told(address) == ["User lives in Lisbon"]
    add(address, "User rows on Sundays")
    undone = address.ask("POST", "/v1/backups/restore/undo")
    assert undone.status == 200, undone.body
    assert told(address) == ["User lives in Lisbon", "User plays the cello"]
    assert address.ask("GET", "/v1/events/verify").json()["sound"]


def test_writers_wait_and_lose_nothing(address: Address) -> None:
    """Every turn that was acknowledged is in what was there before, or in what was restored."""
    add(address, "User lives in Lisbon")
    address.ask("POST", "/v1/backups")
    stop, kept, bad = threading.Event(), list[str](), list[int]()

    def write(name: str) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            answer = address.ask("POST", "/v1/turns", turn(f"{name} {number}", f"{name}-{number}"))
            (kept.append(f"{name}-{number}") if answer.status == 201 else bad.append(answer.status))

    writers = [threading.Thread(target=write, args=(name,)) for name in ("ada", "bo", "cy")]
    for each in writers:
        each.start()
    assert address.ask("POST", "/v1/backups/latest/restore").status == 200
    stop.set()
    for each in writers:
        each.join()
    after = sessions(address)
    assert address.ask("POST", "/v1/backups/restore/undo").status == 200
    assert sessions(address) | after == set(kept)
    assert not bad


def sessions(address: Address) -> set[str]:
    found = address.ask("GET", "/v1/sessions?limit=1000").json()["items"]
    return {each["id"] for each in found}


def test_listeners_go_on_with_the_restored_store(address: Address) -> None:
    add(address, "User lives in Lisbon")
    address.ask("POST", "/v1/backups")
    for number in range(5):
        add(address, f"User owns {number + 2} boats")
    with listening(address, "") as stream:
        latest = hello(stream)
        assert address.ask("POST", "/v1/backups/latest/restore").status == 200
        assert stream.read() is not None  # it ends, and a browser asks again
    with listening(address, f"?since={latest}") as stream:
        assert hello(stream) < latest
        add(address, "User sold the boats")
        assert stream.readline().startswith(b"id: ")


@contextmanager
def listening(address: Address, query: str) -> Iterator[http.client.HTTPResponse]:
    wire = address.connect()
    shown = {"authorization": f"Bearer {address.token}"}
    wire.request("GET", f"/v1/changes{query}", headers=shown)
    with closing(wire), wire.getresponse() as answer:
        yield answer


def hello(stream: http.client.HTTPResponse) -> int:
    assert stream.readline() == b"event: hello\n"
    seq: int = json.loads(stream.readline().removeprefix(b"data: "))["seq"]
    stream.readline()
    return seq


def test_what_runs_long_is_waited_for_or_in_the_way(address: Address) -> None:
    """A restore waits for a request that runs; all others are served meanwhile."""
    begun, end = threading.Event(), threading.Event()

    def slow() -> dict[str, bool]:
        begun.set()
        return {"done": end.wait(30)}

    address.api.add_api_route("/v1/slow", slow)
    address.ask("POST", "/v1/backups")
    asking = threading.Thread(target=lambda: address.ask("GET", "/v1/slow"))
    asking.start()
    begun.wait(10)
    statuses = list[int]()
    restoring = threading.Thread(target=lambda: statuses.append(restore(address)))
    restoring.start()
    while not address.api.state.standstill._replacing.locked():
        time.sleep(0.005)
    assert told(address) == []
    assert restore(address) == 409
    assert restoring.is_alive()
    end.set()
    asking.join()
    restoring.join()
    assert statuses == [200]
    assert restore(address) == 200


def restore(address: Address) -> int:
    status: int = address.ask("POST", "/v1/backups/latest/restore").status
    return status


def test_turns_whose_senders_have_gone_are_kept_before_the_store_is_replaced() -> None:
    end = threading.Event()

    async def run() -> list[str]:
        still, seen = Standstill(Crossing()), list[str]()

        async def stay() -> None:
            with still.staying():
                for name in ("first", "second"):
                    await asyncio.to_thread(end.wait, 10)
                    seen.append(name)

        async def ask() -> None:
            async with still.using():
                await still.replace(NO_APP, lambda: seen.append("replaced"))

        staying = asyncio.create_task(stay())
        asking = asyncio.create_task(ask())
        while still._moving is None:  # noqa: ASYNC110
            await asyncio.sleep(0)
        end.set()
        await asyncio.gather(staying, asking)
        return seen

    assert asyncio.run(run()) == ["first", "second", "replaced"]


def test_the_door_stays_shut_when_whoever_asked_has_gone() -> None:
    end = threading.Event()

    async def run() -> bool:
        still = Standstill(Crossing())
        begun = threading.Event()

        def work() -> None:
            begun.set()
            end.wait(10)

        async def ask() -> None:
            async with still.using():
                await still.replace(NO_APP, work)

        asking = asyncio.create_task(ask())
        await asyncio.to_thread(begun.wait, 10)
        asking.cancel()
        await asyncio.wait([asking])
        was_shut = still._moving is not None
        end.set()
        async with still.using():
            return was_shut

    assert asyncio.run(run())


def test_a_worker_that_does_not_stop_is_in_the_way_and_works_on(tmp_path: Path) -> None:
    paths = Home(tmp_path.resolve()).profile("default")
    with open_app(paths, {}, flags={"memory.embeddings.provider": "none"}) as app:
        end, ended = threading.Event(), threading.Event()
        shift = Shift(app, ended.set)
        slow = threading.Thread(target=end.wait, args=(30,))
        slow.start()
        shift._threads.append(slow)
        shift.begin()
        with pytest.raises(Unavailable, match="step that takes long"), shift.resting(app, 0.05):
            pytest.fail("it must not rest")
        assert any(each.name == "hermes-worker" for each in shift._threads)
        end.set()
        with shift.resting(app):
            assert not slow.is_alive()
        shift.end()
        assert not ended.is_set()


def test_only_an_owner_may(address: Address) -> None:
    _, secret = address.app.tokens.create("agent")
    assert address.ask("POST", "/v1/backups/latest/restore", token=secret).status == 403
    assert address.ask("POST", "/v1/backups/restore/undo", token=secret).status == 403


@contextmanager
def on_shift(app: App) -> Iterator[tuple[Shift, threading.Event]]:
    ended = threading.Event()
    shift = Shift(app, ended.set)
    shift.begin()
    try:
        yield shift, ended
    finally:
        shift.end()


def test_the_worker_rests_and_goes_on(tmp_path: Path) -> None:
    paths = Home(tmp_path.resolve()).profile("default")
    with open_app(paths, {}, flags={"memory.embeddings.provider": "none"}) as app:
        with on_shift(app) as (shift, ended):
            app.backups.make()
            before = app.store
            with shift.resting(app):
                assert not any(each.name == "hermes-worker" for each in threading.enumerate())
                app.backups.restore("latest")
            assert app.store is not before
            job = app.store.write(lambda tx: tx.jobs.add("vacuum", now=app.clock.now()))
            give_up = time.monotonic() + 20
            while app.jobs.get(job).state.value != "done":
                assert time.monotonic() < give_up
                time.sleep(0.02)
            assert not ended.is_set()
        with shift.resting(app):
            pass
        assert not any(each.name == "hermes-worker" for each in threading.enumerate())
