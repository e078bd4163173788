"""Whatever the command line does with memory, REST does too: docs/rest.md says how, and is true."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup

from doors import Address, open_doors, turn
from hermes.cli.lazy import LazyCommand
from hermes.cli.main import COMMANDS

PAGE = (Path(__file__).parents[3] / "docs" / "rest.md").read_text("utf-8")
ROUTE = re.compile(r"`(GET|POST|PATCH|DELETE) (/[^`]+)`")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with open_doors(tmp_path_factory.mktemp("counterparts")) as opened:
        yield opened


def commands() -> set[str]:
    """Every command of the program; `memory facts` is another name of `memory fact`."""
    found: set[str] = set()
    for name, entry in COMMANDS.items():
        found |= set(_walk(name, LazyCommand(name, entry).load()))
    return {name for name in found if not name.startswith("memory facts ")}


def _walk(path: str, command: object) -> Iterator[str]:
    if not isinstance(command, TyperGroup):
        yield path
        return
    if command.invoke_without_command:
        yield path
    for name, below in command.commands.items():
        yield from _walk(f"{path} {name}", below)


def table(head: str) -> list[tuple[list[str], str]]:
    """The rows of a table of the page: the commands of each, and what is said of them."""
    part = PAGE.split(head)[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| `")]
    return [(re.findall(r"`([^`]+)`", names), told) for names, told in rows]


def offered() -> list[tuple[list[str], str]]:
    return table("| `hermes …` | over REST |")


def left_out() -> list[tuple[list[str], str]]:
    return table("| `hermes …` | why not |")


def test_every_command_has_a_route_or_a_reason() -> None:
    with_route = {name for names, _ in offered() for name in names}
    assert with_route <= commands()
    reasons = [name for names, _ in left_out() for name in names]
    for name in sorted(commands() - with_route):
        told = [
            each for each in reasons if name == each or name.startswith(each.rstrip(" …") + " ")
        ]
        assert told or f"{name} …" in reasons, f"`hermes {name}` has no counterpart in REST"
    for name in with_route:
        assert not name.startswith("memory ") or name not in reasons


def test_only_what_is_not_memory_is_left_out() -> None:
    first = {name.split()[0] for names, _ in left_out() for name in names}
    assert not first & {"sessions", "memory", "user", "log", "bank", "backup", "jobs", "usage"}


def test_every_route_of_the_table_exists(address: Address) -> None:
    paths = address.ask("GET", "/v1/openapi.json").json()["paths"]
    there = {(method.upper(), path) for path, each in paths.items() for method in each}
    named = {route for _, told in offered() for route in ROUTE.findall(told)}
    assert named <= there, named - there
    assert all(ROUTE.search(told) for _, told in offered())


def test_every_route_is_named_on_the_page(address: Address) -> None:
    for path in address.ask("GET", "/v1/openapi.json").json()["paths"]:
        assert path in PAGE, path


def test_spending_is_told_by_day_and_by_model(address: Address) -> None:
    found = address.ask("GET", "/v1/spending").json()
    assert found == {"lines": [], "today": []}
    assert address.ask("GET", "/v1/spending?by=model&since=2026-01-31").status == 200
    assert address.ask("GET", "/v1/spending?since=yesterday").status == 400


def test_facts_are_extracted_now(address: Address) -> None:
    said = turn("I live in Lisbon and I work as a nurse.", "extracted")
    assert address.ask("POST", "/v1/turns", said).status == 201
    (done,) = address.ask("POST", "/v1/extract", {"session": "extracted"}).json()["items"]
    assert done["session_id"] == "extracted"
    assert done["facts"]
    assert address.ask("POST", "/v1/user/sync", {}).json()["size"] > 0


def test_contradictions_are_listed(address: Address) -> None:
    assert address.ask("GET", "/v1/facts/contradictions").json()["items"] == []


def test_jobs_are_asked_for(address: Address) -> None:
    (job,) = address.ask("POST", "/v1/jobs", {"kinds": ["vacuum"]}).json()["items"]
    assert (job["kind"], job["state"]) == ("vacuum", "waiting")
    assert address.ask("POST", "/v1/jobs", {"kinds": ["dance"]}).status == 400


def test_reindexing_says_how_much(address: Address) -> None:
    assert address.ask("POST", "/v1/reindex").json()["indexed"] == 0  # there is no embedder here


def test_a_part_is_emptied_only_on_purpose(address: Address) -> None:
    address.ask("POST", "/v1/facts", {"text": "User owns a kayak"})
    assert address.ask("POST", "/v1/reset", {"target": "facts"}).status == 422
    _, secret = address.app.tokens.create("agent")
    sure = {"target": "facts", "confirm": True}
    assert address.ask("POST", "/v1/reset", sure, token=secret).status == 403
    done = address.ask("POST", "/v1/reset", sure).json()
    assert done["removed"]["facts"] >= 1
    assert address.ask("GET", "/v1/facts").json()["items"] == []
    assert address.ask("POST", f"/v1/backups/{done['backup']}/restore").status == 200
    assert address.ask("GET", "/v1/facts").json()["items"]
    assert address.ask("POST", "/v1/backups/prune").json()["deleted"] >= 1
    assert address.ask("POST", "/v1/backups/prune").json() == {"deleted": 0}


def test_a_body_that_does_not_fit_is_told_which_fields_there_are(address: Address) -> None:
    answer = address.ask("POST", "/v1/erase", {"matching": "Elbe", "dry_run": True})
    assert answer.status == 422
    told = answer.json()
    assert "matching: " in told["message"]
    assert "dry_run: " in told["message"]
    assert "fields are targets, matching, prove, confirm:" in told["hint"]
    told = address.ask("POST", "/v1/reset", {"target": "facts"}).json()
    assert "target (must be there), confirm (must be there)" in told["hint"]
    told = address.ask("GET", "/v1/facts?limit=none").json()
    assert told["hint"] == "See /v1/openapi.json."


def test_the_erase_of_the_documentation_plans_and_then_erases(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("We paddle on the Elbe."))
    planned = address.ask("POST", "/v1/erase", {"matching": ["Elbe"]}).json()
    assert planned["planned"]["message"] == 1
    assert not planned["erased"]
    sure = {"matching": ["Elbe"], "prove": True, "confirm": True}
    assert address.ask("POST", "/v1/erase", sure).json()["erased"]["messages"] == 1
