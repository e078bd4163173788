"""The slash commands about memory: see it, ask why, forget, restore, allow."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hermes.app.forgetting import holds_one
from hermes.cli.fact_view import print_refs
from hermes.cli.layout import hang
from hermes.cli.render import clean, count, render_local
from hermes.errors import NotFound, UserError
from hermes.memory.facts.listing import FactQuery
from hermes.memory.facts.reference import is_ref, render_ref
from hermes.memory.notes.request import Target
from hermes.types import Kind

if TYPE_CHECKING:
    from hermes.agent.checkpoints import Checkpoint
    from hermes.app import App
    from hermes.cli.chat.room import Room
    from hermes.memory.facts.why import Evidence
    from hermes.memory.recall.result import Item
    from hermes.memory.usermodel import Line
    from hermes.types import Fact

FOUND = 8
BELIEVED = 20
NEWEST = 8
CLEAR = 0.70  # what bears so much on the words was asked for…
BEARS = 0.65  # …and this may have been, where nothing clearly was
NEAREST = 3
INDENT = 4
CHARS = 200
OFFERED = 20


async def show(room: Room, argument: str) -> None:
    shown = await asyncio.to_thread(_search if argument else _overview, room, argument)
    room.screen.tell(shown)


async def why(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Why what?", "Say /why fact:42, or /why and words of the fact.")
    with _telling_unread(room, argument):
        room.screen.tell(await asyncio.to_thread(_explain, room.app, argument, room.chat.bank))


async def forget(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Forget what?", "Say /forget fact:42, note:n-3f9a, or words of it.")
    with _telling_unread(room, argument):
        gone = await asyncio.to_thread(room.app.agent.forget, argument, room.chat.bank)
    way = f"undo: /restore {gone.ref}" if gone.ref else "no way back: it held a secret"
    room.screen.tell(f"Forgotten: {clean(gone.text)} · {way}")
    for ref, text in gone.before:
        room.screen.tell(hang(f"It had replaced: {clean(text)} · back to that: /restore {ref}", 0))


async def restore(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Restore what?", "Say /restore fact:42, note:n-3f9a, or words of it.")
    back = await asyncio.to_thread(room.app.agent.restore, argument, room.chat.bank)
    room.screen.tell(f"Brought back: {clean(back.text)}")
    for ref, text in back.against:
        told = f"It now disagrees with {ref} {clean(text)}: /forget {ref} or /forget {back.ref}."
        room.screen.tell(hang(told, 0))


async def approve(room: Room, argument: str) -> None:
    if not argument:
        waiting = await asyncio.to_thread(room.app.pending.list)
        lines = [f"held:{each.id}  {clean(each.text)} ({each.reason})" for each in waiting]
        room.screen.tell("\n".join(lines) or "Nothing waits for your word.")
        return
    done = await asyncio.to_thread(room.app.pending.approve, argument)
    gone = "; ".join(clean(fact.text) for fact in done.notes.closed)
    undo = f" · undo: /restore note:{done.gone[0]}" if len(done.gone) == 1 else ""
    told = f"Written: {clean(done.write.text)}" + (f" (no longer: {gone})" if gone else "")
    room.screen.tell(told + undo)


async def reject(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Reject what?", "/approve lists what waits; say /reject held:7.")
    write = await asyncio.to_thread(room.app.pending.refuse, argument)
    room.screen.tell(f"Not written: {clean(write.text)}")


def offer_facts(room: Room, words: list[str]) -> Iterable[tuple[str, str]]:
    """The newest facts, by number."""
    if not words:
        found = room.app.facts.list(FactQuery(bank=room.chat.bank), OFFERED)
        yield from ((render_ref(fact.number), clean(fact.text)[:CHARS]) for fact in found)


def offer_kept(room: Room, words: list[str]) -> Iterable[tuple[str, str]]:
    """The notes and the newest facts."""
    if not words:
        notes = [note for target in Target for note in room.app.notes.list(target)]
        yield from ((f"note:{note.id}", clean(note.text)[:CHARS]) for note in notes)
        yield from offer_facts(room, words)


def offer_held(room: Room, words: list[str]) -> Iterable[tuple[str, str]]:
    """What waits for the person's word."""
    if not words:
        waiting = room.app.pending.list(limit=OFFERED)
        yield from ((f"held:{each.id}", clean(each.text)[:CHARS]) for each in waiting)


def told_unread(room: Room) -> str:
    """That some of this conversation was not read for facts yet, and when it is; "" if all was."""
    thread, parts = room.chat.thread, room.chat.parts
    unread = room.app.conversations.count_unread(thread.id) if thread.is_kept else 0
    if not unread:
        return ""
    when = "when it ends (/quit)"
    every = parts.options.review_every
    if every and parts.model is None and parts.light is None:  # a model saves what it chooses
        more = max(1, every - thread.since_review)
        when = f"after {count(more, 'more message')}, or {when}"
    is_are = "is" if unread == 1 else "are"
    told = f"{count(unread, 'message')} of yours in this conversation {is_are} not read for facts"
    return f"{told} yet: that is done {when}."


@contextmanager
def _telling_unread(room: Room, words: str) -> Iterator[None]:
    """Where no fact holds some words, say that it may not have been read yet."""
    try:
        yield
    except NotFound as error:
        if is_ref(words) or not (unread := told_unread(room)):
            raise
        raise NotFound(error.message, f"{unread} {error.hint}") from None


