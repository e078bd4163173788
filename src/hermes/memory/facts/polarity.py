"""Whether two statements of the same thing say it the other way round.

A word that denies turns the predicate behind it: in "I haven't told my manager Sofia" the telling,
not the manager. So a statement is inverted if such a predicate of one stands in the other and is
plain there, or if one likes what the other dislikes. Parts of sentences are compared with the part
that has most in common with them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hermes.memory.facts.compare import value_words

SAME_SHARE = 2 / 3  # more of a statement's words make it one of the same thing
STEM = 4  # letters by which "smoking" is "smokes"

_IDLE = re.compile(  # which deny nothing of what follows
    r"(?i)\b(?:(?:do|ca|wo)n?['’]?t (?:forget|wait|believe|worry|mind|stop|help)|"
    r"never (?:mind|forget)|not (?:only|just|gonna lie|to mention|sure)|"
    r"no (?:doubt|wonder|matter|idea|problem|worries|wait|sorry)|why not|nothing but|"
    r"no(?= (?:i|i['’]?m|my|we|our|it['’]?s|the|he|she|they)\b))"
)
_DENIES = (
    r"no longer|cannot|not|no|never|without|\w+n['’]t|"
    r"(?:ca|do|does|did|wo|is|are|was|were|have|has)nt|nobody|none|neither|nor|hardly|doubt\w*|"
    r"den(?:y|ies|ied)|wrong that|false that|untrue that|"
    r"nicht|kein\w*|nie|niemals|ohne|jamais|sans|nunca|não|geen|niet|nooit|не"
)
_LEAVES = r"quit\w*|stop(?:s|ped|ping)?|g[ai]ve[ns]?(?: it)? up|giving up|used to|no more"
_ENDS = (
    r"[,;:.!?()\n]|\b(?:but|because|so|and|or|then|instead|since|until|aber|weil|und|mais|pero)\b"
)
_STEP = re.compile(
    rf"(?P<left>\b(?:{_LEAVES})\b)|(?P<denied>\b(?:{_DENIES})\b)|(?P<ends>{_ENDS})|(?P<word>[^\W_]+)",
    re.IGNORECASE,
)
_LIGHT = frozenset(  # which carry no predicate, or hand on the no: "I don't think I live in Oslo"
    "have has had been being ever even really any i we you they he she that get true think believe "
    "say ist bin bist habe hat mehr ein eine est suis un une es soy".split()
)
_OVER = re.compile(
    r"(?i)\b(?:was|were|had|has been|have been|\w{2,}ed|went|did|left|quit|until|over|gone|sold|"
    r"out|done|stop\w*|former\w*|ex|leav\w+|ga?ive\w* up|no longer|any ?more|end\w*)\b"
)
_FOR = re.compile(r"(?i)\b(?:lov(?:e[sd]?|ing)|lik(?:e[sd]?|ing)|enjoy\w*|ador\w+|fan of)\b")
_AGAINST = re.compile(r"(?i)\b(?:hat(?:e[sd]?|ing)|dislik\w+|loath\w+|despis\w+|can['’]?t stand)\b")


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    words: frozenset[str]
    denied: frozenset[str]


def is_inverted(said: str, told: str) -> bool:
    """Whether what is `told` of a clause turns around what the clause `said`."""
    is_over = bool(_OVER.search(told))
    ours, theirs = list(_parts(said, left=not is_over)), list(_parts(told, left=False))
    if any(part.denied for part in ours) and any(part.denied for part in theirs):
        return False  # each says no in its own words
    ended = is_over and bool(_OVER.search(said))
    return any(_is_turned(part, ours, ended=ended) for part in theirs)


def _is_turned(told: _Part, ours: list[_Part], *, ended: bool) -> bool:
    said = max(ours, key=lambda part: len(part.words & told.words))
    shared = said.words & told.words
    if shared and _leans(said) * _leans(told) < 0:
        return True
    if len(shared) <= len(told.words) * SAME_SHARE:
        return False  # "I don't like long answers", "User likes short answers"
    is_aside = said.denied == said.words and said is not ours[0]  # "it's Birgit now, not Stefan"
    denied = bool(told.denied & shared) and not ended
    return denied or (bool(said.denied & shared) and not is_aside)


def _leans(part: _Part) -> int:
    """For or against something; neither, if that is denied, too."""
    if part.denied:
        return 0
    return bool(_FOR.search(part.text)) - bool(_AGAINST.search(part.text))


def _parts(text: str, *, left: bool) -> Iterator[_Part]:
    """The parts of a text with their words, and those that a word before them denies.

    What is told to be over is denied, too, where that is asked for (`left`).
    """
    text = _IDLE.sub(lambda found: " " * len(found.group()), text)
    words: set[str] = set()
    denied: set[str] = set()
    begin, is_open = 0, False
    for step in _STEP.finditer(text):
        if step["ends"]:
            yield _Part(text[begin : step.start()], frozenset(words), frozenset(denied))
            words, denied, begin, is_open = set(), set(), step.end(), False
        elif step["denied"] or step["left"]:
            is_open = bool(step["denied"]) or left
        elif step.group().lower() not in _LIGHT:
            said = {word[:STEM] for word in value_words(step.group()) if len(word) > 1}
            words |= said
            if is_open and said:
                denied |= said
                is_open = False
    yield _Part(text[begin:], frozenset(words), frozenset(denied))
