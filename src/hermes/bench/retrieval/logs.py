"""Made-up logs of a user and an assistant, with questions in the ways LongMemEval asks.

What answers a question is one sentence said in passing, in a session about something else, or one
line of a long reply. Around it stand as many other sessions as are wanted: of the same topics, with
other things said in passing about other people. All of it is written by hand and put together by
dice that always fall the same way. Half of the questions are for mending recall with, the other
half only for reporting (`is_fitted_on`); a second set, in other ways of asking, is for reporting.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.clock import DAY_MS, parse_time
from hermes.types import Role

ASKED_AT = parse_time("2026-06-15T18:00:00Z")
FIRST_DAY = parse_time("2025-08-01T00:00:00Z")
SHORT_FROM = 5_000  # sessions from which on fillers are one short exchange each
QUESTIONS_A_LOG = {50: 12}  # how many are asked of one log; of larger ones, all
NEVER_SAID = "never-said"
FIRST, SECOND = "logs", "logs2"  # sets of questions
ASKED = {FIRST: "logs_asked.txt", SECOND: "logs_asked2.txt"}
INTROS = (
    "Great question! Here is what I would look at:",
    "Sure, happy to help. Some points to consider:",
    "Of course! Let's break this down step by step.",
    "That sounds like a nice plan. My suggestions:",
)
CLOSINGS = (
    "Let me know if you want more detail on any of these!",
    "Would you like me to turn this into a checklist?",
    "Good luck, and tell me how it goes.",
)


@dataclass(frozen=True, slots=True)
class Topic:
    """What users ask about a topic, and what an assistant says to it."""

    name: str
    asks: tuple[str, ...]
    tips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: the day and the topic of its session, what the user says, what the reply holds."""

    at: int
    topic: str
    user: str
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what answers it; nothing does where it was never said."""

    id: str
    kind: str
    text: str
    told: tuple[Told, ...] = ()


class Asides:
    """What users say in passing, ever anew."""

    def __init__(self, text: str) -> None:
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        self._names, self._places = (line.split()[1:] for line in lines[:2])
        self._things, self._when = (
            [word.strip() for word in line.partition(":")[2].split("|")] for line in lines[2:4]
        )
        self._forms = lines[4:]

    def one(self, dice: random.Random) -> str:
        name, other = dice.sample(self._names, 2)
        return dice.choice(self._forms).format(
            name=name,
            name2=other,
            place=dice.choice(self._places),
            thing=dice.choice(self._things),
            n=dice.randint(2, 95),
            when=dice.choice(self._when),
        )


def load_logs(sessions: int, of: str = FIRST) -> list[Case]:
    """Logs of so many sessions, with a set of questions."""
    asked = load_asked(of)
    most = QUESTIONS_A_LOG.get(sessions, len(asked))
    groups = -(-len(asked) // most)
    names = [f"{of} {sessions} {number}" for number in range(groups)]
    return [_case(name, asked[n::groups], sessions) for n, name in enumerate(names)]


def load_asked(of: str = FIRST) -> list[Asked]:
    """Every question of a set, those of what was never said last."""
    return list(parse_asked(_text(ASKED[of])))


def parse_asked(text: str) -> Iterator[Asked]:
    kind, question, told = "", "", list[Told]()
    count = 0
    for line in [*_lines(text), "??|"]:
        sign, _, rest = line.partition(" ")
        if sign in ("+", "*"):
            told.append(_told(rest))
            continue
        if question:
            count += 1
            yield Asked(f"q{count}", kind, question, tuple(told))
        kind, _, question = (part.strip() for part in rest.partition("|"))
        told = []
        if sign == "!":
            kind, question = NEVER_SAID, rest


def parse_topics(text: str) -> dict[str, Topic]:
    found: dict[str, tuple[list[str], list[str]]] = {}
    name = ""
    for line in _lines(text):
        sign, _, rest = line.partition(" ")
        if sign == "==":
            name = rest
            found[name] = ([], [])
        else:
            found[name][sign == "-"].append(rest.replace("\\n", "\n"))
    return {name: Topic(name, tuple(asks), tuple(tips)) for name, (asks, tips) in found.items()}


def _told(rest: str) -> Told:
    day, topic, user, *reply = (part.strip() for part in rest.split(" | ", 3))
    said = reply[0].replace("\\n", "\n") if reply else ""
    return Told(parse_time(f"{day}T09:00:00Z"), topic, user, said)


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _case(name: str, asked: Sequence[Asked], sessions: int) -> Case:
    writer = _Writer(random.Random(name), is_short=sessions >= SHORT_FROM)
    questions, talks = [], []
    for each in asked:
        keys = []
        for place, told in enumerate(each.told):
            talk, key = writer.talk(f"{each.id}-{place}", told)
            talks.append(talk)
            keys.append(key)
        questions.append(_question(each, keys))
    filler = max(0, sessions - len(talks))
    talks += [writer.talk(f"f{place}")[0] for place in range(filler)]
    talks.sort(key=lambda talk: talk.said[0].at)
    return Case(name, tuple(talks), tuple(questions))


def _question(asked: Asked, keys: Sequence[str]) -> Question:
    said = [key for key, told in zip(keys, asked.told, strict=True) if not told.reply]
    return Question(
        asked.id,
        asked.text,
        asked.kind,
        ASKED_AT,
        evidence=frozenset(keys),
        targets=frozenset(said),
        sessions=frozenset(key.partition("#")[0] for key in keys),
    )


def is_fitted_on(question_id: str) -> bool:
    """Whether a question belongs to the half that weights were fitted on."""
    return int(question_id[1:]) % 2 == 0


class _Writer:
    """Writes sessions."""

    def __init__(self, dice: random.Random, *, is_short: bool) -> None:
        self._dice, self._is_short = dice, is_short
        self._topics = parse_topics(_text("logs_topics.txt"))
        self._asides = Asides(_text("logs_asides.txt"))

    def talk(self, talk_id: str, told: Told | None = None) -> tuple[Talk, str]:
        """A session, and the key of the message in it that holds the answer."""
        dice = self._dice
        topic = self._topics[told.topic if told else dice.choice(list(self._topics))]
        is_short = self._is_short and told is None
        rounds = [(self._ask(topic), "") for _ in range(1 if is_short else dice.randint(1, 4))]
        place = dice.randint(0, len(rounds))
        if told is not None:
            rounds.insert(place, (told.user, told.reply))
        texts = [text for ask, hold in rounds for text in (ask, self._reply(topic, hold, is_short))]
        at = told.at if told else dice.randrange(FIRST_DAY, ASKED_AT - DAY_MS)
        said = tuple(
            Said(f"{talk_id}#{n}", text, at + n * 60_000, (Role.USER, Role.ASSISTANT)[n % 2])
            for n, text in enumerate(texts)
        )
        return Talk(talk_id, said), f"{talk_id}#{2 * place + bool(told and told.reply)}"

    def _ask(self, topic: Topic) -> str:
        asked = self._dice.choice(topic.asks)
        if self._dice.random() < 0.7:
            return f"{self._asides.one(self._dice)} {asked}"
        return asked

    def _reply(self, topic: Topic, holds: str, is_short: bool) -> str:
        dice = self._dice
        tips = dice.sample(topic.tips, 2 if is_short else dice.randint(3, len(topic.tips)))
        if not is_short and dice.random() < 0.4:
            tips += dice.choice(list(self._topics.values())).tips
        if holds:
            tips.insert(dice.randint(0, len(tips)), holds)
        parts = [dice.choice(INTROS), *tips, dice.choice(CLOSINGS)]
        return "\n\n".join(parts[1:3] if is_short else parts)
