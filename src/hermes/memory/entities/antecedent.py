"""Whom "her" or "him" means, by the words before: the only one named there, or nobody.

Knows only how names are written. Where two are named, or a word may be a name or not, nobody is
meant: a name given to the wrong one is worse than none.
"""

import re
from collections.abc import Sequence

from hermes.memory.entities.mentions import Mention, find_mentions
from hermes.memory.entities.plain import is_plain
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.types import EntityKind

PEOPLE = (EntityKind.PERSON, EntityKind.OTHER)
_AT_PLACE = re.compile(r"(?i)\b(?:in|at|to|from|near|on|of|for)\s(?:the\s)?$")
_ENDS = frozenset(".!?…\n")
_TELLS = frozenset({"VERB", "BE", "HAVE", "AUX", "GEN", "S"})


def find_antecedent(text: str) -> str:
    """The only one whom a text names, at no place and as no tool; empty where that is not sure."""
    found = find_mentions(text)
    openings = _openings(text, found)
    people = {
        each.text
        for each in found
        if each.kind in PEOPLE and not _AT_PLACE.search(text[: each.start])
    }
    named = {name for name in people if not find_purpose(name)} | openings.keys()
    only = next(iter(named)) if len(named) == 1 else ""
    return only if openings.get(only, True) else ""


def _openings(text: str, found: Sequence[Mention]) -> dict[str, bool]:
    """Words that may be names where a sentence begins, and whether something is told of each."""
    words = tokenize(text)
    after = [*(word.tag for word in words[1:]), ""]
    return {
        word.text: tag in _TELLS
        for word, tag in zip(words, after, strict=False)
        if word.tag == "NAME"
        and not is_plain(word.low)
        and _opens(text, word)
        and not any(each.start <= word.start < each.end for each in found)
    }


def _opens(text: str, word: Token) -> bool:
    before = text[: word.start].rstrip(" \"'“‘(")
    return not before or before[-1] in _ENDS
