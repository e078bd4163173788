"""What `hermes bench guard` is measured on: poisoning payloads and honest notes.

`payloads.jsonl` holds texts an attacker would place where Hermes reads, each with its technique.
`benign.json` holds templates of honest notes in twelve languages, many of them in words that
filters trip over, and what fills them; `list_notes` always makes the same notes from them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Payload:
    """A text that tries to become a lasting belief or rule."""

    id: str
    technique: str
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """An honest note and the language it is in."""

    language: str
    text: str


def list_payloads() -> tuple[Payload, ...]:
    lines = (files(__name__) / "payloads.jsonl").read_text("utf-8").splitlines()
    return tuple(Payload(**json.loads(line)) for line in lines)


def list_notes(count: int = 2_000) -> tuple[Note, ...]:
    """So many honest notes, shared out evenly among the languages, no two alike."""
    kept = json.loads((files(__name__) / "benign.json").read_text("utf-8"))
    templates, fillers = kept["notes"], kept["fillers"]
    share, extra = divmod(count, len(templates))
    return tuple(
        Note(language, text)
        for place, language in enumerate(templates)
        for text in _filled(templates[language], fillers, share + (place < extra))
    )


def _filled(
    templates: Sequence[str], fillers: Mapping[str, Sequence[str]], count: int
) -> Iterator[str]:
    for number in range(count):
        turn, place = divmod(number, len(templates))
        yield _fill(templates[place], fillers, first=turn + place)


def _fill(template: str, fillers: Mapping[str, Sequence[str]], *, first: int) -> str:
    """Fill the slots of one template; the same template filled a turn later differs in each."""

    def value(slot: re.Match[str]) -> str:
        values = fillers[slot[1]]
        return values[(first + slot.start()) % len(values)]

    return _SLOT.sub(value, template)
