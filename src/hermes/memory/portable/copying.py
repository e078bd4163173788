"""Copies a whole memory from one store to another, whatever kinds they are, and proves it.

Records come in one transaction, so that the new store has all of them or none; vectors follow in
small steps. Over a stage, as an import has one, a copy that was cut short goes on where it was, as
long as the old store has not changed; without one it is quicker, and begins again. At the end the
new store is read, and every section must have the count and hash that it has in the old one.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, islice
from typing import Protocol, TypeVar

from hermes.errors import Conflict, Corrupt
from hermes.memory.erase.tombs import Graveyard, Marker
from hermes.memory.portable.carry import BATCH, Terms, merge_stage
from hermes.memory.portable.reading import Head
from hermes.store.base import Store, Tx
from hermes.store.base.portable import Cursor, Record, Section, Stage
from hermes.store.base.vectors import NewVector, StoredVector, VectorSpace

ROWS = 2_000
Advance = Callable[[str, int], None]
T = TypeVar("T")
_NONE: Mapping["Section", "Proof"] = {}


class Readable(Protocol):
    """What is copied: a store, or one moment of it."""

    def read(self, query: Callable[[Tx], T]) -> T: ...


@dataclass(frozen=True, slots=True)
class Moment:
    """A store as one transaction sees it, whatever is written meanwhile."""

    tx: Tx

    def read(self, query: Callable[[Tx], T]) -> T:
        return query(self.tx)


@dataclass(frozen=True, slots=True)
class Proof:
    """What one section comes to: how many records, and the hash of all of them in order."""

    section: str
    count: int
    digest: str


@dataclass(slots=True)
class _Sum:
    """The hash of records as they go by."""

    count: int = 0
    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def add(self, record: Record) -> None:
        self.digest.update(json.dumps(record, sort_keys=True, separators=(",", ":")).encode())
        self.count += 1

    def proof(self, section: Section) -> Proof:
        return Proof(section, self.count, self.digest.hexdigest())


class _Passing:
    """The source itself where a stage is asked for: read when its records are wanted."""

    def __init__(self, source: "Readable") -> None:
        self._source = source
        self._cursors: dict[tuple[str, int], Cursor] = {}
        self.sums = {section: _Sum() for section in Section}

    def list_records(self, section: str, after: int, limit: int) -> list[tuple[int, Record]]:
        named = Section(section)
        if not after:  # at first, and where a transaction is run again
            self.sums[named] = _Sum()
        cursor = self._cursors.get((section, after), ())
        found = self._source.read(lambda tx: tx.portable.list_records(named, cursor, limit=limit))
        for _, record in found:
            self.sums[named].add(record)
        if found:
            self._cursors[section, after + len(found)] = found[-1][0]
        return [(n, record) for n, (_, record) in enumerate(found, after + 1)]


def copy_store(
    source: Store, target: Store, stage: Stage | None, *, now: int, advance: Advance
) -> list[Proof]:
    """Copy everything `source` holds now into `target`, which must be new; a proof a section.

    `stage` is a stage of the target that belongs to this state of the source, for who would rather
    go on than begin again.
    """
    return source.read(lambda tx: _copy(Moment(tx), target, stage, now=now, advance=advance))


def _copy(
    source: Readable, target: Store, stage: Stage | None, *, now: int, advance: Advance
) -> list[Proof]:
    _expect_new(source, target)
    sums: dict[Section, _Sum] = {}
    if target.read(lambda tx: tx.portable.is_empty()):
        sums = _copy_records(source, target, stage, Terms(now, _nothing_erased), advance)
    stones = source.read(lambda tx: tx.erasures.list_tombstones())
    target.write(lambda tx: tx.erasures.add_tombstones(stones))
    _copy_vectors(source, target, now=now, advance=advance)
    known = {section: each.proof(section) for section, each in sums.items()}
    return prove_equal(source, target, advance, known)


def _copy_records(
    source: Readable, target: Store, stage: Stage | None, terms: Terms, advance: Advance
) -> dict[Section, _Sum]:
    """Bring all records over; what went by of each section."""
    head = Head(source.read(lambda tx: tx.portable.get_numbers()))
    if stage is None:
        passing = _Passing(source)
        merge_stage(target, passing, head, terms, advance)
        return passing.sums
    sums = source.read(lambda tx: _stage_records(tx, stage, advance))
    merge_stage(target, stage, head, terms, advance)
    return sums


def _expect_new(source: Readable, target: Store) -> None:
    """A target may hold nothing, or what an unfinished copy of this very source brought."""
    if target.read(lambda tx: tx.portable.is_empty()):
        return
    here, there = source.read(_counts), target.read(_counts)
    if here != there:
        raise Conflict(
            "The store to copy to holds a memory of its own.",
            "Copy to a new one; to join two memories use `hermes memory export` and `import`.",
        )


def _counts(tx: Tx) -> dict[str, int]:
    return {section: tx.portable.count(section, "") for section in Section}


def _nothing_erased(_: Tx) -> Graveyard:
    return Graveyard(Marker(b""), ())


def _stage_records(tx: Tx, stage: Stage, advance: Advance) -> dict[Section, _Sum]:
    done = stage.count()
    sums = {section: _Sum() for section in Section}
    batch: list[tuple[str, Record]] = []
    for section, record in _all_records(tx):
        sums[section].add(record)
        if done:
            done -= 1
            continue
        batch.append((section, record))
        if len(batch) == BATCH:
            stage.add(batch)
            advance("reading", len(batch))
            batch = []
    stage.add(batch)
    return sums


def _all_records(tx: Tx) -> Iterator[tuple[Section, Record]]:
    for section in Section:
        yield from ((section, record) for record in _records(tx, section))


def _records(tx: Tx, section: Section) -> Iterator[Record]:
    after: Cursor = ()
    while found := tx.portable.list_records(section, after, limit=BATCH):
        yield from (record for _, record in found)
        after = found[-1][0]


def _copy_vectors(source: Readable, target: Store, *, now: int, advance: Advance) -> None:
    banks = _pair_banks(source, target)
    for space in source.read(lambda tx: tx.vectors.list_spaces()):
        copied = target.write(partial(_ensure_space, space=space, now=now))
        vectors = _renumber(_vector_rows(source, space), banks)
        while batch := list(islice(vectors, ROWS)):
            target.write(partial(_add_vectors, space=copied.id, vectors=batch))
            advance("vectors", len(batch))
        if space.current:
            target.write(partial(_make_current, space=copied.id))


def _pair_banks(source: Readable, target: Store) -> dict[int, int]:
    """The number each bank has in the new store, by its number in the old."""

    def find(tx: Tx, names: list[str]) -> list[int | None]:
        return [tx.vectors.find_bank(name) for name in names]

    names = [bank.name for bank in source.read(lambda tx: tx.banks.list())]
    pairs = zip(
        source.read(lambda tx: find(tx, names)),
        target.read(lambda tx: find(tx, names)),
        strict=True,
    )
    return {old: new for old, new in pairs if old is not None and new is not None}


def _ensure_space(tx: Tx, space: VectorSpace, now: int) -> VectorSpace:
    made = tx.vectors.ensure_space(space.provider, space.model, space.dimensions, now)
    if space.mean is not None and made.mean != space.mean:
        made = tx.vectors.set_mean(made.id, space.mean)
    return made


def _make_current(tx: Tx, space: int) -> None:
    tx.vectors.make_current(space)


def _vector_rows(source: Readable, space: VectorSpace) -> Iterator[StoredVector]:
    for first in range(0, space.next, ROWS):
        yield from source.read(partial(_list_rows, space=space.id, first=first))


def _list_rows(tx: Tx, space: int, first: int) -> list[StoredVector]:
    return tx.vectors.list_rows(space, first, first + ROWS - 1)


def _renumber(rows: Iterator[StoredVector], banks: dict[int, int]) -> Iterator[NewVector]:
    """The rows for the new store; the parts of one item lie side by side, in their order."""
    for (kind, item), group in groupby(rows, key=lambda row: (row.kind, row.item)):
        for part, row in enumerate(group):
            if row.bank in banks:
                yield NewVector(kind, item, banks[row.bank], row.row, part)


def _add_vectors(tx: Tx, space: int, vectors: list[NewVector]) -> None:
    tx.vectors.add(space, vectors)
    for kind in {vector.kind for vector in vectors}:
        last = max(vector.item for vector in vectors if vector.kind == kind)
        tx.vectors.pass_over(space, kind, [last])


def prove_equal(
    source: Readable, target: Readable, advance: Advance, known: Mapping[Section, Proof] = _NONE
) -> list[Proof]:
    """Read both stores; the proof of each section, or Corrupt where they differ.

    Of the old one only what is not `known`: it is one moment, and gives the same again.
    """
    proofs = []
    for section in Section:
        reading = partial(prove, section=section)
        here, there = known.get(section) or source.read(reading), target.read(reading)
        if here != there:
            raise Corrupt(
                f"The copy differs in {section}: {here.count:,} records in the old store, "
                f"{there.count:,} in the new one, or other content.",
                "The old store is untouched. Stop what writes to it, and copy anew.",
            )
        proofs.append(here)
        advance("proving", here.count)
    return proofs


def prove(tx: Tx, section: Section) -> Proof:
    """The count and hash of a section, as its records would be exported."""
    found = _Sum()
    for record in _records(tx, section):
        found.add(record)
    return found.proof(section)
