"""Whether a text says what one sentence of the person says, and nothing more.

A model that has read a page may still be asked to remember what the person just told it. Such a
note need not be doubted: its words are theirs. The test is strict, for a page could try to have
something written that only looks like their words: every word that says something must stand, in
the same order, in one sentence that is no question; most of that sentence must be there; and what
turns a sentence round (not, never, only, if) must be the same in both.
"""

import re
from collections.abc import Iterable

_SENTENCE = re.compile(r"[^.!?;\n。！？؟]+[.!?;\n。！？؟]*")
_WORD = re.compile(r"[\w'’]+")
_ASKING = ("?", "？", "؟")
_TURNING = frozenset(
    "not no never nor none nothing nobody without cannot only unless if except until but instead "
    "nicht kein keine nie nur wenn ne pas jamais sans sauf si sin nunca salvo".split()
)
_EMPTY = frozenset(
    "a an the i me my mine we our us you your user user's users person he she they his her their "
    "is am are was were be been do does did have has had to of in on at for with and or that this "
    "it its as so please remember note keep mind always from now by will would".split()
)
LEAST_WORDS = 2
LEAST_SHARE = 0.5


def is_own(text: str, said: Iterable[str]) -> bool:
    """Whether `text` repeats a sentence of what was `said`."""
    words, turns = _read(text)
    if len(words) < LEAST_WORDS:
        return False
    return any(_repeats(words, turns, sentence) for each in said for sentence in _sentences(each))


def _sentences(said: str) -> list[str]:
    found = [part.strip() for part in _SENTENCE.findall(said)]
    return [part for part in found if part and not part.endswith(_ASKING)]


def _repeats(words: list[str], turns: list[str], sentence: str) -> bool:
    theirs, their_turns = _read(sentence)
    if turns != their_turns or len(words) < LEAST_SHARE * len(theirs):
        return False
    rest = iter(theirs)
    return all(word in rest for word in words)  # in their order: the search goes on where it was


def _read(text: str) -> tuple[list[str], list[str]]:
    """The words that say something, without their endings, and those that turn it round."""
    words: list[str] = []
    turns: list[str] = []
    for word in _WORD.findall(text.casefold().replace("’", "'")):
        if word in _TURNING or word.endswith("n't"):
            turns.append("not" if word.endswith("n't") or word == "cannot" else word)
        elif word not in _EMPTY:
            words.append(word.removesuffix("'s").rstrip("s") or word)
    return words, turns
