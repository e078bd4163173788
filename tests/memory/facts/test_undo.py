"""Taking back the last change of a fact, whatever it was."""

import pytest

from hermes.errors import Conflict
from hermes.memory.facts import keeping, revising
from hermes.memory.facts.audit import Act
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.given import Given, Revision
from hermes.memory.facts.merging import merge
from hermes.memory.facts.reference import get_fact
from hermes.memory.facts.undo import bring_back, undo_last
from hermes.memory.facts.why import explain
from hermes.store.base import FactFilter, Store
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
    store.write(lambda tx: revising.revise(tx, fact.number, Revision(said=said), ACT))
    assert undo(store, fact).text == "User prefers tea"
    assert undo(store, fact).text == "User prefers coffee"


def test_a_deletion_is_taken_back_and_put_back(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    store.write(lambda tx: revising.forget(tx, fact.number, ACT))
    assert undo(store, fact).retracted_at is None
    assert undo(store, fact).retracted_at is not None


def test_only_the_last_of_several_changes_goes(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    said = parse_statement("User prefers coffee", NOW)
    store.write(lambda tx: revising.revise(tx, fact.number, Revision(said=said), ACT))
    sure = Revision(confidence=Confidence.LOW)
    store.write(lambda tx: revising.revise(tx, fact.number, sure, ACT))
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
    store.write(lambda tx: revising.revise(tx, fact.number, revision, ACT))
    back = store.write(lambda tx: bring_back(tx, fact.number, ACT))
    assert (back.text, back.confidence) == (fact.text, fact.confidence)


def test_bringing_back_leaves_an_edit_where_something_closed_the_fact(store: Store) -> None:
    fact = believe(store, "User prefers tea")
    said = parse_statement("User prefers coffee", NOW)
    store.write(lambda tx: revising.revise(tx, fact.number, Revision(said=said), ACT))
    store.write(lambda tx: revising.forget(tx, fact.number, ACT))
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
    store.write(lambda tx: revising.revise(tx, fact.number, Revision(said=said), ACT))
    undo(store, fact)
    why = store.read(lambda tx: explain(tx, fact.number))
    assert [each.source.quote for each in why.evidence] == ["User prefers tea"]
    assert why.earlier == ()
    undo(store, fact)
    why = store.read(lambda tx: explain(tx, fact.number))
    assert [each.source.quote for each in why.evidence] == ["User prefers coffee"]


def edit(store: Store, number: int, text: str, at: int = NOW) -> Fact:
    new = Revision(said=parse_statement(text, at))
    return store.write(lambda tx: revising.revise(tx, number, new, Act("person", at)))


def back(store: Store, number: int, at: int = NOW) -> Fact:
    return store.write(lambda tx: bring_back(tx, number, Act("person", at)))


def listed(store: Store) -> dict[int, str]:
    found = store.read(lambda tx: tx.facts.list(FactFilter(current=True), 100))
    return {fact.number: fact.text for fact in found}


def quotes(store: Store, number: int) -> list[str]:
    fact = store.read(lambda tx: get_fact(tx, number))
    return [source.quote for source in fact.sources]


def test_an_edit_to_the_words_of_another_fact_is_taken_back_with_the_join(store: Store) -> None:
    believe(store, "User likes tea")
    believe(store, "User likes chess")
    edit(store, 2, "User likes tea", NOW + 1)
    assert listed(store) == {2: "User likes tea"}
    back(store, 2, NOW + 2)
    assert listed(store) == {1: "User likes tea", 2: "User likes chess"}
    assert quotes(store, 1) == ["User likes tea"] and quotes(store, 2) == ["User likes chess"]


def test_taking_that_back_joins_them_again(store: Store) -> None:
    believe(store, "User likes tea")
    believe(store, "User likes chess")
    edit(store, 2, "User likes tea", NOW + 1)
    store.write(lambda tx: undo_last(tx, 2, Act("person", NOW + 2)))
    store.write(lambda tx: undo_last(tx, 2, Act("person", NOW + 3)))
    assert listed(store) == {2: "User likes tea"}
    assert set(quotes(store, 2)) == {"User likes chess", "User likes tea"}
    back(store, 2, NOW + 4)
    assert listed(store) == {1: "User likes tea", 2: "User likes chess"}
    assert quotes(store, 2) == ["User likes chess"]


def test_a_fact_merged_into_later_words_comes_back_with_the_earlier_ones(store: Store) -> None:
    believe(store, "User likes chess")
    edit(store, 1, "User likes green tea", NOW + 1)
    believe(store, "User likes tea")
    store.write(lambda tx: merge(tx, 1, 2, Act("person", NOW + 2)))
    back(store, 1, NOW + 3)
    assert listed(store) == {1: "User likes chess", 2: "User likes tea"}


def test_what_was_merged_before_the_edit_stays_merged(store: Store) -> None:
    believe(store, "User likes tea")
    believe(store, "User likes green tea")
    store.write(lambda tx: merge(tx, 1, 2, Act("person", NOW + 1)))
    edit(store, 1, "User likes chess", NOW + 2)
    back(store, 1, NOW + 3)
    assert listed(store) == {1: "User likes tea"}
    assert quotes(store, 1) == ["User likes tea", "User likes green tea"]


def test_the_words_of_an_edit_go_with_it(store: Store) -> None:
    believe(store, "User lives in Berlin")
    edit(store, 1, "User lives in Bonn", NOW + 1)
    edit(store, 1, "User lives in Bremen", NOW + 2)
    back(store, 1, NOW + 3)
    assert quotes(store, 1) == ["User lives in Berlin", "User lives in Bonn"]


def test_what_an_edit_without_new_words_did_is_all_that_is_taken_back(store: Store) -> None:
    believe(store, "User likes tea")
    store.write(lambda tx: revising.revise(tx, 1, Revision(confidence=Confidence.LOW), ACT))
    believe(store, "User likes green tea")
    store.write(lambda tx: merge(tx, 1, 2, Act("person", NOW + 1)))
    back(store, 1, NOW + 2)
    assert listed(store) == {1: "User likes tea"}


def test_contradictions_go_and_come_with_the_words(store: Store) -> None:
    believe(store, "User lives in Berlin")
    believe(store, "User likes tea")
    assert edit(store, 2, "User lives in Rome", NOW + 1).contradicts == (1,)
    assert back(store, 2, NOW + 2).contradicts == ()
    lines = store.read(lambda tx: tx.facts.list_changes(1))
    assert lines[-1].after == {"no_longer_against": 2}
    assert undo(store, store.read(lambda tx: get_fact(tx, 2))).contradicts == (1,)
