"""Lists what an extractor read, for a person to judge, and takes their verdicts.

`python -m hermes.bench.facts.adjudicate list HALF SHEET` writes one reading a line, with what was
said around it and the labels of its chat, but not how it was read, nor whether it matched: whoever
judges must not know. Fill in `verdict` and `labels` by the rule of ADJUDICATION.md, then
`python -m hermes.bench.facts.adjudicate take HALF SHEET` keeps the verdicts in `rulings/`.
"""

import json
import secrets
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hermes.bench.facts.loader import Conversation, Expected, Half, load_half
from hermes.bench.facts.match import Extracted
from hermes.bench.facts.rulings import (
    Rulings,
    check_rulings,
    find_ruling,
    load_rulings,
    parse_rulings,
    save_rulings,
)
from hermes.bench.facts.runner import extract_chat, rule_reader
from hermes.clock import to_datetime
from hermes.errors import HermesError, UserError
from hermes.memory.facts.extraction import Reader
from hermes.store.sqlite import Database, open_store

BEFORE, AFTER = 4, 1  # messages around a reading that are shown
LONGEST = 1_500  # characters of a message
FOLDER = Path(__file__).parent / "rulings"
HINT = "python -m hermes.bench.facts.adjudicate list|take HALF SHEET"


def main(arguments: Sequence[str]) -> None:
    if len(arguments) != 3 or arguments[0] not in {"list", "take"}:
        given = f"Given was: {' '.join(arguments)}" if arguments else "Nothing was given"
        raise UserError(f"{given}. Say what to do, which half and which file.", HINT)
    half, sheet = _half(arguments[1]), Path(arguments[2])
    if arguments[0] == "take" and not sheet.is_file():
        raise UserError(f"There is no file {sheet}.", "Give the sheet that `list` wrote.")
    count = list_readings(half, sheet) if arguments[0] == "list" else take(half, sheet, FOLDER)
    sys.stdout.write(f"{half}: {count} readings\n")


def _half(name: str) -> Half:
    if name not in set(Half):
        raise UserError(f"There is no half {name!r}.", f"There are {', '.join(Half)}.")
    return Half(name)


def list_readings(half: Half, sheet: Path, reader: Reader | None = None) -> int:
    """Write the readings of a half that nobody has judged yet; how many they are."""
    rulings = load_rulings(half)
    rows = list(_rows(load_half(half), reader or rule_reader(), rulings))
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    sheet.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(rows)


def take(half: Half, sheet: Path, folder: Path) -> int:
    """Keep the verdicts of a sheet beside those there were; how many readings are judged now."""
    told = parse_rulings(sheet.read_text(encoding="utf-8"), source=str(sheet))
    check_rulings(told, load_half(half))
    folder.mkdir(exist_ok=True)
    kept = {**load_rulings(half), **told}
    save_rulings(list(kept.values()), folder / f"{half}.jsonl")
    return len(kept)


def _rows(
    chats: Sequence[Conversation], reader: Reader, rulings: Rulings
) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory(prefix="hermes-facts-") as folder:
        store = open_store(Database(Path(folder) / "memory.db", secrets.token_bytes(32)))
        try:
            for chat in chats:
                for fact in extract_chat(store, chat, reader).facts:
                    if find_ruling(rulings, chat.id, fact) is None:
                        yield _row(chat, fact)
        finally:
            store.close()


def _row(chat: Conversation, fact: Extracted) -> dict[str, object]:
    around = range(max(0, fact.message - BEFORE), min(len(chat.messages), fact.message + AFTER + 1))
    return {
        "chat": chat.id,
        "message": fact.message,
        "said": [_said(chat, place, is_it=place == fact.message) for place in around],
        "asked_for": [_label(label) for label in chat.facts],
        "reading": fact.text,
        "day": to_datetime(fact.valid_from).date().isoformat() if fact.valid_from else "",
        "quote": fact.quote,
        "verdict": "",
        "labels": [],
    }


def _said(chat: Conversation, place: int, *, is_it: bool) -> str:
    message = chat.messages[place]
    day = to_datetime(message.at).date().isoformat()
    mark = "→ " if is_it else ""
    return f"{mark}[{place}, {day}] {message.speaker or message.role}: {message.text[:LONGEST]}"


def _label(label: Expected) -> str:
    told = f"{label.id}: [{label.message}] {label.subject} | {label.attribute} | {label.value}"
    day = f" | {label.day.isoformat()}" if label.day else ""
    return f"{told}{day}{' (may be left out)' if label.optional else ''}"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except HermesError as error:
        sys.exit(f"error: {error.message}\nhint: {error.hint}")
