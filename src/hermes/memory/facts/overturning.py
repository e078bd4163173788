"""Which facts that are believed a sentence overturns, where no rule says so.

It goes by `turnover`, which weighs a few at a time: those that share words with the sentence, and
what was believed of the same conversation just before. Of several readings of one sentence the one
that is nearest takes the place.
"""

from collections.abc import Mapping, Sequence

from hermes.memory.facts.believed import is_current
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.prose import own_prose
from hermes.memory.facts.clauses.split import split_sentences
from hermes.memory.facts.compare import is_same_text
from hermes.memory.facts.search import search_facts
from hermes.memory.facts.turnover import Turnover
from hermes.memory.facts.turnover_signs import Earlier, Later
from hermes.store.base import Tx
from hermes.types import Fact, Message

MOST_NEAR = 40  # facts that share words with a sentence, the nearest of them


class Overturning:
    """Finds what the readings of some messages overturn, in one transaction."""

    def __init__(
        self, turnover: Turnover, messages: Mapping[int, Message], readings: Sequence[Candidate]
    ) -> None:
        self._turnover = turnover
        self._told = {each.id: sentences_of(each) for each in messages.values()}
        self._readings = [each for each in readings if each.text]
        self._fresh: dict[int, Fact] = {}

    def note(self, facts: Sequence[Fact]) -> None:
        """Remember what is believed since this began, as it is now."""
        self._fresh |= {fact.id: fact for fact in facts}

    def find(self, tx: Tx, candidate: Candidate, bank: str) -> Fact | None:
        """The fact that a reading takes the place of."""
        later = find_sentence(candidate, self._told.get(candidate.message_id or 0, ()))
        if later is None or not candidate.text or candidate.ended:
            return None
        near = [fact for fact, _ in search_facts(tx, later.text, bank=bank, limit=MOST_NEAR)]
        every = {fact.id: fact for fact in near} | self._fresh
        able = [each for each in every.values() if _is_before(each, candidate)]
        unsure = frozenset(range(len(able)) if candidate.leaning else ())
        earlier = [_as_earlier(each) for each in able]
        place = self._turnover.find(earlier, later, leaning=unsure)
        if place is None or not self._is_nearest(candidate, later, able[place]):
            return None
        return able[place]

    def _is_nearest(self, candidate: Candidate, later: Later, old: Fact) -> bool:
        """Whether no other reading of the sentence is nearer to what it overturns."""
        beside = [
            each
            for each in self._readings
            if each.message_id == candidate.message_id
            and (each.quote in later.text or later.text in each.quote)
        ]
        sure = [each for each in beside if not each.leaning] or beside
        nearest = self._turnover.nearest_of([each.text for each in sure], old.text)
        return not sure or sure[nearest].text == candidate.text


def sentences_of(message: Message) -> list[Later]:
    """What a message says, sentence by sentence, each with what it said up to there."""
    found: list[Later] = []
    upto = ""
    for each in split_sentences(own_prose(message.text)):
        upto += f" {each.text}"
        found.append(Later(each.text, upto, message.at, each.is_question))
    return found


def find_sentence(candidate: Candidate, told: Sequence[Later]) -> Later | None:
    """The sentence that a reading rests on."""
    quote = candidate.quote
    return next((each for each in told if quote in each.text or each.text in quote), None)


def _is_before(fact: Fact, candidate: Candidate) -> bool:
    said = max((each.at for each in fact.sources if each.at is not None), default=fact.recorded_at)
    told_with = any(each.message_id == candidate.message_id for each in fact.sources)
    open_still = is_current(fact) and not fact.ended and not told_with
    return (
        open_still and said <= (candidate.at or 0) and not is_same_text(fact.text, candidate.text)
    )


def _as_earlier(fact: Fact) -> Earlier:
    first = fact.sources[0] if fact.sources else None
    quote, at = (first.quote, first.at) if first is not None else (fact.text, fact.recorded_at)
    told = (fact.text, quote or fact.text, fact.attribute, fact.value, fact.subject)
    return Earlier(*told, str(fact.kind), at or fact.recorded_at)
