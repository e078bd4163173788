"""Where words stand: an inverted index of our own, in rows of places.

A place is one number: the message (or fact, or reflection), who speaks, and the position of the
word in the text. Places of many messages written at once share a row of the table, as bytes. A
phrase is found where the places of its words follow each other; roles are told from the places
alone. PostgreSQL's own text search would not do: under row-level security its index is not used,
it cannot give the newest first, and it splits words differently.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b

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
ROW_PLACES = 200  # so that a row of the table is kept in one piece
LONGEST_WORD = 200  # bytes; of a longer one the start and a digest are kept
_LITTLE = np.dtype("<i8")
_COLUMNS = "bank int8, kind int8, word text, last int8, n int8, first int8, spots bytea"


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
    raw = word.encode("utf-8")
    if len(raw) <= LONGEST_WORD:
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

    def _write(self, gathered: dict[tuple[int, str], list[int]]) -> None:
        if not gathered:
            return
        most = max(len(places) for places in gathered.values())
        n = self._counters.take("words", most // ROW_PLACES + 1)
        rows: list[tuple[object, ...]] = []
        for (bank, word), places in gathered.items():
            for nth, start in enumerate(range(0, len(places), ROW_PLACES)):
                part = places[start : start + ROW_PLACES]
                spots = np.array(part, dtype=_LITTLE).tobytes()
                last, first = part[-1] >> ITEM_SHIFT, part[0] >> ITEM_SHIFT
                rows.append((bank, self._kind, word, last, n + nth, first, spots))
        self._connection.insert("words", _COLUMNS, rows)

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
    found: dict[tuple[int, str], list[int]] = defaultdict(list)
    for bank, item, role, formed in sorted(entries, key=lambda entry: entry[1]):
        base = (item << ITEM_SHIFT) | (role << ROLE_SHIFT)
        for position, word in enumerate(split(formed)):
            found[bank, word].append(base + position)
    return {(bank, key_of(word)): places for (bank, word), places in found.items()}


def parse_places(spots: bytes) -> Places:
    return np.frombuffer(spots, dtype=_LITTLE)
