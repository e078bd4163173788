"""Facts near everything: what every question has in common is taken off before facts are ranked."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hermes import Hermes
from hermes.bench.recall_asked import load_asked, parse_asked
from hermes.memory.recall.fuse import GIVEN_FROM, SAID_FROM
from hermes.memory.recall.lacks import LACKS
from hermes.memory.recall.likeness import (
    FEW,
    LEAST_CHANCE,
    Line,
    Usual,
    load_lines,
    parse_lines,
    render_usual,
    told,
)

HUB = "User: 30 per depot and hour, 429 with Retry-After"
FACTS = (
    HUB,
    "User's versioned in path: /v1/plans",
    "User is vegetarian",
    "User works at Kestrel Logistics",
    "User's cat is Miso",
    "User is from Leipzig",
)
WAIT_S = 30.0


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(Path(tmp_path_factory.mktemp("likeness"))) as opened:
        for fact in FACTS:
            opened.remember(fact)
        assert opened.wait_until_indexed(WAIT_S)
        yield opened


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who is my employer", "User works at Kestrel Logistics"),
        ("what do I eat", "User is vegetarian"),
        ("do I have a pet", "User's cat is Miso"),
        ("how many plans may be made in an hour", HUB),
    ],
)
def test_the_fact_that_answers_goes_first(memory: Hermes, question: str, answer: str) -> None:
    assert memory.search(question)[0].text == answer


def test_a_fact_near_everything_is_not_given_for_everything(memory: Hermes) -> None:
    for task in ("explain monads", "what is the capital of Peru"):
        assert HUB not in [item.text for item in memory.recall(task).items]


def test_what_a_fact_has_with_every_question_does_not_count() -> None:
    towards = np.eye(4, dtype=np.float32)
    usual = Usual(towards[0], towards[3], 1.0, 0.0, Line(10.0, 0.5))
    hub, answer = towards[0], towards[1]
    question = np.array([0.8, 0.6, 0.0, 0.0], np.float32)
    assert question @ hub > question @ answer
    sharp = usual.sharpen(question)
    assert sharp @ hub < sharp @ answer


def test_an_average_fact_keeps_its_cosine() -> None:
    usual = load_lines().usual["e5-small-int8"]
    question = np.ones(384, np.float32) / np.float32(384**0.5)
    restored = usual.restore(np.array([usual.sharpen(question) @ usual.fact], np.float32))
    assert restored[0] == pytest.approx(float(question @ usual.fact), abs=1e-5)


@pytest.mark.parametrize("task", ["write a haiku", "tell me a joke", "fix the failing test"])
def test_no_fact_is_told_as_sure_for_a_task_it_does_not_bear_on(memory: Hermes, task: str) -> None:
    assert all(item.relevance < SAID_FROM for item in memory.search(task))


def test_sureness_is_told_as_it_was_right() -> None:
    lines = load_lines()
    raw = np.array([0.99, 0.75, 0.7, 0.5], np.float32)
    sure = lines.tell(raw)
    assert sure[0] > 0.9
    assert sure[3] < sure[2] < sure[1] < GIVEN_FROM  # beside what is sure
    doubtful = lines.tell(raw[1:])
    assert doubtful[2] < GIVEN_FROM <= doubtful[1] <= doubtful[0] < SAID_FROM  # for want of better
    assert lines.tell(raw[:0]).tolist() == []


def test_what_a_fact_lacks_makes_it_less_sure() -> None:
    lines, raw = load_lines(), np.array([0.99, 0.5], np.float32)
    for place in range(len(LACKS)):
        lacking = np.zeros((2, len(LACKS)), np.float32)
        lacking[0, place] = 1.0
        assert GIVEN_FROM <= lines.tell(raw, lacking)[0] < lines.tell(raw)[0]


def test_the_threshold_means_one_chance_whatever_is_asked() -> None:
    """As chances fall by even steps what is told does, too: no heap lies at a threshold."""
    chance = np.linspace(0.99, 0.001, 200, dtype=np.float32)
    raised = told(chance, np.ones(200, np.bool_), np.ones(200, np.float32))
    assert (np.diff(raised) < 0).all()
    assert raised[chance >= SAID_FROM] == pytest.approx(chance[chance >= SAID_FROM])
    assert (raised >= GIVEN_FROM).tolist() == (chance >= LEAST_CHANCE).tolist()
    for least in np.arange(0.46, 0.63, 0.02):
        assert np.count_nonzero((raised >= least) & (raised < least + 0.02)) <= 2


@pytest.mark.parametrize("count", [1, 3, 9])
def test_where_nothing_is_sure_a_few_are_given_for_less(count: int) -> None:
    chance = np.linspace(0.03, 0.001, count, dtype=np.float32)
    raised = told(chance, np.ones(count, np.bool_), np.full(count, 0.9, np.float32))
    assert np.count_nonzero(raised >= GIVEN_FROM) == min(count, FEW)
    assert (np.diff(raised) < 0).all()
    closed = told(chance, np.zeros(count, np.bool_), np.full(count, 0.6, np.float32))
    assert (closed < GIVEN_FROM).all()


def test_what_is_no_answer_of_the_kind_comes_after_all_others() -> None:
    lines, raw = load_lines(), np.array([0.99, 0.7, 0.7], np.float32)
    unfit = np.array([True, False, False])
    last, *others = lines.tell(raw, unfit=unfit).tolist()
    assert all(GIVEN_FROM <= last < each for each in others)


SERVERS = [f"Server {n} runs on port {8000 + n}" for n in range(12)]
GAMES = [f"Colleague number {n} likes board game {n}" for n in range(12)]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("On which port does server 3 run?", SERVERS[3]),
        ("what do you know about server 5", SERVERS[5]),
        ("which board game does colleague number 7 like?", GAMES[7]),
    ],
)
def test_what_tells_of_another_number_is_below_the_threshold(
    numbered: Hermes, asked: str, answer: str
) -> None:
    found = {item.text: item.relevance for item in numbered.search(asked, limit=24)}
    assert found.pop(answer) > 0.9
    assert max(found.values()) < GIVEN_FROM
    steps = np.array(sorted(found.values()))
    for least in np.arange(0.05, 0.65, 0.02):
        assert np.count_nonzero((steps >= least) & (steps < least + 0.02)) < len(steps) / 2


@pytest.mark.parametrize(
    "asked", ["what are the 3 most important things about my servers", "which servers are there"]
)
def test_a_number_that_names_nothing_takes_nothing_away(numbered: Hermes, asked: str) -> None:
    with_number = [i.relevance for i in numbered.search(asked, limit=5)]
    without = [i.relevance for i in numbered.search(asked.replace(" 3", ""), limit=5)]
    assert max(with_number) == pytest.approx(max(without), abs=0.1)


@pytest.fixture(scope="module")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("numbered") / "home") as opened:
        for text in (*SERVERS, *GAMES):
            opened.remember(text)
        assert opened.wait_until_indexed(60)
        yield opened


def test_a_near_miss_is_not_told_as_sure(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        for text in ("Jonas's sister is Wilma", "Jonas works as a roofer in Kiel", "Kiel is cold"):
            memory.remember(text)
        assert memory.wait_until_indexed(WAIT_S)
        assert memory.search("who is Jonas's sister")[0].relevance > 0.9
        assert all(
            item.relevance < SAID_FROM for item in memory.search("who is Jonas's girlfriend")
        )


def test_near_misses_belong_to_their_memory() -> None:
    asked = parse_asked("== siblings\nA fact | one\n?! missed\n== band\nAnother | two\n?! too\n")
    assert asked.part(fitted=True).missed == (("siblings", "missed"),)
    assert asked.part(fitted=False).missed == (("band", "too"),)


def test_lines_are_read_as_they_were_written() -> None:
    usual = load_lines().usual["e5-small-int8"]
    table = {"with_meaning": [1, 2], "by_words": [3, 4], "by_steps": [5, 6]}
    again = parse_lines({**table, "usual": {"m": render_usual(usual)}})
    assert again.by_words == Line(3, 4)
    assert np.array_equal(again.usual["m"].question, usual.question)
    assert again.usual["m"].line == usual.line


def test_questions_are_read_with_their_facts() -> None:
    asked = parse_asked("# why\n== nurse\nA fact | one | two\n== ??\n?? a task\n?? another\n")
    assert asked.facts[0].questions == ("one", "two")
    assert asked.part(fitted=True).unrelated == ("a task",)
    assert asked.part(fitted=False).facts == ()


def test_no_memory_is_in_both_halves() -> None:
    fitted, other = (load_asked().part(fitted=half) for half in (True, False))
    assert fitted.memories and other.memories
    assert set(fitted.memories).isdisjoint(other.memories)
    assert set(fitted.unrelated).isdisjoint(other.unrelated)
