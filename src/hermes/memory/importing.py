"""Importing a file of messages: streamed, in batches, each kept before the next is read.

A message's key is made from what it says and where it stands, so that a second import of the same
file, or of the same file mended or grown longer, keeps only what is new.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from hermes.clock import SECOND_MS
from hermes.errors import UserError
from hermes.guard.kept import kept_text
from hermes.memory.banks import DEFAULT, check_bank
from hermes.memory.record import (
    check_session_id,
    prepare_message,
    prepare_session,
    record_prepared,
)
from hermes.memory.transcript import MAX_LINE_BYTES, Line, parse_lines
from hermes.store.base import Store
from hermes.types import NewSession, Origin, Recorded, Role, Turn, Utterance

BATCH = 1_000
PLATFORM = "import"


@dataclass(frozen=True, slots=True)
class Import:
    """How a file is to be taken in."""

    session: NewSession
    origin: Origin | None = None
    on_progress: Callable[[int], None] | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import kept, and how many messages were there already."""

    turns: int
    messages: int
    sessions: int
    duplicates: int


class Readable(Protocol):
    """All that is asked of a stream."""

    def readline(self, limit: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Source:
    """What is read: a stream of lines, a name for it, and when it began if it does not say."""

    stream: Readable
    name: str
    started_at: int


def import_stream(store: Store, source: Source, wanted: Import, now: int) -> Imported:
    """Keep the conversations of lines of JSON.

    An unreadable line ends it with an error that names the line; all before it is kept, and the
    import can be run again once the line is mended.
    """
    tally = _Tally()
    raw = _bounded_lines(source.stream)
    first = next(raw, b"")
    given = prepare_session(wanted.session, now)
    fallback = replace(given, id=given.id or _fallback_id(source, first, given.bank))
    lines = _prepared(parse_lines(chain([first], raw), origin=wanted.origin), now)
    turns = list_turns(lines, fallback, started_at=source.started_at, now=now)
    for batch in _batches(turns, tally, source.name):
        tally.add(batch, record_prepared(store, batch, now))
        if wanted.on_progress:
            wanted.on_progress(tally.messages)
    if tally.error is not None:
        raise tally.error
    return tally.result()


def _fallback_id(source: Source, first: bytes, bank: str) -> str:
    """The same for a file that moved or grew, another for another file of the same name.

    A session lies in one bank: a file taken into a second one is another session there.
    """
    apart = b"" if bank in ("", DEFAULT) else b"\x1f" + bank.encode("utf-8", "surrogatepass")
    start = hashlib.sha256(first + apart).hexdigest()[:8]
    return f"{Path(source.name).stem or 'import'}-{start}"


class _Tally:
    """Counts what was kept, and holds the error that ended the reading until all before it is."""

    def __init__(self) -> None:
        self.turns = self.messages = self.duplicates = 0
        self.sessions: set[str] = set()
        self.error: UserError | None = None

    def add(self, batch: Sequence[Turn], receipts: Sequence[Recorded]) -> None:
        for turn, receipt in zip(batch, receipts, strict=True):
            if receipt.duplicate:
                self.duplicates += 1
                continue
            self.turns += not turn.continues
            self.messages += 1
            self.sessions.add(receipt.session_id)

    def result(self) -> Imported:
        return Imported(self.turns, self.messages, len(self.sessions), self.duplicates)


def _batches(turns: Iterator[Turn], tally: _Tally, name: str) -> Iterator[list[Turn]]:
    batch: list[Turn] = []
    try:
        for turn in turns:
            batch.append(turn)
            if len(batch) == BATCH:
                yield batch
                batch = []
    except UserError as error:
        tally.error = UserError(
            f"{name}, {error.message}", f"{error.hint} What came before it is kept."
        )
    if batch:
        yield batch


def _prepared(lines: Iterator[Line], now: int) -> Iterator[Line]:
    """Messages as they may be kept; one that may not is an error of its line."""
    for line in lines:
        try:
            check_bank(line.about.get("bank", DEFAULT))
            check_session_id(line.session_id)
            messages = tuple([prepare_message(said, now) for said in line.messages])
        except UserError as error:
            raise UserError(f"line {line.number}: {error.message}", error.hint) from error
        about = {key: kept_text(text) for key, text in line.about.items()}
        yield replace(line, messages=messages, about=about)


def _bounded_lines(stream: Readable) -> Iterator[bytes]:
    """Lines, none read further than just past the limit, so that a giant cannot fill memory."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)


@dataclass(slots=True)
class _Thread:
    """How far the reading of one conversation has come; a file may weave several."""

    about: NewSession
    position: int = 0
    last_role: Role | None = None


def list_turns(
    lines: Iterable[Line], session: NewSession, *, started_at: int, now: int
) -> Iterator[Turn]:
    """Each message as a turn, or as the continuation of the one before.

    Message by message, so that half a turn (before a broken line, at the end of a file that still
    grows) is kept and can be completed later without being kept twice.
    """
    threads: dict[str, _Thread] = {}
    clock = started_at
    for line in lines:
        uid = line.session_id or (f"{session.id}-{line.number}" if line.whole else session.id)
        thread = threads.setdefault(uid, _Thread(replace(session, id=uid)))
        thread.about = _filled(thread.about, line.about)
        for said in line.messages:
            clock = said.at if said.at is not None else min(clock + SECOND_MS, max(clock, now))
            yield _turn(thread, replace(said, at=clock))


def _filled(session: NewSession, about: Mapping[str, str]) -> NewSession:
    """What the file says of a conversation, where the caller left it open."""
    told: dict[str, Any] = {k: v for k, v in about.items() if not getattr(session, k)}
    return replace(session, **told) if told else session


def _turn(thread: _Thread, said: Utterance) -> Turn:
    session = replace(thread.about, platform=thread.about.platform or PLATFORM)
    digest = _digest(f"{said.role}\x1e{said.text}\x1e{said.call_id}")
    key = f"import\x1f{session.id}\x1f{thread.position}\x1f{digest}"
    begins = thread.last_role is None or _begins_turn(said.role, thread.last_role)
    thread.position, thread.last_role = thread.position + 1, said.role
    return Turn(session, (said,), key=key, continues=not begins)


def _begins_turn(role: Role, before: Role) -> bool:
    return role is Role.USER and before is not Role.SYSTEM


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
