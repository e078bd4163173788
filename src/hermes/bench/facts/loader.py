"""Reads the labelled chats and refuses a line that contradicts itself.

A label that quotes what was never said would be scored against nothing, so every line is checked
when it is read. It knows the format of the files and nothing of how facts are extracted or scored.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from importlib import resources
from typing import cast

from hermes.clock import parse_time
from hermes.errors import Corrupt
from hermes.types import FactKind, Role

HINT = "Mend the label; README.md beside the file says what each field means."


class Half(StrEnum):
    """Rules may be written with the `DEV`s in sight; figures are given for `REPORT` only.

    Of `DEV11` only totals are read. `CHANGE` and `CHANGE2` hold changes of mind and what only looks
    like one; of the second, only totals are read.
    """

    DEV = "dev"
    DEV2 = "dev2"
    DEV3 = "dev3"
    DEV4 = "dev4"
    DEV5 = "dev5"
    DEV6 = "dev6"
    DEV7 = "dev7"
    DEV8 = "dev8"
    DEV9 = "dev9"
    DEV10 = "dev10"
    DEV11 = "dev11"
    DEV12 = "dev12"
    DEV13 = "dev13"
    DEV14 = "dev14"
    DEV15 = "dev15"
    DEV16 = "dev16"
    DEV17 = "dev17"
    CHANGE = "change"
    CHANGE2 = "change2"
    REPORT = "report"
    REPORT2 = "report2"


class Reach(StrEnum):
    """Who could plausibly find a fact: rules on the sentence itself, or only a model."""

    RULES = "rules"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Role
    text: str
    at: int
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """A fact that a sensible person would want remembered for months."""

    id: str
    kind: FactKind
    subject: str
    attribute: str
    value: str
    quote: str
    message: int
    reach: Reach = Reach.RULES
    aliases: tuple[str, ...] = ()
    day: date | None = None
    optional: bool = False
    supersedes: str = ""
    contradicts: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One chat with a profile of its own: nothing is known before its first message."""

    id: str
    messages: tuple[ChatMessage, ...]
    facts: tuple[Expected, ...]


def load_half(half: Half) -> tuple[Conversation, ...]:
    """The conversations of one half, every line checked."""
    file = resources.files("hermes.bench.facts") / f"{half}.jsonl"
    return parse_conversations(file.read_text(encoding="utf-8"), source=f"{half}.jsonl")


def parse_conversations(text: str, *, source: str = "text") -> tuple[Conversation, ...]:
    """One conversation a line; the first wrong line raises Corrupt with its number."""
    found: list[Conversation] = []
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            conversation = _parse_line(line)
            _check(conversation, seen)
        except (KeyError, TypeError, ValueError) as error:
            raise Corrupt(f"{source} line {number}: {_describe(error)}", HINT) from error
        found.append(conversation)
    return tuple(found)


def _describe(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _parse_line(line: str) -> Conversation:
    row = _mapping(json.loads(line))
    return Conversation(
        id=_text(row, "id"),
        messages=tuple(_parse_message(item) for item in _rows(row, "messages")),
        facts=tuple(_parse_expected(item) for item in _rows(row, "facts")),
    )


def _parse_message(row: Mapping[str, object]) -> ChatMessage:
    return ChatMessage(
        role=Role(_text(row, "role")),
        text=_text(row, "text"),
        at=parse_time(_text(row, "at")),
        speaker=_text(row, "speaker", ""),
    )


def _parse_expected(row: Mapping[str, object]) -> Expected:
    day = _text(row, "date", "")
    message = row["message"]
    if not isinstance(message, int) or isinstance(message, bool):
        raise TypeError("message must be a whole number")
    return Expected(
        id=_text(row, "id"),
        kind=FactKind(_text(row, "kind")),
        subject=_text(row, "subject"),
        attribute=_text(row, "attribute"),
        value=_text(row, "value"),
        quote=_text(row, "quote"),
        message=message,
        reach=Reach(_text(row, "reach", "rules")),
        aliases=tuple(str(alias) for alias in cast(list[object], row.get("aliases", []))),
        day=date.fromisoformat(day) if day else None,
        optional=row.get("optional", False) is True,
        supersedes=_text(row, "supersedes", ""),
        contradicts=_text(row, "contradicts", ""),
    )


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


def _rows(row: Mapping[str, object], key: str) -> Iterator[Mapping[str, object]]:
    value = row[key]
    if not isinstance(value, list):
        raise TypeError(f"{key} must be a list")
    return (_mapping(item) for item in value)


def _text(row: Mapping[str, object], key: str, default: str | None = None) -> str:
    value = row[key] if default is None else row.get(key, default)
    if not isinstance(value, str) or (default is None and not value):
        raise TypeError(f"{key} must be a text that is not empty")
    return value


def _check(conversation: Conversation, seen: set[str]) -> None:
    """Ids are unique in the file, times do not run backwards, every label holds."""
    for name in (conversation.id, *(fact.id for fact in conversation.facts)):
        if name in seen:
            raise ValueError(f"id {name} is used twice")
        seen.add(name)
    times = [message.at for message in conversation.messages]
    if not times or times != sorted(times):
        raise ValueError(f"{conversation.id}: messages are missing or out of order")
    earlier: dict[str, Expected] = {}
    for fact in conversation.facts:
        _check_label(fact, conversation.messages, earlier)
        earlier[fact.id] = fact


def _check_label(
    fact: Expected, messages: tuple[ChatMessage, ...], earlier: Mapping[str, Expected]
) -> None:
    if not 0 <= fact.message < len(messages):
        raise ValueError(f"{fact.id}: there is no message {fact.message}")
    if fact.quote not in messages[fact.message].text:
        raise ValueError(f"{fact.id}: the quote is not in message {fact.message}")
    for target in filter(None, (fact.supersedes, fact.contradicts)):
        if target not in earlier or earlier[target].message > fact.message:
            raise ValueError(f"{fact.id}: {target} is no earlier fact of this conversation")
