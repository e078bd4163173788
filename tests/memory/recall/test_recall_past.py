"""As of a time, recall gives what it gave then: what came later is not even looked at."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixed_embedder import WordEmbedder
from hermes.clock import DAY_MS, HOUR_MS, FixedClock, parse_time
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.result import Item
from hermes.memory.record import record_turns
from hermes.store.base import Tx
from hermes.store.base.vectors import VectorKind
from hermes.types import NewSession, Role, Turn, Utterance
from places import new_place

NOW = "2026-06-01T09:00:00Z"
AS_OF = parse_time(NOW) - 100 * DAY_MS
NEAR_EQUAL = 0.5  # of a score: what estimating cosines anew may change
SECRET = "by the way the cabin wifi password is bluefin, the router sits in the pantry"
ASKED = (
    *("what is the cabin wifi password", "who fixed the squeaky door", "what did Ann say"),
    *(
        "what did we have for lunch",
        "what happened that week",
        "what is new",
        "where is the router",
    ),
)
SAID = (
    *("went for a run in the rain", "bought bread and two lemons", "the train was late again"),
    *("called mum about the holidays", "fixed the squeaky door", "read a chapter before bed"),
    *("the neighbours have a new dog", "soup for lunch, it was fine", "what is the wifi password?"),
    *("scratch that, the train was fine", "the cabin has a new door", "Ann, where is the dog?"),
)
SPEAKERS = ("", "", "Ann", "Bob")


def live(seed: int, until: int, messages: int) -> list[Turn]:
    """What was said by a time: an hour or so apart, in a few sessions, by several people."""
    random = Random(seed)
    at = until - 20 * DAY_MS - messages * HOUR_MS
    turns = []
    for number in range(messages):
        at += random.randrange(1, HOUR_MS)
        text = SECRET if number == messages // 2 else f"{random.choice(SAID)} ({number})"
        turns.append(turn(f"s{random.randrange(6)}", text, at, random.choice(SPEAKERS)))
    return turns


def later(seed: int, since: int, messages: int) -> list[Turn]:
    """What was said afterwards: much of it like what is asked, some of it in the same sessions."""
    random = Random(~seed)
    return [
        turn(
            f"s{random.randrange(40)}",
            f"{random.choice((*ASKED, *SAID))}, guest {number} asks",
            since + DAY_MS + number * 1_000,
            random.choice((*SPEAKERS, "Cleo", "Dana")),
        )
        for number in range(messages)
    ]


def turn(session: str, text: str, at: int, speaker: str) -> Turn:
    return Turn(NewSession(id=session), (Utterance(Role.USER, text, at, speaker),))


@contextmanager
def asking(
    folder: Path, *said: list[Turn], is_indexed: bool = True, has_embedder: bool = True
) -> Iterator[Engine]:
    """Recall over a memory of its own, in which all this was recorded, in this order."""
    clock, embedder = FixedClock(NOW), WordEmbedder(dimensions=384)
    own = folder / str(len(list(folder.iterdir())))
    own.mkdir()
    store = new_place("sqlite", own).open()
    for turns in said:
        record_turns(store, turns, clock.now())
        if is_indexed:
            index_pending(store, embedder, clock)
    engine = Engine(store, clock, embedder=embedder if has_embedder else None)
    yield engine
    engine.close()
    store.close()


def told(items: Iterable[Item]) -> list[tuple[str, str]]:
    """What was given, with the messages around it."""
    return [(item.text, " | ".join(line.text for line in item.lines)) for item in items]


def compare(then: Engine, now: Engine, as_of: int) -> None:
    for task in ASKED:
        before = then.recall(task, bank="default", as_of=as_of)
        after = now.recall(task, bank="default", as_of=as_of)
        assert told(after.items) == told(before.items)
        expected = [item.relevance for item in before.items]
        assert [item.relevance for item in after.items] == pytest.approx(expected, abs=0.01)
        assert after.trace.terms == before.trace.terms
        assert after.trace.passes == before.trace.passes


@pytest.mark.parametrize("count", [1, 30, 900])
@pytest.mark.parametrize("is_recorded_first", [False, True])
def test_nothing_recorded_of_later_changes_what_is_given(
    tmp_path: Path, count: int, is_recorded_first: bool
) -> None:
    known, new = live(1, AS_OF, 150), later(1, AS_OF, count)
    said = (new, known) if is_recorded_first else (known, new)
    with asking(tmp_path, known) as then, asking(tmp_path, *said) as now:
        compare(then, now, AS_OF)


@pytest.mark.parametrize("has_embedder", [False, True])
@pytest.mark.parametrize("count", [0, 30])
def test_without_vectors_it_goes_by_words(tmp_path: Path, has_embedder: bool, count: int) -> None:
    """Before the first indexing, with a server that is down, or with no embedder at all."""
    known, new = live(1, AS_OF, 150), later(1, AS_OF, count)
    with (
        asking(tmp_path, known, is_indexed=False, has_embedder=has_embedder) as then,
        asking(tmp_path, known, new, is_indexed=False, has_embedder=has_embedder) as now,
    ):
        compare(then, now, AS_OF)
        compare(then, now, AS_OF - 22 * DAY_MS)
        found = now.search(ASKED[0], bank="default", as_of=AS_OF)[0]
        assert SECRET in [item.text for item in found]


def test_what_came_between_and_something_recorded_late_crowds_nothing_out(tmp_path: Path) -> None:
    """Sixteen words share the room for their postings; it is full of what came later."""
    asked = f"{SECRET}, who asks for lunch, holidays, squeaky door, chapter, neighbours and lemons"
    known, new = (
        live(1, AS_OF, 150),
        [turn(f"n{n % 20}", f"guest {n}: {asked}", AS_OF + DAY_MS + n, "") for n in range(1_100)],
    )
    late = [turn("import", "an old note from an archive about gardening", AS_OF - DAY_MS, "")]
    with (
        asking(tmp_path, known, late, is_indexed=False, has_embedder=False) as then,
        asking(tmp_path, known, new, late, is_indexed=False, has_embedder=False) as now,
    ):
        before = then.recall(asked, bank="default", as_of=AS_OF)
        after = now.recall(asked, bank="default", as_of=AS_OF)
        assert before.trace.terms
        assert after.trace.terms == before.trace.terms
        assert told(after.items) == told(before.items)


@pytest.mark.parametrize("has_import", [False, True])
@pytest.mark.parametrize(
    ("known", "refused", "reason"),
    [
        (12, 0, ""),
        (60, 10, ""),
        (60, 11, "11 of {} messages have no vector yet"),
        (60, 59, "59 of {} messages have no vector yet"),
    ],
)
def test_only_what_was_there_is_said_to_lack_a_vector(
    tmp_path: Path, known: int, refused: int, reason: str, *, has_import: bool
) -> None:
    """Of the later ones all were refused."""
    late = [turn("import", "an old note", AS_OF - DAY_MS, "")] * has_import
    said = (live(1, AS_OF, known), later(1, AS_OF, 300), late)
    store = new_place("sqlite", tmp_path).open()
    for turns in said:
        record_turns(store, turns, FixedClock(NOW).now())
    index_pending(store, WordEmbedder(), FixedClock(NOW))

    def refuse(tx: Tx) -> None:
        space = tx.vectors.list_spaces()[0].id
        ids = tx.recall.outline("default", 0).ids.tolist()
        for number in [*ids[:refused], *ids[known : known + 300]]:
            tx.vectors.forget(VectorKind.MESSAGE, number)
            tx.vectors.refuse(space, VectorKind.MESSAGE, [number])

    store.write(refuse)
    engine = Engine(store, FixedClock(NOW), embedder=WordEmbedder())
    for _ in range(2):
        trace = engine.search(ASKED[0], bank="default", as_of=AS_OF)[1]
        assert trace.reason == reason.format(known + has_import)
    engine.close()
    store.close()


def test_with_thousands_of_later_messages_only_near_equals_change_places(tmp_path: Path) -> None:
    """From 2,048 vectors on all are coded around their mean: cosines are estimated anew."""
    known, new = live(1, AS_OF, 150), later(1, AS_OF, 3_000)
    with asking(tmp_path, known) as then, asking(tmp_path, known, new) as now:
        for task in ASKED:
            before = then.search(task, bank="default", limit=20, as_of=AS_OF)[0]
            after = now.search(task, bank="default", limit=20, as_of=AS_OF)[0]
            scores = [item.score for item in before]
            assert [item.score for item in after] == pytest.approx(scores, abs=NEAR_EQUAL)
            relevances = [item.relevance for item in before]
            assert [item.relevance for item in after] == pytest.approx(relevances, abs=0.05)
            assert len({item.ref for item in before} & {item.ref for item in after}) >= 15
        given = now.recall(ASKED[0], bank="default", as_of=AS_OF).items
        assert SECRET in [item.text for item in given[:3]]


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(2, 99), known=st.integers(1, 400), count=st.integers(0, 400))
def test_any_time_is_answered_as_it_stood(
    tmp_path_factory: pytest.TempPathFactory, seed: int, known: int, count: int
) -> None:
    folder, turns = tmp_path_factory.mktemp("past"), live(seed, AS_OF, known)
    with asking(folder, turns) as then, asking(folder, turns, later(seed, AS_OF, count)) as now:
        compare(then, now, AS_OF)
