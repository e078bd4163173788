"""Taking back the last change of a fact, whatever it was."""

import pytest

from hermes.errors import Conflict
from hermes.memory.facts import keeping
from hermes.memory.facts.audit import Act
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.given import Given, Revision
from hermes.memory.facts.undo import bring_back, undo_last
from hermes.memory.facts.why import explain
from hermes.store.base import Store
from hermes.types import Confidence, Fact, FactSource
from talk import NOW

ACT = Act("person", NOW)


def believe(store: Store, text: str) -> Fact:
    candidate = parse_statement(text, NOW)
    given = Given("default", FactSource(candidate.quote, at=NOW))
    kept = store.write(lambda tx: keeping.believe(tx, candidate, given, ACT))
    assert kept.fact is not None
    return kept.fact


def undo(store: Store, fact: Fact) -> Fact:
    return store.write(lambda tx: undo_last(tx, fact.number, ACT))


def test_an_edit_is_taken_back_and_put_back(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    said = parse_statement("User prefers coffee", NOW)
    store.write(lambda tx: keeping.revise(tx, fact.number, Revision(said=said), ACT))
    assert undo(store, fact).text == "User prefers tea"
    assert undo(store, fact).text == "User prefers coffee"


def test_a_deletion_is_taken_back_and_put_back(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    store.write(lambda tx: keeping.forget(tx, fact.number, ACT))
    assert undo(store, fact).retracted_at is None
    assert undo(store, fact).retracted_at is not None


def test_only_the_last_of_several_changes_goes(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    said = parse_statement("User prefers coffee", NOW)
    store.write(lambda tx: keeping.revise(tx, fact.number, Revision(said=said), ACT))
    sure = Revision(confidence=Confidence.LOW)
    store.write(lambda tx: keeping.revise(tx, fact.number, sure, ACT))
    after = undo(store, fact)
    assert (after.text, after.confidence) == ("User prefers coffee", Confidence.HIGH)


@pytest.mark.parametrize(
    "revision",
    [
        Revision(said=parse_statement("User prefers coffee", NOW)),
        Revision(confidence=Confidence.LOW),
    ],
)
def test_bringing_back_undoes_the_last_edit_of_what_is_believed(
    store: Store, revision: Revision
) -> None:
    fact = believe(store, "User prefers tea")
    store.write(lambda tx: keeping.revise(tx, fact.number, revision, ACT))
    back = store.write(lambda tx: bring_back(tx, fact.number, ACT))
    assert (back.text, back.confidence) == (fact.text, fact.confidence)


def test_bringing_back_leaves_an_edit_where_something_closed_the_fact(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    said = parse_statement("User prefers coffee", NOW)
    store.write(lambda tx: keeping.revise(tx, fact.number, Revision(said=said), ACT))
    store.write(lambda tx: keeping.forget(tx, fact.number, ACT))
    assert store.write(lambda tx: bring_back(tx, fact.number, ACT)).text == "User prefers coffee"
    other = believe(store, "Atlas uses Go")
    with pytest.raises(Conflict):
        store.write(lambda tx: bring_back(tx, other.number, ACT))


def test_what_never_changed_cannot_be_taken_back(store: Store) -> None:
    with pytest.raises(Conflict):
        undo(store, believe(store, "User prefers tea"))


def test_an_edit_that_was_taken_back_is_no_evidence(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    said = parse_statement("User prefers coffee", NOW)
    store.write(lambda tx: keeping.revise(tx, fact.number, Revision(said=said), ACT))
    undo(store, fact)
    why = store.read(lambda tx: explain(tx, fact.number))
    assert [each.source.quote for each in why.evidence] == ["User prefers tea"]
    assert why.earlier == ()
    undo(store, fact)
    why = store.read(lambda tx: explain(tx, fact.number))
    assert [each.source.quote for each in why.evidence] == ["User prefers coffee"]
