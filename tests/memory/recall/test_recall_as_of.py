"""As of a time nothing that was said later stands in an answer, whatever brings it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixed_embedder import WordEmbedder
from hermes.app import App, open_app
from hermes.clock import DAY_MS, HOUR_MS, FixedClock
from hermes.config.paths import read_home
from hermes.memory.compress.drafts import ExtractiveSummariser
from hermes.memory.compress.run import compress_old
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.store.base import Tx
from hermes.types import NewSession, Origin, Role, Turn, Utterance

START = "2026-01-05T09:00:00Z"
DAYS = 25
# What is said: a name of its own in each message, so that it can be told from all others.
SAID = (
    *("I live in {name} now.", "My manager is {name}.", "Atlas uses {name} for its queue."),
    *("The meeting about {name} is on Friday.", "Always answer me in {name}."),
    *("Forget what I said about {other}, {name} is better.", "Scratch that, {name} instead."),
    *("Let's write a story: {name} lives in a castle.", "Suppose I moved to {name}."),
    *("We switched from {other} to {name}.", "My sister {name} is short for {other}."),
)
ASKED = (
    *("where do I live", "who is my manager", "what does Atlas use", "how should you answer me"),
    *("what happened last week", "tell me everything about Atlas", "what is new", "hello"),
    *("where did I live before", "who is my sister", "before the meeting", "when is the meeting"),
)
CHATTER = (
    " Thanks, that is really kind of you, I will have a look at it and come back. Okay then." * 4
)
LETTERS = "bdfgklmnprstvz"


def name_of(number: int) -> str:
    pairs = (LETTERS[number // 14 % 14], LETTERS[number % 14])
    return f"Q{'u'.join(pairs)}ox{'aeiou'[number // 196 % 5]}"


@dataclass(frozen=True)
class History:
    """An app with a history, and by the names in it when each was first said."""

    app: App
    engine: Engine
    said_at: dict[str, int]
    start_at: int


def live(home: Path, seed: int, *, compressed: bool) -> History:
    """Sessions that go on for days, beside each other; facts are read between them."""
    random, clock = Random(seed), FixedClock(START)
    place = read_home({}, str(home))
    app = open_app(place.profile("default"), {"HOME": str(home)}, clock=clock)
    embedder, said_at, start_at = WordEmbedder(), dict[str, int](), clock.now()
    for number in range(DAYS * (4 if compressed else 2)):
        clock.advance(random.randrange(HOUR_MS, DAY_MS))
        name, other = name_of(number), name_of(random.randrange(max(1, number)))
        text = random.choice(SAID).format(name=name, other=other)
        role = random.choice((Role.USER, Role.USER, Role.ASSISTANT))
        origin = random.choice((None, None, Origin.IMPORT))
        said_at.setdefault(name, clock.now())
        session = NewSession(id=f"s{random.randrange(4)}")
        whole = text + CHATTER * compressed
        turn = Turn(session, (Utterance(role, whole, clock.now(), origin=origin),))
        app.conversations.record([turn])
        if random.random() < 0.3:
            list(app.facts.extract())
    list(app.facts.extract())
    if compressed:
        clock.advance(200 * DAY_MS)
        assert compress_old(app.store, clock.now(), ExtractiveSummariser()).summaries
    index_pending(app.store, embedder, clock)
    return History(app, Engine(app.store, clock, embedder=embedder), said_at, start_at)


@pytest.fixture(scope="module", params=[(1, False), (3, True)], ids=str)
def history(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[History]:
    seed, compressed = request.param
    lived = live(tmp_path_factory.mktemp("asof"), seed, compressed=compressed)
    yield lived
    lived.engine.close()
    lived.app.close()


def leaked(history: History, told: str, as_of: int, asked: str = "") -> list[str]:
    return [n for n, at in history.said_at.items() if at > as_of and n in told and n not in asked]


@settings(max_examples=25, deadline=None)
@given(
    task=st.sampled_from(ASKED),
    named=st.integers(0, DAYS * 2 - 1) | st.none(),
    hours=st.integers(-24, 24 * DAYS),
)
def test_nothing_said_later_is_told(
    history: History, task: str, named: int | None, hours: int
) -> None:
    as_of = history.start_at + hours * HOUR_MS
    asked = task if named is None else f"{task} {name_of(named)}"
    recalled = history.engine.recall(asked, bank="default", as_of=as_of)
    found, trace = history.engine.search(asked, bank="default", limit=40, as_of=as_of)
    for item in (*recalled.items, *found):
        assert all(line.at <= as_of for line in item.lines)
        assert not leaked(history, f"{item.text} {item.note} {said_in(item.lines)}", as_of, asked)
        assert not [n for n in item.sources if n in later_ids(history, as_of)]
    assert not leaked(history, recalled.context(), as_of, asked)
    assert not leaked(history, repr((recalled.trace, trace)), as_of)


def said_in(lines: Sequence[object]) -> str:
    return " ".join(map(str, lines))


def later_ids(history: History, as_of: int) -> set[int]:
    """The numbers of the messages said after a time, as far as they are still raw."""

    def read(tx: Tx) -> set[int]:
        sessions = [f"s{n}" for n in range(4)]
        raw = [each for session in sessions for each in tx.summaries.list_raw(session)]
        return {m.id for episode in raw for m in episode.messages if m.at > as_of}

    return history.app.store.read(read)


def test_the_last_moment_knows_all(history: History) -> None:
    """The other way round: a time after everything hides nothing."""
    as_of = max(history.said_at.values())
    for task in ASKED:
        now = history.engine.recall(task, bank="default", as_of=as_of + 1)
        found = history.engine.recall(task, bank="default", as_of=as_of)
        assert [item.ref for item in found.items] == [item.ref for item in now.items]
