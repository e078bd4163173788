"""What an extractor proposes: a statement, the words it rests on, and how it may be compared.

A candidate is not believed yet. `decide` says what becomes of it beside the facts already known.
Nothing here knows how candidates are found or kept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hermes.errors import Refused
from hermes.memory.facts.change import NOTHING, Change
from hermes.types import Confidence, FactKind, Message

USER = "user"

SHORTEST_QUOTE = 3  # letters and digits; a message that is shorter is quoted whole

_UNSPACED = "\u2e80"  # from here on, scripts that write words without spaces
_SPACE = re.compile(r"\s+")
_SAME_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed fact about `subject`: its `attribute` has `value`.

    `single` says the attribute holds one value at a time; `replaces` names a value the source says
    is gone; `ended` turns the whole around: the subject no longer has this value. `change` is what
    the words around it say to have changed; a `leaning` one is believed only beside a known fact
    that it changes. `signs` name what stood around it when it was read, for whoever judges how
    sure the reading is.
    """

    text: str
    kind: FactKind
    subject: str = USER
    attribute: str = ""
    value: str = ""
    entities: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    quote: str = ""
    message_id: int | None = None
    at: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    single: bool = False
    correction: bool = False
    replaces: str = ""
    ended: bool = False
    change: Change = field(default=NOTHING, compare=False, repr=False)
    leaning: bool = False
    signs: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def holds_from(self) -> int | None:
        """Since when it is so: an appointment, since it was told of and not since its day."""
        if self.kind not in (FactKind.DEADLINE, FactKind.EVENT) or self.valid_from is None:
            return self.valid_from
        return self.valid_from if self.at is None else min(self.valid_from, self.at)


class Extractor(Protocol):
    """Finds candidates in the messages of one session, given in order."""

    name: str

    def extract(self, messages: Sequence[Message]) -> list[Candidate]: ...


def verify_quote(candidate: Candidate, message_text: str) -> Candidate:
    """The candidate, if its quote stands in the text (typographic marks and spacing aside).

    Whole words of it, and enough of them to say something: a letter stands in every text.
    """
    quote, text = _plain(candidate.quote), _plain(message_text)
    enough = sum(map(str.isalnum, quote)) >= SHORTEST_QUOTE or quote == text
    if not quote or not enough or not stands_in(quote, text):
        raise Refused(
            f"A fact was refused: its quote is not in the source: {candidate.quote[:80]!r}",
            "Quote the message word for word.",
        )
    return candidate


def stands_in(part: str, text: str) -> bool:
    """Whether a text holds a part that neither begins nor ends inside a word."""
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        if not _is_inside_word(text, start) and not _is_inside_word(text, end):
            return True
        start = text.find(part, start + 1)
    return False


def _is_inside_word(text: str, place: int) -> bool:
    around = text[place - 1 : place + 1] if place else ""
    return len(around) == 2 and all(char.isalnum() and char < _UNSPACED for char in around)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text.translate(_SAME_MARKS)).strip()
