"""A message as a row of units: clauses, each by how it is said, whoever reads it.

Told, pointing at what was named before, a fragment, an order, a question, a condition. What a unit
is worth is not judged here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.memory.facts.clauses.cues import Opening, read_opening
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.pronouns import is_order_to
from hermes.memory.facts.clauses.prose import has_foreign_words
from hermes.memory.facts.clauses.referents import PERSONAL
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.split import Clause, Sentence, split_clauses
from hermes.memory.facts.clauses.stance import (
    is_asked,
    is_likened,
    is_supposition,
)
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.talk import is_elided, is_of_other, with_noun_first
from hermes.memory.facts.clauses.tokens import Token, tokenize

_WHEN = re.compile(r"(?i)(?:and |but |so )?when(?:ever)?\s+(?:i|we|you|u)\b")
_LEANING = frozenset("and , but so then who which plus or because".split())
_FILLING = frozenset({"INTJ", "EMOJI", "CONJ", "PUNCT"})
_GUIDING = frozenset("please pls plz kindly just also so and then".split())
_WANTS = frozenset("need want hope guess wish think love like know".split())
_NEVER = frozenset("never don't dont do not no".split())


@dataclass(frozen=True, slots=True)
class Unit:
    """A clause, where it stands in the prose, and how it is said (`sort`)."""

    text: str
    start: int
    frame: Frame
    sort: str
    body: Sentence
    opening: Opening
    words: tuple[Token, ...]  # and marks
    joint: str = ""
    asides: tuple[str, ...] = ()

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read_units(sentence: Sentence) -> Iterator[Unit]:
    """The units of a sentence in order."""
    opening = read_opening(sentence.text)
    body = Sentence(sentence.text[opening.offset :], sentence.start + opening.offset, sentence.mark)
    if not body.text.strip() or has_foreign_words(body.text):
        return
    clauses = [_plain(clause) for clause in split_clauses(body)]
    texts = [body.text[clause.start : clause.end] for clause in clauses]
    whole = is_supposition(body.text)
    supposed = {n for n, clause in enumerate(clauses) if whole or _is_supposed(clause, texts[n])}
    before: Subject | None = None
    for index, clause in enumerate(clauses):
        frame = _frame(clause, before, body.text[: clause.start])
        last, only = index == len(clauses) - 1, len(clauses) == 1
        asked = is_asked(texts[index], body, is_last=last, is_only=only) or is_likened(texts[index])
        sort = "asked" if asked else _sort(frame)
        sort = "supposed" if index in supposed and sort not in {"order", "asked"} else sort
        text = body.text[clause.start : _end(clause, body.text)]
        asides = tuple(spell(aside) for aside in clause.asides)
        words = said_words(text)
        start = body.start + clause.start
        if words:
            yield Unit(text, start, frame, sort, body, opening, words, clause.joint, asides)
        before = frame.subject if frame.subject.kind not in {"none", "you"} else before


def _is_supposed(clause: Clause, text: str) -> bool:
    """Whether a clause says on what condition the others hold."""
    return clause.joint in {"if", "when"} or is_supposition(text) or bool(_WHEN.match(text))


def _plain(clause: Clause) -> Clause:
    """ "add that Dmitri sets it up": without the word that only joins it."""
    first, following = clause.tokens[0], clause.tokens[1:2]
    joins = (
        first.low == "that" and following and following[0].tag in {"NAME", "PRON", "POSS", "DET"}
    )
    return replace(clause, tokens=clause.tokens[1:]) if joins else clause


def _end(clause: Clause, text: str) -> int:
    """Where a clause ends, with the parenthesis right behind it."""
    end = clause.end
    if clause.asides and text[end:].lstrip().startswith("("):
        close = text.find(")", end)
        return close + 1 if close > 0 else end
    return end


def _frame(clause: Clause, before: Subject | None, said: str) -> Frame:
    leans = clause.joint in _LEANING and not is_order_to(clause)
    leans = leans and not is_of_other(said, clause.tokens)
    frame = parse(with_noun_first(clause.tokens), before if leans else None)
    wants = bool(frame.group) and frame.group[0].lemma in _WANTS
    if frame.subject.kind == "none" and frame.verb and (wants or is_elided(frame, said)):
        return replace(frame, subject=Subject("user"))
    return frame


def _sort(frame: Frame) -> str:
    subject = frame.subject
    words = [t for t in frame.words if t.tag not in _FILLING and t.low not in _GUIDING]
    if not words:
        return "nothing"
    if words[0].low in _NEVER and len(words) > 1 and words[1].form == "VB":
        return "order"
    if not frame.verb:
        return "fragment"
    if subject.kind == "none":
        return "order" if words[0].form == "VB" or words[0].low in {"be", "do"} else "fragment"
    if subject.kind == "you":
        return "you"
    first = subject.words[0].low if subject.words else ""
    points = subject.kind in {"it", "who"} or first in PERSONAL
    return "points" if points and not subject.name and not subject.owner else "told"


def said_words(text: str) -> tuple[Token, ...]:
    """The words and marks of a text without courtesies and without what is said to fill a pause."""
    words = [t for t in tokenize(text) if t.tag != "EMOJI" and t.low not in _PAUSES]
    while words and words[0].tag in _EDGE:
        words.pop(0)
    while words and words[-1].tag == "INTJ":
        words.pop()
    return tuple(words)


_PAUSES = frozenset("please pls plz kindly uh uhh um umm hmm hm lol haha btw".split())
_EDGE = frozenset({"INTJ", "PUNCT"})


def content(words: Sequence[Token]) -> list[Token]:
    """The words that say something."""
    return [t for t in words if t.tag in _CONTENT and t.lemma not in {"be", "have", "do"}]


_CONTENT = frozenset({"NOUN", "NAME", "NUM", "ADDR", "ADJ", "VERB"})
