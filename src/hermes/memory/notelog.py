"""What the log tells of notes: who wrote them, how they went, with which facts, and the way back.

Notes are files and keep no history; the log keeps it for them, and an erasure takes it out there.
A note is known by its id wherever it stands. A line that the log knows nothing of was written by
hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from hermes.memory.facts.given import PERSON
from hermes.store.base import Tx
from hermes.store.base.events import EventFilter
from hermes.types import Event, EventKind, Fact

NOTE = "note:"
LOOKED_THROUGH = 2_000  # lines of the log, for a note by its words
LAST = 20  # lines of the log about one thing that are looked through
_BACK = ("restore", "contradict")  # what is told of a fact that is brought back


@dataclass(frozen=True, slots=True)
class Gone:
    """A note that left its page, the note that took its place, and the facts that went with it."""

    page: str
    text: str
    by: str = ""
    facts: tuple[int, ...] = ()
    at: int = 0


@dataclass(frozen=True, slots=True)
class Against:
    """That a note says what was once a fact and is none now: its number, words and value."""

    fact: int
    text: str
    value: str


def record_came(tx: Tx, page: str, note_id: str, *, by: str, now: int) -> None:
    """Keep that an agent wrote a note; what a person wrote needs no proof."""
    if by != PERSON:
        details = {"page": page, "wrote": by}
        told = f"An agent wrote a note into {page}"
        tx.events.add(EventKind.MEMORY, told, at=now, details=details, ref=_ref(note_id))


def record_gone(tx: Tx, note_id: str, gone: Gone, *, is_kept: bool = True) -> None:
    """Keep what a note said that went; `is_kept` is false where no log may hold its words."""
    details: dict[str, object] = {"page": gone.page, "by": gone.by, "facts": list(gone.facts)}
    if is_kept:
        details["text"] = gone.text
    told = f"A note left {gone.page}"
    tx.events.add(EventKind.MEMORY, told, at=gone.at, details=details, ref=_ref(note_id))
    for number in gone.facts:
        with_it = f"The note {note_id} left {gone.page} with fact:{number}"
        linked = {"note": note_id}
        tx.events.add(EventKind.MEMORY, with_it, at=gone.at, details=linked, ref=f"fact:{number}")


def record_against(tx: Tx, page: str, note_id: str, fact: Fact, *, now: int) -> None:
    """Keep that a note stays although it says what no longer holds; said once."""
    if any(each.fact == fact.number for each in list_against(tx, note_id)):
        return
    details = {"against": fact.number, "text": fact.text, "value": fact.value}
    told = f"A note in {page} says what no longer holds: {fact.text}"
    tx.events.add(EventKind.MEMORY, told, at=now, details=details, ref=_ref(note_id))


def find_gone(tx: Tx, note_id: str) -> Gone | None:
    """How a note went last."""
    return next(iter(_gone(_about(tx, _ref(note_id)))), None)


def list_gone(tx: Tx) -> dict[str, str]:
    """The notes that went lately, by their ids, with what they said; newest first."""
    events = tx.events.list(EventFilter(kinds=(EventKind.MEMORY,)), LOOKED_THROUGH)
    found: dict[str, str] = {}
    for event in events:
        if event.ref.startswith(NOTE):
            for gone in _gone([event]):
                found.setdefault(event.ref.removeprefix(NOTE), gone.text)
    return found


def list_against(tx: Tx, note_id: str) -> list[Against]:
    """What a note says that was said to hold no longer."""
    found: list[Against] = []
    for event in _about(tx, _ref(note_id)):
        match event.details:
            case {"against": int(number), "text": str(text), "value": str(value)}:
                found.append(Against(number, text, value))
    return found


def is_by_agent(tx: Tx, note_id: str) -> bool:
    """Whether an agent wrote a note."""
    return any("wrote" in event.details for event in _about(tx, _ref(note_id)))


def is_newer(tx: Tx, note_id: str, at: int) -> bool:
    """Whether a note that stands on its page was written, or brought back, after a time."""
    for event in _about(tx, _ref(note_id)):
        if ("wrote" in event.details and event.at > at) or (
            "facts" in event.details and event.at >= at
        ):
            return True
    return False


def list_gone_with(tx: Tx, fact: Fact) -> list[str]:
    """The ids of the notes that went when a fact last changed, newest first."""
    return _noted(_about(tx, f"fact:{fact.number}"))


def list_gone_before(tx: Tx, fact: Fact) -> list[str]:
    """As `list_gone_with`, of the change that bringing the fact back has just undone."""
    told = _about(tx, f"fact:{fact.number}")
    return _noted(list(dropwhile(lambda each: each.details.get("action") in _BACK, told)))


def _noted(events: Sequence[Event]) -> list[str]:
    """The notes that lines name, up to the first line that tells of another change."""
    named = takewhile(lambda event: "note" in event.details, events)
    return list(dict.fromkeys(str(event.details["note"]) for event in named))


def _gone(events: Sequence[Event]) -> Iterator[Gone]:
    for event in events:
        match event.details:
            case {"page": str(page), "text": str(text), "by": str(by), **rest}:
                yield Gone(page, text, by, _numbers(rest.get("facts")), event.at)


def _numbers(listed: object) -> tuple[int, ...]:
    return tuple(n for n in listed if isinstance(n, int)) if isinstance(listed, list) else ()


def _about(tx: Tx, ref: str) -> list[Event]:
    """Newest first."""
    return tx.events.list(EventFilter(kinds=(EventKind.MEMORY,), ref=ref), LAST)


def _ref(note_id: str) -> str:
    return f"{NOTE}{note_id}"
