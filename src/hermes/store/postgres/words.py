"""Where words stand: an inverted index of our own, in rows of places.

A place is one number: the message (or fact, or reflection), who speaks, and the position of the
word in the text. Places of many messages written at once share a row of the table, as bytes. A
phrase is found where the places of its words follow each other; roles are told from the places
alone. PostgreSQL's own text search would not do: under row-level security its index is not used,
it cannot give the newest first, and it splits words differently.
"""

import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from hermes.store.postgres.connection import Connection
from hermes.store.postgres.counters import Counters
from hermes.store.postgres.tokens import split

Places = npt.NDArray[np.int64]
Entry = tuple[int, int, int, str]
"""A row of the index to be: bank, number of the row it is about, role, text in index form."""

ITEM_SHIFT = 32
ROLE_SHIFT = 30
POSITION_MASK = (1 << ROLE_SHIFT) - 1
ROWS_AT_ONCE = 4_000
SCATTERED_ROWS = 8  # of a word, from which on bringing them together pays
ROW_PLACES = 200  # so that a row of the table is kept in one piece
LONGEST_WORD = 200  # bytes; of a longer one the start and a digest are kept
_LITTLE = np.dtype("<i8")
_INSERT = """INSERT INTO words (kind, bank, word, last, n, first, spots) SELECT ?1, * FROM unnest(
  ?2::int8[], ?3::text[], ?4::int8[], ?5::int8[], ?6::int8[], ?7::bytea[])"""


class WordKind(IntEnum):
    MESSAGE = 0
    FACT = 1
    REFLECTION = 2


TableRow = tuple[int, int, bytes]
"""Bank, the last number it has places of, and the places."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Which rows are read: of which banks, how many of each, from which number down."""

    banks: tuple[int, ...]
    rows: int
    upto: int


EMPTY: Places = np.empty(0, dtype=np.int64)


def key_of(word: str) -> str:
    """A word as the table keeps it."""
    if len(word) * 4 <= LONGEST_WORD or len(raw := word.encode("utf-8")) <= LONGEST_WORD:
        return word
    start = raw[: LONGEST_WORD - 33].decode("utf-8", "ignore")
    return f"{start}\x1f{blake2b(raw, digest_size=16).hexdigest()}"


