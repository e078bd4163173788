"""A chat of two people told again as the log of a user and an assistant who answers at length.

Weights fitted on one form of talk should serve the other, so the fit sees both. One of the two
becomes the user and loses the name; the other's turns become the assistant's, each somewhere in a
stretch of unrelated talk, now and then a very long one; some of the user's turns end in a request.
Questions that name only the user are asked again in the first person, those that name only the
other as questions of what the assistant said.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.types import Role

PADDING_TURNS = (2, 5, 12, 12, 40)
REQUESTS = (
    "Can you help me with that?",
    "What would you suggest?",
    "Could you make a plan for next week?",
    "Any ideas on how to go on from here?",
)
OPENINGS = (
    "Remind me of our earlier conversation:",
    "You told me about this once.",
    "Going back to what you said:",
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
    asked = [question for question in case.questions if question.category != "adversarial"]
    of_user = [
        replace(question, text=ask_as_user(question.text, user))
        for question in asked
        if _is_about(question, user, other)
    ]
    of_assistant = [
        replace(
            question, text=f"{chance.choice(OPENINGS)} {ask_of_assistant(question.text, other)}"
        )
        for question in asked
        if _is_about(question, other, user)
    ]
    return Case(f"{case.name} as {user}", talks, (*of_user, *of_assistant[::2]))


def _is_about(question: Question, name: str, other: str) -> bool:
    return bool(re.search(rf"\b{name}\b", question.text)) and other not in question.text


def _retell(said: Said, user: str, padding: Sequence[str], chance: random.Random) -> Said:
    if said.speaker == user:
        asked = f" {chance.choice(REQUESTS)}" if chance.random() < 0.4 else ""
        return replace(said, text=said.text + asked, speaker="", role=Role.USER)
    turns = chance.choices(padding, k=chance.choice(PADDING_TURNS))
    turns.insert(chance.randint(0, len(turns)), said.text)
    return replace(said, text=" ".join(turns), speaker="", role=Role.ASSISTANT)


def ask_as_user(text: str, name: str) -> str:
    """A question about somebody, as that person would ask it."""
    return _turned(text, name, ("do I", "am I", "have I", "my", "I", "me"))


def ask_of_assistant(text: str, name: str) -> str:
    """A question about somebody, as it would be put to that person."""
    return _turned(text, name, ("do you", "are you", "have you", "your", "you", "you"))


def _turned(text: str, name: str, told: tuple[str, str, str, str, str, str]) -> str:
    do, be, have, whose, who, whom = told
    for pattern, put in (
        (rf"\b(?:does|do) {name}\b(?!')", do),
        (rf"\bis {name}\b(?!')", be),
        (rf"\bhas {name}\b(?!')", have),
        (rf"\b{name}'s?\b", whose),
        (rf"\b{name}\b", who),
        (r"\b(?:her|his)\b", whose),
        (r"\b(?:she|he)\b", who),
        (r"\bhim\b", whom),
    ):
        text = re.sub(pattern, put, text)
    return text
