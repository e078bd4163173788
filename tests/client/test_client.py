"""The typed client against a real server: every topic, there and back."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hermes.client
from doors import Address, open_doors
from hermes.client import Client
from hermes.client.client import find_address
from hermes.client.transport import parse_failure
from hermes.config.paths import Home
from hermes.errors import Conflict, NotFound, Refused, Unavailable, UserError
from hermes.types import EventKind, Kind, Origin, Role
from hermes.wire.beliefs import FactEdit, NewFact, NoteOperation
from hermes.wire.talk import NewTurn, Said, SessionOf
from hermes.wire.work import EraseTask


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def client(address: Address) -> Iterator[Client]:
    with Client.local(address.app.paths) as opened:
        yield opened


def turn(text: str, session: str = "trip") -> NewTurn:
    said = [Said(role=Role.USER, content=text), Said(role=Role.ASSISTANT, content="Noted.")]
    return NewTurn(session=SessionOf(id=session), messages=said)


def test_conversations(client: Client) -> None:
    receipt = client.sessions.record(turn("We paddle on the Elbe.", "a/b ü"))
    assert receipt.session_id == "a/b ü"
    assert len(client.sessions.record_all([turn("One", "x"), turn("Two", "y")])) == 2
    assert {each.id for each in client.sessions.list().items} == {"a/b ü", "x", "y"}
    (hit,) = client.sessions.search("paddle").hits
    assert hit.snippet.text[slice(*hit.snippet.highlights[0])] == "paddle"
    assert client.sessions.messages("a/b ü").messages[0].role is Role.USER
    assert client.sessions.around(receipt.message_ids[0]).anchor_id == receipt.message_ids[0]
    assert client.sessions.payloads(receipt.message_ids[0]).items == []
    assert client.sessions.retitle("a/b ü", "Trip").title == "Trip"
    assert client.sessions.end("a/b ü").ended_at is not None
    client.sessions.delete("a/b ü")
    with pytest.raises(NotFound, match="a/b"):
        client.sessions.get("a/b ü")
    assert client.sessions.restore("a/b ü").id == "a/b ü"


def test_lines_go_out_and_in(client: Client, tmp_path: Path) -> None:
    client.sessions.record(turn("Carry me."))
    lines = list(client.sessions.export("trip"))
    assert json.loads(lines[0])["content"] == "Carry me."
    copied = "\n".join(lines).replace("trip", "copy").encode()
    assert client.sessions.import_lines([copied]).messages == 2
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "content": "From a file"}\n')
    assert client.sessions.import_file(file, session="file").messages == 1


def test_recall_and_search(client: Client) -> None:
    client.sessions.record(turn("The blue kayak lies in the shed."))
    assert "shed" in client.recall("Where is the blue kayak?").context
    assert client.search("kayak", types=[Kind.EPISODE]).items[0].type is Kind.EPISODE


def test_facts(client: Client) -> None:
    kept = client.facts.add("User lives in Lisbon")
    assert kept.fact is not None
    ref = kept.fact.ref
    said = client.facts.add(NewFact(text="Atlas uses PostgreSQL", origin=Origin.AGENT))
    assert said.fact is not None
    assert said.fact.trust == "medium"
    assert len(client.facts.list().items) == 2
    assert client.facts.edit(ref, "User lives in Porto").value == "Porto"
    assert client.facts.edit(ref, FactEdit(valid_from="2026-01-01")).valid_from is not None
    assert client.facts.search("Porto").items[0].ref == ref
    assert client.facts.why(ref).evidence
    assert client.facts.history(ref).items
    client.facts.delete(ref)
    assert client.facts.restore(ref).retracted_at is None
    assert client.facts.tally().counts["believed"] == 2
    assert client.facts.get(ref).number == kept.fact.number
    with pytest.raises(UserError):
        client.facts.get("nonsense")


def test_entities_notes_and_the_user(client: Client) -> None:
    client.facts.add("Atlas uses PostgreSQL")
    client.facts.add("Zephyr uses PostgreSQL")
    client.facts.add("User lives in Lisbon")
    assert client.entities.list().items
    assert client.entities.suggestions().items == []
    assert "Zephyr" in client.entities.merge("Atlas", "Zephyr").aliases
    assert client.entities.show("Zephyr").facts
    assert len(client.entities.split("Atlas", ["Zephyr"]).items) == 2
    assert client.notes.user().lines
    assert client.notes.add("Tests run with make test.").done
    [held] = client.notes.change(
        "memory", [NoteOperation(action="add", content="From a page")], origin=Origin.WEB
    ).held
    assert client.notes.pending().items[0].id == held.id
    done = client.notes.approve(held.id)
    assert (done.verdict, done.closed) == ("approved", [])
    assert len(client.notes.read("memory").notes) == 2
    assert client.notes.add("Lives in Lisbon", "user").done
    removal = [NoteOperation(action="remove", old_text="Lisbon")]
    assert client.notes.change("user", removal).closed == ["fact:003"]
    with pytest.raises(Conflict):
        client.notes.reject(held.id)


def test_the_log_jobs_and_banks(client: Client, address: Address) -> None:
    event = client.events.record(EventKind.DECISION, "Took the blue kayak", details={"n": 1})
    assert client.events.list(kind=EventKind.DECISION).items == [event]
    assert client.events.verify().sound
    now = address.app.clock.now()
    number = address.app.store.write(lambda tx: tx.jobs.add("vacuum", now=now))
    assert client.jobs.list().items[0].id == number
    assert client.jobs.cancel(number).state == "cancelled"
    assert client.jobs.retry(number).state == "waiting"
    assert client.jobs.get(number).kind == "vacuum"
    assert client.sessions.create_bank("atlas").name == "atlas"
    assert {bank.name for bank in client.sessions.banks().items} == {"default", "atlas"}
    assert client.sessions.bank("atlas").name == "atlas"


def test_keeping_and_forgetting(client: Client, tmp_path: Path) -> None:
    client.sessions.record(turn("My old address is 12 Quince Lane."))
    file = tmp_path / "export.json"
    size = client.keeping.export_to(file)
    assert size == file.stat().st_size
    assert client.keeping.import_from(file, dry_run=True).sections["messages"] == {"same": 2}
    made = client.backups.make()
    assert client.backups.verify().sound
    assert [each.name for each in client.backups.list().items] == [made.name]
    client.backups.remove(made.name)
    task = EraseTask(matching=["12 Quince Lane"], confirm=True, prove=True)
    erased = client.keeping.erase(task)
    assert erased.proof is not None
    assert erased.proof.clean
    assert client.keeping.compact(dry_run=True).summaries == []
    assert client.keeping.summaries().items == []
    with pytest.raises(NotFound):
        client.keeping.undo_compact()
    assert client.reflections.list().items == []
    assert client.reflections.reflect("trip").items == []


def test_profiles_status_and_changes(client: Client) -> None:
    assert client.profiles.own().name == "default"
    client.profiles.create("work")
    assert [each.name for each in client.profiles.list().items] == ["default", "work"]
    client.profiles.delete("work")
    assert [each.name for each in client.profiles.deleted().items] == ["work"]
    assert client.profiles.restore("work").name == "work"
    client.sessions.record(turn("New."))
    assert client.status().store.counts["messages"] == 2
    assert client.memory_status().episodes.raw == 1
    assert client.doctor().items
    assert "hermes_up" in client.metrics()
    assert next(iter(client.changes(since=0))).seq == 1
    assert client.login_link().url.startswith(client.url)


def test_mistakes_are_our_own_errors(address: Address, tmp_path: Path) -> None:
    with Client(address.url, "wrong") as stranger, pytest.raises(Refused):
        stranger.status()
    with pytest.raises(NotFound, match="over HTTP"):
        find_address(Home(tmp_path / "empty").profile("default"))
    with Client("http://127.0.0.1:9", "x") as nobody, pytest.raises(Unavailable):
        nobody.status()
    assert isinstance(parse_failure(502, b"<html>"), Unavailable)


def test_every_route_is_called_by_the_client(address: Address) -> None:
    """Also one that is added; whether the daemon is well is asked without a client."""
    paths = address.ask("GET", "/v1/openapi.json").json()["paths"]
    folder = Path(hermes.client.__file__).parent
    source = "".join(file.read_text("utf-8") for file in folder.glob("*.py"))
    named = source.replace("{_path(ref)}", "/v1/facts/{ref}")
    called = {re.sub(r"{[^}]*}", "{}", path) for path in re.findall(r'"(/[a-z][^"]*)"', named)}
    wanted = {re.sub(r"{[^}]*}", "{}", path) for path in paths}
    assert wanted - called == {"/healthz", "/readyz"}
