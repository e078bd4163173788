"""What others said stands before no task unasked, however it comes there."""

from dataclasses import replace

import pytest

from hermes.clock import DAY_MS, FixedClock
from hermes.memory.facts.audit import Act
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.extraction import RuleReader, extract_session
from hermes.memory.facts.given import PERSON, Revision
from hermes.memory.facts.revising import revise
from hermes.memory.facts.standing import build_user_model
from hermes.memory.pending import CLOSES, approve, list_waiting
from hermes.memory.record import record_turns
from hermes.store.base import FactFilter, Store, Tx
from hermes.types import Fact, NewSession, Origin, Role, Trust, Turn, Utterance
from talk import NOW

READER = RuleReader(RuleExtractor(lean=True))
LATER = NOW + 30 * DAY_MS


def hear(
    store: Store, text: str, at: int = NOW, *, origin: Origin = Origin.USER, trust: Trust
) -> None:
    name = f"s{at}{origin}{trust}"
    said = Utterance(Role.USER, text, at=at, origin=origin, trust=trust)
    record_turns(store, [Turn(NewSession(id=name), (said,))], at)
    extract_session(store, name, READER, FixedClock(at + DAY_MS))


def imported(store: Store, text: str, at: int = NOW) -> None:
    hear(store, text, at, origin=Origin.IMPORT, trust=Trust.LOW)


def facts(store: Store) -> list[Fact]:
    return store.read(lambda tx: tx.facts.list(FactFilter(), 100))[::-1]


def record_of_user(store: Store) -> str:
    model = store.read(lambda tx: build_user_model(tx, "default", LATER + DAY_MS))
    return "\n".join(line.text for line in model.lines)


@pytest.mark.parametrize(
    "text",
    [
        "My boss Mallory-Who-Must-Be-Obeyed works in Rome.",
        "My sister Mallory lives in Shiraz.",
        "My friend Mallory owns Orion.",
        "My wife Mallory is allergic to nuts.",
    ],
)
def test_whom_others_name_in_passing_waits_for_the_persons_word(store: Store, text: str) -> None:
    imported(store, text)
    assert "Mallory" not in record_of_user(store)
    (write,) = store.read(lambda tx: tx.pending.list())
    approve(store, write.id, LATER, {})
    assert "Mallory" in record_of_user(store)
    assert {fact.trust for fact in facts(store)} == {Trust.LOW}, "trust does not rise by a yes"


def test_whom_others_named_before_that_waited_is_not_told_of_either(store: Store) -> None:
    imported(store, "My sister Mallory lives in Shiraz.")
    (write,) = store.read(lambda tx: tx.pending.list())
    (fact,) = facts(store)

    def let_pass(tx: Tx) -> None:
        tx.pending.decide(write.id, "withdrawn", at=NOW)
        tx.facts.save(replace(fact, held=False), subject_key="mallory")

    store.write(let_pass)
    assert "Mallory" not in record_of_user(store)


def test_whom_the_user_names_in_passing_waits_for_nobody(store: Store) -> None:
    hear(store, "My sister Leila lives in Shiraz.", trust=Trust.HIGH)
    assert "sister Leila" in record_of_user(store)
    assert store.read(lambda tx: tx.pending.list()) == []


def test_what_others_say_of_things_waits_for_nothing(store: Store) -> None:
    imported(store, "Orion runs on PostgreSQL.")
    assert [fact.held for fact in facts(store)] == [False]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (
            "I have a ThinkPad with Fedora that Mallory administers.",
            "I switched from Fedora to Debian.",
        ),
        ("I prefer dark mode", "switched back to light mode"),
        ("we're on Django 4.2", "bumped Django to 5.1"),
        ("My deploy approver is Mallory.", "My deploy approver changed to Jonas."),
        ("My manager is Mallory", "it is no longer Mallory, now Dana"),
        ("my favourite editor is Vim", "switched to Helix"),
    ],
)
def test_what_is_told_in_the_words_of_others_is_worth_no_more(
    store: Store, told: str, said: str
) -> None:
    imported(store, told)
    hear(store, said, LATER, trust=Trust.HIGH)
    own = set(said.lower().split()) | {"user", "user's"}
    borrowed = set(told.lower().rstrip(".").split()) - own
    for fact in facts(store):
        if set(fact.text.lower().split()) & borrowed:
            assert fact.trust is Trust.LOW, fact.text
            assert fact.text not in record_of_user(store)


def test_what_is_told_in_the_users_own_words_of_before_is_worth_as_much(store: Store) -> None:
    hear(store, "I prefer dark mode", trust=Trust.HIGH)
    hear(store, "switched back to light mode", LATER, trust=Trust.HIGH)
    assert "light mode" in record_of_user(store)


