"""What a text shows of itself: whether it asks a question, and whether it says much at all."""

import re
from collections.abc import Sequence

import numpy as np

from hermes.memory.recall.answers import Cue, matches
from hermes.memory.recall.outline import Floats

ENOUGH_WORDS = 20
_SAID = (np.log1p(np.arange(ENOUGH_WORDS + 1)) / np.log1p(ENOUGH_WORDS)).astype(np.float32)
LOOKED_AT_CHARS = 2_000
_UNSPACED = re.compile("[\u0e00-\u10ff\u1780-\u17ff\u3040-\ud7a3]")


def substance(texts: Sequence[str]) -> Floats:
    """From 0 (nothing) to 1: how much is said, up to twenty words; beyond, length tells nothing."""
    words = [min(ENOUGH_WORDS, _count_words(text[:160])) for text in texts]
    said: Floats = _SAID[words]
    return said


def asks(texts: Sequence[str]) -> Floats:
    """1 where a message ends with a question, so that the next one answers it."""
    return np.array([text[-12:].rstrip().endswith(("?", "？")) for text in texts], np.float32)


def could_answer(cue: Cue, texts: Sequence[str]) -> Floats:
    """From 0 to 1: whether a text shows the kind of answer that is asked for."""
    return np.array([matches(cue, text[:LOOKED_AT_CHARS]) for text in texts], np.float32)


def _count_words(text: str) -> int:
    """About how many words; of scripts without spaces, two characters count as one."""
    spaced = text.count(" ") + bool(text)
    return spaced if text.isascii() else spaced + len(_UNSPACED.findall(text)) // 2
