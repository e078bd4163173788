"""Finding any of many phrases in one pass, in texts and in bytes.

A session of thousands of messages is thousands of phrases: each is looked up by three words of its
own, so that the cost is that of reading, however many there are.
"""

import re
from collections.abc import Iterable, Iterator

from hermes.memory.erase.words import Words, raw_pattern, split_words

_KEY_WORDS = 3
_LEAST_INNER = 3  # shorter phrases have no word that stands between others


class Traces:
    """Some phrases, and whether a text or some bytes hold any of them."""

    def __init__(self, phrases: Iterable[Words]) -> None:
        self._phrases = frozenset(phrase for phrase in phrases if phrase)
        self._from_start = _keyed(self._phrases, 0)
        inner = [phrase for phrase in self._phrases if len(phrase) >= _LEAST_INNER]
        self._from_second = _keyed(inner, 1)
        short = [phrase for phrase in self._phrases if len(phrase) < _LEAST_INNER]
        self._short = [(max(p, key=len).encode(), _bounded(p)) for p in short]

    def __bool__(self) -> bool:
        return bool(self._phrases)

    def is_in(self, text: str) -> bool:
        return next(self.list_in(text), None) is not None

    def list_in(self, text: str) -> Iterator[Words]:
        """The phrases a text holds, word for word."""
        words = split_words(text) if text else ()
        for at, phrase in _candidates(self._from_start, words):
            if words[at : at + len(phrase)] == phrase:
                yield phrase

    def is_in_bytes(self, content: bytes) -> bool:
        """Whether bytes hold a phrase; texts in them may lie wall to wall, so that its first and
        its last word may be the end and the beginning of longer ones.
        """
        lowered = content.lower()
        if any(word in lowered and pattern.search(content) for word, pattern in self._short):
            return True
        words = split_words(content.decode("utf-8", "replace"))
        return any(
            at > 0 and _is_at(words, at - 1, phrase)
            for at, phrase in _candidates(self._from_second, words)
        )


_Keyed = dict[int, dict[Words, list[Words]]]


def _keyed(phrases: Iterable[Words], start: int) -> _Keyed:
    """Phrases by some of their words, by how many words those are; the last word of one that is
    looked for inside of others is none of them.
    """
    found: _Keyed = {}
    for phrase in phrases:
        key = phrase[start : min(start + _KEY_WORDS, len(phrase) - start)]
        found.setdefault(len(key), {}).setdefault(key, []).append(phrase)
    return found


def _candidates(keyed: _Keyed, words: Words) -> Iterator[tuple[int, Words]]:
    """Where a phrase may be: the place of its key among the words, and the phrase."""
    for size, by_key in keyed.items():
        if by_key.keys().isdisjoint(zip(*(words[n:] for n in range(size)), strict=False)):
            continue
        for at, key in enumerate(zip(*(words[n:] for n in range(size)), strict=False)):
            for phrase in by_key.get(key, ()):
                yield at, phrase


def _is_at(words: Words, start: int, phrase: Words) -> bool:
    found = words[start : start + len(phrase)]
    return (
        len(found) == len(phrase)
        and found[1:-1] == phrase[1:-1]
        and found[0].endswith(phrase[0])
        and found[-1].startswith(phrase[-1])
    )


def _bounded(words: Words) -> re.Pattern[bytes]:
    """As in pages; where that is too short to mean anything, whole words only."""
    gap = rb"[^0-9A-Za-z\x80-\xff]{1,8}"
    joined = gap.join(re.escape(word.encode()) for word in words)
    whole = rb"(?i)(?<![0-9A-Za-z])" + joined + rb"(?![0-9A-Za-z])"
    return re.compile(raw_pattern(words) or whole)
