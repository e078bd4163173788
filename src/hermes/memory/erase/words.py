"""When a text holds a phrase: the same words in the same order, whatever case and punctuation.

Scripts written without spaces are compared character by character, so that a phrase is found inside
a longer run.
"""

import re
import unicodedata
from collections.abc import Iterable

from hermes.errors import UserError

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_NOT_IN_WORDS = {code: " " for code in range(128) if not chr(code).isalnum()}
MIN_RAW_BYTES = 5
LONG_BYTES = 12
ECHO_WORDS = 5
LEAST_HEAD = 3
MOST_HEAD = 8
_SENTENCE = re.compile(r"[.!?\n。！？]+\s*")

Words = tuple[str, ...]


def split_words(text: str) -> Words:
    """The words of a text as they are compared; most texts are plain, and split much quicker."""
    if text.isascii():
        return tuple(text.lower().translate(_NOT_IN_WORDS).split())
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def parse_phrase(text: str) -> Words:
    words = split_words(text)
    if not words:
        raise UserError(f"{text!r} holds no word to look for.", "Give letters or digits.")
    return words


class Phrases:
    """Some phrases, and whether a text holds any of them."""

    def __init__(self, phrases: Iterable[Words]) -> None:
        self._by_first: dict[str, list[Words]] = {}
        for phrase in set(phrases):
            if phrase:
                self._by_first.setdefault(phrase[0], []).append(phrase)
        one = list(self._by_first)
        self._only = one[0] if len(one) == 1 else ""

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def is_in(self, text: str) -> bool:
        if not text or not self._by_first or (self._only and not self._may_hold(text)):
            return False
        words = split_words(text)
        return any(
            words[n : n + len(phrase)] == phrase
            for n, word in enumerate(words)
            for phrase in self._by_first.get(word, ())
        )

    def is_in_any(self, texts: Iterable[str]) -> bool:
        return any(self.is_in(text) for text in texts)

    def _may_hold(self, text: str) -> bool:
        """A quick look before the careful one; only plain text needs no normalising."""
        return not text.isascii() or self._only in text.lower()


def echoes(text: str) -> list[Words]:
    """By what a text would be recognised elsewhere: itself, and its sentences of some length."""
    whole = split_words(text)
    parts = [split_words(part) for part in _SENTENCE.split(text)]
    return [whole, *(part for part in parts if len(part) >= ECHO_WORDS and part != whole)]


def heads(phrases: Iterable[Words]) -> set[Words]:
    """The first words of each phrase, as many as make it recognised; very short ones are not."""
    return {phrase[:MOST_HEAD] for phrase in phrases if len(phrase) >= LEAST_HEAD}


def is_short(words: Words) -> bool:
    """Whether a phrase is too short to be told from chance among bytes."""
    return len("".join(words).encode()) < MIN_RAW_BYTES


def raw_pattern(words: Words) -> bytes:
    """A pattern that finds the phrase in bytes; empty where it is too short to mean anything."""
    if is_short(words):
        return b""
    size = len("".join(words).encode())
    gap = rb"[^0-9A-Za-z\x80-\xff]{0,8}"
    joined = gap.join(re.escape(word.encode()) for word in words)
    if size >= LONG_BYTES:  # found inside a longer word it is no chance: texts may lie wall to wall
        return b"(?i)" + joined
    return rb"(?i)(?<![0-9A-Za-z])" + joined + rb"(?![0-9A-Za-z])"
