"""Importing a file of messages: streamed, in batches, each kept before the next is read.

A turn's key is made from what it says and where it stands, so that a second import of the same
file, or of the same file grown longer, keeps only what is new.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from hermes.clock import SECOND_MS
from hermes.errors import UserError
from hermes.memory.record import prepare_message, record_prepared
from hermes.memory.transcript import MAX_LINE_BYTES, Line, parse_lines
from hermes.store.base import Store
from hermes.types import NewSession, Origin, Recorded, Role, Turn, Utterance

BATCH_TURNS = 500


@dataclass(frozen=True, slots=True)
class Import:
    """How a file is to be taken in."""

    session: NewSession
    origin: Origin | None = None
    on_progress: Callable[[int], None] | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import kept, and what was there already."""

    turns: int
    messages: int
    sessions: int
    duplicates: int


def import_file(store: Store, file: Path, wanted: Import, now: int) -> Imported:
    """Keep the conversations of a JSONL file.

    An unreadable line ends it with an error that names the line; all before it is kept, and the
    import can be run again once the line is mended.
    """
    tally = _Tally()
    started_at = min(now, round(file.stat().st_mtime * 1000))
    fallback = wanted.session.id or f"{file.stem}-{_digest(file.name)[:8]}"
    with file.open("rb") as stream:
        lines = _prepared(parse_lines(_bounded_lines(stream), origin=wanted.origin), now)
        turns = group_turns(lines, replace(wanted.session, id=fallback), started_at)
        for batch in _batches(turns, tally, file):
            tally.add(record_prepared(store, batch, now))
            if wanted.on_progress:
                wanted.on_progress(tally.turns)
    if tally.error is not None:
        raise tally.error
    return tally.result()


class _Tally:
    """Counts what was kept, and holds the error that ended the reading until all before it is."""

    def __init__(self) -> None:
        self.turns = self.messages = self.duplicates = 0
        self.sessions: set[str] = set()
        self.error: UserError | None = None

    def add(self, receipts: list[Recorded]) -> None:
        kept = [receipt for receipt in receipts if not receipt.duplicate]
        self.turns += len(kept)
        self.duplicates += len(receipts) - len(kept)
        self.messages += sum(len(receipt.message_ids) for receipt in kept)
        self.sessions.update(receipt.session_id for receipt in kept)

    def result(self) -> Imported:
        return Imported(self.turns, self.messages, len(self.sessions), self.duplicates)


def _batches(turns: Iterator[Turn], tally: _Tally, file: Path) -> Iterator[list[Turn]]:
    batch: list[Turn] = []
    try:
        for turn in turns:
            batch.append(turn)
            if len(batch) == BATCH_TURNS:
                yield batch
                batch = []
    except UserError as error:
        tally.error = UserError(
            f"{file}, {error.message}", f"{error.hint} What came before it is kept."
        )
    if batch:
        yield batch


def _prepared(lines: Iterator[Line], now: int) -> Iterator[Line]:
    """Messages as they may be kept; one that may not is an error of its line."""
    for line in lines:
        try:
            messages = tuple([prepare_message(said, now) for said in line.messages])
        except UserError as error:
            raise UserError(f"line {line.number}: {error.message}", error.hint) from error
        yield replace(line, messages=messages)


def _bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines, none read further than just past the limit, so that a giant cannot fill memory."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)


def group_turns(lines: Iterable[Line], session: NewSession, started_at: int) -> Iterator[Turn]:
    """Messages as turns: each begins where the user speaks after someone else did."""
    open_turn: list[Utterance] = []
    current, position, clock = session.id, 0, started_at
    for line in lines:
        session_id = line.session_id or session.id
        if session_id != current and open_turn:
            yield _turn(session, current, open_turn, position)
            open_turn, position = [], 0
        if session_id != current:
            current, position = session_id, 0
        for said in line.messages:
            clock = said.at if said.at is not None else clock + SECOND_MS
            if open_turn and _begins_turn(said, open_turn[-1]):
                yield _turn(session, current, open_turn, position)
                open_turn, position = [], position + 1
            open_turn.append(replace(said, at=clock))
    if open_turn:
        yield _turn(session, current, open_turn, position)


def _begins_turn(said: Utterance, before: Utterance) -> bool:
    return said.role is Role.USER and before.role is not Role.SYSTEM


def _turn(session: NewSession, session_id: str, messages: list[Utterance], n: int) -> Turn:
    said = "\x1f".join(f"{m.role}\x1e{m.text}\x1e{m.call_id}" for m in messages)
    key = f"import\x1f{session_id}\x1f{n}\x1f{_digest(said)}"
    return Turn(replace(session, id=session_id), tuple(messages), key=key)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
