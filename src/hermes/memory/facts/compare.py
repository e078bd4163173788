"""When two values, attributes or statements say the same thing: words, not wording."""

import re
from functools import lru_cache

from hermes.memory.entities.names import REMEMBERED, alias_key, fold, tokens

_SMALL = frozenset(
    "a an the of in on at for to with and or is are be by from as it its my our your their user "
    "team very really just also using use uses about do does did".split()
)
_AGAINST = re.compile(r"\b(?:not|no|never|without|dislikes?|hates?|avoids?|\w+n't|no longer)\b")
_VERSION = re.compile(r"\d+(?:\.\d+)*")

STEM = 5  # letters by which "rehearses" is about rehearsals
NEAR = 0.8  # share of words two statements of one attribute have in common to be one


@lru_cache(REMEMBERED)
def value_words(value: str) -> frozenset[str]:
    """The words of a value that carry it, folded, endings of the plural cut."""
    kept = (word for word, _, _ in tokens(value) if word not in _SMALL)
    return frozenset(_singular(word) for word in kept)


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


def is_near(left: str, right: str) -> bool:
    """Nearly the same words, the same numbers, and both for or both against."""
    if numbers(left) != numbers(right) or is_against(left) != is_against(right):
        return False
    one, other = value_words(left), value_words(right)
    return bool(one and other) and len(one & other) / len(one | other) >= NEAR


@lru_cache(REMEMBERED)
def numbers(text: str) -> frozenset[str]:
    return frozenset(_VERSION.findall(text))


@lru_cache(REMEMBERED)
def is_against(text: str) -> bool:
    return bool(_AGAINST.search(fold(text)))


def is_same_attribute(left: str, right: str) -> bool:
    return left.casefold() == right.casefold()


def is_related_attribute(left: str, right: str) -> bool:
    """ "deadline:launch" and "deadline:atlas launch": one topic named more or less fully."""
    kind, _, topic = left.casefold().partition(":")
    other_kind, _, other_topic = right.casefold().partition(":")
    if kind != other_kind or not topic or not other_topic:
        return False
    return is_part(topic, other_topic) or is_part(other_topic, topic)
