"""The wire says what the command line says: every key of a shape is a field, and the reverse."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from doors import Address, open_doors, turn
from hermes.app.compress import run_shape
from hermes.app.fact_shapes import (
    change_shape,
    entity_shape,
    entity_view_shape,
    fact_shape,
    held_shape,
    kept_shape,
    user_shape,
    why_shape,
)
from hermes.app.facts import NewFact
from hermes.app.memory_status import memory_status_shape, read_memory_status
from hermes.app.recall_shapes import recall_shape, search_items_shape
from hermes.app.shapes import (
    bank_shape,
    finding_shape,
    preview_shape,
    scroll_shape,
    search_shape,
    status_shape,
)
from hermes.app.work_shapes import daemon_shape, event_shape, job_shape, verdict_shape
from hermes.memory.notekeeping import Writer
from hermes.memory.notes import Action, MemoryRequest, Operation
from hermes.memory.notes.request import Target
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import JobFilter
from hermes.types import EventKind, Origin, Trust
from hermes.wire import beliefs, recalled, talk, work

LEFT_OUT = {"home", "location"}  # where our files lie is nobody's business over HTTP


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


def differences(shape: dict[str, Any], model: type[BaseModel], place: str = "") -> list[str]:
    """Keys that one of the two has and the other has not, however deep."""
    fields = {field.alias or name: name for name, field in model.model_fields.items()}
    found = [f"{place}{key}" for key in set(shape) ^ set(fields) if key not in LEFT_OUT]
    parsed = model.model_validate(shape)
    for key, name in fields.items():
        inner, value = getattr(parsed, name), shape.get(key)
        pairs = (
            zip(inner, value or (), strict=False) if isinstance(inner, list) else [(inner, value)]
        )
        for each, raw in pairs:
            if isinstance(each, BaseModel) and isinstance(raw, dict):
                found += differences(raw, type(each), f"{place}{key}.")
    return found


def test_the_wire_has_the_words_of_the_command_line(address: Address) -> None:
    app = address.app
    address.ask("POST", "/v1/turns", turn("The blue kayak lies in the shed.", "trip"))
    kept = app.facts.add(NewFact("Ana lives in Lisbon"))
    app.facts.add(NewFact("User lives in Lisbon"))
    request = MemoryRequest(Target.MEMORY, (Operation(Action.ADD, "From a page"),))
    app.notes.change(request, Writer(Origin.WEB, Trust.NONE))
    app.store.write(lambda tx: tx.jobs.add("vacuum", now=app.clock.now()))
    app.events.record(EventKind.TASK, "Tested")
    talk_actions = app.conversations
    job = app.jobs.list(JobFilter())[0]
    items, trace = app.memory.search("kayak", bank="default")
    checked: list[tuple[dict[str, Any], type[BaseModel]]] = [
        (search_shape(talk_actions.search("kayak")), talk.SessionSearch),
        (preview_shape(talk_actions.browse()[0]), talk.Preview),
        (scroll_shape(talk_actions.page("trip")), talk.Scroll),
        (bank_shape(talk_actions.list_banks()[0]), talk.Bank),
        (kept_shape(kept), beliefs.Kept),
        (why_shape(app.facts.why("fact:1")), beliefs.Why),
        (fact_shape(app.facts.get("fact:1")), beliefs.Fact),
        (change_shape(app.facts.history("fact:1")[1][0]), beliefs.Change),
        (entity_shape(app.entities.list()[0]), beliefs.Entity),
        (entity_view_shape(app.entities.show("Ana")), beliefs.EntityView),
        (held_shape(app.pending.list()[0]), beliefs.Held),
        (user_shape(app.user.show()), beliefs.UserModel),
        (recall_shape(app.memory.recall("kayak", bank="default")), recalled.Recall),
        (search_items_shape("kayak", items, trace), recalled.MemorySearch),
        (job_shape(job), work.Job),
        (event_shape(app.events.list(EventFilter())[0]), work.Event),
        (verdict_shape(app.events.verify()), work.Verdict),
        (finding_shape(app.health.doctor()[0]), work.Finding),
        (memory_status_shape(read_memory_status(app)), work.MemoryStatus),
        (
            status_shape(app.health.status()) | {"daemon": daemon_shape(app.daemon.status())},
            work.Status,
        ),
        (run_shape(app.compressing.run(dry_run=True)), work.CompactRun),
    ]
    wrong = {
        model.__name__: diff for shape, model in checked if (diff := differences(shape, model))
    }
    assert wrong == {}
