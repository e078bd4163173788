"""When two values, attributes or statements say the same thing: words, not wording."""

import re
from functools import lru_cache

from hermes.memory.entities.names import REMEMBERED, alias_key, fold, tokens
from hermes.memory.facts.spelling import counted, spelt

_SMALL = frozenset(
    "a an the of in on at for to with and or is are be by from as it its my our your their user "
    "team very really just also using use uses about do does did".split()
)
_AGAINST = re.compile(r"\b(?:not|no|never|without|dislikes?|hates?|avoids?|\w+n't|no longer)\b")
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_UNSAID = frozenset("a an the is are am be user my our very really just also".split())
_ALIKE = tuple(  # two wordings of one statement: the second is the one that is compared
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (
            r"\b(?:is|are) employed (?:by|at|with)\b|\bworks for\b|(?<=User)['’]s employer is\b",
            "works at",
        ),
        (r"\bhas an? ((?:[\w-]+ ){1,3})allergy$", r"is allergic to \1"),
        (r"\b(?:likes|loves) (.+) best$", r"prefers \1"),
    )
)
_OWN = re.compile(r"['’]s?$")
_OWNERS = re.compile(r"[\w-]+(?=['’]s? )")
_BREAKS = re.compile(r"[\s_-]+")
_OF_DATES = frozenset("born birthday on the of in is was due by".split())
_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_ONES = "first second third fourth fifth sixth seventh eighth ninth".split()
_TEENS = (
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
    "nineteenth twentieth"
).split()
_ORDINALS = {word: day for day, word in enumerate([*_ONES, *_TEENS], start=1)}
_ORDINALS |= {f"twenty {word}": 20 + day for day, word in enumerate(_ONES, start=1)}
_ORDINALS |= {"thirtieth": 30, "thirty first": 31}
_DAY = rf"(?P<day>\d{{1,2}}(?:st|nd|rd|th)?|{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})"
_MONTH = rf"(?P<month>sept|{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)})"
_DATES = tuple(
    re.compile(rf"{form}(?: (?P<year>\d{{4}}))?")
    for form in (f"{_DAY} {_MONTH}", f"{_MONTH} {_DAY}")
)
_ISO = re.compile(r"(?P<year>\d{4}) (?P<month>\d\d) (?P<day>\d\d)")

STEM = 5  # letters by which "rehearses" is about rehearsals
NEAR = 0.8  # share of the words of a statement that another has to have to say the same


@lru_cache(REMEMBERED)
def value_words(value: str) -> frozenset[str]:
    """The words of a value that carry it, folded, endings of the plural cut."""
    kept = (word for word, _, _ in tokens(value) if word not in _SMALL)
    return frozenset(_singular(spelt(word)) for word in kept)


def stems(text: str) -> frozenset[str]:
    """The words of a text by their beginnings, so that forms of one word are one."""
    return frozenset(word[:STEM] for word in value_words(text))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def is_same_value(left: str, right: str) -> bool:
    """Equal but for case, articles, plural and well-known short forms."""
    if alias_key(left) == alias_key(right):
        return True
    if (day := day_of(left)) and day == day_of(right):
        return True
    words = value_words(left)
    return bool(words) and words == value_words(right) and numbers(left) == numbers(right)


@lru_cache(REMEMBERED)
def day_of(value: str) -> tuple[int, ...]:
    """Day, month and year, if told, of a value that is a date and no more; else nothing."""
    words = [word for word, _, _ in tokens(value) if word not in _OF_DATES]
    text = " ".join(words)
    if iso := _ISO.fullmatch(text):
        return int(iso["day"]), int(iso["month"]), int(iso["year"])
    for form in _DATES:
        if found := form.fullmatch(text):
            day = _ORDINALS.get(found["day"]) or int(re.sub(r"\D", "", found["day"]))
            month = next(n for n, name in enumerate(_MONTHS, 1) if found["month"][:3] == name[:3])
            return (day, month, int(found["year"])) if found["year"] else (day, month)
    return ()


def is_part(part: str, whole: str) -> bool:
    """Every word of the one stands in the other."""
    words = value_words(part)
    return bool(words) and words <= value_words(whole)


def is_same_text(left: str, right: str) -> bool:
    """The same words in the same order, however they are spelt."""
    return said_words(left) == said_words(right)


@lru_cache(REMEMBERED)
def said_words(text: str) -> tuple[str, ...]:
    text = text.strip(" .!")
    for pattern, form in _ALIKE:
        text = pattern.sub(form, text)
    kept = (word for word, _, _ in tokens(text) if word not in _UNSAID)
    return tuple(_singular(counted(spelt(word))) for word in kept)


def is_near(part: str, whole: str) -> bool:
    """Nearly all the words of the other and no more, the same numbers, and both for or against.

    A word that the other has not may be all that is new: "… on Fridays" for "… on Mondays".
    """
    if numbers(part) != numbers(whole) or is_against(part) != is_against(whole):
        return False
    one, other = value_words(part), value_words(whole)
    return bool(one) and one <= other and len(one) / len(other) >= NEAR


@lru_cache(REMEMBERED)
def numbers(text: str) -> frozenset[str]:
    return frozenset(_VERSION.findall(text))


@lru_cache(REMEMBERED)
def is_against(text: str) -> bool:
    return bool(_AGAINST.search(fold(text)))


def is_same_attribute(left: str, right: str) -> bool:
    return _attribute_key(left) == _attribute_key(right)


@lru_cache(REMEMBERED)
def _attribute_key(attribute: str) -> str:
    """ "favourite colour" and "favorite color", "time zone" and "timezone", "report's" and
    "report" are one."""
    return "".join(map(spelt, _BREAKS.split(_OWN.sub("", attribute.casefold()))))


def is_related_attribute(left: str, right: str) -> bool:
    """ "deadline:launch" and "deadline:atlas launch": one topic named more or less fully.

    What is somebody else's ("my wife's passport") is another one.
    """
    kind, _, topic = left.casefold().partition(":")
    other_kind, _, other_topic = right.casefold().partition(":")
    if kind != other_kind or not topic or not other_topic:
        return False
    if _OWNERS.findall(topic) != _OWNERS.findall(other_topic):
        return False
    return is_part(topic, other_topic) or is_part(other_topic, topic)
