"""A chat of two people told again as the log of a user and an assistant who answers at length.

Weights fitted on one form of talk should serve the other, so the fit sees both. One of the two
becomes the user and loses the name; the other's turns become the assistant's, each followed by a
stretch of unrelated talk; some of the user's turns end in a request. Questions that name only the
user are asked again in the first person.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.types import Role

PADDING_TURNS = (2, 5, 12)
REQUESTS = (
    "Can you help me with that?",
    "What would you suggest?",
    "Could you make a plan for next week?",
    "Any ideas on how to go on from here?",
)


def recast(case: Case, padding: Sequence[str], seed: int) -> list[Case]:
    """The case twice: with the first speaker as the user, and with the second."""
    names = list(dict.fromkeys(said.speaker for talk in case.talks for said in talk.said))
    return [
        _recast_one(case, user, other, padding, random.Random(f"{seed}/{user}"))
        for user, other in (names[:2], names[1::-1])
    ]


def _recast_one(
    case: Case, user: str, other: str, padding: Sequence[str], chance: random.Random
) -> Case:
    talks = tuple(
        Talk(talk.id, tuple(_retell(said, user, padding, chance) for said in talk.said))
        for talk in case.talks
    )
    questions = tuple(
        replace(question, text=ask_as_user(question.text, user))
        for question in case.questions
        if question.category != "adversarial" and _is_about(question, user, other)
    )
    return Case(f"{case.name} as {user}", talks, questions)


def _is_about(question: Question, user: str, other: str) -> bool:
    return bool(re.search(rf"\b{user}\b", question.text)) and other not in question.text


def _retell(said: Said, user: str, padding: Sequence[str], chance: random.Random) -> Said:
    if said.speaker == user:
        asked = f" {chance.choice(REQUESTS)}" if chance.random() < 0.4 else ""
        return replace(said, text=said.text + asked, speaker="", role=Role.USER)
    more = " ".join(chance.choices(padding, k=chance.choice(PADDING_TURNS)))
    return replace(said, text=f"{said.text} {more}", speaker="", role=Role.ASSISTANT)


def ask_as_user(text: str, name: str) -> str:
    """A question about somebody, as that person would ask it."""
    for pattern, told in (
        (rf"\b(?:does|do) {name}\b(?!')", "do I"),
        (rf"\bis {name}\b(?!')", "am I"),
        (rf"\bhas {name}\b(?!')", "have I"),
        (rf"\b{name}'s?\b", "my"),
        (rf"\b{name}\b", "I"),
        (r"\b(?:her|his)\b", "my"),
        (r"\b(?:she|he)\b", "I"),
        (r"\bhim\b", "me"),
    ):
        text = re.sub(pattern, told, text)
    return text
