"""A reading and what was said, as the two texts that the reading gate compares.

The first has the words a reading rests on between « and », with a little of what stands around
them: the end of the message before, who speaks, and the day where the reading tells of another. The
gate was taught on texts made here (`hermes.bench.fit_reading_gate`); whoever changes them must
teach it again.
"""

from dataclasses import dataclass

from hermes.clock import to_datetime
from hermes.memory.facts.clauses.speakers import name_in
from hermes.types import Message, Role

BEFORE, AHEAD, QUOTED, BEHIND, READ = 100, 120, 200, 80, 200  # characters
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Said:
    """A message as far as a reading of it can be judged by it: itself and the one before.

    `other` is the speaker's name where they are not the user.
    """

    text: str
    at: int
    speaker: str = ""
    before: str = ""
    other: str = ""

    @classmethod
    def of(cls, message: Message, before: Message | None, other: str = "") -> "Said":
        ending = "" if before is None else f"{_name(before)}: {_end(before.text, BEFORE)}"
        return cls(message.text, message.at, message.speaker, ending, other)


def render_pair(reading: str, quote: str, valid_from: int | None, said: Said) -> Pair:
    """What was said, its quote marked, and what was read."""
    told, day = _day(said.at), "" if valid_from is None else _day(valid_from)
    dated = bool(day) and day != told
    reading = name_in(said.other, reading, quote) if said.other else reading
    own = f"{said.speaker}: " if said.speaker else ""
    parts = [said.before, told if dated else "", own + _around(said.text, quote)]
    read = f"{_start(reading, READ)} | {day}" if dated else _start(reading, READ)
    return " | ".join(filter(None, map(_line, parts))), _line(read)


def _around(text: str, quote: str) -> str:
    at = text.find(quote) if quote else -1
    if at < 0:
        return _start(text, AHEAD + QUOTED + BEHIND)
    end = at + len(quote)
    ahead, behind = _end(text[:at], AHEAD), _start(text[end:], BEHIND)
    return f"{ahead}« {_start(quote, QUOTED)} »{behind}"


def _name(message: Message) -> str:
    return message.speaker or ("user" if message.role is Role.USER else "assistant")


def _day(at: int) -> str:
    return f"{to_datetime(at):%A %d %B %Y}"


def _start(text: str, length: int) -> str:
    """The first characters, to the end of a word."""
    return text if len(text) <= length else text[:length].rsplit(None, 1)[0] + " …"


def _end(text: str, length: int) -> str:
    return text if len(text) <= length else "… " + text[-length:].split(None, 1)[-1]


def _line(text: str) -> str:
    return " ".join(text.split())
