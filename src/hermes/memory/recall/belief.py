"""Which facts count for a question: those believed now, or those believed at the time asked for.

What is no longer believed stays in the indexes, for it may be asked about as of another day. So
each way of finding facts is followed until enough of what it finds is believed, within a bound.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hermes.memory.facts.history import rolled_back
from hermes.memory.pending import mark_rejected
from hermes.store.base import Tx
from hermes.store.base.facts import FactFilter
from hermes.types import Fact

DEEPEST = 2_048  # facts looked at in one way of finding them
GROWTH = 4
# What a fact says; how far it is trusted and whether it was approved is known as it is now.
WORDING = frozenset({"text", "kind", "subject", "attribute", "value", "valid_from", "valid_to"})


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed, now or (`as_of`) at a time."""

    tx: Tx
    as_of: int | None = None
    replaced: dict[int, Fact] = field(default_factory=dict)  # met on the way, by what came later

    def among(self, facts: Iterable[Fact]) -> list[Fact]:
        """Those believed, worded as they were then.

        What waits for approval is among them: it was said and can be searched for. It is `select`
        that keeps it from a model.
        """
        then = [fact for each in facts if (fact := self._as_it_stood(each)) is not None]
        for fact in then:
            if fact.superseded_by is not None and fact.retracted_at is None:
                if not mark_rejected(self.tx, [fact])[0].rejected:  # what was refused says nothing
                    self.replaced[fact.id] = fact
        return [fact for fact in then if self._holds(fact)]

    def first(self, pages: Iterable[Iterable[Fact]], wanted: int) -> list[Fact]:
        """The first `wanted` that are believed; no page is read beyond the one that fills it."""
        kept: list[Fact] = []
        for page in pages:
            kept += self.among(page)
            if len(kept) >= wanted:
                break
        return kept[:wanted]

    def newest(self, wanted: FactFilter, limit: int) -> list[Fact]:
        """The newest `limit` that are believed of those wanted, as far as they are looked through.

        As of a time also of what was recorded later: it may have been told by then.
        """
        return self.first(self._pages(wanted, limit), limit)

    def _pages(self, wanted: FactFilter, size: int) -> Iterator[Sequence[Fact]]:
        before, seen = wanted.before_number, 0
        while seen < DEEPEST:
            asked = replace(wanted, current=self.as_of is None, before_number=before)
            page = self.tx.facts.list(asked, size)
            yield page
            if len(page) < size:
                return
            before, seen, size = page[-1].number, seen + size, size * GROWTH

    def _as_it_stood(self, fact: Fact) -> Fact | None:
        """The fact with every later change of it undone, resting on what was said by then; none if
        it was not known yet.
        """
        if self.as_of is None:
            return fact
        said = tuple(s for s in fact.sources if s.at is None or s.at <= self.as_of)
        if fact.sources and not said:
            return None
        fact = replace(fact, sources=said)
        was_known = fact.recorded_at <= self.as_of
        if not was_known and not _was_so(fact, self.as_of):
            return None
        for change in reversed(self.tx.facts.list_changes(fact.id)):
            if change.at > self.as_of:
                undone = change.before if was_known else _wording(change.before)
                fact = rolled_back(fact, undone)
        return fact if was_known else replace(fact, superseded_by=None)

    def _holds(self, fact: Fact) -> bool:
        if self.as_of is None:
            return fact.retracted_at is None and fact.superseded_by is None
        gone = fact.retracted_at is not None and fact.retracted_at <= self.as_of
        over = fact.valid_to is not None and fact.valid_to <= self.as_of
        return fact.superseded_by is None and not gone and not over


def pages_of(
    ids: Sequence[int], size: int, read: Callable[[Sequence[int]], Iterable[Fact]]
) -> Iterator[Iterable[Fact]]:
    """The facts of `ids`, read page by page, each larger than the one before."""
    start = 0
    while start < len(ids):
        yield read(ids[start : start + size])
        start, size = start + size, size * GROWTH


def told_at(fact: Fact) -> int:
    """When a fact was first said, or else learnt."""
    said = [source.at for source in fact.sources if source.at is not None]
    return min(said, default=fact.recorded_at)


def _was_so(fact: Fact, as_of: int) -> bool:
    """Whether a fact learnt later, as of a history that was imported, held then, by what is known
    now: told by then and not yet over.
    """
    if fact.retracted_at is not None or told_at(fact) > as_of:
        return False
    return fact.superseded_by is None if fact.valid_to is None else fact.valid_to > as_of


def _wording(before: Mapping[str, object]) -> dict[str, object]:
    return {name: was for name, was in before.items() if name in WORDING}
