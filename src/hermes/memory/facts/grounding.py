"""Whether a statement a model wrote rests on what the user said, not only its quote.

A true quote can stand under an invented sentence. So every number and name must have been said,
most of the value, and some of the sentence; a day that was settled may be written in any way.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from hermes.errors import Refused
from hermes.memory.entities.names import fold
from hermes.memory.facts.candidate import USER, Candidate, stands_in
from hermes.memory.facts.compare import value_words

VALUE_SHARE = 1 / 2  # of a value's words that the message must hold
TEXT_SHARE = 1 / 3  # of a sentence's: it says in the third person what was said in the first
STEM = 5  # letters by which "allergic" is "allergy"

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d)")
_WORD = re.compile(r"[^\W_]+")


def verify_grounds(candidate: Candidate, message_text: str, talk: str) -> Candidate:
    """The candidate, if the message holds what it says; `talk` is all the user said around it."""
    day = _spellings(candidate.valid_from)
    said, around = _stems(message_text) | day, _stems(talk) | day
    grounded = (
        _numbers(f"{candidate.text} {candidate.value}") <= _numbers(message_text) | day
        and all(_share(name, around) == 1 for name in _names(candidate))
        and (_holds(message_text, candidate.value) or _share(candidate.value, said) >= VALUE_SHARE)
        and _share(candidate.text, around) >= TEXT_SHARE
    )
    if not grounded:
        raise Refused(
            f"A fact was refused: the user did not say it: {candidate.text[:80]!r}",
            "Keep to the numbers, names and words of the message.",
        )
    return candidate


def _holds(text: str, value: str) -> bool:
    return bool(value) and stands_in(fold(value), fold(text))


def _share(text: str, said: frozenset[str]) -> float:
    """How much of a text was said; all of one that carries no words."""
    wanted = _stems(text)
    return len(wanted & said) / len(wanted) if wanted else 1.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in value_words(_THOUSANDS.sub("", text)))


def _numbers(text: str) -> frozenset[str]:
    found = _NUMBER.findall(_THOUSANDS.sub("", text))
    return frozenset(number.lstrip("0") or "0" for number in found)


def _names(candidate: Candidate) -> Iterable[str]:
    """Capitalised words, but for the one a sentence begins with, and what is named outright."""
    words = [*_WORD.findall(candidate.text)[1:], *_WORD.findall(candidate.value)]
    subject = "" if candidate.subject.casefold().removeprefix("the ") == USER else candidate.subject
    return [*(word for word in words if word[0].isupper()), subject, *candidate.entities]


def _spellings(at: int | None) -> frozenset[str]:
    """The ways to write the day of a time."""
    if at is None:
        return frozenset()
    written = f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %Y %m %d %B %b %A %a}"
    return _stems(written) | _numbers(written)
