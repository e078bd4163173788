"""Conversations with questions whose answers are known to stand in some of their messages."""

from dataclasses import dataclass

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
    it judges, where it has figures of its own.
    """

    id: str
    text: str
    category: str
    asked_at: int
    evidence: frozenset[str]
    targets: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Case:
    """A bank's worth of sessions, and what is asked of it."""

    name: str
    talks: tuple[Talk, ...]
    questions: tuple[Question, ...]

    @property
    def messages(self) -> int:
        return sum(len(talk.said) for talk in self.talks)
