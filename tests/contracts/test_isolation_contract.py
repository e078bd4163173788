"""What a bank answers is told by the bank alone, whatever other banks of the memory hold."""

from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixed_embedder import WordEmbedder
from hermes.clock import DAY_MS, FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.types import NewSession, Role, Turn, Utterance
from places import Place

OURS = (
    *("the garden needs water in July", "Ines repairs the old engine", "we paint the window blue"),
    *("the recipe wants two eggs", "a letter from Jonas came", "the engine hums at night"),
    *("Ines likes the blue window", "water the tomatoes twice", "the letter was about money"),
)
ASKED = ("who repairs the engine", "what does the garden need", "Jonas wrote about money", "hello")
WORDS = "engine garden window letter recipe money night tomatoes harbour violin ledger snow".split()
Told = dict[tuple[int, str, int, str, str], tuple[float, ...]]
FEW, MANY = 7, 60  # messages: few count little beside what is typical, many are measured


@dataclass
class Memory:
    """A store with what we said in a bank, and what others say in theirs."""

    store: Store
    clock: FixedClock = field(default_factory=FixedClock)

    def say(self, bank: str, *texts: str) -> None:
        now = self.clock.now()
        for number, text in enumerate(texts):
            at = now - DAY_MS * (1 + number % 20)
            said = (Utterance(Role.USER, text, at),)
            record_turns(
                self.store, [Turn(NewSession(id=f"{bank}{number // 5}", bank=bank), said)], at
            )
        index_pending(self.store, WordEmbedder(), self.clock)

    def open(self) -> Engine:
        return Engine(self.store, self.clock, embedder=WordEmbedder())


def ask(memory: Memory, engine: Engine) -> Told:
    """All that is told of our bank, now and as of a day."""
    told: Told = {}
    for as_of in (None, memory.clock.now() - 9 * DAY_MS):
        for question in ASKED:
            found = engine.recall(question, bank="ours", as_of=as_of).items
            items, _ = engine.search(question, bank="ours", as_of=as_of)
            for number, item in enumerate((*found, *items)):
                of = (as_of or 0, question, number, item.text, item.note)
                told[of] = (item.relevance, item.score, *item.gains)
    return told


def check_same(told: Told, before: Told) -> None:
    assert list(told) == list(before)
    for of, numbers in told.items():  # the order of sums changes their last digits
        assert numbers == pytest.approx(before[of], abs=1e-4), of


@pytest.mark.parametrize("count", [0, 1, FEW, MANY])
def test_others_banks_change_no_answer(any_store: Store, count: int) -> None:
    memory = Memory(any_store)
    memory.say("ours", *(f"{OURS[n % len(OURS)]} {n}" for n in range(count)))
    going_on = memory.open()
    before = ask(memory, going_on)
    assert bool(before) == bool(count)
    memory.say("theirs", *("the engine needs repairs, who does that" for _ in range(300)))
    anew = memory.open()
    check_same(ask(memory, going_on), before)
    check_same(ask(memory, anew), before)
    going_on.close()
    anew.close()


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), max_size=40),
    st.sampled_from([FEW, 3 * len(OURS)]),
    st.booleans(),
)
def test_a_bank_answers_as_it_would_alone(
    tmp_path_factory: pytest.TempPathFactory, theirs: list[str], count: int, first: bool
) -> None:
    """Also where the others spoke first, so that the numbers of all vectors are others."""
    told = []
    for others in ([], theirs):
        folder = tmp_path_factory.mktemp("memory")
        store = Place("sqlite", str(folder / "memory.db"), "00" * 32).open()
        memory = Memory(store)
        ours = [f"{OURS[n % len(OURS)]} {n}" for n in range(count)]
        for bank in ("theirs", "ours") if first else ("ours", "theirs"):
            memory.say(bank, *(ours if bank == "ours" else others))
        engine = memory.open()
        told.append(ask(memory, engine))
        engine.close()
        store.close()
    check_same(told[1], told[0])
