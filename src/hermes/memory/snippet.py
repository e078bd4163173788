"""The piece of a text that answers a question, with the places that matched."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 200
_MIN_STEM = 3


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text; `highlights` are [start, end) within it."""

    text: str
    highlights: tuple[tuple[int, int], ...] = ()


def cut_snippet(text: str, words: Sequence[str], width: int = WIDTH) -> Snippet:
    """The part of `text`, about `width` long, that holds most of `words`."""
    found = _find(text, words)
    start = _best_start(found, width) if found else 0
    start = max(0, min(start - width // 5, len(text) - width))
    start = _to_word_start(text, start)
    end = min(len(text), start + width)
    lead, tail = "…" if start else "", "…" if end < len(text) else ""
    piece = re.sub(r"\s", " ", text[start:end])
    shift = len(lead) - start
    inside = tuple((a + shift, b + shift) for a, b in found if a >= start and b <= end)
    return Snippet(lead + piece + tail, inside)


def _find(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    patterns = [pattern for word in words if (pattern := _pattern(word))]
    if not patterns:
        return []
    folded = _fold(text)
    return [m.span() for m in re.finditer("|".join(patterns), folded)]


def _pattern(word: str) -> str:
    """A word and its other endings; the parts of a name with anything between them."""
    parts = re.findall(r"\w+", _fold(word.removesuffix("*")))
    if not parts:
        return ""
    last = parts[-1]
    if last.isascii() and last.isalpha() and len(last) > _MIN_STEM:
        last = re.sub(r"(ing|ies|ed|es|s|e|y)$", "", last) if len(last) > _MIN_STEM + 2 else last
        ending = r"\w*"
    else:
        ending = ""
    before = r"\b" if last[0].isascii() else ""
    return before + r"\W{1,3}".join([*map(re.escape, parts[:-1]), re.escape(last)]) + ending


def _fold(text: str) -> str:
    """Lower case without accents, letter for letter, so that places stay the same."""
    if text.isascii():
        return text.lower()
    return "".join(_fold_char(char) for char in text)


def _fold_char(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char


def _best_start(found: Sequence[tuple[int, int]], width: int) -> int:
    """Where a window begins that holds the most matches; the first of equals."""
    best, best_count = found[0][0], 0
    right = 0
    for left, (start, _) in enumerate(found):
        while right < len(found) and found[right][1] <= start + width:
            right += 1
        if right - left > best_count:
            best, best_count = start, right - left
    return best


def _to_word_start(text: str, start: int) -> int:
    if start <= 0:
        return 0
    space = text.find(" ", start, start + 20)
    return space + 1 if space >= 0 else start
