"""How many tokens a text takes, without asking a tokenizer: not fewer than common ones count.

A budget must hold for a model Hermes does not know. So words are cut as the bundled model cuts them
and counted with a margin, for vocabularies differ; two digits count one at least, each sign one, so
does each capital inside a word, a letter beyond Latin one where its script is in common
vocabularies, and two or more where it is not.
"""

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from math import ceil
from string import ascii_uppercase

MARGIN = 1.2  # more pieces than the bundled model's, for words in other vocabularies
LOOKED_AT = 300_000  # characters: what follows counts as much as it can
LONGEST_WORD = 40  # letters; what is longer is no word, and each letter counts

_SMALL = {ord(letter): letter.lower() for letter in ascii_uppercase}
_WORD = re.compile("[a-z0-9]+")
_HUMP = re.compile("[A-Za-z](?=[A-Z])")
_BLANK = re.compile(r"[^\S\n]")
_BEYOND_LATIN = re.compile("[\u0250-\u036f\u0500-\u05cf\u05eb-\u061f\u0700-\uffff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")  # some tokenizers take a syllable apart into its letters
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def count_tokens(text: str) -> int:
    """An estimate from above; what is longer than any budget is not looked at to its end."""
    if len(text) > LOOKED_AT:
        return _count(text[:LOOKED_AT]) + most_tokens(text[LOOKED_AT:])
    return _count(text)


def _count(text: str) -> int:
    words = _WORD.findall(text.lower() if text.isascii() else _lower_ascii(text))
    letters = sum(map(len, words))
    pieces = ceil(MARGIN * sum(map(_count_pieces, words)))
    signs = len(text) - letters - len(_BLANK.findall(text))
    tokens = pieces + len(_HUMP.findall(text)) + signs + text.count("   ")
    if not text.isascii():
        tokens += len(_BEYOND_LATIN.findall(text)) + len(_HANGUL.findall(text))
        tokens += 3 * len(_ASTRAL.findall(text))
    return min(tokens, most_tokens(text))


def _lower_ascii(text: str) -> str:
    """In small letters, each character still one: a few others have two when small."""
    return text.translate(_SMALL)


@lru_cache(maxsize=16_384)
def _count_pieces(word: str) -> int:
    """How many pieces the bundled model cuts a word into: the longest that fits, one by one."""
    if len(word) > LONGEST_WORD:
        return len(word)
    known, start, pieces = _vocabulary(), 0, 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start + 1, -1)
        start = next((end for end in ends if mark + word[start:end] in known), start + 1)
        pieces += 1
    return pieces if word.isalpha() else max(pieces, ceil(len(word) / 2))


@cache
def _vocabulary() -> frozenset[str]:
    """The pieces of the bundled embedding model, as a stand-in for any tokenizer's."""
    place = files("hermes.embed").joinpath("model", "tokenizer.json")
    return frozenset(json.loads(place.read_text("utf-8"))["model"]["vocab"])


def most_tokens(text: str) -> int:
    """What a text takes at the very most, at a glance: no token is shorter than a byte."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def fits(text: str, budget_tokens: int) -> bool:
    """Whether a text surely stays within a budget."""
    return most_tokens(text) <= budget_tokens or count_tokens(text) <= budget_tokens
