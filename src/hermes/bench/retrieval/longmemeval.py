"""LongMemEval (oracle, S, M): a user and an assistant, each question with a history of its own.

As its own evaluation does, abstention questions (`…_abs`) are left out. Its figures are of what the
user said: turns of the user that are marked as holding the answer, and sessions with such a turn;
questions without one (most of what the assistant said) do not count there. Our own figures count
the marked turns of both.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.bench.retrieval.published import iter_entries, reading
from hermes.clock import from_datetime
from hermes.types import Role

_WEEKDAY = re.compile(r"\s*\([^)]*\)\s*")


def load_longmemeval(path: Path) -> Iterator[Case]:
    """One case a question, in the order of the file; abstention questions are left out."""
    for place, entry in enumerate(iter_entries(path)):
        with reading(path, place):
            case = None if "_abs" in str(entry["question_id"]) else _case(entry)
        if case is not None:
            yield case


def _case(entry: Mapping[str, Any]) -> Case:
    marked = [
        (talk_id, f"{talk_id}#{place}", turn["role"])
        for talk_id, turns in _sessions(entry)
        for place, turn in enumerate(turns)
        if turn.get("has_answer")
    ]
    by_user = [(talk_id, key) for talk_id, key, role in marked if role == Role.USER]
    question = Question(
        str(entry["question_id"]),
        entry["question"],
        entry["question_type"],
        parse_date(entry["question_date"]),
        evidence=frozenset(key for _, key, _ in marked),
        targets=frozenset(key for _, key in by_user),
        sessions=frozenset(talk_id for talk_id, _ in by_user),
    )
    return Case(question.id, tuple(_talks(entry)), (question,))


def _sessions(entry: Mapping[str, Any]) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    yield from zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True)


def _talks(entry: Mapping[str, Any]) -> Iterator[Talk]:
    dates = [parse_date(date) for date in entry["haystack_dates"]]
    seen: set[str] = set()
    for (talk_id, turns), at in sorted(
        zip(_sessions(entry), dates, strict=True), key=lambda pair: pair[1]
    ):
        if talk_id in seen or not turns:  # some histories hold a session twice
            continue
        seen.add(talk_id)
        said = (
            Said(f"{talk_id}#{place}", turn["content"], at + place * 1_000, Role(turn["role"]))
            for place, turn in enumerate(turns)
        )
        yield Talk(talk_id, tuple(said))


def parse_date(text: str) -> int:
    """`2023/05/20 (Sat) 02:21` as milliseconds, taken as UTC."""
    moment = datetime.strptime(_WEEKDAY.sub(" ", text).strip(), "%Y/%m/%d %H:%M")
    return from_datetime(moment.replace(tzinfo=UTC))
