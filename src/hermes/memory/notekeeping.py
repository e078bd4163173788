"""Changing the notebooks through the guard: tainted changes are held, overflow goes to the store.

The pages are files and know no store; here the two meet. A change that is made is told in the log.
What the person takes off the page on them is no longer believed, either (`unlearning`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes.errors import UserError
from hermes.guard.kept import kept_text
from hermes.guard.origin import Decision, decide_write, trust_of
from hermes.guard.origin import Target as Place
from hermes.guard.scan import is_certain, scan
from hermes.guard.text import clean
from hermes.memory.facts.audit import Act
from hermes.memory.facts.given import MAX_CHARS, PERSON, Given, Kept
from hermes.memory.facts.keeping import believe
from hermes.memory.facts.revising import forget
from hermes.memory.notelog import Gone, record_came, record_gone
from hermes.memory.notes import (
    Change,
    MemoryRequest,
    Note,
    NotesFull,
    Operation,
    apply_operations,
    change_notes,
    load_notes,
    parse_notes,
)
from hermes.memory.notes.change import Action, find_note, run_operations, size_of
from hermes.memory.notes.files import ALONE, Sharing
from hermes.memory.notes.request import Target, parse_request
from hermes.memory.pending import Tainted, hold
from hermes.memory.unlearning import Leaving, part_facts
from hermes.store.base import HeldWrite, Store, Tx
from hermes.types import EventKind, Fact, FactSource, Origin, Trust

_GONE = re.compile(r"(?:removed|replaced) (?P<old>\S+)(?: by (?P<new>\S+))?")
_CAME = re.compile(r"(?:added|replaced \S+ by) (?P<new>\S+)")


@dataclass(frozen=True, slots=True)
class Page:
    """A notebook on disk, its cap, the bank its overflow goes to, and who else has it.

    What a page that is `of_user` says of them, facts of its bank may say as well.
    """

    path: Path
    limit: int
    bank: str = "default"
    sharing: Sharing = ALONE
    of_user: bool = False


@dataclass(frozen=True, slots=True)
class Writer:
    """In whose words a change is, and how far they are trusted.

    `said` is what the person said that an agent makes it for. With `keep_secrets` they asked for
    secrets to be kept.
    """

    origin: Origin = Origin.USER
    trust: Trust = Trust.HIGH
    by: str = PERSON
    said: str = ""
    keep_secrets: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request: the changed page, or where it went, and what of it is held back.

    `made` are the operations that `change` did. `lost` names the notes that went without a way
    back: they held what no log may hold. `closed` are the facts that went with notes that said
    them, `believed` those that did not.
    """

    change: Change | None = None
    made: tuple[Operation, ...] = ()
    held: tuple[HeldWrite, ...] = ()
    overflow: tuple[Kept, ...] = ()
    full: NotesFull | None = None
    lost: tuple[str, ...] = ()
    closed: tuple[Fact, ...] = ()
    believed: tuple[Fact, ...] = ()


def change_page(
    store: Store, page: Page, request: MemoryRequest, *, writer: Writer, now: int
) -> Outcome:
    """Make what may be made of a request, all of it or nothing, and hold the rest, each by itself.

    Where one operation cannot be done nothing is made and nothing held.
    """
    operations = tuple(_cleaned(each, page, writer) for each in request.operations)
    waiting = [each for each in operations if _must_wait(each, writer)]
    ready = tuple(each for each in operations if each not in waiting)
    if waiting:
        run_operations(load_notes(page.path), operations)
    done = _make(store, page, ready, writer, now) if ready else Outcome()
    tainted = [_tainted(each, request.target, page, writer) for each in waiting]
    if not tainted:
        return done
    held = store.write(lambda tx: tuple(hold(tx, each, now) for each in tainted))
    return replace(done, held=held)


