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
MOST_MARKED = 3  # changes that are told of one message
BY_REPLACED = (Found("replaced", 1),)


@dataclass(frozen=True, slots=True)
class Succession:
    """Facts that were replaced, and by their ids what is believed in their place.

    `last` are, by the same ids, those that it replaced itself: where things changed twice, the
    later of the two.
    """

    replaced: Sequence[Fact] = ()
    later: Mapping[int, Fact] = field(default_factory=dict)
    last: Mapping[int, Fact] = field(default_factory=dict)

    def now(self, fact: Fact) -> Fact:
        """What is believed in the place of a fact; itself, where it was not replaced."""
        return self.later.get(fact.id, fact)

    def tell(self, facts: Iterable[Fact]) -> dict[str, str]:
        """By the reference of what is believed, which facts it came in the place of."""
        told: dict[str, str] = {}
        for fact in facts:
            if fact.id in self.later:
                last = self.last.get(fact.id, fact)
                said = f"in place of {_name(last)}"
                before = "" if last.id == fact.id else f"; before that {_name(fact)}"
                told.setdefault(render_ref(self.now(fact).number), said + before)
        return told

    def mark(self, messages: Sequence[Item]) -> list[Item]:
        """The messages; with what of them is no longer so, those a replaced fact was read from."""
        said: dict[int, dict[int, Fact]] = {}
        for fact in self.replaced:
            for source in fact.sources:
                if source.message_id is not None:
                    said.setdefault(source.message_id, {})[fact.id] = fact
        return [
            replace(item, note=self._outdated(list(said[item.message_id].values())))
            if item.message_id in said and not item.note
            else item
            for item in messages
        ]

    def _outdated(self, facts: Sequence[Fact]) -> str:
        """What of a message changed, in the words of its facts: the rest of it may still be so."""
        return "; ".join(self._changed(fact) for fact in facts[:MOST_MARKED])

    def _changed(self, fact: Fact) -> str:
        now = self.now(fact)
        since = "" if now.valid_from is None else f" since {to_datetime(now.valid_from).date()}"
        return f'no longer so{since}: "{fact.text[:SHOWN_CHARS]}", see {render_ref(now.number)}'


def find_succession(belief: Belief) -> Succession:
    """What is believed in the place of the replaced facts that were met, however often changed."""
    met = list(belief.replaced.values())[:MOST]
    ends = {fact.id: fact for fact in met}  # by the id of a fact, how far its changes were followed
    later: dict[int, Fact] = {}
    last: dict[int, Fact] = {}
    for _ in range(HOPS):
        if not ends:
            break
        wanted = {end.superseded_by for end in ends.values() if end.superseded_by is not None}
        known = belief.tx.facts.get_many(sorted(wanted))
        believed = {fact.id: fact for fact in belief.among(known.values()) if not fact.held}
        for own, end in ends.items():
            if end.superseded_by in believed:
                later[own], last[own] = believed[end.superseded_by], end
        further = {own: belief.replaced.get(end.superseded_by or 0) for own, end in ends.items()}
        ends = {own: fact for own, fact in further.items() if fact and own not in later}
    return Succession([fact for fact in met if fact.id in later], later, last)


def _name(fact: Fact) -> str:
    return f"{render_ref(fact.number)}, {fact.text[:SHOWN_CHARS]}"
