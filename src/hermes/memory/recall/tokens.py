"""How many tokens a text takes, without a tokenizer: never fewer than common ones count.

A budget must hold for a model Hermes does not know. So every digit and sign counts one, a word one
for each three letters begun and each capital inside it, and what lies beyond Latin letters two a
character or more.
"""

import re

_WORD = re.compile("[A-Za-z]+")
_NOT_LETTERS = re.compile("[^A-Za-z]+")
_HUMP = re.compile("[A-Za-z](?=[A-Z])")
_BLANK = re.compile(r"[^\S\n]")
_BEYOND_LATIN = re.compile("[\u0250-\uffff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def count_tokens(text: str) -> int:
    """An estimate from above."""
    words = len(_WORD.findall(text))
    letters = len(_NOT_LETTERS.sub("", text))
    signs = len(text) - letters - len(_BLANK.findall(text))
    humps = len(_HUMP.findall(text))
    tokens = (letters + 2 * words) // 3 + humps + signs + text.count("   ")
    if not text.isascii():
        tokens += len(_BEYOND_LATIN.findall(text)) + 3 * len(_ASTRAL.findall(text))
    return min(tokens, most_tokens(text))


def most_tokens(text: str) -> int:
    """What a text takes at the very most, at a glance: no token is shorter than a byte."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def fits(text: str, budget_tokens: int) -> bool:
    """Whether a text surely stays within a budget."""
    return most_tokens(text) <= budget_tokens or count_tokens(text) <= budget_tokens
