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
_BREAKS = re.compile(r"[\s_-]+")

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
    words = value_words(left)
    return bool(words) and words == value_words(right) and numbers(left) == numbers(right)


def is_part(part: str, whole: str) -> bool:
    """Every word of the one stands in the other."""
    words = value_words(part)
    return bool(words) and words <= value_words(whole)


def is_same_text(left: str, right: str) -> bool:
    """The same words in the same order, however they are spelt."""
    return said_words(left) == said_words(right)


@lru_cache(REMEMBERED)
def said_words(text: str) -> tuple[str, ...]:
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
    """ "favourite colour" and "favorite color", "time zone" and "timezone" are one."""
    return "".join(map(spelt, _BREAKS.split(attribute.casefold())))


def is_related_attribute(left: str, right: str) -> bool:
    """ "deadline:launch" and "deadline:atlas launch": one topic named more or less fully."""
    kind, _, topic = left.casefold().partition(":")
    other_kind, _, other_topic = right.casefold().partition(":")
    if kind != other_kind or not topic or not other_topic:
        return False
    return is_part(topic, other_topic) or is_part(other_topic, topic)
