"""How many tokens a text takes, without a tokenizer: never fewer than common ones count.

A budget must hold for a model Hermes does not know. So every digit and sign counts one, a common
word one for each three letters begun and each capital inside it, any other word its letters, and
what lies beyond Latin letters two a character or more.
"""

import json
import re
from functools import cache
from importlib.resources import files

_WORD = re.compile("[a-z0-9]+")
_HUMP = re.compile("[A-Za-z](?=[A-Z])")
_BLANK = re.compile(r"[^\S\n]")
_BEYOND_LATIN = re.compile("[\u0250-\uffff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")  # some tokenizers take a syllable apart into its letters
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def count_tokens(text: str) -> int:
    """An estimate from above."""
    words = _WORD.findall(text.lower())
    common = _common_words()
    letters = sum(map(len, words))
    whole = sum(
        [(len(word) + 2) // 3 if word in common and word.isalpha() else len(word) for word in words]
    )
    signs = len(text) - letters - len(_BLANK.findall(text))
    tokens = whole + len(_HUMP.findall(text)) + signs + text.count("   ")
    if not text.isascii():
        tokens += len(_BEYOND_LATIN.findall(text)) + len(_HANGUL.findall(text))
        tokens += 3 * len(_ASTRAL.findall(text))
    return min(tokens, most_tokens(text))


@cache
def _common_words() -> frozenset[str]:
    """The words the bundled embedding model knows whole, as a stand-in for any tokenizer's."""
    place = files("hermes.embed").joinpath("model", "tokenizer.json")
    known = json.loads(place.read_text("utf-8"))["model"]["vocab"]
    return frozenset(word for word in known if not word.startswith("##"))


def most_tokens(text: str) -> int:
    """What a text takes at the very most, at a glance: no token is shorter than a byte."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def fits(text: str, budget_tokens: int) -> bool:
    """Whether a text surely stays within a budget."""
    return most_tokens(text) <= budget_tokens or count_tokens(text) <= budget_tokens
