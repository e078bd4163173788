"""What holds at another time stands against nothing, and no fact ends before it began."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes import Hermes
from hermes.app.facts import NewFact
from hermes.clock import DAY_MS, FixedClock, parse_time
from hermes.errors import UserError
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.extraction import RuleReader, extract_session
from hermes.memory.facts.given import Kept
from hermes.memory.facts.listing import FactQuery
from hermes.memory.record import record_turns
from hermes.store.base import FactFilter, Store
from hermes.types import Fact, NewSession, Role, Turn, Utterance


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Hermes]:
    with Hermes(tmp_path, settings={"memory.embeddings.provider": "none"}) as opened:
        yield opened


def day(text: str) -> int | None:
    return parse_time(f"{text}T00:00:00Z") if text else None


def add(memory: Hermes, text: str, since: str = "", until: str = "") -> Kept:
    return memory.app.facts.add(NewFact(text, valid_from=day(since), valid_to=day(until)))


def texts(memory: Hermes, as_of: str = "") -> list[str]:
    query = FactQuery(as_of=day(as_of))
    return sorted(fact.text for fact in memory.app.facts.list(query))


def test_what_was_so_before_stands_beside_what_is_so_now(memory: Hermes) -> None:
    add(memory, "User lives in Porto", "2025-06-01")
    kept = add(memory, "User lives in Madrid", "2020-01-01", "2022-01-01")
    assert (kept.verdict, kept.others) == (Verdict.ADD, ())
    assert texts(memory) == ["User lives in Porto"]
    assert texts(memory, "2021-03-01") == ["User lives in Madrid"]
    assert "no longer" not in memory.recall("where do I live?").context()
    assert "so until 2022-01-01" in memory.recall("lives in Madrid?").context()


def test_the_day_of_a_move_belongs_to_both_places(memory: Hermes) -> None:
    add(memory, "User lives in Porto", "2025-06-01")
    kept = add(memory, "User lives in Madrid", "2020-01-01", "2025-06-02")
    assert kept.verdict is Verdict.ADD


def test_two_places_of_one_past_time_are_contested_and_neither_is_closed(memory: Hermes) -> None:
    add(memory, "User lives in Porto", "2019-06-01")
    kept = add(memory, "User lives in Madrid", "2020-01-01", "2022-01-01")
    assert (kept.verdict, [each.valid_to for each in kept.others]) == (Verdict.CONTRADICT, [None])


def test_the_past_said_twice_is_one_fact(memory: Hermes) -> None:
    for since in ("2020-01-01", ""):
        add(memory, "User lives in Madrid", since, "2022-01-01")
        kept = add(memory, "User lives in Madrid", since, "2022-01-01")
        assert kept.verdict is Verdict.MERGE


def test_what_is_said_to_be_so_for_longer_does_not_end_what_began_since(memory: Hermes) -> None:
    add(memory, "User lives in Porto", "2025-06-01")
    kept = add(memory, "User lives in Madrid", "2020-01-01")
    assert (kept.verdict, [each.valid_to for each in kept.others]) == (Verdict.CONTRADICT, [None])


def test_an_end_before_the_beginning_is_refused(memory: Hermes) -> None:
    with pytest.raises(UserError, match="end before it began"):
        add(memory, "User lives in Porto", "2024-01-01", "2023-01-01")
    add(memory, "User lives in Porto", "2024-01-01")
    assert texts(memory) == ["User lives in Porto"]


def test_of_what_is_over_and_has_no_day_the_beginning_is_not_known(memory: Hermes) -> None:
    fact = add(memory, "User lives in Madrid", until="2023-01-01").fact
    assert fact is not None
    assert (fact.valid_from, fact.valid_to) == (None, day("2023-01-01"))
    assert texts(memory, "2021-03-01") == ["User lives in Madrid"]
    assert texts(memory, "2023-03-01") == texts(memory) == []
    assert add(memory, "User lives in Porto").verdict is Verdict.ADD


def told(store: Store, *messages: tuple[str, str]) -> list[Fact]:
    for place, (when, text) in enumerate(messages):
        at = parse_time(when)
        turn = Turn(NewSession(id=f"s{place}"), (Utterance(Role.USER, text, at=at),))
        record_turns(store, [turn], at)
        reader = RuleReader(RuleExtractor(lean=True))
        extract_session(store, f"s{place}", reader, FixedClock(at + DAY_MS))
    return store.read(lambda tx: tx.facts.list(FactFilter(), 9))[::-1]


def test_what_changed_before_it_was_told_ends_no_earlier_than_it_began(store: Store) -> None:
    facts = told(
        store,
        ("2026-03-02T09:00:00Z", "I'm vegetarian."),
        ("2026-03-14T09:00:00Z", "I eat meat again since last week."),
    )
    old, new = facts
    assert old.superseded_by == new.id
    assert old.valid_to == old.valid_from == parse_time("2026-03-02T09:00:00Z")


def test_what_is_so_now_holds_until_what_is_to_come(memory: Hermes) -> None:
    add(memory, "User lives in Ulm", "2999-05-04")
    kept = add(memory, "User lives in Kassel")
    assert (kept.verdict, kept.others) == (Verdict.ADD, ())
    assert kept.fact is not None
    assert kept.fact.valid_to == day("2999-05-04")
    assert texts(memory) == ["User lives in Kassel", "User lives in Ulm"]
    assert texts(memory, "2999-06-01") == ["User lives in Ulm"]
