"""One form for every name and time, whatever door it comes through; others are understood."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doors import Address, open_doors, turn
from hermes.app.shapes import dated
from hermes.memory.facts.reference import kept_ref, same_ref


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


def items(address: Address, path: str, body: object = None) -> list[dict[str, Any]]:
    answer = address.ask("POST" if body else "GET", path, body)
    assert answer.status == 200, answer.body
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def test_a_fact_is_called_the_same_everywhere(address: Address) -> None:
    kept = address.ask("POST", "/v1/facts", {"text": "User prefers tea to coffee"}).json()
    ref = kept["fact"]["ref"]
    assert ref == "fact:001"
    assert items(address, "/v1/search", {"query": "tea", "types": ["fact"]})[0]["ref"] == ref
    recalled = items(address, "/v1/recall", {"task": "Which does the user prefer, tea or coffee?"})
    assert [each["ref"] for each in recalled if each["type"] == "fact"] == [ref]
    for written in (ref, "fact:1", "FACT:01", "[fact:1]"):
        assert address.ask("GET", f"/v1/facts/{written}").json()["ref"] == ref, written
        assert items(address, f"/v1/events?ref={written}")[0]["ref"] == ref, written


@pytest.mark.parametrize("other", ["", "session:fact:1", "fact:", "fact:0", "fact:x", "note:1"])
def test_other_references_stay_as_they_are(other: str) -> None:
    assert (same_ref(other), kept_ref(other)) == (other, other)


def test_kinds_may_be_said_in_the_plural(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("We drink tea."))
    address.ask("POST", "/v1/facts", {"text": "User prefers tea to coffee"})
    for types in (["facts"], ["fact"], ["facts", "reflections"]):
        found = items(address, "/v1/search", {"query": "tea", "types": types})
        assert {each["type"] for each in found} == {"fact"}
    assert address.ask("POST", "/v1/search", {"query": "tea", "types": ["teas"]}).status == 422


def test_the_budget_goes_by_both_names(address: Address) -> None:
    for name in ("budget_tokens", "budget"):
        answer = address.ask("POST", "/v1/recall", {"task": "Make tea", name: 700}).json()
        assert answer["budget_tokens"] == 700
    assert address.ask("POST", "/v1/recall", {"task": "Make tea", "budget": 5}).status == 422


def test_as_of_is_read_as_on_the_command_line(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("We drink tea."))
    address.ask("POST", "/v1/facts", {"text": "User prefers tea to coffee"})
    for told in ("three tuesdays ago", "2025-03-01", "last week", "2025-03-01T09:00:00Z"):
        answer = address.ask("POST", "/v1/recall", {"task": "Make tea", "as_of": told})
        assert (answer.status, answer.json()["items"]) == (200, []), told
        for name in ("as_of", "believed_on"):
            path = f"/v1/facts?{name}={told.replace(' ', '+')}"
            assert address.ask("GET", path).status == 200, path
    assert items(address, "/v1/recall", {"task": "Make tea", "as_of": "today"})
    wrong = address.ask("POST", "/v1/recall", {"task": "Make tea", "as_of": "the other side"})
    assert wrong.status == 400
    assert "Try one such as" in wrong.json()["hint"]


def test_a_long_task_is_a_task(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("We drink tea."))
    long = f"Which tea do we drink? {'a log line ' * 90_000}"
    assert address.ask("POST", "/v1/recall", {"task": long}).status == 200
    assert items(address, "/v1/search", {"query": long})
    assert address.ask("POST", "/v1/recall", {"task": "a" * 8_000_001}).status == 422


def test_times_are_dates_in_every_detail(address: Address) -> None:
    address.ask("POST", "/v1/facts", {"text": "User works at Initech"})
    edit = {"valid_from": "2026-01-05T00:00:00Z", "valid_to": "2026-02-05"}
    assert address.ask("PATCH", "/v1/facts/1", edit).status == 200
    address.ask("DELETE", "/v1/facts/1")
    history = items(address, "/v1/facts/1/history")
    told = next(each["after"] for each in history if each["action"] == "revise")
    assert told["valid_from"] == "2026-01-05T00:00:00.000Z"
    assert history[0]["after"]["trust"] == "high"
    for shown in (history, items(address, "/v1/events")):
        assert not list(milliseconds(shown))


def milliseconds(value: object) -> Iterator[int]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from milliseconds(each)
    elif isinstance(value, int) and value > 1_000_000_000_000:
        yield value


def test_only_times_become_dates() -> None:
    kept = {
        "at": 0,
        "valid_to": None,
        "count": 1_767_600_000_000,
        "said": [{"at": 5, "is_at": True}],
    }
    assert dated(kept) == {
        "at": "1970-01-01T00:00:00.000Z",
        "valid_to": None,
        "count": 1_767_600_000_000,
        "said": [{"at": "1970-01-01T00:00:00.005Z", "is_at": True}],
    }


LISTS = ("facts", "facts/tally", "facts/contradictions", "entities", "sessions", "user", "pending")
LOOKED = ("reflections", "export", "facts/search", "sessions/search")


@pytest.mark.parametrize("path", [*LISTS, *LOOKED])
def test_a_bank_that_is_not_there_is_said_so(address: Address, path: str) -> None:
    address.ask("POST", "/v1/facts", {"text": "User prefers tea", "bank": "fresh"})
    where = f"/v1/{path}?q=tea&bank=" if path.endswith("search") else f"/v1/{path}?bank="
    assert address.ask("GET", f"{where}fresh").status == 200
    assert address.ask("GET", f"{where}default").status == 200
    answer = address.ask("GET", f"{where}frehs")
    assert answer.status == 404
    assert "frehs" in answer.json()["message"]


def test_a_parameter_that_no_route_takes_is_refused_by_every_route(address: Address) -> None:
    paths = address.ask("GET", "/v1/openapi.json").json()["paths"]
    plain = [path for path, ways in paths.items() if "get" in ways and "{" not in path]
    listed = [path for path in plain if path.startswith("/v1/")]
    assert {"/v1/sessions", "/v1/events", "/v1/facts", "/v1/status"} <= set(listed)
    for path in listed:
        answer = address.ask("GET", f"{path}?foo=1")
        assert answer.status == 422, path
        assert "foo: there is no such field" in answer.json()["message"], path
    assert address.ask("GET", "/v1/events?foo=1", token="no").status == 401
    assert address.ask("POST", "/v1/events?foo=1", {"summary": "x"}).status == 422
    assert address.ask("GET", "/v1/events?limit=1&kind=decision").status == 200
