"""The piece of a text that answers a question, with the places that matched."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from hermes.store.text import FOLD, find_emoji

WIDTH = 200
_MIN_STEM = 3
_WORD_START = r"(?<![a-z0-9])"
_GAP = r"[\W_]{1,3}"
_ENDING = re.compile(r"(?<=...)(?:ings?|ies|ied|ed|es|s|e|y|i)$")
_SYMBOL_NAME = re.compile(r"([a-z])(plusplus|sharp)")
_SYMBOLS = {"plusplus": "++", "sharp": "#"}
# English only: in other languages some of their like are words to look for (German `die`, `war`).
_THIN = frozenset(
    """a about an and any are as at be been but by can could did do does for from had has have how i
    if in into is it its me my of on or our should so than that the their them then there these they
    no not this those to us was we were what when where which who whom whose why will with would you
    your""".split()
)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text; `highlights` are [start, end) within it."""

    text: str
    highlights: tuple[tuple[int, int], ...] = ()


def list_telling(words: Sequence[str]) -> list[str]:
    """The words that say what is looked for; all of them, where none does."""
    return [word for word in words if word.lower() not in _THIN] or list(words)


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
    """Where `words` are in `text`, in order; places that overlap are one."""
    folded = _fold(text)
    patterns = [pattern for word in words if (pattern := _pattern(word))]
    spans = sorted(m.span() for pattern in patterns for m in re.finditer(pattern, folded))
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _pattern(word: str) -> str:
    """A word and its other endings; the parts of a name with anything between them."""
    if emoji := find_emoji(word):
        return re.escape(emoji)
    folded = _fold(word.removesuffix("*"))
    if symbol := _SYMBOL_NAME.fullmatch(folded):
        return _WORD_START + symbol[1] + re.escape(_SYMBOLS[symbol[2]])
    if not folded.isascii():
        return _GAP.join(map(re.escape, folded.split()))
    parts = re.findall(r"[a-z0-9]+", folded)
    if not parts:
        return ""
    return _WORD_START + _GAP.join([*parts[:-1], _stem(parts[-1])])


def _stem(word: str) -> str:
    """What the forms of an English word begin with: `runn`ing, `run`s, `studi`es, `stud`y."""
    if len(word) <= _MIN_STEM or not word.isalpha():
        return word
    stem = _ENDING.sub("", word)
    if stem != word and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
        stem = stem[:-1]
    return stem + "[a-z0-9]*"


def _fold(text: str) -> str:
    """Lower case without accents, letter for letter, so that places stay the same."""
    return text.lower() if text.isascii() else text.translate(_LETTERS)


class _Letters(dict[int, str]):
    """Each letter's plain form, found when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        taken_apart = unicodedata.normalize("NFD", str(FOLD.get(code) or char))
        lower = taken_apart[0].lower()
        is_plain = all(map(unicodedata.combining, taken_apart[1:])) and len(lower) == 1
        self[code] = lower if is_plain else char
        return self[code]


_LETTERS = _Letters()


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