class WordTable:
    """The rows of one kind; what is added waits until it is asked for or the transaction ends."""

    def __init__(self, connection: Connection, counters: Counters, kind: WordKind) -> None:
        self._connection = connection
        self._counters = counters
        self._kind = int(kind)
        self._pending: list[Entry] = []

    def add(self, entries: Iterable[Entry]) -> None:
        self._pending.extend(entries)

    def flush(self) -> None:
        entries, self._pending = self._pending, []
        if entries:
            self._write(_gathered(entries))

    def remove(self, entries: Sequence[Entry]) -> None:
        """Take rows out of the index; they must be what `add` was given."""
        self.flush()
        for (bank, word), places in _gathered(entries).items():
            items = {place >> ITEM_SHIFT for place in places}
            self._remove(bank, word, min(items), max(items), items)

    def read(self, words: Sequence[str], reach: "Reach") -> dict[str, list[TableRow]]:
        """The newest rows of each of some words in each bank, newest first."""
        self.flush()
        sql = """SELECT w.word, f.bank, f.last, f.spots
          FROM unnest(?::text[]) AS w (word) CROSS JOIN unnest(?::int[]) AS b (bank)
          CROSS JOIN LATERAL (SELECT x.bank, x.last, x.n, x.spots FROM words x
            WHERE x.bank = b.bank AND x.kind = ? AND x.word = w.word AND x.first <= ?
            ORDER BY x.last DESC, x.n DESC LIMIT ?) f"""
        keys = {key_of(word): word for word in words}
        values = (list(keys), list(reach.banks), self._kind, reach.upto, reach.rows)
        found: dict[str, list[TableRow]] = {word: [] for word in words}
        for key, bank, last, spots in self._connection.execute(sql, values):
            found[keys[key]].append((bank, last, spots))
        return found

    def read_beginning(self, start: str, reach: "Reach") -> list[TableRow]:
        """As `read`, of every word that begins so."""
        self.flush()
        sql = """SELECT f.bank, f.last, f.spots FROM unnest(?::int[]) AS b (bank)
          CROSS JOIN LATERAL (SELECT x.bank, x.last, x.n, x.spots FROM words x
            WHERE x.bank = b.bank AND x.kind = ? AND x.word >= ? AND x.word < ? AND x.first <= ?
            ORDER BY x.last DESC, x.n DESC LIMIT ?) f"""
        key = start if len(start.encode()) <= LONGEST_WORD else key_of(start)
        span = (key, key + "\U0010ffff")
        values = (list(reach.banks), self._kind, *span, reach.upto, reach.rows)
        return [(bank, last, spots) for bank, last, spots in self._connection.execute(sql, values)]

    def list_scattered(self, limit: int) -> list[tuple[int, str]]:
        """Words, each with its bank, whose places lie in many short rows."""
        self.flush()
        sql = """SELECT bank, word FROM words WHERE kind = ? GROUP BY bank, word
          HAVING count(*) >= ? AND sum(length(spots)) < count(*) * ? LIMIT ?"""
        half_full = 8 * ROW_PLACES // 2
        values = (self._kind, SCATTERED_ROWS, half_full, limit)
        return [(int(bank), str(word)) for bank, word in self._connection.execute(sql, values)]

    def merge(self, words: Sequence[tuple[int, str]]) -> None:
        """Bring the places of words together in as few rows as they need."""
        for bank in sorted({bank for bank, _ in words}):
            sql = """DELETE FROM words WHERE kind = ? AND bank = ? AND word = ANY(?)
              RETURNING word, spots"""
            named = [word for each, word in words if each == bank]
            found: dict[tuple[int, str], list[Places]] = defaultdict(list)
            for word, spots in self._connection.execute(sql, (self._kind, bank, named)):
                found[bank, word].append(parse_places(spots))
            self._write(
                {key: np.sort(np.concatenate(parts)).tolist() for key, parts in found.items()}
            )

    def _write(self, gathered: dict[tuple[int, str], list[int]]) -> None:
        if not gathered:
            return
        keys = sorted(gathered)  # in the order of the tree
        parts = [(key, nth, part) for key in keys for nth, part in _cut(gathered[key])]
        most = max(nth for _, nth, _ in parts) + 1
        n = self._counters.take("words", most)
        for start in range(0, len(parts), ROWS_AT_ONCE):
            self._insert(parts[start : start + ROWS_AT_ONCE], n)
            self._connection.push()  # the server writes these while the next are made ready

    def _insert(self, parts: Sequence[tuple[tuple[int, str], int, list[int]]], n: int) -> None:
        columns = (
            [bank for (bank, _), _, _ in parts],
            [word for (_, word), _, _ in parts],
            [places[-1] >> ITEM_SHIFT for _, _, places in parts],
            [n + nth for _, nth, _ in parts],
            [places[0] >> ITEM_SHIFT for _, _, places in parts],
            [_pack(places) for _, _, places in parts],
        )
        self._connection.defer(_INSERT, (self._kind, *columns))

    def _remove(self, bank: int, word: str, low: int, high: int, items: set[int]) -> None:
        sql = """DELETE FROM words WHERE bank = ? AND kind = ? AND word = ?
          AND last >= ? AND first <= ? RETURNING spots"""
        found = self._connection.execute(sql, (bank, self._kind, word, low, high))
        gone = np.array(sorted(items), dtype=np.int64)
        left: list[int] = []
        for (spots,) in found:
            places = parse_places(spots)
            left += places[~np.isin(places >> ITEM_SHIFT, gone)].tolist()
        if left:
            self._write({(bank, word): sorted(left)})


def _gathered(entries: Iterable[Entry]) -> dict[tuple[int, str], list[int]]:
    """The places of each word of each bank, rising."""
    banks: dict[int, defaultdict[str, list[int]]] = {}
    for bank, item, role, formed in sorted(entries, key=itemgetter(1)):
        found = banks.setdefault(bank, defaultdict(list))
        base = (item << ITEM_SHIFT) | (role << ROLE_SHIFT)
        for place, word in enumerate(split(formed), base):
            found[word].append(place)
    return {
        (bank, key_of(word)): places
        for bank, found in banks.items()
        for word, places in found.items()
    }


def _cut(places: list[int]) -> Iterable[tuple[int, list[int]]]:
    """Places in parts of one row each, numbered."""
    if len(places) <= ROW_PLACES:
        return ((0, places),)
    starts = range(0, len(places), ROW_PLACES)
    return [(nth, places[start : start + ROW_PLACES]) for nth, start in enumerate(starts)]


def _pack(places: Sequence[int]) -> bytes:
    packed = array("q", places)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def parse_places(spots: bytes) -> Places:
    return np.frombuffer(spots, dtype=_LITTLE)