def _make(
    store: Store, page: Page, operations: Sequence[Operation], writer: Writer, now: int
) -> Outcome:
    try:
        change = change_logged(store, page, operations, now=now)
    except NotesFull as full:
        trust = min(_worth(each, writer) for each in operations)
        return _overflow(store, page, full, writer=replace(writer, trust=trust), now=now)
    said = None if writer.origin is Origin.USER else writer.said
    done = store.write(lambda tx: _tell(tx, page, change, Act(writer.by, now), said=said))
    return replace(done, made=tuple(operations))


def _tainted(operation: Operation, target: Target, page: Page, writer: Writer) -> Tainted:
    kept = _holdable(operation, page)
    payload = to_payload(MemoryRequest(target, (kept,)))
    worth = _worth(operation, writer)
    return Tainted(Place.NOTES, _told(kept), payload, page.bank, writer.origin, worth)


def _worth(operation: Operation, writer: Writer) -> Trust:
    return min(operation.worth, writer.trust, trust_of(writer.origin))


def change_logged(
    store: Store,
    page: Page,
    operations: Sequence[Operation],
    *,
    now: int,
    facts: tuple[int, ...] = (),
) -> Change:
    """Change a page once the log knows what goes from it: there is always a way back.

    `facts` are those that it goes with. What was changed by others in between is logged after it.
    """
    planned = apply_operations(load_notes(page.path), operations, limit=page.limit)
    _log_gone(store, page, planned, facts, now)
    change = change_notes(page.path, operations, limit=page.limit, sharing=page.sharing)
    if change.done != planned.done:
        _log_gone(store, page, change, facts, now)
    return change


def _log_gone(store: Store, page: Page, change: Change, facts: tuple[int, ...], now: int) -> None:
    lost = _lost(change.done, change.before)
    gone = [
        (note_id, Gone(page.path.name, text, by, facts, now)) for note_id, text, by in _gone(change)
    ]

    def write(tx: Tx) -> None:
        for note_id, told in gone:
            record_gone(tx, note_id, told, is_kept=note_id not in lost)

    if gone:
        store.write(write)


def _gone(change: Change) -> Iterator[tuple[str, str, str]]:
    """Of each note that goes, its id, what it says, and the id of what comes instead."""
    texts = {note.id: note.text for note in change.before}
    for gone in filter(None, map(_GONE.fullmatch, change.done)):
        if gone["old"] in texts:
            yield gone["old"], texts[gone["old"]], gone["new"] or ""


def to_payload(request: MemoryRequest) -> dict[str, object]:
    """A request as it is held; `parse_request` reads it back."""
    listed = [
        {"action": each.action.value, "content": each.content, "old_text": each.old_text}
        for each in request.operations
    ]
    return {"target": request.target.value, "operations": listed}


def apply_held(store: Store, pages: dict[Target, Page], write: HeldWrite, now: int) -> Outcome:
    """Make a held change that was approved; made before, it is left as it is."""
    request = parse_request(write.payload)
    page = pages[request.target]
    change = change_logged(store, page, request.operations, now=now)
    return store.write(lambda tx: _tell(tx, page, change, Act("agent", now), said=None))


def _cleaned(operation: Operation, page: Page, writer: Writer) -> Operation:
    kept, seen = kept_text(operation.content), clean(operation.content).text
    if not writer.keep_secrets or kept == seen:
        return replace(operation, content=kept)
    if page.of_user:
        raise UserError(
            f"{page.path.name} keeps no secret: it is plain text, and before every task.",
            "Keep it as a fact (`hermes memory fact add --keep-secrets`), which the database "
            "encrypts, or leave --keep-secrets out and have it cut out of the note.",
        )
    return replace(operation, content=seen)


def _holdable(operation: Operation, page: Page) -> Operation:
    """A change as it may be kept: a note is named by its id where its words hold a secret."""
    old = operation.old_text
    if kept_text(old) == old:
        return operation
    return replace(operation, old_text=find_note(parse_notes(load_notes(page.path)), old).id)


