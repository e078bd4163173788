"""Facts asked for by what they tell of the user, whatever words they are kept in."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.passes.asked import asks_more, read_asked
from hermes.store.base import Store, Tx
from hermes.types import Fact, FactKind, Kind


@pytest.fixture
def engine(store: Store, clock: FixedClock) -> Iterator[Engine]:
    opened = Engine(store, clock, embedder=WordEmbedder())
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("where do I live?", "location"),
        ("where I live", "location"),
        ("do you know where I work?", "employer"),
        ("tell me how old I am", "age"),
        ("what is my job title?", "role"),
        ("what do I do for a living?", "occupation"),
        ("who is my boss these days", "manager"),
        ("whom do I report to?", "manager"),
        ("what's my favourite editor?", "favourite editor"),
        ("my daughter's name", "daughter"),
        ("what database do we use", "database"),
        ("which python version are we on?", "python version"),
        ("so what's our queue?", "queue"),
        ("what was my last job", "job"),
        ("my ex-wife", "wife"),
        ("what is my last name?", "last name"),
        ("my old-fashioned recipe", "old-fashioned recipe"),
    ],
)
def test_a_question_names_what_it_asks_for(question: str, attribute: str) -> None:
    assert attribute in read_asked(question)


@pytest.mark.parametrize(
    "question", ["", "where does Ana live?", "who owns the folder", "what does Ana use", "plan it"]
)
def test_questions_about_others_ask_nothing_of_the_user(question: str) -> None:
    assert read_asked(question) == frozenset()


@pytest.mark.parametrize(
    ("question", "is_more"),
    [
        ("who is my father?", False),
        ("what was my old father called", False),
        ("is my father hard of hearing", False),
        ("which pill does my father take", True),
        ("with whom is my father insured", True),
        ("where does my father live", True),
    ],
)
def test_who_asks_for_something_of_it_asks_for_more(question: str, is_more: bool) -> None:
    plain = Fact(1, 1, "default", "User's father is hard of hearing", FactKind.OTHER, 0)
    assert asks_more(question, replace(plain, attribute="father")) is is_more


def test_a_last_name_is_not_the_last_of_names() -> None:
    assert "name" not in read_asked("what is my last name?")


def test_the_answer_comes_first_though_it_shares_no_word(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    def keep(tx: Tx) -> None:
        told = {"User is Director of Infrastructure": "role", "The job title page is slow": "page"}
        for text, attribute in told.items():
            plain = Fact(*tx.facts.reserve(), "default", text, FactKind.OTHER, clock.now())
            tx.facts.add(replace(plain, subject="user", attribute=attribute), subject_key="user")

    store.write(keep)
    items, _ = engine.search("what is my job title?", bank="default", kinds=(Kind.FACT,))
    assert items[0].text == "User is Director of Infrastructure"