def told_checkpoint(checkpoint: Checkpoint) -> str:
    files = count(len(checkpoint.changes), "file")
    files += ", not all kept: too large" if checkpoint.is_partial else ""
    return (
        f"{checkpoint.number:>4}  {render_local(checkpoint.at)}  {clean(checkpoint.why)}  {files}"
    )


def _overview(room: Room, argument: str) -> str:
    app = room.app
    lines: list[str] = []
    for target, title in ((Target.USER, "Of you (USER.md)"), (Target.MEMORY, "Notebook")):
        notes = app.notes.list(target)
        lines += [f"{title}:", *(_kept(note.text, f"note:{note.id}") for note in notes)]
        if not notes:
            lines.append("  nothing yet")
    believed = app.user.show(room.chat.bank).lines[:BELIEVED]
    lines += ["Believed of you:", *(_believed(line) for line in believed)]
    if not believed:
        lines.append("  nothing yet")
    lines += _besides(room, {number for line in believed for number in line.facts})
    if unread := told_unread(room):
        lines.append(unread)
    waiting = app.pending.count()
    if waiting:
        waits = "1 write waits" if waiting == 1 else f"{waiting} writes wait"
        lines.append(f"{waits} for your word: /approve")
    return "\n".join([*lines, "/memory WORDS searches; /why and /forget take what it shows."])


def _besides(room: Room, shown: set[int]) -> list[str]:
    """The newest of what else is believed, and where the rest is."""
    found = room.app.facts.list(FactQuery(bank=room.chat.bank), OFFERED + len(shown))
    others = [fact for fact in found if fact.number not in shown and not fact.held]
    if not others:
        return []
    told = [_kept(fact.text, render_ref(fact.number)) for fact in others[:NEWEST]]
    rest = ["  and more: `hermes memory facts list`"] if len(others) > NEWEST else []
    return ["Believed besides, newest first:", *told, *rest]


def _believed(line: Line) -> str:
    return _kept(line.text, print_refs(line.facts))


def _kept(text: str, refs: str) -> str:
    """What is kept and, last, by what it can be named: there may be many."""
    return hang(f"  {_cut(text)} [{refs}]", INDENT)


def _listed(ref: str, text: str) -> str:
    """A reference and what it is for; further lines stand below the text."""
    return hang(f"{ref}  {_cut(text)}", len(ref) + 2)


def _cut(text: str) -> str:
    shown = clean(text)
    return shown if len(shown) <= CHARS else shown[:CHARS].rsplit(" ", 1)[0] + " …"


def _search(room: Room, argument: str) -> str:
    items, _ = room.app.memory.search(argument, bank=room.chat.bank, limit=FOUND)
    sure = [item for item in items if item.relevance >= CLEAR or holds_one(item.text, argument)]
    if sure:
        return "\n".join(map(_found, sure))
    perhaps = [_found(item) for item in items if item.relevance >= BEARS]
    if not perhaps:
        return "Nothing is remembered that bears on this."
    return "\n".join(["Nothing clearly bears on this. Nearest in meaning:", *perhaps[:NEAREST]])


def _found(item: Item) -> str:
    note = f" ({clean(item.note)})" if item.note else ""
    return _listed(f"{item.ref}  {render_local(item.at)}", _cut(item.text) + note)


def _explain(app: App, argument: str, bank: str) -> str:
    if not any(character.isdigit() for character in argument):
        argument = _find_fact(app, argument, bank)
    found = app.facts.why(argument)
    lines = [_listed(render_ref(found.fact.number), found.fact.text)]
    for evidence in found.evidence:
        said = f"{evidence.before}«{evidence.source.quote}»{evidence.after}"
        where = _where(evidence, found.fact)
        lines.append(_listed(f"  {render_local(evidence.source.at)}", f"{where}: {said}"))
    lines += [f"  replaced {render_ref(old.number)} {clean(old.text)}" for old in found.replaced]
    if found.replaced_by is not None:
        by = found.replaced_by
        lines.append(f"  replaced by {render_ref(by.number)} {clean(by.text)}")
    return "\n".join(lines)


def _where(evidence: Evidence, fact: Fact) -> str:
    """The conversation something was said in, or who else it came from."""
    if evidence.message is None:
        return "given by hand" if fact.extractor == "person" else f"given by {fact.extractor}"
    session = evidence.session
    title = f"“{session.title}” " if session is not None and session.title else ""
    return f"{title}{evidence.message.session_id}"


def _find_fact(app: App, words: str, bank: str) -> str:
    """The fact that answers the words as a question, else the one that holds them best."""
    items, _ = app.memory.search(words, bank=bank, limit=1, kinds=(Kind.FACT,))
    if items and (items[0].relevance >= CLEAR or holds_one(items[0].text, words)):
        return items[0].ref
    ranked = app.facts.search(words, limit=1)
    if not ranked:
        raise _none_holds(app, words)
    return render_ref(ranked[0][0].number)


def _none_holds(app: App, words: str) -> NotFound:
    closed = [render_ref(fact.number) for fact in app.facts.list_closed(words)]
    if not closed:
        return NotFound(f"No fact holds {words!r}.", "/memory WORDS searches everything.")
    told = f"No fact that is believed holds {words!r}; closed: {', '.join(closed)}."
    return NotFound(told, f"/why {closed[0]} tells of it.")