def _must_wait(operation: Operation, writer: Writer) -> bool:
    """Whether a change waits for the person's word; what they write by hand is their word."""
    by_hand = writer.by == PERSON and writer.origin is Origin.USER
    suspect = not by_hand and is_certain(scan(operation.content))
    worth = _worth(operation, writer)
    return decide_write(Place.NOTES, worth, is_suspect=suspect) is Decision.HOLD


def _told(operation: Operation) -> str:
    if operation.action is Action.ADD:
        return operation.content
    if operation.action is Action.REMOVE:
        return f"remove {operation.old_text!r}"
    return f"replace {operation.old_text!r} by: {operation.content}"


def _overflow(store: Store, page: Page, full: NotesFull, *, writer: Writer, now: int) -> Outcome:
    """What does not fit on the page is kept as facts; with nothing to keep, it is an error."""
    if not full.overflow:
        raise full
    longest = max(map(len, full.overflow))
    if longest > MAX_CHARS:
        raise _nowhere(page, longest)

    def keep(tx: Tx) -> tuple[Kept, ...]:
        return tuple(_as_fact(tx, page, text, writer, now) for text in full.overflow)

    return Outcome(overflow=store.write(keep), full=full)


def _nowhere(page: Page, longest: int) -> UserError:
    room = max(0, page.limit - size_of(load_notes(page.path)))
    return UserError(
        f"A note of {longest:,} characters can be kept nowhere: {page.path.name} takes "
        f"{page.limit:,} in all and has room for {room:,}, a fact takes at most {MAX_CHARS:,}.",
        "Shorten it, or make several notes of it; a long text can be imported as a message.",
    )


def _as_fact(tx: Tx, page: Page, text: str, writer: Writer, now: int) -> Kept:
    from hermes.memory.facts.clauses.statement import parse_statement  # noqa: PLC0415 - slow

    candidate = parse_statement(text, now)
    source = FactSource(candidate.quote, at=now, trust=writer.trust)
    act = Act(writer.by, now, f"{page.path.name} was full")
    return believe(tx, candidate, Given(page.bank, source, writer.origin), act)


def _tell(tx: Tx, page: Page, change: Change, act: Act, *, said: str | None) -> Outcome:
    """Unlearn what the notes that went said, and log what was done.

    A secret that was written by hand has no way back: the log keeps what it gets. `said` is what
    the person said where an agent made the change by itself. The facts are told as they were.
    """
    texts = {note.id: note.text for note in change.notes}
    lost, closed, believed = _lost(change.done, change.before), list[Fact](), list[Fact]()
    for old, text, new in _gone(change) if page.of_user else ():
        going, staying = _unlearn(
            tx, page, Leaving(text, texts.get(new, ""), change.notes, said), act
        )
        if going:  # said once more, with the facts that come back with it
            told = Gone(page.path.name, text, new, tuple(fact.number for fact in going), act.at)
            record_gone(tx, old, told, is_kept=old not in lost)
        closed += going
        believed += staying
    for came in filter(None, map(_CAME.fullmatch, change.done)):
        record_came(tx, page.path.name, came["new"], by=act.by, now=act.at)
    summary = f"Changed {page.path.name}: {'; '.join(change.done)}"
    tx.events.add(EventKind.MEMORY, summary, at=act.at, ref=f"note:{page.path.name}")
    return Outcome(change, lost=lost, closed=tuple(closed), believed=tuple(believed))


def _unlearn(tx: Tx, page: Page, leaving: Leaving, act: Act) -> tuple[list[Fact], list[Fact]]:
    going, staying = part_facts(tx, page.bank, leaving, act.at)
    why = replace(act, reason=f"the note that said it left {page.path.name}")
    for fact in going:
        forget(tx, fact.number, why)
    return going, staying


def _lost(done: Sequence[str], before: Sequence[Note]) -> tuple[str, ...]:
    """The notes that went and may not be kept word for word."""
    gone = {match["old"] for match in map(_GONE.fullmatch, done) if match}
    return tuple(n.id for n in before if n.id in gone and kept_text(n.text) != n.text)
