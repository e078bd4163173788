"""Decides whether an extracted fact is the one a label asks for.

The rule is stated once, in `is_match`. It compares words, not wording, so that an extractor is free
to phrase a fact as it likes; it is strict where a mistake would mislead: who, which number, when,
for or against.
"""

import re
import unicodedata
from datetime import date
from difflib import SequenceMatcher
from typing import Protocol

from hermes.bench.facts.loader import Expected
from hermes.clock import to_datetime
from hermes.types import FactKind

MIN_QUOTE_OVERLAP = 0.5
MIN_VALUE_COVERAGE = 0.6

OWN_SIDE = frozenset({"user", "i", "me", "self", "we", "us", "team", "company", "user's team"})

# A thing may stand as subject of these ("the staging database"), where a person says "we".
KINDS_ABOUT_THINGS = frozenset(
    {FactKind.DECISION, FactKind.DEADLINE, FactKind.ENVIRONMENT, FactKind.EVENT, FactKind.OTHER}
)

STOP_WORDS = frozenset(
    "a an and are as at be been but by do does doing for from had has have he her him his i i'm "
    "i've i'd in into is it it's its just me my now of off on only or our over own she so than "
    "that the their them they this to too up us user was we we're we've were will with you your "
    "don't doesn't not no never always anything every everything".split()
)
AGAINST = re.compile(
    r"\b(?:not|no|never|cannot|without|dislikes?|disliked|hates?|hated|avoids?|avoided|against|"
    r"stop|refuses?|loathes?|despises?|detests?|allergic|forbidden|nothing|unwanted|sick of|"
    r"stay away|(?:\w+n't)|can't stand|kein\w*|déteste|nicht)\b",
    re.IGNORECASE,
)
AGAINST_ATTRIBUTES = frozenset({"dislikes", "avoids"})
KINDS_WITH_DIRECTION = frozenset({FactKind.PREFERENCE, FactKind.DECISION})
MONTHS = (
    "january february march april may june july august september october november december".split()
)
WORD = re.compile(r"[^\W_](?:[\w.+#@%'&/:-]*[\w+#%])?")
ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Extracted(Protocol):
    """What the scorer reads of a fact that an extractor found; `message` counts from 0."""

    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def quote(self) -> str: ...
    @property
    def message(self) -> int: ...
    @property
    def valid_from(self) -> int | None: ...


def is_match(found: Extracted, wanted: Expected, *, speaker: str = "") -> bool:
    """Whether `found` says what `wanted` asks for; all five must hold.

    1. Place: the same message, or quotes of which one unbroken run of characters is shared that is
       at least half of the longer quote.
    2. Subject: both on the user's side (user, we, the team, the message's speaker); or names with
       a word in common; or the wanted name stands in the found text; or, for a relationship, the
       found subject is the wanted person; or, where the user's side is wanted of a decision,
       deadline, environment, event or other fact, a thing whose words all stand in the quote.
    3. Value: of the content words (stop words dropped, endings cut) of the wanted value or of one
       of its aliases at least 60 % stand in the found text or value, and every one with a digit;
       and the found value, unless empty, shares a content word with the wanted value, alias or
       attribute, or names the date.
    4. Date, for a deadline that has one: ISO, or day, month and year, in the found text or value,
       or `valid_from` on that day (UTC).
    5. Direction: a wanted dislike, or a value that begins with a negation, must read as one; any
       other preference or decision must not, unless one of the quotes holds the negation.
    """
    return (
        _same_place(found, wanted)
        and _same_subject(found, wanted, speaker)
        and _same_value(found, wanted)
        and (wanted.kind is not FactKind.DEADLINE or has_date(found, wanted))
        and _same_direction(found, wanted)
    )


