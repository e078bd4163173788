"""Whether a statement a model wrote rests on what the user said, not only its quote.

A true quote can stand under an invented sentence. So every number and name must have been said,
most of the value, and some of the sentence; a day that was settled may be written in any way. What
a thing is called without a name ("user's orchestra", of "we're doing Dvorak") is the model's word.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from hermes.errors import Refused
from hermes.memory.entities.names import fold
from hermes.memory.facts.candidate import Candidate, stands_in
from hermes.memory.facts.compare import value_words

VALUE_SHARE = 1 / 2  # of a value's words that the user must have said
TEXT_SHARE = 1 / 3  # of a sentence's: it says in the third person what was said in the first
STEM = 5  # letters by which "allergic" is "allergy"

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d)")
_WORD = re.compile(r"[^\W_]+")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")


def verify_grounds(candidate: Candidate, talk: str, at: int) -> Candidate:
    """The candidate, if `talk`, what the user said around the time `at`, holds what it says."""
    day = _spellings(candidate.valid_from) | _near(at)
    around = _stems(talk) | day
    grounded = (
        _numbers(f"{candidate.text} {candidate.value}") <= _numbers(talk) | day
        and all(_share(name, around) == 1 for name in _names(candidate))
        and (_holds(talk, candidate.value) or _share(candidate.value, around) >= VALUE_SHARE)
        and _share(candidate.text, around) >= TEXT_SHARE
    )
    if not grounded:
        raise Refused(
            f"A fact was refused: the user did not say it: {candidate.text[:80]!r}",
            "Keep to the numbers, names and words of the message.",
        )
    return candidate


def verify_named(candidate: Candidate, talk: str, at: int) -> Candidate:
    """The candidate, if every number and name of its text stands in what was said up to it."""
    day = _spellings(candidate.valid_from) | _near(at)
    text = _DAY.sub("", candidate.text)
    names = [word for word in _WORD.findall(text)[1:] if word[0].isupper()]
    said = _stems(talk) | day | _stems("user hermes")
    if _numbers(text) <= _numbers(talk) | day and all(_share(name, said) == 1 for name in names):
        return candidate
    raise Refused(
        f"A fact was refused: it names what was not said: {candidate.text[:80]!r}",
        "Keep to the numbers and names of the message.",
    )


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
    words += _WORD.findall(candidate.subject)
    return [*(word for word in words if word[0].isupper()), *candidate.entities]


def _near(at: int) -> frozenset[str]:
    """The years, months and weekdays that "last month" or "by Friday" may be settled to."""
    said = datetime.fromtimestamp(at / 1000, UTC)
    years = " ".join(str(said.year + n) for n in (-1, 0, 1))
    days = (said + timedelta(days=n) for n in (*range(-60, 0, 20), *range(7), *range(20, 80, 20)))
    names = " ".join(f"{day:%B %b %A %a}" for day in days)
    return _stems(names) | _numbers(years)


def _spellings(at: int | None) -> frozenset[str]:
    """The ways to write the day of a time."""
    if at is None:
        return frozenset()
    written = f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %Y %m %d %B %b %A %a}"
    return _stems(written) | _numbers(written)
