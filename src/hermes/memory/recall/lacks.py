"""What a question asks for that a fact does not hold: a name, a relation, its other words.

"Who is Jonas's girlfriend" lies near "Jonas's sister is Wilma", in words and in meaning: of the
same person, of the same kind. That it is no answer shows in what it lacks. How much each lack
counts is fitted with how surely a fact is told (`likeness`, `hermes.bench.fit_facts`); it closes no
door, for the same may be said in other words.
"""

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from hermes.memory.facts.clauses.lexicon import RELATIONS
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.task import STOP_WORDS

LACKS = ("name", "relation", "rest")  # "rest" only of a fact that holds some of the asked words
# What else a relation is told by; any other is told by its own word alone.
ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "mother mum mom mam mummy parent",
        "father dad daddy parent",
        "child kid daughter son baby toddler boy girl",
        "partner wife husband spouse girlfriend boyfriend fiance fiancee married",
        "boss manager supervisor lead report",
        "sister brother sibling twin",
        "grandmother grandma gran granny nan",
        "grandfather grandpa",
        "neighbour neighbor door",
        "roommate flatmate housemate",
        "friend buddy mate",
        "pet dog cat puppy kitten",
        "doctor gp physician",
    )
)
# "Sibling" is told by "sister", but a sister is no brother, nor is a wife a husband.
APART = (
    frozenset({"sister", "brother"}),
    frozenset({"wife", "husband"}),
    frozenset({"girlfriend", "boyfriend"}),
    frozenset({"girlfriend", "wife"}),
    frozenset({"daughter", "son"}),
    frozenset({"dog", "cat"}),
)
PLURALS = {"children": "child", "wives": "wife", "puppies": "puppy", "babies": "baby"}
_WORD = re.compile(r"[^\W\d_][\w-]*")


def measure_lacks(
    text: str,
    facts: Sequence[str],
    held: Floats,
    known: Mapping[str, Collection[str]] | None = None,
) -> Floats:
    """A row a fact: how far each of `LACKS` is so of it, from 0 to 1.

    `held` is the share of the asked words that each holds; `known` are the words of known names,
    with all that the same is called by. A fact that holds none of the asked words may be an answer
    in other words: of that, no word says anything.
    """
    called = known or {}
    found = np.zeros((len(facts), len(LACKS)), np.float32)
    names = [{name, *map(stem_of, called.get(name, ()))} for name in names_in(text, called)]
    told = [_told_by(each) for each in _stems(text) & RELATIONS]
    for row, fact in enumerate(facts if names or told else ()):
        words = _stems(fact)
        found[row, :2] = [any(map(words.isdisjoint, each)) for each in (names, told)]
    found[:, 2] = np.where(held > 0, 1 - held, 0)
    return found


def names_in(text: str, known: Collection[str] = ()) -> set[str]:
    """The words of a question that name somebody or something: known, or with a capital."""
    words = list(_WORD.finditer(text))
    names = {stem_of(match[0]) for match in words if match[0].casefold() in known}
    for before, match in zip([None, *words], words, strict=False):
        begins = before is None or re.search(r"[.!?:\n]\s*$", text[before.end() : match.start()])
        if match[0][0].isupper() and not begins and match[0].casefold() not in STOP_WORDS:
            names.add(stem_of(match[0]))
    return names - RELATIONS


def _told_by(relation: str) -> frozenset[str]:
    """The words that tell a relation."""
    alike = frozenset({relation}).union(*(group for group in ALIKE if relation in group))
    others = (pair - {relation} for pair in APART if relation in pair)
    return alike - frozenset().union(*others)


def _stems(text: str) -> set[str]:
    return {stem_of(match[0]) for match in _WORD.finditer(text)}


def stem_of(word: str) -> str:
    """A word in lower case, of one only."""
    folded = word.casefold()
    if folded in PLURALS:
        return PLURALS[folded]
    return folded[:-1] if folded.endswith("s") and len(folded) > 3 else folded
