"""The newest rows that hold words and phrases: the index is read as far down as it takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from hermes.store.postgres.tokens import split
from hermes.store.postgres.words import (
    EMPTY,
    ITEM_SHIFT,
    ROLE_SHIFT,
    Places,
    Reach,
    WordTable,
    parse_places,
)

_FIRST_ROWS = 24
_DEEPER = 8
MOST = 2**62

Term = tuple[str, bool]
"""A word, and whether it is only a beginning."""


@dataclass(frozen=True, slots=True)
class Within:
    """Which places count: of which banks, roles, numbers and rows (none of a part: all)."""

    banks: tuple[int, ...]
    roles: tuple[int, ...] = ()
    first: int = 0
    last: int = MOST
    items: Places | None = None


@dataclass(slots=True)
class _Known:
    """What was read of a term: all places above `horizon`, and some below it."""

    places: Places = field(default_factory=lambda: EMPTY)
    horizon: int = MOST
    rows: int = 0


class Finder:
    """Finds words in one table within one scope; what it has read it does not read again."""

    def __init__(self, table: WordTable, within: Within) -> None:
        self._table = table
        self._within = within
        self._known: dict[Term, _Known] = {}

    def prepare(self, words: Iterable[str]) -> None:
        """Read the newest of all these words in one go."""
        terms = {term for word in words for term in parse_phrase(word)}
        self._deepen([term for term in sorted(terms) if term not in self._known])

    def newest(self, words: Sequence[str], limit: int) -> list[int]:
        """The newest `limit` rows that hold every word, newest first."""
        phrases = [parse_phrase(word) for word in words]
        if not phrases or not all(phrases) or not self._within.banks:
            return []
        terms = sorted({term for phrase in phrases for term in phrase})
        while True:
            self._deepen([term for term in terms if term not in self._known])
            found, horizon = self._match(phrases, terms)
            certain = found[found > horizon]
            if len(certain) >= limit or horizon == 0:
                newest: list[int] = certain[::-1][:limit].tolist()
                return newest
            self._deepen([term for term in terms if self._known[term].horizon == horizon])

    def _match(
        self, phrases: Sequence[Sequence[Term]], terms: Sequence[Term]
    ) -> tuple[Places, int]:
        """Rows that hold every phrase as far as is known, and above which that is certain."""
        found = reduce(np.intersect1d, [self._rows_of(phrase) for phrase in phrases])
        known = [self._known[term] for term in terms]
        horizon = max(each.horizon for each in known)
        # Below the oldest place of a word that is known whole nothing can match.
        floors = [_floor(each) for each in known if each.horizon == 0]
        return found, horizon if horizon >= max(floors, default=0) else 0

    def _rows_of(self, phrase: Sequence[Term]) -> Places:
        starts = self._known[phrase[0]].places
        for offset, term in enumerate(phrase[1:], 1):
            starts = np.intersect1d(starts, self._known[term].places - offset)
        rows: Places = np.unique(starts >> ITEM_SHIFT)
        return rows

    def _deepen(self, terms: Sequence[Term]) -> None:
        """Read further down: a first stretch of what is new, a longer one of what is not."""
        fresh = [
            word for word, open_ended in terms if not open_ended and not self._rows((word, False))
        ]
        if fresh:
            reach = self._reach(_FIRST_ROWS)
            for word, rows in self._table.read(fresh, reach).items():
                self._known[word, False] = self._gather(rows, reach)
        for term in terms:
            if term[0] in fresh and not term[1]:
                continue
            reach = self._reach(max(_FIRST_ROWS, self._rows(term) * _DEEPER))
            word, open_ended = term
            if open_ended:
                rows = self._table.read_beginning(word, reach)
            else:
                rows = self._table.read([word], reach)[word]
            self._known[term] = self._gather(rows, reach)

    def _rows(self, term: Term) -> int:
        known = self._known.get(term)
        return known.rows if known else 0

    def _reach(self, rows: int) -> Reach:
        return Reach(self._within.banks, rows, self._within.last)

    def _gather(self, rows: Sequence[tuple[int, int, bytes]], reach: Reach) -> _Known:
        counts: dict[int, int] = {}
        lowest: dict[int, int] = {}
        for bank, last, _ in rows:
            counts[bank] = counts.get(bank, 0) + 1
            lowest[bank] = last
        horizon = max((lowest[bank] for bank, n in counts.items() if n >= reach.rows), default=0)
        joined = np.concatenate([parse_places(spots) for _, _, spots in rows]) if rows else EMPTY
        return _Known(np.unique(self._narrowed(joined)), horizon, reach.rows)

    def _narrowed(self, places: Places) -> Places:
        within = self._within
        if within.first > 0 or within.last < MOST:
            items = places >> ITEM_SHIFT
            places = places[(items >= within.first) & (items <= within.last)]
        if within.items is not None:
            places = places[np.isin(places >> ITEM_SHIFT, within.items)]
        if within.roles:
            places = places[np.isin((places >> ROLE_SHIFT) & 3, within.roles)]
        return places


def _floor(known: _Known) -> int:
    return int(known.places[0] >> ITEM_SHIFT) if len(known.places) else MOST


def parse_phrase(word: str) -> list[Term]:
    """The tokens of a question's word, as the index would split it; none where there are none."""
    word.encode("utf-8")  # half a character is an error of whoever asks
    found = split(word.removesuffix("*").replace("\x00", " "))
    terms = [(token, False) for token in found]
    if terms and word.endswith("*"):
        terms[-1] = (terms[-1][0], True)
    return terms
