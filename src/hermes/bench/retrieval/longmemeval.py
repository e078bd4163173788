"""LongMemEval (oracle, S, M): a user and an assistant, each question with a history of its own.

As its own evaluation does, abstention questions (`…_abs`) are left out. Its figures are of what the
user said: turns of the user that are marked as holding the answer, and sessions with such a turn;
questions without one (most of what the assistant said) do not count there. Our own figures count
the marked turns of both. Nor does it hide what a history holds of later than its question, so a
question is asked of all of it, at the question's date.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes.bench.retrieval import published
from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.bench.retrieval.published import iter_entries, reading, text_of
from hermes.types import Role

_WEEKDAY = re.compile(r"\s*\([^)]*\)\s*")
_DATE = "%Y/%m/%d %H:%M"

Turns = Sequence[Mapping[str, Any]]


def load_longmemeval(path: Path) -> Iterator[Case]:
    """One case a question, in the order of the file and named by their place in it; abstention
    questions are left out, and those without words."""
    for place, entry in enumerate(iter_entries(path)):
        with reading(path, place):
            case = None if "_abs" in str(entry["question_id"]) else _case(place, entry)
        if case is not None:
            yield case


def _case(place: int, entry: Mapping[str, Any]) -> Case | None:
    sessions = _sessions(entry)
    marked = [each for session in sessions for each in session.marked()]
    by_user = [(session, said.key) for session, said in marked if said.role is Role.USER]
    question = Question(
        str(entry["question_id"]),
        text_of(entry["question"]),
        text_of(entry["question_type"]),
        parse_date(entry["question_date"]),
        evidence=frozenset(said.key for _, said in marked),
        targets=frozenset(key for _, key in by_user),
        sessions=frozenset(session for session, _ in by_user),
        is_of_all=True,
    )
    if not question.text.strip():
        return None
    talks = (Talk(each.id, tuple(said for _, said in each.said)) for each in sessions if each.said)
    return Case(f"longmemeval-{place + 1}", tuple(talks), (question,))


@dataclass(frozen=True, slots=True)
class _Session:
    """What was said in a session, each beside the turn of the file."""

    id: str
    said: tuple[tuple[Mapping[str, Any], Said], ...]

    @classmethod
    def of(cls, name: str, turns: Turns, at: int) -> "_Session":
        """A turn that says nothing is left out."""
        said = (
            (turn, Said(f"{name}#{place}", text, at + place * 1_000, Role(turn["role"])))
            for place, turn in enumerate(turns)
            if (text := text_of(turn["content"])).strip()
        )
        return cls(name, tuple(said))

    def marked(self) -> Iterator[tuple[str, Said]]:
        """What of it holds the answer, beside its own name."""
        return ((self.id, said) for turn, said in self.said if turn.get("has_answer"))


def _sessions(entry: Mapping[str, Any]) -> list[_Session]:
    """The sessions of a history in the order of time, each once."""
    ids, listed = entry["haystack_session_ids"], entry["haystack_sessions"]
    dates = [parse_date(date) for date in entry["haystack_dates"]]
    if not len(ids) == len(listed) == len(dates):
        raise ValueError(f"it has {len(listed)} sessions, {len(ids)} ids and {len(dates)} dates")
    known: dict[str, Turns] = {}
    sessions = []
    each = zip(ids, listed, dates, strict=True)
    for told, turns, at in sorted(each, key=lambda session: session[2]):
        name = text_of(told)
        while name in known and known[name] != turns:  # another session under the same id
            name += " again"
        if name not in known:  # some histories hold a session twice
            known[name] = turns
            sessions.append(_Session.of(name, turns, at))
    return sessions


def parse_date(text: object) -> int:
    """`2023/05/20 (Sat) 02:21` or a time in ISO 8601 as milliseconds, taken as UTC."""
    return published.parse_date(_WEEKDAY.sub(" ", text_of(text)), _DATE)
