"""Scores the guard: how much poison would reach a snapshot, and what honest text pays for it.

Pure: it asks the guard's own decisions about each text and counts. Nothing is written anywhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hermes.bench.guard_corpus import Note, Payload
from hermes.guard.origin import STANDING, Decision, decide_write, inherit, trust_of
from hermes.guard.redact import redact
from hermes.guard.scan import is_certain, scan
from hermes.guard.text import clean
from hermes.types import Origin, Trust

# An agent that passes on what it read is trusted as far as what it read.
CHANNELS = {
    "web": trust_of(Origin.WEB),
    "tool": trust_of(Origin.TOOL),
    "import": trust_of(Origin.IMPORT),
    "agent": inherit(Origin.AGENT, [trust_of(Origin.USER), trust_of(Origin.WEB)]),
}
AUTHORS = (trust_of(Origin.USER), trust_of(Origin.AGENT))


@dataclass(frozen=True, slots=True)
class GuardScore:
    """What got through that should not, and what was held or changed that should not be.

    `attempts` and `reached` count payload by channel; `noticed` and `certain` say how many payloads
    the patterns alone would have told or stopped, were their origin mistaken for a trusted one.
    """

    attempts: int
    reached: tuple[str, ...]
    payloads: int
    noticed: int
    certain: int
    notes: int
    held: tuple[Note, ...]
    altered: tuple[Note, ...]

    @property
    def held_share(self) -> float:
        return len(self.held) / self.notes if self.notes else 0.0


def score_guard(payloads: Iterable[Payload], notes: Iterable[Note]) -> GuardScore:
    """Every payload through every channel, every note by the person and by the agent."""
    payloads, notes = tuple(payloads), tuple(notes)
    signals = {payload.id: scan(payload.text) for payload in payloads}
    return GuardScore(
        attempts=len(payloads) * len(CHANNELS),
        reached=tuple(
            f"{payload.id} by {channel}"
            for payload in payloads
            for channel, trust in CHANNELS.items()
            if reaches_snapshot(payload.text, trust)
        ),
        payloads=len(payloads),
        noticed=sum(bool(found) for found in signals.values()),
        certain=sum(is_certain(found) for found in signals.values()),
        notes=len(notes),
        held=tuple(note for note in notes if not _passes(note)),
        altered=tuple(note for note in notes if redact(clean(note.text).text).text != note.text),
    )


def reaches_snapshot(text: str, trust: Trust) -> bool:
    """Whether a text may be written, unasked, to anything that stands in the prompt."""
    is_suspect = is_certain(scan(text))
    decisions = (decide_write(target, trust, is_suspect=is_suspect) for target in STANDING)
    return Decision.ALLOW in decisions


def _passes(note: Note) -> bool:
    return all(reaches_snapshot(note.text, trust) for trust in AUTHORS)
