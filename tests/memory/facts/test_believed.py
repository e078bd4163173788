"""What is known while many are believed at once: as it is by then, under every name it goes by."""

from dataclasses import replace

import pytest

from hermes.clock import DAY_MS, FixedClock
from hermes.errors import Conflict
from hermes.memory.entities.keeping import merge_entities, split_entity
from hermes.memory.facts.audit import FIELDS, Act, Action, alter, plain
from hermes.memory.facts.believed import Believed, subject_keys
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.extraction import RuleReader, extract_session
from hermes.memory.facts.given import Given
from hermes.memory.facts.keeping import believe
from hermes.memory.facts.listing import FactQuery, find_entity, list_facts
from hermes.memory.facts.reference import get_fact
from hermes.memory.record import record_turns
from hermes.store.base import FactChange, FactFilter, Store, Tx
from hermes.types import Entity, EntityKind, Fact, FactSource, NewSession, Role, Turn, Utterance
from talk import NOW

READER = RuleReader(RuleExtractor(lean=True))


def say(store: Store, *texts: str, session: str, at: int, bank: str = "default") -> None:
    turns = [
        Turn(
            NewSession(id=session, bank=bank), (Utterance(Role.USER, text, at=at + place * DAY_MS),)
        )
        for place, text in enumerate(texts)
    ]
    record_turns(store, turns, at + 9 * DAY_MS)


def extract(store: Store, session: str, at: int) -> None:
    extract_session(store, session, READER, FixedClock(at))


def facts(store: Store, bank: str = "default") -> list[Fact]:
    return store.read(lambda tx: tx.facts.list(FactFilter(bank=bank), 100))[::-1]


def changes(store: Store, fact: Fact) -> list[FactChange]:
    return store.read(lambda tx: tx.facts.list_changes(fact.id))


def add(store: Store, text: str, at: int = NOW) -> Fact:
    given = Given("default", FactSource(text, at=at))
    kept = store.write(lambda tx: believe(tx, parse_statement(text, at), given, Act("person", at)))
    assert kept.fact is not None
    return kept.fact


def is_open(store: Store, number: int) -> bool:
    fact = store.read(lambda tx: get_fact(tx, number))
    return fact.retracted_at is None and fact.superseded_by is None


BATCHES = [
    ("Marta lives in Rome.", "Jonas owns Orion now.", "Marta owns Orion."),
    ("Marta lives in Rome.", "Jonas owns Orion now.", "Marta owns Orion again."),
    ("Marta lives in Rome.", "Jonas took over Orion from Marta.", "Marta owns Orion."),
    ("Marta likes tea.", "Orion is now owned by Jonas.", "Marta owns Orion.", "I like tea."),
]


@pytest.mark.parametrize("batch", BATCHES)
def test_a_batch_leaves_what_its_steps_would(store: Store, batch: tuple[str, ...]) -> None:
    for bank in ("default", "stepwise"):
        say(store, "Marta owns Orion.", session=bank, at=NOW, bank=bank)
        extract(store, bank, NOW + DAY_MS)
    say(store, *batch, session="b", at=NOW + DAY_MS)
    extract(store, "b", NOW + 9 * DAY_MS)
    for place, text in enumerate(batch):
        at = NOW + (place + 1) * DAY_MS
        say(store, text, session=f"b{place}", at=at, bank="stepwise")
        extract(store, f"b{place}", at)
    at_once, stepwise = (
        [(f.text, f.superseded_by is None, f.valid_to, len(f.sources)) for f in facts(store, bank)]
        for bank in ("default", "stepwise")
    )
    assert at_once == stepwise


@pytest.mark.parametrize("batch", BATCHES)
def test_a_row_is_what_its_history_says(store: Store, batch: tuple[str, ...]) -> None:
    say(store, "Marta owns Orion.", *batch, session="a", at=NOW)
    extract(store, "a", NOW + 9 * DAY_MS)
    for fact in facts(store):
        told: dict[str, object] = {}
        for change in changes(store, fact):
            told |= {name: value for name, value in change.after.items() if name in FIELDS}
        assert told == {name: plain(getattr(fact, name)) for name in FIELDS}


