"""Chats by several authors, as one assistant's log, with questions asked of it months later.

`chats` are 785 by four authors with 150 questions, `chats2` are 950 by six others with 180. The
chats were written to teach the gate of facts (`bench.facts`), the questions afterwards, by
someone who had seen no code of recall; nothing of recall was fitted or mended by either. Answers
lie in what the user or the assistant said, often in other words than the question's.
"""

import json
from collections.abc import Iterator
from importlib.resources import files

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.clock import parse_time
from hermes.types import Role

AUTHORS = {"chats": "abcd", "chats2": "efghij"}


def load_chats(name: str = "chats") -> Iterator[Case]:
    """One case: every chat a session, oldest first."""
    folder = files("hermes.bench.facts") / "taught"
    lines = [
        line
        for author in AUTHORS[name]
        for line in (folder / f"{author}.chats.jsonl").read_text("utf-8").splitlines()
    ]
    talks = sorted(map(_talk, lines), key=lambda talk: talk.said[0].at)
    roles = {said.key: said.role for talk in talks for said in talk.said}
    asked = (files("hermes.bench.retrieval") / f"{name}_asked.jsonl").read_text("utf-8")
    questions = (_question(line, roles) for line in asked.splitlines())
    yield Case(name, tuple(talks), tuple(questions))


def _talk(line: str) -> Talk:
    chat = json.loads(line)
    said = (
        Said(
            f"{chat['id']}#{place}",
            message["text"],
            parse_time(message["at"]),
            Role(message["role"]),
            message.get("speaker", ""),
        )
        for place, message in enumerate(chat["messages"])
    )
    return Talk(chat["id"], tuple(said))


def _question(line: str, roles: dict[str, Role]) -> Question:
    asked = json.loads(line)
    evidence = frozenset(f"{chat}#{place}" for chat, place in asked["evidence"])
    return Question(
        asked["id"],
        asked["question"],
        asked["type"],
        parse_time(asked["asked_at"]),
        evidence,
        targets=frozenset(key for key in evidence if roles[key] is Role.USER),
        sessions=frozenset(chat for chat, _ in asked["evidence"]),
    )
