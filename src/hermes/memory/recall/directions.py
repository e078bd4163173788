"""How a story that was asked for goes on: "make him have a glass eye", "another chapter".

Pure. Who asks for a story and then says what is to be in it says nothing of themselves. Each of the
messages from the request on must be such a direction: what comes after anything else is of life.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

LOOKED_AT_CHARS = 600
_LEAD = (
    r"\W*(?:(?:(?:ha){2,}h?|lol|ok(?:ay)?|nice|great|cool|good|perfect|lovely|brilliant|love it|yes"
    r"|yeah|no|and|but|now|then|so|also|please|pls|maybe|actually|hmm"
    r"|(?:can|could|would|will) you|i want you to|i'd like you to)\b[\s,.!:;–—-]*)*"
)
_WORK = r"(?:story|tale|novel|poem|scene|song|chapter|plot|ending|title|part|verse|stanza|version)"
_FIGURE = r"(?:hero|heroine|protagonist|narrator|villain|main character|character)s?"
_WHOM = re.compile(
    rf"{_LEAD}(?:make|give|let|have|call|name|rename|send|put|turn|kill(?: off)?|describe)\s+"
    rf"(?:(?P<one>him|her|them)(?! (?:a |an )?(?:call|ring|lift|message|reminder|text|hand|my|our))"
    rf"|(?P<figure>the {_FIGURE})|the (?P<thing>\w+)|(?P<name>\w+))\b",
    re.I,
)
_HOW = re.compile(
    rf"{_LEAD}(?:make (?:it|the {_WORK}) (?:a (?:bit|little|lot) |much |even |more |less |\w+er\b"
    r"|rhyme|end|funny|sad|scary|happy|about)"
    rf"|(?:continue|go on|keep going|carry on)(?:\W*$| (?:it|please|the {_WORK}|from (?:t?here)"
    rf"|with (?:it|him|her|them|the (?:{_WORK}|{_FIGURE})))\b)"
    r"|(?:what happens|and then what|what comes) ?(?:next|then)?\W*$"
    r"|(?:(?:write|tell|give|add)(?: me)? )?(?:the |an? )?(?:next|another|one more|second|third"
    rf"|last|final|new|different|happy|sad) (?:\w+ )?{_WORK}\b"
    r"|(?:chapter|part|verse) (?:\d+|two|three|four|five)\b"
    r"|(?:add|put)\b[^.!?\n]{1,60} (?:to|in|into) (?:it|the (?:story|tale|poem|plot|song))\b"
    r"|(?:he|she|they|it) (?:should|must|needs? to|ought to)\b)",
    re.I,
)


# One of these words begins whatever the two find: looked for before them.
_BEGINS = re.compile(
    rf"{_LEAD}(?:make|give|let|have|call|name|rename|send|put|turn|kill|describe|continue|go on"
    r"|keep going|carry on|what|and then|write|tell|add|the|an?|next|another|one more|second|third"
    r"|last|final|new|different|happy|sad|chapter|part|verse|he|she|they|it)\b",
    re.I,
)


@lru_cache(maxsize=1_024)
def may_direct(text: str) -> bool:
    """Whether a message reads like a direction, to whatever story."""
    if _BEGINS.match(text) is None:
        return False
    looked = text[:LOOKED_AT_CHARS]
    return bool(_HOW.match(looked) or _WHOM.match(looked))


def follow(said: Sequence[str], asks: Callable[[str], bool]) -> bool:
    """Whether all that was said since a story was asked for directs it; the nearest first."""
    if not may_direct(said[0]):
        return False
    for place, text in enumerate(said):
        if place and asks(text):
            return True
        if not _directs(text[:LOOKED_AT_CHARS], said[place + 1 :]):
            return False
    return False


def _directs(text: str, before: Sequence[str]) -> bool:
    """Whether a message directs a story of which something was said before."""
    if _HOW.match(text):
        return True
    if (found := _WHOM.match(text)) is None:
        return False
    named = found["name"] or found["thing"]
    if found["name"] and not named[0].isupper():
        return False
    return named is None or any(re.search(rf"\b{re.escape(named)}\b", each) for each in before)
