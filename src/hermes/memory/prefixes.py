"""Words that are only begun, in a memory too large to look up every beginning.

Looking up `c*` in a text index reads every message with a word in c: a second at a million
messages. A sample of the messages knows which words people use. The commonest of those that begin
so are looked up instead; and a beginning that no word of the sample has is so rare that looking it
up as it is costs nothing.
"""

import re
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hermes.store.base import Tx
from hermes.store.base.texts import Postings, TextIndex, TextScope
from hermes.store.text import index_form

SMALL = 20_000  # texts of which every beginning is looked up as it is
SAMPLED = 4_000
COMPLETIONS = 5
PER_COMPLETION = 400
GROWN = 1.2  # times as many messages, until the sample is taken anew
_WORD = re.compile(r"[^\W_]{2,40}")
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words of a sample, in order, and how often each is in it."""

    words: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    messages: int = 0

    def complete(self, begun: str, limit: int = COMPLETIONS) -> list[str]:
        """The commonest words that begin so, the word itself first if it is one."""
        start, end = bisect_left(self.words, begun), bisect_left(self.words, begun + _LAST)
        places = sorted(
            range(start, end), key=lambda place: (self.words[place] != begun, -self.counts[place])
        )
        return [self.words[place] for place in places[:limit]]


class LexiconShelf:
    """Keeps the lexicon of a store, and takes it anew when the store has grown; for any thread."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()
        self._lock = threading.Lock()

    def get(self, tx: Tx) -> Lexicon:
        messages, _ = tx.texts.size(TextScope())
        if messages < SMALL:
            return Lexicon()
        with self._lock:
            if messages > GROWN * self._lexicon.messages:
                self._lexicon = sample_words(tx, messages)
            return self._lexicon


def sample_words(tx: Tx, messages: int) -> Lexicon:
    """The words of messages that lie evenly over all there are."""
    newest = tx.portable.get_numbers()["message"]
    step = max(1, newest // SAMPLED)
    ids = list(range(newest, 0, -step))[:SAMPLED]
    counts: Counter[str] = Counter()
    for message in tx.conversations.get_messages(ids, chars=2_000).values():
        counts.update(set(_WORD.findall(index_form(message.text).lower())))
    words = sorted(counts)
    return Lexicon(tuple(words), tuple(counts[word] for word in words), messages)


@dataclass(frozen=True, slots=True)
class Begun:
    """A text index in which a beginning stands for the commonest words that begin so.

    `whole` is its size in the one scope it is used for, counted once.
    """

    index: TextIndex
    lexicon: Lexicon
    whole: tuple[int, int]

    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        words = self._completed(word)
        if not words:
            return self.index.postings(word, scope, limit)
        found = [self.index.postings(each, scope, min(limit, PER_COMPLETION)) for each in words]
        ids = sorted({number for each in found for number in each.ids}, reverse=True)
        return Postings(ids[:limit], sum(each.total for each in found), complete=False)

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        """With the likeliest word in the place of a beginning."""
        whole = [next(iter(self._completed(word)), word) for word in words]
        return self.index.postings_all(whole, scope, limit)

    def size(self, scope: TextScope) -> tuple[int, int]:
        return self.whole

    def tokens(self, text: str) -> list[str]:
        return self.index.tokens(text)

    def _completed(self, word: str) -> list[str]:
        begun = word.removesuffix("*")
        if begun == word or " " in begun:
            return []
        return self.lexicon.complete(begun.lower())
