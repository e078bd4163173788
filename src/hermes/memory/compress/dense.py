"""A message in few words: its telling sentences, without what any sentence has.

Nothing is put in other words. Sentences go, and words go from sentences; names, numbers, dates and
negations stay. Text in scripts without spaces stays as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from hermes.memory.compress.lexicon import (
    AGREEING,
    COURTESY,
    DROPPED,
    EXCLAIMED,
    LEADING,
    MEANING,
    MONTHS,
    TELLING,
)
from hermes.memory.compress.matter import Piece, split_matter
from hermes.types import Message, Role

_END = re.compile(r"(?<=[.!?…。！？])[\"')\]]*\s+|(?<=[。！？])|\n+")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|vs|approx|dr|mr|mrs|ms|st|no|inc|ltd|prof)\.$", re.I)
_EDGE = ".,;:!?…\"“”‘’'()[]*_`~"
_OPENING = ('"', "“", "«")
_CLOSING = ('"', "”", "»")
_WORD = re.compile(r"\w+", re.U)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a message: as it was said, what is left of it, and how much it tells.

    `is_question` asks something; `is_gist` stands for material; `words` are its content words.
    """

    text: str
    dense: str
    score: float
    words: frozenset[str]
    is_question: bool = False
    is_gist: bool = False
    is_short_answer: bool = False


def read_sentences(message: Message, names: frozenset[str] = frozenset()) -> list[Sentence]:
    """Everything in a message that tells something, in order; `names` are those who speak."""
    found: list[Sentence] = []
    for piece in split_matter(message.text, is_output=message.role is Role.TOOL):
        found += _read_piece(piece, names)
    return found


def split_sentences(text: str) -> Iterator[str]:
    held = ""
    for part in _END.split(text):
        whole = f"{held} {part.strip()}".strip()
        held = whole if _ABBREVIATED.search(whole) else ""
        if whole and not held:
            yield whole
    if held:
        yield held


def condense(sentence: str) -> str:
    """The sentence without the words that any sentence has."""
    if _UNSPACED.search(sentence):
        return sentence.strip()
    words = sentence.split()
    kept = []
    in_title = False
    for n, (word, after) in enumerate(zip_longest(words, words[1:], fillvalue="")):
        in_title = in_title or word.lstrip("(").startswith(_OPENING)
        is_future = word.casefold() == "going" and after.casefold() == "to"
        if in_title or _leads(word, after) or (_stays(word, first=n == 0) and not is_future):
            kept.append(word)
        in_title = in_title and not word.rstrip(".,;:!?)").endswith(_CLOSING)
    return " ".join(kept).strip(" ,;:.!-–—")


def content_words(text: str) -> frozenset[str]:
    """Its words that tell something, folded."""
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(
        word for word in words if word not in DROPPED and (len(word) > 1 or word.isdigit())
    )


def is_strong(word: str, *, first: bool = False) -> bool:
    """Whether a word is a number, a date or, not opening the sentence, a name."""
    bare = word.strip(_EDGE)
    if any(char.isdigit() for char in bare) or bare.casefold() in MONTHS:
        return True
    return not first and bare[:1].isupper() and bare.casefold() not in DROPPED | COURTESY


def _read_piece(piece: Piece, names: frozenset[str]) -> Iterator[Sentence]:
    if not piece.prose:
        yield Sentence(piece.text, piece.text, 1.0, content_words(piece.text), is_gist=True)
        return
    for text in split_sentences(piece.text):
        said = _BULLET.sub("", text)
        words = content_words(said)
        dense = condense(said)
        is_question = said.rstrip(_EDGE.replace("?", "") + " ").endswith(("?", "？"))
        short = AGREEING.match(said) is not None and len(words) <= 2
        if short and not dense:
            dense = said.strip(" .!,")
        score = _score(said, words, names) * (0.6 if is_question else 1.0)
        if dense and (score > 0 or short):
            yield Sentence(said, dense, score, words, is_question, is_short_answer=short)


def _stays(word: str, *, first: bool) -> bool:
    bare = word.strip(_EDGE).casefold().replace("’", "'")
    if not bare:
        return False
    if bare in MEANING or bare.endswith("n't"):
        return True
    if bare in DROPPED:
        named = not first and word[0].isupper() and len(bare) > 1
        return named and not bare.startswith(("i'", "it'"))
    return True


def _leads(word: str, after: str) -> bool:
    return word.casefold() in LEADING and is_strong(after)


def _score(text: str, words: frozenset[str], names: frozenset[str]) -> float:
    """How much a sentence tells; 0 for mere courtesy. Calling someone by name tells nothing."""
    telling = {word for word in words - COURTESY if not _is_called(word, names)}
    strong = sum(
        is_strong(word, first=n == 0) and not _is_called(word.strip(_EDGE).casefold(), names)
        for n, word in enumerate(text.split())
    )
    if not telling and not strong:
        return 0.0
    exclaimed = text.rstrip().endswith("!") or EXCLAIMED.match(text) is not None
    if exclaimed and not strong and len(telling) <= 1:
        return 0.0
    cues = len(TELLING.findall(text))
    return 0.3 * len(telling) + strong + cues


def _is_called(word: str, names: frozenset[str]) -> bool:
    """Whether a word is a name of someone who speaks, or short for it."""
    return len(word) > 2 and any(name.startswith(word) for name in names)
