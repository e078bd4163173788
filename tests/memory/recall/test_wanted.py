"""What a question wants to know of whom it names, and which facts tell nothing of that."""

from collections.abc import Iterator

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.fuse import SAID_FROM
from hermes.memory.recall.task import read_task
from hermes.memory.recall.wanted import find_untold
from hermes.store.base import Store, Tx
from hermes.types import Fact, FactKind, Kind


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What did Fumiko study?", "The teacher is a Japanese woman called Fumiko"),
        ("Is Fumiko married?", "The teacher is a Japanese woman called Fumiko"),
        ("What did Adaeze buy in Kassel?", "Adaeze's family went to Rafael's parents in Kassel"),
        ("What did Wout do for us?", "User's brother is Wout"),
        ("What is Balou afraid of?", "User's dog is Balou"),
        ("What did the cargo bike weigh?", "User bought a used cargo bike for 2,900 euros"),
        ("what does Lucie's van cost", "Lucie's van holds nine people"),
        ("how much milk do we have", "User's cat Mia is 4.2 kilos"),
        ("what is my favourite colour", "User loves coriander on everything"),
        ("How tall is Jonas?", "Jonas weighs 84 kilos"),
        ("who is Tilda's teacher", "Wilma's daughter is Tilda"),
        ("What does my brother grow?", "User's brother is Wout"),
        ("where does Anna work", "Anna no longer works at Bosch"),
        ("which camera do I have", "User gave their Canon camera to their niece"),
    ],
)
def test_a_fact_that_shares_only_whom_it_is_about_tells_nothing(question: str, fact: str) -> None:
    assert find_untold(read_task(question, 0), [fact]) == [True]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("My sister Ola got a new job", "User's sister is Ola"),
        ("we painted Wout's room", "User's brother is Wout"),
        ("I was at Balou's vet today", "User's dog is Balou"),
    ],
)
def test_what_is_told_asks_nothing_of_whom_it_names(said: str, fact: str) -> None:
    assert find_untold(read_task(said, 0), [fact]) == [False]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What did Fumiko study?", "Fumiko graduated in ceramics from Kyoto"),
        ("what does Brandvold pay", "The customer Brandvold pays 2,400 a month"),
        ("where does Jonas work", "Jonas is a nurse at UZ"),
        ("where does Wilma live now", "Wilma moved to Leipzig in 2024"),
        ("who is Wout", "User's brother is Wout"),
        ("what is my brother called", "User's brother is Wout"),
        ("What did the cargo bike cost?", "User bought a used cargo bike for 2,900 euros"),
        ("how heavy is Mia", "User's cat Mia is 4.2 kilos"),
        ("what colour is my car", "User's car is a grey Skoda Octavia"),
        ("what is my favourite colour", "User's favourite colour is mauve"),
        ("how many kids do I have", "User has two daughters, Mia and Ruth"),
        ("how much may I spend", "Budget: 90 a day, sleeping not included"),
        ("why does Nils not drink", "Nils has been sober for three years"),
        ("what happened to Liam", "Liam broke his arm on Tuesday"),
        ("what car does Jonas have", "Jonas has a grey Volvo"),
        ("who is the sister of Jonas", "Jonas's sister is Wilma"),
        ("when does my mother see Dr Yilmaz", "User's mother has an appointment with Dr Yilmaz"),
        ("does Anna work at Bosch", "Anna no longer works at Bosch"),
        ("which camera did I give away", "User gave their Canon camera to their niece"),
        ("where does Anna work", "Anna no longer works at Bosch, but at Trumpf"),
        ("what am I putting money aside for", "User is saving for a new kitchen"),
    ],
)
def test_what_may_tell_it_in_other_words_is_left(question: str, fact: str) -> None:
    assert find_untold(read_task(question, 0), [fact]) == [False]


def test_a_name_that_is_known_is_one_in_small_letters_too() -> None:
    task = read_task("what did fumiko study", 0)
    assert find_untold(task, ["The teacher is called Fumiko"], ["fumiko"]) == [True]


@pytest.fixture
def engine(store: Store, clock: FixedClock) -> Iterator[Engine]:
    opened = Engine(store, clock, embedder=WordEmbedder())
    yield opened
    opened.close()


def test_it_is_not_told_as_sure(store: Store, clock: FixedClock, engine: Engine) -> None:
    def write(tx: Tx) -> None:
        for text in ("User's car is a Panda", "The cargo bike cost 2,900 euros"):
            number, short = tx.facts.reserve()
            fact = Fact(number, short, "default", text, FactKind.OTHER, clock.now(), "user")
            tx.facts.add(fact, subject_key="user")

    store.write(write)
    index_pending(store, WordEmbedder(), clock)
    asked = ("what did the cargo bike weigh", "what did the cargo bike cost")
    for question, is_sure in zip(asked, (False, True), strict=True):
        items, _ = engine.search(question, bank="default", kinds=(Kind.FACT,))
        assert items[0].text == "The cargo bike cost 2,900 euros"
        assert (items[0].relevance >= SAID_FROM) == is_sure
