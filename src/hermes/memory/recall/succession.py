"""What came in the place of facts that a question finds, though they are no longer believed.

A question may have the words of how things were ("which till do we use", of "we use Square for the
till") and none of how they are ("we switched to SumUp"). Who is found by the first is given the
second, and the message that said the first is told to be out of date.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hermes.clock import to_datetime
from hermes.memory.facts.reference import render_ref
from hermes.memory.recall.belief import Belief
from hermes.memory.recall.result import Found, Item
from hermes.types import Fact

MOST = 32  # replaced facts that are followed
HOPS = 8  # changes of mind about one thing
SHOWN_CHARS = 160
BY_REPLACED = (Found("replaced", 1),)


@dataclass(frozen=True, slots=True)
class Succession:
    """Facts that were replaced, and by their ids what is believed in their place."""

    replaced: Sequence[Fact] = ()
    later: Mapping[int, Fact] = field(default_factory=dict)

    def now(self, fact: Fact) -> Fact:
        """What is believed in the place of a fact; itself, where it was not replaced."""
        return self.later.get(fact.id, fact)

    def tell(self, facts: Iterable[Fact]) -> dict[str, str]:
        """By the reference of what is believed, which of the facts it came in the place of."""
        told: dict[str, str] = {}
        for fact in facts:
            if fact.id in self.later:
                said = f"{render_ref(fact.number)}, {fact.text[:SHOWN_CHARS]}"
                told.setdefault(render_ref(self.now(fact).number), f"in place of {said}")
        return told

    def mark(self, messages: Sequence[Item]) -> list[Item]:
        """The messages; with a word of what came later, those a replaced fact was read from."""
        said = {source.message_id: fact for fact in self.replaced for source in fact.sources}
        return [
            replace(item, note=self._outdated(said[item.message_id]))
            if item.message_id in said and not item.note
            else item
            for item in messages
        ]

    def _outdated(self, fact: Fact) -> str:
        now = self.now(fact)
        since = "" if now.valid_from is None else f" since {to_datetime(now.valid_from).date()}"
        return f"no longer so{since}: see {render_ref(now.number)}"


def find_succession(belief: Belief) -> Succession:
    """What is believed in the place of the replaced facts that were met, however often changed."""
    met = list(belief.replaced.values())[:MOST]
    ends = {fact.id: fact.superseded_by for fact in met}
    later: dict[int, Fact] = {}
    for _ in range(HOPS):
        if not ends:
            break
        known = belief.tx.facts.get_many(sorted({end for end in ends.values() if end is not None}))
        believed = {fact.id: fact for fact in belief.among(known.values()) if not fact.held}
        later |= {own: believed[end] for own, end in ends.items() if end in believed}
        next_ = {own: belief.replaced.get(end or 0) for own, end in ends.items()}
        ends = {o: fact.superseded_by for o, fact in next_.items() if fact and o not in later}
    return Succession([fact for fact in met if fact.id in later], later)
