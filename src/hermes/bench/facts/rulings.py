"""What people said of readings one by one, whatever words a label uses.

A label fixes one wording of one slice; a reading may be true and worth keeping and match none. So
readings are also judged by a person, by the rule of ADJUDICATION.md, and the verdicts lie in
`rulings/`. A ruling holds for a reading with the same words out of the same message, fillers such
as "btw" aside, whoever extracted it. It knows nothing of how facts are extracted.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path

from hermes.bench.facts.loader import Conversation, Half
from hermes.bench.facts.match import Extracted
from hermes.errors import Corrupt
from hermes.memory.facts.clauses.chatter import plainly

HINT = "Mend the line; ADJUDICATION.md says what each field means."

Key = tuple[str, int, str]


class Word(StrEnum):
    RIGHT = "right"
    FINE = "fine"
    COPY = "copy"  # right or fine, if another reading of the chat did not say as much
    OVER = "over"  # right or fine when it was said; a later message of the chat ended it
    JUNK = "junk"


@dataclass(frozen=True, slots=True)
class Ruling:
    """`labels` are the ids of the labels that the reading says, where it is right or was."""

    chat: str
    message: int
    reading: str
    verdict: Word
    labels: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        return key_of(self.chat, self.message, self.reading)


Rulings = Mapping[Key, Ruling]


def key_of(chat: str, message: int, reading: str) -> Key:
    return chat, message, " ".join(plainly(reading).casefold().split())


def find_ruling(rulings: Rulings, chat: str, found: Extracted) -> Ruling | None:
    return rulings.get(key_of(chat, found.message, found.text))


def load_rulings(half: Half) -> Rulings:
    """The rulings on one half; empty where nobody has judged it."""
    file = resources.files("hermes.bench.facts") / "rulings" / f"{half}.jsonl"
    if not file.is_file():
        return {}
    return parse_rulings(file.read_text(encoding="utf-8"), source=f"rulings/{half}.jsonl")


def parse_rulings(text: str, *, source: str = "text") -> Rulings:
    """One ruling a line; the first wrong line raises Corrupt with its number."""
    found: dict[Key, Ruling] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            ruling = _parse_line(line)
        except (KeyError, TypeError, ValueError) as error:
            raise Corrupt(f"{source} line {number}: {error}", HINT) from error
        found[ruling.key] = ruling
    return found


def _parse_line(line: str) -> Ruling:
    row = json.loads(line)
    labels = tuple(map(str, row.get("labels", ())))
    verdict = Word(row["verdict"])
    if verdict is not Word.OVER and bool(labels) != (verdict is Word.RIGHT):
        raise ValueError("a right reading names its labels, another none")
    return Ruling(str(row["chat"]), int(row["message"]), str(row["reading"]), verdict, labels)


def check_rulings(rulings: Rulings, conversations: Iterable[Conversation]) -> None:
    """Refuse rulings on chats or labels that are not there."""
    known = {chat.id: {label.id for label in chat.facts} for chat in conversations}
    for ruling in rulings.values():
        strange = set(ruling.labels) - known.get(ruling.chat, set())
        if ruling.chat not in known or strange:
            raise Corrupt(f"A ruling names {strange or ruling.chat}, which is not there.", HINT)


def save_rulings(rulings: Sequence[Ruling], path: Path) -> None:
    """Write rulings in the order of their chats."""
    lines = [
        json.dumps(
            {
                "chat": each.chat,
                "message": each.message,
                "reading": each.reading,
                "verdict": str(each.verdict),
                **({"labels": list(each.labels)} if each.labels else {}),
            },
            ensure_ascii=False,
        )
        for each in sorted(rulings, key=lambda each: each.key)
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