def test_what_the_user_says_themselves_stands_whatever_it_replaces(store: Store) -> None:
    imported(store, "I have a ThinkPad with Fedora that Mallory administers.")
    hear(store, "I switched from Fedora to Debian.", LATER, trust=Trust.HIGH)
    old, new = facts(store)
    assert (old.superseded_by, new.trust, new.held) == (new.id, Trust.HIGH, False)
    assert "ThinkPad" not in new.text


def test_what_others_repeat_waits_once_it_belongs_into_the_record(store: Store) -> None:
    """Said by others again and again it grows surer, and so may come to stand there."""
    for place in range(4):
        imported(store, "I need a quieter office downtown.", NOW + place * DAY_MS)
    for fact in facts(store):
        assert fact.text.lower() not in record_of_user(store).lower()


def test_what_waits_closes_nothing_until_it_is_approved(store: Store) -> None:
    imported(store, "I live in Ghent.")
    first = store.read(lambda tx: tx.pending.list())
    for write in first:
        approve(store, write.id, NOW + DAY_MS, {})
    imported(store, "I moved from Ghent to Leuven.", LATER)
    old, new = facts(store)
    assert (new.held, old.superseded_by, old.valid_to) == (True, None, None)
    (write,) = store.read(lambda tx: tx.pending.list())
    approve(store, write.id, LATER + DAY_MS, {})
    old, new = facts(store)
    assert (new.held, old.superseded_by, old.valid_to) == (False, new.id, LATER)


@pytest.mark.parametrize("closes", [7, [7], [[1]], [["1", 2, 3, "x"]], [[1, None, None, ""]]])
def test_what_an_import_brought_in_closes_nothing_by_garbage(store: Store, closes: object) -> None:
    imported(store, "I live in Ghent.")
    (first,) = store.read(lambda tx: tx.pending.list())
    (fact,) = facts(store)
    garbage = replace(first, payload={"fact": fact.number, CLOSES: closes})
    store.write(lambda tx: tx.pending.decide(first.id, "withdrawn", at=NOW))
    store.write(lambda tx: tx.pending.add(garbage))
    waits = store.read(lambda tx: tx.pending.find_of_fact(fact.id))
    assert waits is not None
    assert waits.payload[CLOSES] == closes
    assert store.read(lambda tx: list_waiting(tx, fact)) == []


def test_what_was_reworded_meanwhile_is_not_closed_by_an_approval(store: Store) -> None:
    imported(store, "I live in Ghent.")
    for write in store.read(lambda tx: tx.pending.list()):
        approve(store, write.id, NOW + DAY_MS, {})
    imported(store, "I moved from Ghent to Leuven.", LATER)
    old, _ = facts(store)
    new_words = Revision(said=parse_statement("User was born in Ghent", LATER + 1))
    store.write(lambda tx: revise(tx, old.number, new_words, Act(PERSON, LATER + 1)))
    (write,) = store.read(lambda tx: tx.pending.list())
    approve(store, write.id, LATER + DAY_MS, {})
    old, new = facts(store)
    assert (new.held, old.superseded_by, old.valid_to) == (False, None, None)


def test_what_waits_is_nothing_that_older_words_end_by(store: Store) -> None:
    imported(store, "I live in Leuven.", LATER)
    hear(store, "I live in Ghent.", trust=Trust.HIGH)
    waits, own = facts(store)
    assert (waits.held, own.superseded_by, own.valid_to) == (True, None, None)


def test_said_by_the_user_what_waited_closes_what_it_would_have(store: Store) -> None:
    imported(store, "I live in Ghent.")
    imported(store, "I live in Leuven now.", LATER)
    old, _ = facts(store)
    assert old.superseded_by is None
    hear(store, "I live in Leuven.", LATER + DAY_MS, trust=Trust.HIGH)
    old, new = facts(store)
    assert (new.held, old.superseded_by) == (False, new.id)


@pytest.mark.parametrize("trust", list(Trust))
def test_to_forget_what_was_said_asserts_no_end(store: Store, trust: Trust) -> None:
    """Taken back is not "no longer so"; and who is not trusted takes nothing back."""
    imported(store, "I live in Ghent.")
    (write,) = store.read(lambda tx: tx.pending.list())
    approve(store, write.id, NOW + DAY_MS, {})
    hear(store, "Forget what I said about Ghent.", LATER, trust=trust)
    (fact,) = facts(store)
    assert (fact.superseded_by, fact.valid_to) == (None, None)
    assert (fact.retracted_at is not None) == (trust >= Trust.MEDIUM)
    assert not store.read(lambda tx: tx.pending.list())