def has_date(found: Extracted, wanted: Expected) -> bool:
    """Whether the found fact is tied to the wanted day; true when none is wanted."""
    day = wanted.day
    if day is None:
        return True
    if found.valid_from is not None and to_datetime(found.valid_from).date() == day:
        return True
    said = f"{found.text} {found.value}"
    if day.isoformat() in said:
        return True
    return _spell(day) <= content_words(said)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, folded and cut to a common form."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    words = (word.removesuffix("'s") for word in WORD.findall(plain))
    return frozenset(_stem(word) for word in words if word and word not in STOP_WORDS)


def _stem(word: str) -> str:
    if ordinal := ORDINAL.match(word):
        return ordinal[1]
    if any(letter.isdigit() for letter in word) or len(word) < 4:
        return word
    for ending in ("ing", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _same_place(found: Extracted, wanted: Expected) -> bool:
    if found.message == wanted.message:
        return True
    longer = max(len(found.quote), len(wanted.quote))
    matcher = SequenceMatcher(None, found.quote, wanted.quote, autojunk=False)
    shared = matcher.find_longest_match().size
    return longer > 0 and shared / longer >= MIN_QUOTE_OVERLAP


def _same_subject(found: Extracted, wanted: Expected, speaker: str) -> bool:
    found_own, wanted_own = _is_own(found.subject, speaker), _is_own(wanted.subject, speaker)
    if found_own and wanted_own:
        return True
    names = content_words(found.subject)
    if wanted.kind is FactKind.RELATIONSHIP and names & content_words(wanted.value):
        return True
    if not wanted_own:
        wanted_names = content_words(wanted.subject)
        return bool(names & wanted_names) or wanted_names <= content_words(found.text)
    return (
        wanted.kind in KINDS_ABOUT_THINGS
        and bool(names)
        and names <= content_words(f"{wanted.quote} {wanted.value} {wanted.attribute}")
    )


def _is_own(subject: str, speaker: str) -> bool:
    plain = re.sub(r"^(?:the|our|my) ", "", subject.strip().casefold())
    return plain in OWN_SIDE or (plain != "" and plain == speaker.casefold())


def _same_value(found: Extracted, wanted: Expected) -> bool:
    said = f"{found.text} {found.value}"
    words = content_words(said) | _words_of_date(said, wanted)
    if not any(_covers(words, said, value) for value in (wanted.value, *wanted.aliases)):
        return False
    own = content_words(found.value)
    known = content_words(" ".join((wanted.value, *wanted.aliases, wanted.attribute)))
    return not own or bool(own & known) or _names_date(found.value, wanted) or _cjk_in(wanted, said)


def _covers(words: frozenset[str], said: str, value: str) -> bool:
    wanted = content_words(value)
    present = {word for word in wanted if word in words or (CJK.search(word) and word in said)}
    numbers = {word for word in wanted if any(letter.isdigit() for letter in word)}
    return bool(wanted) and numbers <= present and len(present) / len(wanted) >= MIN_VALUE_COVERAGE


def _words_of_date(said: str, wanted: Expected) -> frozenset[str]:
    """An ISO date says the same as its day, month and year in words."""
    if wanted.day is None or wanted.day.isoformat() not in said:
        return frozenset()
    return _spell(wanted.day)


def _spell(day: date) -> frozenset[str]:
    return frozenset({str(day.day), _stem(MONTHS[day.month - 1]), str(day.year)})


def _names_date(value: str, wanted: Expected) -> bool:
    if wanted.day is None:
        return False
    named = content_words(value) | {str(wanted.day.year)}
    return wanted.day.isoformat() in value or _spell(wanted.day) <= named


def _cjk_in(wanted: Expected, said: str) -> bool:
    return bool(CJK.search(wanted.value)) and wanted.value in said


def _same_direction(found: Extracted, wanted: Expected) -> bool:
    is_against = bool(AGAINST.search(found.text))
    if wanted.attribute in AGAINST_ATTRIBUTES or AGAINST.match(wanted.value):
        return is_against
    if wanted.kind not in KINDS_WITH_DIRECTION or not is_against:
        return True
    return bool(AGAINST.search(f"{wanted.quote} {found.quote}"))
