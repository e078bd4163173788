"""Entities, reflections, notes, the user model, and writes that wait for the person."""

from typing import Annotated, Literal

from fastapi import Path, Query

from hermes.app.fact_shapes import (
    approved_shape,
    entity_shape,
    entity_view_shape,
    held_shape,
    kept_shape,
    note_shape,
    user_shape,
)
from hermes.app.pending import parse_held
from hermes.app.reflections import reflection_shape
from hermes.guard.origin import trust_of
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.reference import render_ref
from hermes.memory.notekeeping import Writer
from hermes.memory.notes import Action, MemoryRequest, Operation, visible_text
from hermes.memory.notes.request import Target
from hermes.server.http.entry import Door
from hermes.server.http.routes.paging import Hundred, Names
from hermes.server.http.routes.ways import InBank, Json, Reading, Writing, new_router
from hermes.types import EntityKind
from hermes.wire import beliefs as wire
from hermes.wire.base import Listed

entities = new_router("entities")
reflections = new_router("reflections")
notes = new_router("notes")
pending = new_router("pending")

EntityName = Annotated[str, Path(min_length=1, max_length=200, examples=["Atlas", "entity:7"])]
HeldId = Annotated[str, Path(min_length=1, max_length=40, examples=["held:7", "7"])]
ReflectionRef = Annotated[str, Path(min_length=1, max_length=40, examples=["reflection:7"])]
Page = Annotated[Literal["memory", "user"], Path(description="MEMORY.md or USER.md.")]


@entities.get("/entities", response_model=Listed[wire.Entity])
async def list_entities(
    door: Reading,
    *,
    bank: InBank = "",
    kind: Annotated[list[EntityKind] | None, Query(max_length=10)] = None,
    pages: Names,
) -> Json:
    """Whom and what memories mention, the most mentioned first."""
    kinds, known = tuple(kind or ()), door.app.entities
    found = await door.call(lambda: known.list(bank, kinds, pages.reach))
    return pages.render(found, entity_shape)


@entities.get("/entities/suggestions", response_model=Listed[wire.Suggestion])
async def suggest_merges(door: Reading, bank: InBank = "") -> Json:
    """Pairs that may be one and the same."""
    found = await door.call(lambda: door.app.entities.suggest(bank))
    return {"items": [{"keep": s.keep, "merge": s.merge, "reason": s.reason} for s in found]}


@entities.post("/entities/merge", response_model=wire.Entity)
async def merge_entities(door: Writing, sent: wire.MergeEntities) -> Json:
    """Make one of two; `split` undoes it."""
    known = door.app.entities
    return entity_shape(await door.call(lambda: known.merge(sent.keep, sent.other, sent.bank)))


@entities.post("/entities/split", response_model=Listed[wire.Entity])
async def split_entity(door: Writing, sent: wire.SplitEntity) -> Json:
    """Take names off an entity and make another one of them."""
    known = door.app.entities
    two = await door.call(lambda: known.split(sent.name, sent.aliases, sent.bank))
    return {"items": [entity_shape(each) for each in two]}


@entities.get("/entities/{name:path}", response_model=wire.EntityView)
async def show_entity(door: Reading, name: EntityName, bank: InBank = "") -> Json:
    """One entity, the facts about it, and where it was last spoken of."""

    def read() -> Json:
        found = door.app.entities.show(name, bank)
        return entity_view_shape(found, door.app.compressing.find_among(found.messages))

    return await door.call(read)


@reflections.get("/reflections", response_model=Listed[wire.Reflection])
async def list_reflections(
    door: Reading,
    *,
    bank: InBank = "",
    task_type: Annotated[str, Query(max_length=200)] = "",
    pages: Hundred,
) -> Json:
    """What was learnt of how tasks work, newest first."""
    learnt = door.app.reflections
    found = await door.call(lambda: learnt.list(bank, task_type=task_type, limit=pages.reach))
    return pages.render(found, reflection_shape)


@reflections.get("/reflections/{ref}", response_model=wire.Reflection)
async def get_reflection(door: Reading, ref: ReflectionRef) -> Json:
    """One reflection."""
    return reflection_shape(await door.call(lambda: door.app.reflections.get(ref)))