def test_a_change_of_a_stale_copy_is_refused(store: Store) -> None:
    fact = add(store, "User likes tea")
    act = Act("person", NOW)
    closed = replace(fact, retracted_at=NOW)
    store.write(lambda tx: alter(tx, fact, closed, Action.FORGET, act))
    with pytest.raises(Conflict, match="changed meanwhile"):
        store.write(lambda tx: alter(tx, fact, replace(fact, value="x"), Action.REVISE, act))
    assert not is_open(store, fact.number)


def test_what_is_read_once_is_kept_up_with_every_change(any_store: Store) -> None:
    store = any_store
    tea, chess = add(store, "User likes tea"), add(store, "User likes chess")

    def write(tx: Tx) -> tuple[list[str], ...]:
        known = Believed(tx, "default")
        first = [fact.text for fact in known.of("user").values()]
        act = Act("person", NOW)
        alter(tx, tea, replace(tea, retracted_at=NOW), Action.FORGET, act)
        alter(tx, chess, replace(chess, subject="Marta"), Action.REVISE, act)
        moved = [fact.text for fact in known.of("Marta").values()]
        return first, [fact.text for fact in known.of("user").values()], moved

    assert store.write(write) == (["User likes tea", "User likes chess"], [], ["User likes chess"])


def merge_named(store: Store, keep: str, other: str) -> None:
    def write(tx: Tx) -> None:
        one, two = find_entity(tx, keep, "default"), find_entity(tx, other, "default")
        merge_entities(tx, one, two, NOW)

    store.write(write)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Annie lives in Oslo", "Anna Berg lives in Rome"),
        ("Anna Berg lives in Oslo", "Annie lives in Rome"),
    ],
)
def test_what_is_said_under_one_name_replaces_what_was_said_under_another(
    store: Store, before: str, after: str
) -> None:
    old = add(store, before)
    add(store, "Annie likes tea")
    add(store, "Anna Berg likes chess")
    merge_named(store, "Anna Berg", "Annie")
    add(store, after, NOW + DAY_MS)
    assert not is_open(store, old.number)


def test_what_is_said_again_under_another_name_is_one_fact(store: Store) -> None:
    add(store, "Annie likes tea")
    add(store, "Anna Berg likes chess")
    merge_named(store, "Anna Berg", "Annie")
    kept = add(store, "Anna Berg likes tea", NOW + DAY_MS)
    assert (kept.number, len(kept.sources)) == (1, 2)


def test_two_who_were_split_are_two_again(store: Store) -> None:
    old = add(store, "Annie lives in Oslo")
    add(store, "Anna Berg likes chess")
    merge_named(store, "Anna Berg", "Annie")
    both = store.read(lambda tx: find_entity(tx, "Anna Berg", "default"))
    store.write(lambda tx: split_entity(tx, both, ["Annie"], NOW))
    add(store, "Anna Berg lives in Rome", NOW + DAY_MS)
    assert is_open(store, old.number)


def test_a_name_that_two_go_by_joins_nobody(store: Store) -> None:
    add(store, "Anna Berg likes chess")
    add(store, "Annie likes tea")
    merge_named(store, "Anna Berg", "Annie")
    other = Entity(0, "default", "Annie", EntityKind.PRODUCT)
    store.write(lambda tx: tx.entities.add(other, [("annie", "Annie")], NOW))
    keys = store.read(lambda tx: subject_keys(tx, "default", "Annie"))
    assert keys == ("annie",)
    assert store.read(lambda tx: subject_keys(tx, "default", "Anna Berg")) == ("anna berg",)
    assert store.read(lambda tx: subject_keys(tx, "default", "user")) == ("user",)


@pytest.mark.parametrize(("name", "told"), [("TypeScript", "uses"), ("TS", "friend")])
def test_a_name_is_first_that_of_whom_is_spelt_so(store: Store, name: str, told: str) -> None:
    add(store, "User's friend TS lives in Oslo")
    add(store, "Atlas uses TypeScript")
    query = FactQuery(entity=name)
    found = store.read(lambda tx: list_facts(tx, query, limit=9, now=NOW))
    assert [told in fact.text for fact in found] == [True]
