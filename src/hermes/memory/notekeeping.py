"""Changing the notebooks through the guard: tainted changes are held, overflow goes to the store.

The pages are files and know no store; here the two meet. A change that is made is told in the log.
What the person takes off the page on them is no longer believed, either (`unlearning`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes.errors import UserError
from hermes.guard.kept import kept_text
from hermes.guard.origin import Decision, decide_write, trust_of
from hermes.guard.origin import Target as Place
from hermes.guard.scan import is_certain, scan
from hermes.memory.facts.audit import Act
from hermes.memory.facts.given import MAX_CHARS, Given, Kept
from hermes.memory.facts.keeping import believe, forget
from hermes.memory.notelog import Gone, record_came, record_gone
from hermes.memory.notes import (
    Change,
    MemoryRequest,
    Note,
    NotesFull,
    Operation,
    change_notes,
    load_notes,
    parse_notes,
)
from hermes.memory.notes.change import Action, find_note
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

    `said` is what the person said that an agent makes it for.
    """

    origin: Origin = Origin.USER
    trust: Trust = Trust.HIGH
    by: str = "person"
    said: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request: the changed page, or what holds it back, or where it went.

    `lost` names the notes that went without a way back: they held what no log may hold. `closed`
    are the facts that went with notes that said them, `believed` those that did not.
    """

    change: Change | None = None
    held: HeldWrite | None = None
    overflow: tuple[Kept, ...] = ()
    full: NotesFull | None = None
    lost: tuple[str, ...] = ()
    closed: tuple[Fact, ...] = ()
    believed: tuple[Fact, ...] = ()


def change_page(
    store: Store, page: Page, request: MemoryRequest, *, writer: Writer, now: int
) -> Outcome:
    """Change a notebook, or hold the whole request until the person approves it."""
    operations = tuple(_cleaned(each) for each in request.operations)
    request = replace(request, operations=operations)
    trust = min(writer.trust, trust_of(writer.origin))
    if _must_wait(operations, trust):
        operations = tuple(_holdable(each, page) for each in operations)
        tainted = Tainted(
            Place.NOTES,
            "\n".join(_told(each) for each in operations),
            to_payload(replace(request, operations=operations)),
            page.bank,
            writer.origin,
            trust,
        )
        return Outcome(held=store.write(lambda tx: hold(tx, tainted, now)))
    try:
        change = change_notes(page.path, operations, limit=page.limit, sharing=page.sharing)
    except NotesFull as full:
        return _overflow(store, page, full, writer=replace(writer, trust=trust), now=now)
    said = None if writer.origin is Origin.USER else writer.said
    return store.write(lambda tx: _tell(tx, page, change, Act(writer.by, now), said=said))


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
    change = change_notes(page.path, request.operations, limit=page.limit, sharing=page.sharing)
    return store.write(lambda tx: _tell(tx, page, change, Act("agent", now), said=None))


def _cleaned(operation: Operation) -> Operation:
    return replace(operation, content=kept_text(operation.content))


def _holdable(operation: Operation, page: Page) -> Operation:
    """A change as it may be kept: a note is named by its id where its words hold a secret."""
    old = operation.old_text
    if kept_text(old) == old:
        return operation
    return replace(operation, old_text=find_note(parse_notes(load_notes(page.path)), old).id)


def _must_wait(operations: Sequence[Operation], trust: Trust) -> bool:
    suspect = any(is_certain(scan(each.content)) for each in operations if each.content)
    return decide_write(Place.NOTES, trust, is_suspect=suspect) is Decision.HOLD


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
        raise UserError(
            f"A note of {longest:,} characters can be kept nowhere: {page.path.name} takes "
            f"{page.limit:,} in all, a fact at most {MAX_CHARS:,}.",
            "Shorten it, or make several notes of it; a long text can be imported as a message.",
        )

    def keep(tx: Tx) -> tuple[Kept, ...]:
        return tuple(_as_fact(tx, page, text, writer, now) for text in full.overflow)

    return Outcome(overflow=store.write(keep), full=full)


def _as_fact(tx: Tx, page: Page, text: str, writer: Writer, now: int) -> Kept:
    from hermes.memory.facts.clauses.statement import parse_statement  # noqa: PLC0415 - slow

    candidate = parse_statement(text, now)
    source = FactSource(candidate.quote, at=now, trust=writer.trust)
    act = Act(writer.by, now, f"{page.path.name} was full")
    return believe(tx, candidate, Given(page.bank, source, writer.origin), act)


def _tell(tx: Tx, page: Page, change: Change, act: Act, *, said: str | None) -> Outcome:
    """Log what was done, and what the notes that went said: there must be a way back.

    A secret that was written by hand is the exception: the log keeps what it gets. `said` is what
    the person said where an agent made the change by itself. The facts are told as they were.
    """
    texts = {note.id: note.text for note in (*change.before, *change.notes)}
    lost, closed, believed = _lost(change.done, change.before), list[Fact](), list[Fact]()
    for gone in filter(None, map(_GONE.fullmatch, change.done)):
        if (old := gone["old"]) in texts:
            leaving = Leaving(texts[old], texts.get(gone["new"], ""), change.notes, said)
            going, staying = _unlearn(tx, page, leaving, act) if page.of_user else ([], [])
            numbers = tuple(fact.number for fact in going)
            told = Gone(page.path.name, texts[old], gone["new"] or "", numbers, act.at)
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
