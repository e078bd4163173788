"""Facts and lines of the log on their way in, on every store: unseen until all is there, and none
of them twice.
"""

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import pytest
from test_import_contract import Killed, bring, exported, killing

from hermes.errors import Conflict
from hermes.memory.portable.arriving import abandon, find_plan
from hermes.store.base import FactFilter, Store, Tx
from hermes.store.base.events import EventFilter
from hermes.store.base.facts import FactChange
from hermes.store.base.texts import TextScope
from hermes.store.sqlite import Database, open_store
from hermes.types import Fact, FactKind, FactSource
from talk import NOW, keep, turn

COUNT = 9
FORGOTTEN = 4
BEFORE_FACTS, IN_FACTS = 3, 6  # steps of the import
LINES = 5


def _learn(tx: Tx) -> None:
    for n in range(1, COUNT + 1):
        fact, number = tx.facts.reserve()
        source = FactSource(f"quote {n}", session_id="s1", at=NOW)
        gone = NOW + 5 if n == FORGOTTEN else None
        given = Fact(
            *(fact, number, "default", f"Zebra {n} is striped", FactKind.OTHER, NOW),
            retracted_at=gone,
            sources=(source,),
        )
        tx.facts.add(given, subject_key=f"zebra {n}")
        tx.facts.record_change(FactChange(0, fact, NOW, "add", "rules", "", {}, {"text": "z"}))
    for n in range(LINES):
        tx.events.add("decision", f"line {n}", at=NOW + n)


@pytest.fixture
def learnt(tmp_path: Path) -> bytes:
    store = open_store(Database(tmp_path / "from.db", b"k" * 32))
    keep(store, turn("We have zebras", "noted"))
    store.write(_learn)
    told = exported(store)
    store.close()
    return told


def _facts(store: Store) -> list[Fact]:
    return store.read(lambda tx: tx.facts.list(FactFilter(), 99))


def _seen(store: Store) -> Sequence[object]:
    """All ways by which a fact may be seen."""

    def look(tx: Tx) -> Sequence[object]:
        tally = tx.facts.tally()
        return (
            *(tx.facts.list(FactFilter(), 99), tx.facts.get_many(range(1, 99))),
            *(tx.facts.find(n) for n in range(1, 99)),
            *(*astuple(tally), tx.facts.count(), tx.facts.list_changes_after(0)),
        )

    return [each for each in store.read(look) if each]


def _lines(store: Store) -> list[str]:
    found = store.read(lambda tx: tx.events.list(EventFilter(), 99))
    return sorted(each.summary for each in found)


def _is_shown(store: Store) -> bool:
    plan = store.read(find_plan)
    return plan is not None and plan.is_shown


@pytest.mark.parametrize("is_used", [False, True])
def test_facts_are_unseen_until_all_are_there(
    any_store: Store, learnt: bytes, tmp_path: Path, is_used: bool
) -> None:
    if is_used:
        keep(any_store, turn("I was here first", session="mine"))
    for steps in (BEFORE_FACTS, IN_FACTS, IN_FACTS + 1):
        with pytest.raises(Killed):
            bring(any_store, learnt, tmp_path, advance=killing(steps))
        assert _seen(any_store) == []
    assert any_store.read(lambda tx: tx.portable.list_arriving_facts(99))
    bring(any_store, learnt, tmp_path)
    known = _facts(any_store)
    assert sorted(fact.number for fact in known) == list(range(1, COUNT + 1))
    assert {f.number: f.retracted_at for f in known if f.retracted_at} == {FORGOTTEN: NOW + 5}
    assert any_store.read(lambda tx: len(tx.facts.texts.postings("striped", TextScope(), 9).ids))
    assert _lines(any_store) == [f"line {n}" for n in range(LINES)]
    assert all(finding.level == "ok" for finding in any_store.check())
    assert is_used or exported(any_store) == learnt


@pytest.mark.parametrize("is_used", [False, True])
def test_facts_that_were_on_their_way_are_taken_back(
    any_store: Store, learnt: bytes, tmp_path: Path, is_used: bool
) -> None:
    if is_used:
        keep(any_store, turn("I was here first", session="mine"))
    before = exported(any_store).split(b"\n", 1)[1]
    with pytest.raises(Killed):
        bring(any_store, learnt, tmp_path, advance=killing(IN_FACTS + 1))
    assert any_store.read(lambda tx: tx.portable.list_arriving_facts(99))
    assert abandon(any_store) > 0
    assert exported(any_store).split(b"\n", 1)[1] == before
    assert any_store.read(lambda tx: tx.portable.list_arriving_facts(99)) == []
    assert any_store.read(lambda tx: tx.portable.is_empty()) is not is_used


@pytest.mark.parametrize("is_used", [False, True])
def test_cut_short_among_the_lines_of_the_log_it_goes_on(
    any_store: Store, learnt: bytes, tmp_path: Path, is_used: bool
) -> None:
    if is_used:
        any_store.write(lambda tx: tx.events.add("task", "here", at=NOW))

    steps = IN_FACTS
    while not _is_shown(any_store):
        steps += 1
        with pytest.raises(Killed):
            bring(any_store, learnt, tmp_path, advance=killing(steps))
    assert len(_facts(any_store)) == COUNT
    assert 0 < len(_lines(any_store)) - is_used < LINES
    with pytest.raises(Conflict, match="has come in"):
        abandon(any_store)
    bring(any_store, learnt, tmp_path)
    assert any_store.read(find_plan) is None
    assert _lines(any_store) == [*(["here"] * is_used), *(f"line {n}" for n in range(LINES))]
    assert len(_facts(any_store)) == COUNT
    assert all(finding.level == "ok" for finding in any_store.check())
    assert is_used or exported(any_store) == learnt


def test_a_fact_that_was_written_to_end_before_it_began_ends_as_it_began(
    any_store: Store, learnt: bytes, tmp_path: Path
) -> None:
    times = f'"valid_from":{NOW},"valid_to":{NOW - 9},"retracted_at"'.encode()
    assert b'"retracted_at"' in learnt
    bring(any_store, learnt.replace(b'"retracted_at"', times), tmp_path)
    (fact,) = [each for each in _facts(any_store) if each.valid_from is not None]
    assert fact.valid_to == NOW
