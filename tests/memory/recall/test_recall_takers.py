"""What takes back is held between questions and kept up with; quick looks pass nothing by."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.clock import FixedClock
from hermes.memory.facts.clauses import prose
from hermes.memory.recall import fiction, revoked
from hermes.memory.recall.banks import BankShelf
from hermes.memory.recall.takers import Takers
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Role, Turn, Utterance

SAID = (
    "Please always write summaries in French.",
    "Forget what I said about summaries.",
    "I dropped the cup.",
    "Scratch that, use Thursdays.",
    "From now on use metric units instead of imperial units",
)


def say(store: Store, clock: FixedClock, *texts: str, role: Role = Role.USER) -> None:
    turns = [Turn(NewSession(id="s"), (Utterance(role, text),)) for text in texts]
    record_turns(store, turns, clock.now())


def open_takers(store: Store, shelf: BankShelf) -> Takers:
    return store.read(lambda tx: shelf.open(tx, "default").takers)


def names_of(takers: Takers) -> list[str]:
    return [taken.of for taken in takers.named.values()]


def test_what_is_added_is_taken_in(store: Store, clock: FixedClock) -> None:
    shelf = BankShelf(VectorIndex())
    for text in SAID:
        say(store, clock, text)
        grown = open_takers(store, shelf)
    fresh = open_takers(store, BankShelf(VectorIndex()))
    assert grown.ids.tolist() == fresh.ids.tolist()
    assert len(fresh.ids) == 4
    assert names_of(grown) == names_of(fresh) == ["imperial units", "summaries"]


def test_what_others_say_takes_nothing_back(store: Store, clock: FixedClock) -> None:
    say(store, clock, *SAID, role=Role.ASSISTANT)
    takers = open_takers(store, BankShelf(VectorIndex()))
    assert len(takers.ids) == 0
    assert takers.named == {}


PATTERNS = (fiction._ASKS, fiction._TOGETHER, prose._ROLE_PLAY)


@pytest.mark.parametrize("pattern", PATTERNS, ids=["asks", "together", "plays"])
def test_no_pattern_of_stories_finds_what_the_quick_look_passes_by(
    pattern: re.Pattern[str],
) -> None:
    plain = re.compile(pattern.pattern, re.IGNORECASE | re.ASCII)

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(plain, alphabet=st.characters(codec="ascii")))
    def check(text: str) -> None:
        words = fiction._words(text.casefold())
        assert not fiction._OPENING_WORDS.isdisjoint(words)
        if pattern is prose._ROLE_PLAY:
            assert fiction._may_play(text.casefold())
            assert not fiction._PLAY_WORDS.isdisjoint(words)
        else:
            assert not fiction._WORK_WORDS.isdisjoint(words)

    check()


@pytest.mark.parametrize(
    ("pattern", "signs"),
    [
        *revoked._NAMED,
        (revoked._MEANT, revoked._MEANT_SIGNS),
        (revoked._ORDER, revoked._ORDER_SIGNS),
    ],
)
def test_no_pattern_of_taking_back_finds_what_has_no_sign_of_it(
    pattern: re.Pattern[str], signs: tuple[str, ...]
) -> None:
    plain = re.compile(pattern.pattern, re.IGNORECASE | re.ASCII)

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(plain))
    def check(text: str) -> None:
        folded = text.casefold()
        assert any(sign in folded for sign in signs)

    check()
