"""The slash commands about memory: see it, ask why, forget, restore, allow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hermes.cli.render import clean, render_local
from hermes.errors import NotFound, UserError

if TYPE_CHECKING:
    from hermes.agent.checkpoints import Checkpoint
    from hermes.app import App
    from hermes.cli.chat.room import Room

FOUND = 8
CHARS = 200


async def show(room: Room, argument: str) -> None:
    shown = await asyncio.to_thread(_search if argument else _overview, room, argument)
    room.screen.tell(shown)


async def why(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Why what?", "Say /why fact:42, or /why and words of the fact.")
    room.screen.tell(await asyncio.to_thread(_explain, room.app, argument))


async def forget(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Forget what?", "Say /forget fact:42 or /forget note:n-3f9a.")
    room.screen.tell(await asyncio.to_thread(_forget, room.app, argument))


async def restore(room: Room, argument: str) -> None:
    fact = await asyncio.to_thread(room.app.facts.restore, argument)
    room.screen.tell(f"Believed again: {clean(fact.text)}")


async def approve(room: Room, argument: str) -> None:
    if not argument:
        waiting = await asyncio.to_thread(room.app.pending.list)
        lines = [f"held:{each.id}  {clean(each.text)} ({each.reason})" for each in waiting]
        room.screen.tell("\n".join(lines) or "Nothing waits for your word.")
        return
    write = await asyncio.to_thread(room.app.pending.approve, argument)
    room.screen.tell(f"Written: {clean(write.text)}")


async def reject(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Reject what?", "/approve lists what waits; say /reject held:7.")
    write = await asyncio.to_thread(room.app.pending.reject, argument)
    room.screen.tell(f"Not written: {clean(write.text)}")


def told_checkpoint(checkpoint: Checkpoint) -> str:
    files = f"{len(checkpoint.changes)} files"
    return (
        f"{checkpoint.number:>4}  {render_local(checkpoint.at)}  {clean(checkpoint.why)}  {files}"
    )


def _overview(room: Room, argument: str) -> str:
    from hermes.memory.notes.request import Target  # noqa: PLC0415 - loaded by then

    app = room.app
    lines: list[str] = []
    for target, title in ((Target.USER, "Of you (USER.md)"), (Target.MEMORY, "Notebook")):
        notes = app.notes.list(target)
        lines += [f"{title}:", *(f"  note:{note.id}  {clean(note.text)}" for note in notes)]
        if not notes:
            lines.append("  nothing yet")
    believed = [line.text for line in app.user.show(room.chat.bank).lines]
    lines += ["Believed of you:", *(f"  {clean(text)}" for text in believed[:20])]
    waiting = app.pending.count()
    if waiting:
        lines.append(f"{waiting} writes wait for your word: /approve")
    return "\n".join([*lines, "/memory WORDS searches; /why and /forget take what it shows."])


def _search(room: Room, argument: str) -> str:
    items, _ = room.app.memory.search(argument, bank=room.chat.bank, limit=FOUND)
    lines = [
        f"{item.ref}  {render_local(item.at)}  {clean(item.text)[:CHARS]}"
        for item in items
        if item.relevance or item.score
    ]
    return "\n".join(lines) or "Nothing is remembered that bears on this."


def _explain(app: App, argument: str) -> str:
    if not any(character.isdigit() for character in argument):
        argument = _find_fact(app, argument)
    found = app.facts.why(argument)
    lines = [f"fact:{found.fact.number}  {clean(found.fact.text)}"]
    for evidence in found.evidence:
        said = f"{evidence.before}«{evidence.source.quote}»{evidence.after}"
        where = evidence.message.session_id if evidence.message else "given by hand"
        lines.append(f"  {render_local(evidence.source.at)}  {clean(where)}: {clean(said)}")
    lines += [f"  replaced fact:{old.number} {clean(old.text)}" for old in found.replaced]
    if found.replaced_by is not None:
        lines.append(f"  replaced by fact:{found.replaced_by.number}")
    return "\n".join(lines)


def _find_fact(app: App, words: str) -> str:
    ranked = app.facts.search(words, limit=1)
    if not ranked:
        raise NotFound(f"No fact holds {words!r}.", "/memory WORDS searches everything.")
    return f"fact:{ranked[0][0].number}"


def _forget(app: App, argument: str) -> str:
    if argument.startswith(("note:", "n-")):
        return _forget_note(app, argument.removeprefix("note:"))
    fact = app.facts.forget(argument)
    return f"Forgotten: {clean(fact.text)} · undo: /restore fact:{fact.number}"


def _forget_note(app: App, note_id: str) -> str:
    from hermes.memory.notes.request import Target  # noqa: PLC0415 - loaded by then

    for target in Target:
        for note in app.notes.list(target):
            if note.id == note_id:
                app.notes.remove(target, note_id)
                return f"Forgotten: {clean(note.text)}"
    raise NotFound(f"There is no note {note_id!r}.", "/memory lists them.")
