"""Where words stand: an inverted index of our own, in rows of places.

A place is one number: the message (or fact, or reflection), who speaks, and the position of the
word in the text. Places of many messages written at once share a row of the table, as bytes. A
phrase is found where the places of its words follow each other; roles are told from the places
alone. PostgreSQL's own text search would not do: under row-level security its index is not used,
it cannot give the newest first, and it splits words differently.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from itertools import chain, count
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from hermes.store.postgres.connection import PROFILE, Connection
from hermes.store.postgres.counters import Counters
from hermes.store.postgres.tokens import cut, split, stem

Places = npt.NDArray[np.int64]
Entry = tuple[int, int, int, str]
"""A row of the index to be: bank, number of the row it is about, role, text in index form."""

ITEM_SHIFT = 32
ROLE_SHIFT = 30
ROWS_AT_ONCE = 2_000
SCATTERED_ROWS = 8  # of a word, from which on bringing them together pays
ROW_PLACES = 200  # so that a row of the table is kept in one piece
LONGEST_WORD = 200  # bytes; of a longer one the start and a digest are kept
_SURELY_SHORT = LONGEST_WORD // 4
_FEW = 2**16  # numbers below it are sorted in one pass
_LITTLE = np.dtype("<i8")
# No word holds a space. Cutting one string is quicker, here and there, than a list of many; and a
# list in the SELECT is read as it goes, where one in FROM would first be written down.
_INSERT = f"""INSERT INTO words (profile, kind, bank, word, last, n, first, spots)
  SELECT {PROFILE}, ?1, ?2, x.word, x.last, x.n, x.first, substr(?7, x.start::int, x.size::int)
  FROM (SELECT unnest(string_to_array(?3, ' ')) AS word, unnest(?4::int8[]) AS last,
    unnest(?5::int8[]) AS n, unnest(?6::int8[]) AS first, unnest(?8::int8[]) AS start,
    unnest(?9::int8[]) AS size) AS x"""


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
    if len(word) <= _SURELY_SHORT or len(raw := word.encode("utf-8")) <= LONGEST_WORD:
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
        for bank, gathered in _gathered(entries).items():
            self._write(bank, gathered)

    def remove(self, entries: Sequence[Entry]) -> None:
        """Take rows out of the index; they must be what `add` was given."""
        self.flush()
        for bank, gathered in _gathered(entries).items():
            for word, places in gathered:
                self._remove(bank, word, np.unique(places >> ITEM_SHIFT))

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
            found: dict[str, list[Places]] = defaultdict(list)
            for word, spots in self._connection.execute(sql, (self._kind, bank, named)):
                found[word].append(parse_places(spots))
            merged = {word: np.sort(np.concatenate(parts)) for word, parts in found.items()}
            self._write(bank, _Gathered.of(merged))

    def _write(self, bank: int, gathered: "_Gathered") -> None:
        """Write the rising places of words of a bank, in the order of the tree."""
        words = gathered.words
        if not words:
            return
        rows = _Rows.cut(gathered)
        n = self._counters.take("words", rows.most)
        for start in range(0, len(rows.word), ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            named = " ".join([words[number] for number in rows.word[some].tolist()])
            self._connection.defer(_INSERT, (self._kind, bank, named, *rows.columns(some, n)))
            self._connection.push()  # the server writes these while the next are made ready

    def _remove(self, bank: int, word: str, items: Places) -> None:
        sql = """DELETE FROM words WHERE bank = ? AND kind = ? AND word = ?
          AND last >= ? AND first <= ? RETURNING spots"""
        values = (bank, self._kind, word, int(items[0]), int(items[-1]))
        found = [parse_places(spots) for (spots,) in self._connection.execute(sql, values)]
        places = np.sort(np.concatenate(found)) if found else EMPTY
        left = places[~np.isin(places >> ITEM_SHIFT, items)]
        if len(left):
            self._write(bank, _Gathered.of({word: left}))


@dataclass(frozen=True, slots=True)
class _Gathered:
    """The words of a bank in the order of the tree, how many places each has, and all of these."""

    words: list[str]
    counts: Places
    places: Places

    @classmethod
    def of(cls, found: Mapping[str, Places]) -> "_Gathered":
        words = sorted(found)
        lists = [found[word] for word in words]
        counts = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
        return cls(words, counts, np.concatenate([EMPTY, *lists]))

    def __iter__(self) -> Iterator[tuple[str, Places]]:
        ends = np.cumsum(self.counts)
        for word, start, end in zip(self.words, ends - self.counts, ends, strict=True):
            yield word, self.places[start:end]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Places of many words, cut into rows: which word each row is of, and where its places lie."""

    places: Places
    word: Places
    nth: Places
    start: Places
    end: Places

    @classmethod
    def cut(cls, gathered: _Gathered) -> "_Rows":
        counts, places = gathered.counts, gathered.places
        ends = np.cumsum(counts)
        rows = -(-counts // ROW_PLACES)
        word = np.repeat(np.arange(len(counts)), rows)
        nth = np.arange(len(word)) - np.repeat(np.cumsum(rows) - rows, rows)
        start = (ends - counts)[word] + nth * ROW_PLACES
        return cls(places, word, nth, start, np.minimum(start + ROW_PLACES, ends[word]))

    @property
    def most(self) -> int:
        """How many rows the commonest word has."""
        return int(self.nth.max()) + 1

    def columns(self, some: slice, n: int) -> tuple[Any, ...]:
        """Last numbers, telling numbers, first numbers, all places, and where each row's lie."""
        start, end = self.start[some], self.end[some]
        base = int(start[0])
        packed = self.places[base : int(end[-1])].astype(_LITTLE, copy=False).tobytes()
        span = (8 * (start - base) + 1, 8 * (end - start))
        first, last = self.places[start] >> ITEM_SHIFT, self.places[end - 1] >> ITEM_SHIFT
        return last, self.nth[some] + n, first, packed, *span


def _gathered(entries: Iterable[Entry]) -> dict[int, _Gathered]:
    """The places of each word of each bank, rising."""
    banks: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in sorted(entries, key=itemgetter(1)):
        banks[entry[0]].append(entry)
    return {bank: _gather(some) for bank, some in banks.items()}


def _gather(entries: Sequence[Entry]) -> _Gathered:
    """The words of texts, each text's places following the one's before it."""
    numbers, ends, keys = _numbered([formed for _, _, _, formed in entries])
    words = sorted(set(keys))
    rank = {word: n for n, word in enumerate(words)}
    kind = np.uint16 if len(words) <= _FEW else np.int64
    ranks = np.fromiter(map(rank.__getitem__, keys), dtype=kind, count=len(keys))[numbers]
    bases = [(item << ITEM_SHIFT) | (role << ROLE_SHIFT) for _, item, role, _ in entries]
    counts = np.bincount(ranks, minlength=len(words))
    return _Gathered(words, counts, _places(bases, ends)[np.argsort(ranks, kind="stable")])


def _numbered(texts: Sequence[str]) -> tuple[Places, list[int], list[str]]:
    """All words of texts as numbers, where each text ends, and the word each number stands for.

    Most words come often: they are told apart as they were cut, and brought to their stems once.
    """
    counter = count()
    plain: defaultdict[bytes, int] = defaultdict(counter.__next__)
    other: defaultdict[str, int] = defaultdict(counter.__next__)
    numbers: list[int] = []
    ends: list[int] = []
    for formed in texts:
        words = cut(formed)
        if words is not None:
            numbers.extend(map(plain.__getitem__, words))
        else:
            numbers.extend(map(other.__getitem__, split(formed)))
        ends.append(len(numbers))
    keys = [""] * (len(plain) + len(other))
    named = chain(
        zip(plain.values(), stem(plain), strict=True), zip(other.values(), other, strict=True)
    )
    for number, word in named:
        keys[number] = word if len(word) <= _SURELY_SHORT else key_of(word)
    return np.array(numbers, dtype=np.int64), ends, keys


def _places(bases: Sequence[int], ends: Sequence[int]) -> Places:
    """The place of every word of texts that begin at `bases`; `ends` counts words up to each."""
    stops = np.array(ends, dtype=np.int64)
    begins = np.concatenate([np.zeros(1, dtype=np.int64), stops[:-1]])[: len(stops)]
    starts = np.array(bases, dtype=np.int64) - begins
    lengths = stops - begins
    return np.repeat(starts, lengths) + np.arange(ends[-1] if ends else 0)


def parse_places(spots: bytes) -> Places:
    return np.frombuffer(spots, dtype=_LITTLE)
