"""What came in the place of facts that a question finds, though they are no longer believed.

A question may have the words of how things were ("which till do we use", of "we use Square for the
till") and none of how they are ("we switched to SumUp"). Who is found by the first is given the
second, and the message that said the first is told to be out of date.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from hermes.clock import to_datetime
from hermes.memory.facts.reference import render_ref
from hermes.memory.recall.belief import Belief
from hermes.memory.recall.fuse import GIVEN_FROM
from hermes.memory.recall.outline import Flags, Floats
from hermes.memory.recall.result import Found, Item
from hermes.memory.recall.task import telling_words
from hermes.store.base.facts import FactFilter
from hermes.types import Fact

MOST = 32  # replaced facts that are followed
HOPS = 8  # changes of mind about one thing
SHOWN_CHARS = 160
MOST_MARKED = 3  # changes that are told of one message
_ENDS = re.compile(
    r"\b(?:dropped|ditched|sold|lost|left|quit|stopped|cancelled|canceled|abandoned|retired"
    r"|got rid of|gave (?:up|away)|no longer|any ?more)\b",
    re.I,
)
MOST_OF_IT = 0.6  # of the words of a message, in what was replaced
BEFORE = 0.001  # of relevance, to stand before another
BY_REPLACED = (Found("replaced", 1),)

Tokens = Callable[[str], set[str]]  # those words of the question that a text holds


@dataclass(frozen=True, slots=True)
class Succession:
    """Facts that were replaced, and by their ids what is believed in their place.

    `last` are, by the same ids, those that it replaced itself: where things changed twice, the
    later of the two.
    """

    replaced: Sequence[Fact] = ()
    later: Mapping[int, Fact] = field(default_factory=dict)
    last: Mapping[int, Fact] = field(default_factory=dict)
    waiting: Sequence[tuple[Fact, Fact]] = ()  # replaced by what waits for approval, and by what
    asked: frozenset[int] = frozenset()  # those of the replaced that the question is about

    def now(self, fact: Fact) -> Fact:
        """What is believed in the place of a fact; itself, where it was not replaced."""
        return self.later.get(fact.id, fact)

    def tell(self, facts: Iterable[Fact]) -> dict[str, str]:
        """By the reference of what is believed, which facts it came in the place of."""
        told: dict[str, str] = {}
        for fact in facts:
            last = self.last.get(fact.id, fact)
            known = [each for each in dict.fromkeys((last.id, fact.id)) if fact.id in self.later]
            named = [_name(each) for each in (last, fact) if each.id in known and not each.held]
            if named:
                said = f"in place of {'; before that '.join(dict.fromkeys(named))}"
                told.setdefault(render_ref(self.now(fact).number), said)
        return told

    def mark(self, messages: Sequence[Item], facts: Sequence[Item]) -> list[Item]:
        """The messages; with what of them is no longer so, those a replaced fact was read from.

        What came in its place is told with it, unless that is among the facts that are given.
        """
        given = {item.ref for item in facts if item.relevance >= GIVEN_FROM}
        said: dict[int, dict[int, Fact]] = {}
        for fact in self.replaced:
            for source in fact.sources:
                if source.message_id is not None:
                    said.setdefault(source.message_id, {})[fact.id] = fact
        return [
            replace(item, note=self._outdated(list(said[item.message_id].values()), given))
            if item.message_id in said and not item.note
            else item
            for item in messages
        ]

    def asked_by(self, facts: Sequence[Fact], scores: Floats, bears: Flags) -> "Succession":
        """The same, with what of it the question is about: what bears on it, and is not outdone by
        another fact of the same message. Of each fact its score is known, and whether it bears.
        """
        rows = {fact.id: n for n, fact in enumerate(facts)}
        best: dict[int, float] = {}
        for n, fact in enumerate(facts):
            for number in _messages(fact):
                best[number] = max(best.get(number, -inf), float(scores[n]))
        asked = {
            fact.id
            for fact in self.replaced
            if bears[rows[fact.id]]
            and all(best[number] <= scores[rows[fact.id]] for number in _messages(fact))
        }
        return replace(self, asked=frozenset(asked))

    def lead(self, messages: Sequence[Item], facts: Sequence[Item], terms: Tokens) -> list[Item]:
        """The facts; where the question is about what was replaced, what came in its place goes
        before the messages that say it.
        """
        told = {item.message_id: item for item in messages if item.message_id}
        least: dict[str, float] = {}
        for fact in self.replaced:
            ref = render_ref(self.now(fact).number)
            said = [
                told[source.message_id].relevance
                for source in fact.sources
                if source.message_id in told
                and self._is_asked(fact, source.quote, told[source.message_id].text, terms)
            ]
            least[ref] = max([least.get(ref, 0.0), *(each for each in said if each >= GIVEN_FROM)])
        return [
            replace(item, relevance=max(item.relevance, least[item.ref] + BEFORE))
            if least.get(item.ref)
            else item
            for item in facts
        ]

    def _is_asked(self, fact: Fact, quote: str, text: str, terms: Tokens) -> bool:
        """Whether the question is about this part of a message, not about the rest of it.

        A message may say nothing else: then it is about that.
        """
        own = terms(fact.text)
        if len(terms(text) - own) > len(own):
            return False
        is_all = len(telling_words(quote)) >= MOST_OF_IT * len(telling_words(text))
        return fact.id in self.asked or is_all

    def _outdated(self, facts: Sequence[Fact], given: Collection[str]) -> str:
        """What of a message changed, in the words of its facts: the rest of it may still be so."""
        return "; ".join(self._changed(fact, given) for fact in facts[:MOST_MARKED])

    def _changed(self, fact: Fact, given: Collection[str]) -> str:
        now = self.now(fact)
        since = "" if now.valid_from is None else f" since {to_datetime(now.valid_from).date()}"
        see = render_ref(now.number) if render_ref(now.number) in given else _name(now)
        return f'no longer so{since}: "{_words_of(fact)[:SHOWN_CHARS]}", see {see}'


def find_succession(belief: Belief) -> Succession:
    """What is believed in the place of the replaced facts that were met, however often changed."""
    met = list(belief.replaced.values())[:MOST]
    ends = {fact.id: fact for fact in met}  # by the id of a fact, how far its changes were followed
    later: dict[int, Fact] = {}
    last: dict[int, Fact] = {}
    waiting: list[tuple[Fact, Fact]] = []
    for _ in range(HOPS):
        if not ends:
            break
        wanted = {end.superseded_by for end in ends.values() if end.superseded_by is not None}
        known = belief.tx.facts.get_many(sorted(wanted))
        stands = {fact.id: fact for fact in belief.among(known.values())}
        for own, end in ends.items():
            if (now := stands.get(end.superseded_by or 0)) is None:
                continue
            if now.held:
                waiting.append((belief.replaced[own], now))
            else:
                later[own], last[own] = _in_place(belief, end, now), end
        further = {own: belief.replaced.get(end.superseded_by or 0) for own, end in ends.items()}
        ends = {own: fact for own, fact in further.items() if fact and own not in later}
    return Succession([fact for fact in met if fact.id in later], later, last, waiting)


def _in_place(belief: Belief, gone: Fact, now: Fact) -> Fact:
    """What came in the place of a fact: of "dropped AutoCAD", the other thing said with it.

    Only where there is one such: of several it is not known which is meant.
    """
    named = _words_named(now)
    if not _ENDS.search(now.text) or not named or not named <= _words_named(gone):
        return now
    said = {source.message_id for source in now.sources} - {None}
    wanted = (FactFilter(bank=now.bank, message_id=each, current=True) for each in said)
    told = [fact for each in wanted for fact in belief.tx.facts.list(each, MOST)]
    others = [each for each in belief.among(told) if each.id != now.id and not each.held]
    return others[0] if len(others) == 1 else now


def _words_named(fact: Fact) -> set[str]:
    return {word for name in fact.entities for word in name.casefold().split()}


def _messages(fact: Fact) -> set[int]:
    return {source.message_id for source in fact.sources if source.message_id is not None}


def _words_of(fact: Fact) -> str:
    """What a fact says; of one that waits for approval, the words of its message."""
    return fact.sources[0].quote if fact.held and fact.sources else fact.text


def _name(fact: Fact) -> str:
    return f"{render_ref(fact.number)}, {fact.text[:SHOWN_CHARS]}"