@reflections.delete("/reflections/{ref}", response_model=wire.Reflection)
async def delete_reflection(door: Writing, ref: ReflectionRef) -> Json:
    """Delete a reflection."""
    return reflection_shape(await door.call(lambda: door.app.reflections.delete(ref)))


@reflections.post("/reflections/{ref}/restore", response_model=wire.Reflection)
async def restore_reflection(door: Writing, ref: ReflectionRef) -> Json:
    """Bring back a reflection that was deleted."""
    return reflection_shape(await door.call(lambda: door.app.overview.restore_reflection(ref)))


@reflections.post("/sessions/{session_id:path}/reflect", response_model=Listed[wire.Reflection])
async def reflect(
    door: Writing, session_id: Annotated[str, Path(min_length=1, max_length=200)]
) -> Json:
    """Draw lessons from a session now."""
    found = await door.call(lambda: door.app.reflections.reflect(session_id))
    return {"items": [reflection_shape(each) for each in found]}


@notes.get("/notes/{target}", response_model=wire.Notebook)
async def read_notes(door: Reading, target: Page) -> Json:
    """A notebook as it is now, hand edits and all."""
    return await door.call(lambda: _notebook(door, Target(target)))


def _notebook(door: Door, target: Target) -> Json:
    kept = door.app.notes
    return {
        "target": target.value,
        "size": kept.size(target),
        "limit": kept.page(target).limit,
        "notes": [note_shape(note) for note in kept.list(target)],
        "text": visible_text(kept.text(target)),
    }


@notes.post("/notes/{target}", response_model=wire.NoteOutcome)
async def change_notes(door: Writing, target: Page, sent: wire.NoteChange) -> Json:
    """Change a notebook, all of it or nothing; of it, what is tainted waits, each by itself."""
    operations = [Operation(Action(o.action), o.content, o.old_text) for o in sent.operations]
    request = MemoryRequest(Target(target), tuple(operations))
    writer = Writer(sent.origin, trust_of(sent.origin))
    outcome = await door.call(lambda: door.app.notes.change(request, writer))
    return {
        "done": list(outcome.change.done) if outcome.change else [],
        "closed": [render_ref(fact.number) for fact in outcome.closed],
        "held": [held_shape(each) for each in outcome.held],
        "overflow": [kept_shape(kept) for kept in outcome.overflow],
    }


@notes.get("/user", response_model=wire.UserModel)
async def user_model(
    door: Reading, bank: Annotated[str, Query(min_length=1, max_length=200)] = DEFAULT
) -> Json:
    """What is believed of the person, each line with its evidence."""
    return user_shape(await door.call(lambda: door.app.user.show(bank)))


@notes.post("/user/sync", response_model=wire.Synced)
async def sync_user(door: Writing) -> Json:
    """Bring USER.md up to what is known; what you wrote there stays."""
    change = await door.call(door.app.user.project)
    return {"size": change.size, "limit": change.limit} if change else {"size": 0, "limit": 0}


@pending.get("/pending", response_model=Listed[wire.Held])
async def list_pending(
    door: Reading,
    *,
    bank: InBank = "",
    decided: bool = False,
    pages: Hundred,
) -> Json:
    """Writes that wait for the person's word; with `decided`, those that do not any more."""
    waiting = door.app.pending
    found = await door.call(lambda: waiting.list(bank, decided=decided, limit=pages.reach))
    return pages.render(found, held_shape)


@pending.post("/pending/{held_id}/approve", response_model=wire.Approved)
async def approve(door: Writing, held_id: HeldId) -> Json:
    """Make a held write; `closed` are the facts that went with notes it took off."""
    return approved_shape(await door.call(lambda: door.app.pending.approve(held_id)))


@pending.post("/pending/{held_id}/reopen", response_model=wire.Held)
async def reopen(door: Writing, held_id: HeldId) -> Json:
    """Let a write that was rejected wait for a word again."""
    number = parse_held(held_id)
    return held_shape(await door.call(lambda: door.app.overview.reopen_held(number)))


@pending.post("/pending/{held_id}/reject", response_model=wire.Held)
async def reject(door: Writing, held_id: HeldId) -> Json:
    """Refuse a held write; what it was stays to be seen."""
    return held_shape(await door.call(lambda: door.app.pending.reject(held_id)))
