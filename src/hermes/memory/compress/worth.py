"""How much a sentence tells: its words that are new, weighed by how seldom they are said.

A word that is in every other message ("great", "work") tells next to nothing, one that was said
once tells most. What is common is counted in the bank itself, so it holds for any language.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log

from hermes.memory.compress.dense import Sentence, content_words
from hermes.memory.compress.lexicon import COURTESY, TELLING

FEW_MESSAGES = 200  # with fewer than these counted, a word met once or twice is still a rare one
CUE = 0.6
"""What a cue of a decision, a preference or a date to keep is worth, in words never said before."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """In how many of some messages each word stands."""

    counts: Mapping[str, int] = field(default_factory=dict)
    messages: int = 0

    def weigh(self, word: str) -> float:
        """1 for a word that was said once, 0 for one that is in every message."""
        total = max(self.messages, FEW_MESSAGES)
        said = min(total, max(1, self.counts.get(word, 0)))
        return log(total / said) / log(total)


UNKNOWN = Vocabulary()


def read_vocabulary(texts: Iterable[str]) -> Vocabulary:
    counts: Counter[str] = Counter()
    messages = 0
    for text in texts:
        counts.update(content_words(text))
        messages += 1
    return Vocabulary(counts, messages)


def weigh_sentence(sentence: Sentence, said: frozenset[str], vocabulary: Vocabulary) -> float:
    """What it adds to what was said, in words never said before."""
    new = sentence.words - said - COURTESY
    cues = len(TELLING.findall(sentence.text))
    return sum(map(vocabulary.weigh, new)) + CUE * cues


def new_words(
    sentence: Sentence, said: frozenset[str], vocabulary: Vocabulary, least: float
) -> frozenset[str]:
    """Its words that were not said just before and are seldom said."""
    new = sentence.words - said - COURTESY
    return frozenset(word for word in new if vocabulary.weigh(word) >= least)
