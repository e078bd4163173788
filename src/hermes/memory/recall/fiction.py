"""What is said inside a story or a game of roles: told in the first person, true of nobody.

"My name is Ragnar and I live in Oslo" is the user's only where nobody is being played. Pure. It
looks at a message and at those shortly before it in its session. A request for a letter or an
e-mail is no fiction: what stands in it is mostly so.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from hermes.memory.facts.clauses.prose import closes_play, opens_play

LOOKED_AT_CHARS = 600
# One of these stands in whatever opens a story or a game: looked for before what takes time.
_SIGNS = (
    *("role", "play", "pretend", "you are", "you're", "i roll", "dungeon", "in character"),
    *("be the", "adventure", "improv", "as me", "creator", "interview", "negotiat", "rehears"),
    *("imagine", "simulat", "act out", "mock", "stor", "tale", "novel", "poem", "scene", "screen"),
    *("sketch", "monologue", "dialogue", "song", "lyric", "ballad", "limerick", "haiku", "chapter"),
    *("fan", "campaign", "protagonist", "narrator", "hero", "practi", "investor"),
)
_WORKS = (
    r"(?:short stor(?:y|ies)|stor(?:y|ies)|tales?|novels?|novellas?|fan ?fic(?:tion)?s?|poems?"
    r"|scenes?|screenplays?|sketch(?:es)?|monologues?|dialogues?|songs?|lyrics|ballads?|limericks?"
    r"|haikus?|fairy tales?|chapters?)"
)
_ASKS = re.compile(
    rf"\b(?:write|tell|compose|make up|invent|continue|finish|draft)\b[^\n.!?]{{0,40}}\b{_WORKS}\b",
    re.I,
)
_TOGETHER = re.compile(
    rf"\b(?:let's|let us|shall we|we(?:'re| are)|i(?:'m| am)|help me) (?:co-?)?writ\w*"
    rf"[^\n.!?]{{0,40}}\b{_WORKS}\b"
    rf"|\b(?:here is|here's|this is) (?:the (?:start|beginning|opening) of )?my {_WORKS}\b"
    rf"|\b(?:my|our|the) (?:{_WORKS}|protagonist|narrator|main character|character|hero|heroine)"
    r"(?:'s)? (?:so far|goes|opens|begins|starts|says|speaks|is called|is named|line)\b"
    r"|\bin (?:my|our) (?:story|novel|tale|screenplay|fan ?fiction|d&d campaign)\b",
    re.I,
)
_STEPS_OUT = re.compile(
    r"\b(?:by the way|btw|in real life|irl|for real|my real|anyway|thanks|thank you|unrelated"
    r"|seriously|back to)\b",
    re.I,
)
_ABOUT = re.compile(
    rf"\b(?:{_WORKS}|fiction\w*|role-?play\w*|characters?|protagonist|narrator|hero|heroine|game"
    r"|campaign|book|pretend\w*|played)\b",
    re.I,
)


def asks_of_fiction(task: str) -> bool:
    """Whether a task itself speaks of stories or roles, so that what is made up may answer it."""
    return _ABOUT.search(task) is not None


def is_made_up(text: str, before: Sequence[str], *, by_user: bool) -> bool:
    """Whether a message belongs to a story or a game; `before` are the user's, the nearest first.

    The user speaks in a game until it is over or they step out of it. What an assistant says is
    made up where it was just asked for that.
    """
    if not any(map(_may_open, (text, *before))):
        return False
    own = text[:LOOKED_AT_CHARS]
    if not by_user:
        return bool(before) and (_asks(before[0]) or _is_playing(before))
    if _opens(own):
        return not _says_before(own)
    return not _STEPS_OUT.search(own) and not closes_play(own) and _is_playing(before)


@lru_cache(maxsize=1_024)
def _may_open(text: str) -> bool:
    folded = text[:LOOKED_AT_CHARS].casefold()
    return any(sign in folded for sign in _SIGNS)


def _asks(text: str) -> bool:
    looked = text[:LOOKED_AT_CHARS]
    return bool(_ASKS.search(looked)) or _opens(looked)


def _opens(text: str) -> bool:
    return _may_open(text) and (opens_play(text) or bool(_TOGETHER.search(text)))


def _is_playing(before: Sequence[str]) -> bool:
    """Whether a game that was opened goes on after the messages before."""
    for text in before:
        looked = text[:LOOKED_AT_CHARS]
        if closes_play(looked) or (_STEPS_OUT.search(looked) and not _opens(looked)):
            return False
        if _opens(looked):
            return True
    return False


def _says_before(text: str) -> bool:
    """Whether something of one's own is said before the game is opened: whole sentences of it."""
    starts = [found.start() for pattern in (_TOGETHER,) if (found := pattern.search(text))]
    lead = text[: min(starts)] if starts else ""
    return lead.count(".") + lead.count("!") > 0
