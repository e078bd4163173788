"""Conversations with questions whose answers are known to stand in some of their messages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.memory.banks import bank_name
from hermes.types import Role


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a benchmark's conversation; `key` names it in the benchmark's own terms."""

    key: str
    text: str
    at: int
    role: Role = Role.USER
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    """One session."""

    id: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, when it is asked, and the keys of the messages that hold its answer.

    `targets` are those of them the benchmark itself judges, and `sessions` the ids of the sessions
    it judges, where it has figures of its own. `is_of_all` is one of a haystack that is ranked as
    a whole, even what was said after the question's date.
    """

    id: str
    text: str
    category: str
    asked_at: int
    evidence: frozenset[str]
    targets: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    is_of_all: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A bank's worth of sessions, and what is asked of it; no other of a run has its name."""

    name: str
    talks: tuple[Talk, ...]
    questions: tuple[Question, ...]

    @property
    def bank(self) -> str:
        return bank_name(self.name)

    @property
    def messages(self) -> int:
        return sum(len(talk.said) for talk in self.talks)


def join(cases: Sequence[Case], name: str = "one") -> Case:
    """All cases as one bank, in the order of time: each is a haystack to the others' questions."""
    talks = [_apart(talk, number) for number, case in enumerate(cases) for talk in case.talks]
    questions = (
        replace(
            each,
            evidence=_apart_keys(each.evidence, n),
            targets=_apart_keys(each.targets, n),
            sessions=_apart_keys(each.sessions, n),
        )
        for n, case in enumerate(cases)
        for each in case.questions
    )
    return Case(name, tuple(sorted(talks, key=lambda talk: talk.said[0].at)), tuple(questions))


def ask_last(case: Case) -> Case:
    """The same, everything asked after the last question's time."""
    asked_at = max((question.asked_at for question in case.questions), default=0)
    return replace(case, questions=tuple(replace(q, asked_at=asked_at) for q in case.questions))


def _apart_keys(keys: frozenset[str], number: int) -> frozenset[str]:
    return frozenset(f"{number}/{key}" for key in keys)


def _apart(talk: Talk, number: int) -> Talk:
    """A session whose names are no other case's."""
    said = tuple(replace(each, key=f"{number}/{each.key}") for each in talk.said)
    return Talk(f"{number}/{talk.id}", said)
