"""Every list can be read to its end, page by page, whatever stands at one moment."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from doors import Address, open_doors, turn
from hermes.app import App
from hermes.clock import FixedClock

MANY = 7


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home", clock=FixedClock()) as opened:
        yield opened


def read_all(address: Address, path: str, cursor: str = "") -> list[Any]:
    """A list in pages of three; `cursor` is the field that names the last of a page."""
    found: list[Any] = []
    while True:
        skip = f"offset={len(found)}" if not cursor else ""
        if cursor and found:
            skip = f"{cursor}={found[-1]['id']}"
        page = address.ask("GET", f"{path}?limit=3&{skip}").json()
        found += page["items"]
        if not page["more"]:
            return found


def test_sessions_and_events_of_one_moment(address: Address) -> None:
    for n in range(MANY):
        address.ask("POST", "/v1/turns", turn("Hello.", f"s{n}"))
        address.ask("POST", "/v1/events", {"kind": "task", "summary": f"line {n}"})
    sessions = [each["id"] for each in read_all(address, "/v1/sessions", "before_id")]
    assert sessions == [f"s{n}" for n in reversed(range(MANY))]
    lines = [each["summary"] for each in read_all(address, "/v1/events", "before_id")]
    assert lines == [f"line {n}" for n in reversed(range(MANY))]


def test_a_session_spoken_in_between_two_pages_begins_none_again(address: Address) -> None:
    for n in range(MANY):
        address.ask("POST", "/v1/turns", turn("Hello.", f"s{n}"))
    last = address.ask("GET", "/v1/sessions?limit=3").json()["items"][-1]
    clock = address.app.clock
    assert isinstance(clock, FixedClock)
    clock.advance(5_000)
    address.ask("POST", "/v1/turns", turn("And again.", last["id"]))
    cursor = f"before_id={last['id']}&before_last_at={quote(last['last_at'])}"
    page = address.ask("GET", f"/v1/sessions?limit=2&{cursor}").json()["items"]
    assert [each["id"] for each in page] == ["s3", "s2"]
    gone = address.ask("GET", "/v1/sessions?before_id=nope")
    assert gone.status == 404


def test_what_is_listed_by_another_order(address: Address) -> None:
    for n in range(MANY):
        note = {"operations": [{"action": "add", "content": f"Page {n}"}], "origin": "web"}
        address.ask("POST", "/v1/notes/memory", note)
        address.ask("POST", "/v1/facts", {"text": f"Ana{'bcdefgh'[n]} lives in Lisbon"})
        ask_for(address.app, str(n))
    for path in ("/v1/pending", "/v1/entities", "/v1/jobs"):
        found = [each["id"] for each in read_all(address, path)]
        assert len(found) == len(set(found)) >= MANY, path
        whole = address.ask("GET", f"{path}?limit=100").json()
        assert not whole["more"]
        assert found == [each["id"] for each in whole["items"]]


def ask_for(app: App, key: str) -> None:
    app.store.write(lambda tx: tx.jobs.add("vacuum", key, now=app.clock.now()))


def test_every_list_that_says_more_takes_a_next_page(address: Address) -> None:
    """Also one that is added: whoever reads `limit` reads where to go on."""
    paths = address.ask("GET", "/v1/openapi.json").json()["paths"]
    ranked = {"/v1/sessions/search", "/v1/facts/search"}  # the best, not all
    for path, ways in paths.items():
        names = {each["name"] for each in ways.get("get", {}).get("parameters", ())}
        if "limit" in names and path not in ranked:
            assert names & {"offset", "before", "before_id", "after_id"}, path
