"""How many tokens a text takes, without a tokenizer: never fewer than common ones count.

A budget must hold for a model Hermes does not know. So every digit and sign counts one, a word one
for each three letters, and what lies beyond Latin letters two a character.
"""

import re

_PIECES = re.compile(r"[A-Za-z]+|[^\sA-Za-z]|\n")
_LETTERS_A_TOKEN = 3
_BEYOND_LATIN = 2
_ASTRAL = 4


def count_tokens(text: str) -> int:
    """An estimate from above."""
    return sum(_piece_tokens(piece) for piece in _PIECES.findall(text)) + text.count("   ")


def fits(text: str, budget_tokens: int) -> bool:
    """Whether a text surely stays within a budget; no token is shorter than a byte."""
    if len(text) <= budget_tokens and len(text.encode("utf-8", "replace")) <= budget_tokens:
        return True
    return count_tokens(text) <= budget_tokens


def _piece_tokens(piece: str) -> int:
    if len(piece) > 1 or piece.isascii():
        return -(-len(piece) // _LETTERS_A_TOKEN)
    if piece < "\u0250":  # accented Latin
        return 1
    return _BEYOND_LATIN if piece < "\U00010000" else _ASTRAL
