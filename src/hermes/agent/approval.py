"""Asking the person before something is done that could harm: the protocol, and plain answers."""

from enum import StrEnum
from typing import Protocol

from hermes.tools.base import Question


class Answer(StrEnum):
    """Yes, once or always; no; nobody could be asked; no, and stop what you are doing."""

    ONCE = "once"
    ALWAYS = "always"
    DENY = "deny"
    UNASKED = "unasked"
    STOP = "stop"

    @property
    def is_yes(self) -> bool:
        return self in (Answer.ONCE, Answer.ALWAYS)


class Approver(Protocol):
    """Decides on a question: by asking the person, by a list, or by a setting."""

    async def ask(self, question: Question) -> Answer:
        """Allow once, allow always (what `question.rule` says), or not."""


class DenyAll:
    """Where nobody can be asked: what would need a word is not done."""

    async def ask(self, question: Question) -> Answer:
        return Answer.UNASKED


class AllowAll:
    """The settings said yes to everything beforehand."""

    async def ask(self, question: Question) -> Answer:
        return Answer.ONCE


class Yolo:
    """`/yolo`: yes to everything that can be taken back; the rest is asked as ever."""

    def __init__(self, person: Approver) -> None:
        self._person = person

    async def ask(self, question: Question) -> Answer:
        return await self._person.ask(question) if question.lasting else Answer.ONCE


class MemoryApart:
    """Sends what is personal, as every question about memory, to the person.

    A setting or `/yolo` that lets commands run must not let a web page write into the prompt.
    """

    def __init__(self, person: Approver, others: Approver) -> None:
        self._person = person
        self._others = others

    async def ask(self, question: Question) -> Answer:
        asked = self._person if question.personal else self._others
        return await asked.ask(question)
