"""The words of a question in a bank: where each stands, and how much a message holds of them.

Candidates are found by BM25 with each word counted once a message: in messages, unlike in long
documents, how often a word is said adds nothing measurable (LoCoMo recall@10 0.860 with counts and
without). What a candidate holds is then counted by the rarity of words alone: beside all that is
known of it, how long it is adds nothing either.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log

import numpy as np
import numpy.typing as npt

from hermes.memory.recall.outline import Floats, Outline, Positions
from hermes.store.base.recall import WordPostings

K1 = 1.2
B = 0.75
COMMON_SHARE = 0.35  # a word in more than this share of the messages says nothing
RARITY_UNIT = 10.0  # about that of a word said once in 20,000 messages: holding it counts as 1
SMALL = 300  # messages: a smaller bank says too little of how rare a word is


@dataclass(frozen=True, slots=True)
class Term:
    """A word that tells messages apart: where it stands (rising), and what it weighs."""

    word: str
    places: Positions
    weight: float


@dataclass(frozen=True)
class Words:
    """The telling words of a question; common ones are left out unless there are no others."""

    outline: Outline
    terms: tuple[Term, ...]
    missing: tuple[str, ...] = ()  # what was asked and stands nowhere
    _ranked: dict[int, tuple[Positions, Floats]] = field(default_factory=dict, repr=False)

    def prepare(self, limit: int) -> None:
        """Work out beforehand what `ranked`, `presence` and `held_by_session` will be asked."""
        if self.terms:
            _ = self._marks, self._by_session, self.ranked(limit)

    def presence(self, places: Positions) -> npt.NDArray[np.bool_]:
        """Which of the terms (rows) stand in which of the messages (columns); none is nowhere."""
        at = np.minimum(places, self._marks.shape[1] - 1)
        bits = np.unpackbits(self._marks[:, at], axis=0, count=len(self.terms), bitorder="little")
        return bits.view(np.bool_)

    @cached_property
    def _marks(self) -> npt.NDArray[np.uint8]:
        """A bit for each term and message, eight terms a row; the last column, where `NOWHERE`
        leads, is no message's.
        """
        marks = np.zeros((-(-len(self.terms) // 8), self.outline.count + 1), np.uint8)
        for number, term in enumerate(self.terms):
            marks[number // 8, term.places] |= np.uint8(1 << number % 8)
        return marks

    @cached_property
    def weights(self) -> Floats:
        return np.array([term.weight for term in self.terms], np.float32)

    @cached_property
    def gains(self) -> Floats:
        """What holding each word counts: its rarity, in a small bank as if it were larger."""
        of = max(SMALL, self.outline.count)
        rare = [rarity(len(term.places), of) / RARITY_UNIT for term in self.terms]
        return np.array(rare, np.float32)

    def held_only_before(self, places: Positions, before: Positions) -> Floats:
        """How much of the question the message before each holds that it does not hold itself."""
        if not self.terms:
            return np.zeros(len(places), np.float32)
        added = self.presence(before) & ~self.presence(places)
        held: Floats = self.gains @ added.astype(np.float32)
        return held

    def ranked(self, limit: int) -> tuple[Positions, Floats]:
        """The messages that hold most of the question, and their scores, in no order."""
        if limit not in self._ranked:
            self._ranked[limit] = self._rank(limit)
        return self._ranked[limit]

    def _rank(self, limit: int) -> tuple[Positions, Floats]:
        if not self.terms:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        places = np.concatenate([term.places for term in self.terms])
        gains = np.repeat(self.weights, [len(term.places) for term in self.terms])
        order = np.argsort(places, kind="stable")
        places, gains = places[order], gains[order]
        starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
        places, scores = places[starts], np.add.reduceat(gains, starts)
        if len(places) > limit:
            kept = np.argpartition(-scores, limit - 1)[:limit]
            places, scores = places[kept], scores[kept]
        return places, scores * saturation(1.0, self.outline.relative_sizes(places))

    def held_by_session(self, sessions: Positions) -> Floats:
        """How much of the question whole sessions hold."""
        found: Floats = self._by_session[np.minimum(sessions, len(self._by_session) - 1)]
        return found

    @cached_property
    def _by_session(self) -> Floats:
        """What every session holds, by its code, and 0 for those that came later."""
        held = np.zeros(len(self.outline.session_numbers) + 1, np.float32)
        for gain, term in zip(self.gains.tolist(), self.terms, strict=True):
            holding = np.zeros(len(held), np.float32)
            holding[self.outline.take("sessions", term.places)] = gain
            held += holding
        return held


def saturation(counts: npt.ArrayLike, relative_lengths: npt.ArrayLike) -> Floats:
    """How much a word said so often in a text so long adds: BM25's middle part."""
    counts = np.asarray(counts, np.float32)
    lengths = np.asarray(relative_lengths, np.float32)
    found: Floats = counts * np.float32(K1 + 1) / (counts + np.float32(K1) * (1 - B + B * lengths))
    return found


def rarity(holding: int, of: int) -> float:
    """BM25's inverse document frequency, never negative."""
    return log(1 + (of - holding + 0.5) / (holding + 0.5)) if of >= holding else 0.01


def weigh(outline: Outline, postings: Sequence[WordPostings]) -> Words:
    """Tell the telling words from the common ones."""
    known = [(each, outline.find_known(each.ids)) for each in postings]
    terms = [
        Term(each.word, places, rarity(len(places), outline.count))
        for each, places in known
        if each.complete and 0 < len(places) <= max(3, COMMON_SHARE * outline.count)
    ]
    if not terms:  # nothing but common words: their newest uses are better than nothing
        terms = [
            Term(each.word, places, max(0.1, rarity(len(places), outline.count)))
            for each, places in known
            if len(places)
        ]
    missing = tuple(each.word for each, places in known if not len(places))
    return Words(outline, tuple(terms), missing)
