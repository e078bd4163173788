"""What no reader took of a message, proposed all the same: whatever the user says of their own.

Readers know forms. What they leave is told in the third person, completed by what stands before it.
Most of it is not worth keeping; each has a sign by which a gate knows that no reader stands for it.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.as_said import dated
from hermes.memory.facts.clauses.finishing import finished, is_quotable
from hermes.memory.facts.clauses.freed import CLAUSE, REST
from hermes.memory.facts.clauses.joined import list_joined
from hermes.memory.facts.clauses.sentences import LONGEST_TOLD, setting_of
from hermes.memory.facts.clauses.signs import with_signs
from hermes.memory.facts.clauses.split import Clause, Sentence
from hermes.memory.facts.clauses.statements import Before, Said, Statements
from hermes.memory.facts.clauses.talk import Talk
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.units import Unit, content, read_units

LONGEST = 30  # words of a statement
FEWEST_TOLD = 0.9  # share of its words by which a unit counts as told
STEM = 5

_NAMING = frozenset({"NAME", "NUM", "ADDR"})


def read_rest(
    prose: str,
    sentences: Sequence[Sentence],
    told: Sequence[Candidate],
    talk: Talk,
    before: Before,
) -> list[Candidate]:
    """Statements out of what none of the readings in `told` says."""
    if len(talk.text) > LONGEST_TOLD:
        return []
    units = [unit for sentence in sentences for unit in read_units(sentence)]
    joined = list(list_joined(units, prose, before))
    whole = {said.last.body.start for said in joined}
    parts = [
        said
        for said in Statements(units, prose, before).read(_Known(told))
        if said.last.body.start not in whole or said.sign == CLAUSE
    ]
    return [each for said in (*parts, *joined) for each in _candidate(said, prose, talk)]


class _Known:
    """The words that the readings of a message have told already."""

    def __init__(self, told: Sequence[Candidate]) -> None:
        self._told = [(each.quote, _stems(tokenize(each.text))) for each in told]

    def says(self, unit: Unit) -> bool:
        """Whether the readings that rest on these words tell them, all names and numbers."""
        words = content(unit.words)
        text, body = unit.text, unit.body.text
        own = [w for quote, w in self._told if quote in body or text in quote]
        told = frozenset[str]().union(*own)
        if any(_stem(t) not in told for t in words if t.tag in _NAMING):
            return False
        return sum(_stem(t) in told for t in words) >= FEWEST_TOLD * len(words)


def _stems(words: Sequence[Token]) -> frozenset[str]:
    return frozenset(map(_stem, words))


def _stem(token: Token) -> str:
    return (token.lemma or token.low)[:STEM]


def _candidate(said: Said, prose: str, talk: Talk) -> list[Candidate]:
    quote = " ".join(prose[said.first.start : said.last.end].split())
    if len(said.text.split()) > LONGEST or not is_quotable(prose[said.first.start : said.last.end]):
        return []
    body, opening = said.last.body, said.last.opening
    setting = setting_of(body, "", opening, talk)
    made = dated(said.text, said.value, said.frame, setting, quote, "said")
    whole = Sentence(quote, said.first.start, body.mark)
    done = finished(replace(made, subject=said.subject), Clause(()), whole, opening, talk)
    signed = replace(done, signs=(REST, said.sign))
    return with_signs([signed], said.frame, quote, body, setting, talk)
