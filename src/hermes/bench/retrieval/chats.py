"""Chats by several authors, as one assistant's log, with questions asked of it months later.

`chats` are 785 by four authors with 150 questions, `chats2` are 950 by six others with 180. The
chats were written to teach the gate of facts (`bench.facts`), the questions afterwards, by
someone who had seen no code of recall; nothing of recall was fitted or mended by either. Answers
lie in what the user or the assistant said, often in other words than the question's.

`years` are ten months of four people or groups, 240 questions: two friends, a theatre group, a
nurse and an engineer with an assistant; `years-one` puts them among all the chats above, so that
each is asked of some 1,900 sessions. `years2` are two more, by two authors who saw neither code nor
these: a developer with an assistant, and two old flatmates, 140 questions, a seventh of them in
quite other words than the answer's. Nothing of recall was fitted on any of these.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from importlib.resources.abc import Traversable

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk, join
from hermes.clock import parse_time
from hermes.types import Role

YEARS = {"years": "prsu", "years2": "vw"}
AUTHORS = {"chats": "abcd", "chats2": "efghij"}


def load_chats(name: str = "chats") -> Iterator[Case]:
    """One case: every chat a session, oldest first."""
    folder, asked = files("hermes.bench.facts") / "taught", files("hermes.bench.retrieval")
    told = [folder / f"{author}.chats.jsonl" for author in AUTHORS[name]]
    yield _case(name, told, asked / f"{name}_asked.jsonl")


def load_years(names: str = "years") -> Iterator[Case]:
    """A case a person or group."""
    folder = files("hermes.bench.retrieval") / "years"
    for name in YEARS[names]:
        yield _case(
            f"year {name}", [folder / f"{name}.chats.jsonl"], folder / f"{name}.asked.jsonl"
        )


def load_years_together() -> Iterator[Case]:
    """All of them in one bank, with every other chat, of which nothing is asked."""
    others = [replace(case, questions=()) for name in AUTHORS for case in load_chats(name)]
    yield join([*load_years(), *others], "years")


def _case(name: str, told: Sequence[Traversable], asked: Traversable) -> Case:
    lines = [line for each in told for line in each.read_text("utf-8").splitlines()]
    talks = sorted(map(_talk, lines), key=lambda talk: talk.said[0].at)
    roles = {said.key: said.role for talk in talks for said in talk.said}
    questions = (_question(line, roles) for line in asked.read_text("utf-8").splitlines())
    return Case(name, tuple(talks), tuple(questions))


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
