"""The log of what was done: what may be written to it, and whether it is still what was written.

Lines are bound to each other (`store.chain`). Verifying recomputes every link and finds the first
line that was altered, removed, inserted, or blanked without a line that says so. What was cut off
the end shows by the count the store keeps, and by an anchor kept outside of it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hermes.counted import many
from hermes.guard.redact import NUMBERING, redact
from hermes.guard.text import clean
from hermes.store.base import Tx
from hermes.store.chain import START, EventContent, EventLink, Head, hash_content, hash_link
from hermes.types import Event

LINES_AT_ONCE = 1_000
MAX_SUMMARY_CHARS = 500
BEGINNING = Head(0, START)
BLANK = EventContent("", "{}", "", b"")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of verifying: `bad` is the number of the first line that is not as written."""

    head: Head
    erased: int = 0
    bad: int | None = None
    problem: str = ""

    @property
    def is_sound(self) -> bool:
        return not self.problem


@dataclass(slots=True)
class _Walk:
    """Where verifying is, and what it has seen: lines without content, lines named as erased."""

    head: Head
    blank: list[int] = field(default_factory=list)
    named: set[int] = field(default_factory=set)


def add_event(
    tx: Tx,
    kind: str,
    summary: str,
    *,
    now: int,
    details: Mapping[str, object] | None = None,
    ref: str = "",
) -> Event:
    """Add a line for people: on one line, without secrets or what cannot be seen."""
    said = _presentable(summary)[:MAX_SUMMARY_CHARS]
    shown = {_presentable(key): _presented(value) for key, value in (details or {}).items()}
    told = redact(ref, keep=NUMBERING).text
    return tx.events.add(kind, said, at=now, details=shown, ref=told)


def verify_log(tx: Tx, anchor: Head = BEGINNING, start: Head = BEGINNING) -> Verdict:
    """Read the log from `start`, which is trusted, to its end; `anchor` is a head once seen."""
    walk = _Walk(start)
    for link in _links(tx, start.count):
        problem = _check(walk, link)
        if problem:
            return Verdict(walk.head, len(walk.blank), walk.head.count + 1, problem)
        if link.id == anchor.count and link.hash != anchor.hash:
            what = f"Event {link.id} is not the one that was there when the log was last verified."
            return Verdict(walk.head, len(walk.blank), link.id, what)
    return _check_end(tx, walk, anchor)


def has_head(tx: Tx, head: Head) -> bool:
    """Whether the log goes through `head`."""
    links = tx.events.list_links(head.count - 1, 1)
    return not head.count or [(link.id, link.hash) for link in links] == [(head.count, head.hash)]


def _check(walk: _Walk, link: EventLink) -> str:
    """What is wrong with a line that should follow `walk.head`, which is then moved on."""
    expected = walk.head.count + 1
    if link.id != expected:
        return f"Event {expected} was removed: event {link.id} follows event {expected - 1}."
    if hash_link(walk.head, link.at, link.kind, link.content) != link.hash:
        return f"Event {link.id} was altered, or put between two others: its link does not hold."
    if link.erased_at is not None and link.said == BLANK:
        walk.blank.append(link.id)
    elif hash_content(link.said) != link.content:
        return f"What event {link.id} says was altered."
    elif '"erases"' in link.said.details:
        walk.named.update(_erased_by(link))
    walk.head = Head(link.id, link.hash)
    return ""


def _check_end(tx: Tx, walk: _Walk, anchor: Head) -> Verdict:
    head, kept = walk.head, tx.events.head()
    unnamed = sorted(set(walk.blank) - walk.named)
    bad: int | None = None
    problem = ""
    if unnamed:
        bad = unnamed[0]
        problem = f"Event {bad} was blanked, and no event says that it was erased."
    elif kept.count > head.count or anchor.count > head.count:
        bad = head.count + 1
        known = max(kept.count, anchor.count)
        problem = f"Events {bad} to {known} were cut off: the log ends at event {head.count}."
    elif kept.count < head.count:
        bad = kept.count + 1
        problem = f"Event {bad} was put at the end: the log knows {many(kept.count, 'event')}."
    elif kept.hash != head.hash:
        bad = head.count
        problem = f"Event {bad} is not the one that the log ends with."
    return Verdict(head, len(walk.blank), bad, problem)


def _links(tx: Tx, after: int) -> Iterator[EventLink]:
    while links := tx.events.list_links(after, LINES_AT_ONCE):
        yield from links
        after = links[-1].id


def _erased_by(link: EventLink) -> Iterator[int]:
    """The lines that a line says were erased."""
    said = json.loads(link.said.details).get("erases")
    for number in said if isinstance(said, list) else ():
        if isinstance(number, int) and number < link.id:
            yield number


def _presentable(text: str) -> str:
    return " ".join(redact(clean(text).text).text.split())


def _presented(value: object) -> object:
    if isinstance(value, str):
        return redact(clean(value).text).text
    if isinstance(value, Mapping):
        return {_presentable(str(key)): _presented(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_presented(item) for item in value]
    return value
