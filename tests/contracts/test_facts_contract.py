"""What every store promises of facts, entities and held writes."""

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.store.base import FactChange, FactFilter, HeldWrite, Store, Tx
from hermes.store.base.facts import FactTally
from hermes.store.base.texts import TextScope
from hermes.types import (
    Confidence,
    Entity,
    EntityKind,
    Fact,
    FactKind,
    FactSource,
    Origin,
    Trust,
)
from places import Place
from talk import NOW, keep, turn


def made(tx: Tx, text: str, **fields: object) -> Fact:
    """Keep a fact as it is."""
    number, short = tx.facts.reserve()
    plain = Fact(number, short, "default", text, FactKind.OTHER, recorded_at=NOW, subject="user")
    fact = replace(plain, **fields)  # type: ignore[arg-type]
    tx.facts.add(fact, subject_key=fact.subject)
    return fact


def add(store: Store, text: str, **fields: object) -> Fact:
    return store.write(lambda tx: made(tx, text, **fields))


def find(store: Store, number: int) -> Fact:
    found = store.read(lambda tx: tx.facts.find(number))
    assert found is not None
    return found


def test_a_fact_comes_back_as_it_was_kept(any_store: Store) -> None:
    receipt = keep(any_store, turn("I live in Lisbon"))[0]
    source = FactSource(
        "I live in Lisbon", receipt.message_ids[0], receipt.episode_id, "s1", NOW, 0, 16, Trust.LOW
    )
    fact = add(
        any_store,
        "User lives in Lisbon",
        kind=FactKind.IDENTITY,
        attribute="location",
        value="Lisbon",
        confidence=Confidence.LOW,
        single=True,
        ended=True,
        valid_from=NOW - 5,
        valid_to=NOW + 5,
        origin=Origin.IMPORT,
        trust=Trust.LOW,
        extractor="rules",
        held=True,
        sources=(source,),
    )
    assert find(any_store, fact.number) == fact
    assert any_store.read(lambda tx: tx.facts.get_many([fact.id, 99])) == {fact.id: fact}


def test_numbers_count_on_and_are_never_used_twice(any_store: Store) -> None:
    def lost(tx: Tx) -> None:
        made(tx, "gone with its transaction")
        raise Conflict("no", "")

    first = add(any_store, "one")
    with pytest.raises(Conflict):
        any_store.write(lost)
    second = add(any_store, "two")
    assert second.number == first.number + 1
    assert any_store.read(lambda tx: tx.facts.find(99)) is None


def test_a_change_is_kept_and_its_words_are_found(any_store: Store) -> None:
    fact = add(any_store, "User likes tea")
    after = replace(fact, text="User likes coffee", retracted_at=NOW)
    any_store.write(lambda tx: tx.facts.save(after, subject_key="user"))
    assert find(any_store, fact.number) == after
    ids = any_store.read(lambda tx: tx.facts.texts.postings("coffee", TextScope(), 10)).ids
    gone = any_store.read(lambda tx: tx.facts.texts.postings("tea", TextScope(), 10)).ids
    assert (ids, gone) == ([fact.id], [])


def test_saving_a_fact_that_is_not_there_is_refused(any_store: Store) -> None:
    fact = Fact(77, 77, "default", "nothing", FactKind.OTHER, NOW)
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.facts.save(fact, subject_key=""))


def test_filters_narrow_what_is_listed(any_store: Store) -> None:
    old = add(any_store, "a", valid_from=NOW - 100, valid_to=NOW - 50, superseded_by=None)
    new = add(any_store, "b", kind=FactKind.DECISION, subject="atlas", recorded_at=NOW + 10)
    other = add(any_store, "c", bank="work", retracted_at=NOW)

    def numbers(wanted: FactFilter, limit: int = 10) -> list[int]:
        return [fact.number for fact in any_store.read(lambda tx: tx.facts.list(wanted, limit))]

    assert numbers(FactFilter()) == [other.number, new.number, old.number]
    assert numbers(FactFilter(), 1) == [other.number]
    assert numbers(FactFilter(bank="work")) == [other.number]
    assert numbers(FactFilter(kinds=(FactKind.DECISION,))) == [new.number]
    assert numbers(FactFilter(subject_key="atlas")) == [new.number]
    assert numbers(FactFilter(current=True)) == [new.number, old.number]
    assert numbers(FactFilter(true_at=NOW - 60)) == [old.number]
    assert numbers(FactFilter(recorded_by=NOW)) == [other.number, old.number]
    assert numbers(FactFilter(before_number=new.number)) == [old.number]
    assert any_store.read(lambda tx: tx.facts.count()) == 2


def test_only_believed_facts_contradict(any_store: Store) -> None:
    one, two = add(any_store, "one"), add(any_store, "two")
    for _ in range(2):
        any_store.write(lambda tx: tx.facts.add_contradiction(two.id, one.id, NOW))
    assert find(any_store, one.number).contradicts == (two.id,)
    assert find(any_store, two.number).contradicts == (one.id,)
    gone = replace(two, retracted_at=NOW)
    any_store.write(lambda tx: tx.facts.save(gone, subject_key="user"))
    assert find(any_store, one.number).contradicts == ()


def test_what_a_fact_replaced_is_listed(any_store: Store) -> None:
    new = add(any_store, "new")
    old = add(any_store, "old", superseded_by=new.id)
    assert any_store.read(lambda tx: tx.facts.list_superseded(new.id)) == [old]


def test_history_is_kept_in_order(any_store: Store) -> None:
    fact = add(any_store, "one")
    change = FactChange(0, fact.id, NOW, "revise", "person", "", {"text": "é"}, {"text": "one"})
    later = replace(change, at=NOW + 5, action="forget")
    any_store.write(lambda tx: tx.facts.record_change(change))
    any_store.write(lambda tx: tx.facts.record_change(later))
    kept = any_store.read(lambda tx: tx.facts.list_changes(fact.id))
    assert [replace(each, id=0) for each in kept] == [change, later]
    assert [c.action for c in any_store.read(lambda tx: tx.facts.list_changes_after(NOW))] == [
        "forget"
    ]
    assert any_store.read(lambda tx: tx.facts.list_changes_after(NOW, "work")) == []


def test_history_is_followed_by_the_sequence_of_changes_whatever_its_times(
    any_store: Store,
) -> None:
    fact = add(any_store, "one")
    change = FactChange(0, fact.id, NOW, "revise", "person", "", {"text": "é"}, {"text": "one"})
    any_store.write(lambda tx: tx.facts.record_change(change))
    seq = any_store.read(lambda tx: tx.changes.latest())
    assert any_store.read(lambda tx: tx.facts.list_changes_since(seq)) == []
    for at, action in ((NOW - 5 * 3_600_000, "forget"), (NOW - 9 * 3_600_000, "restore")):
        late = replace(change, at=at, action=action)
        any_store.write(lambda tx, late=late: tx.facts.record_change(late))  # type: ignore[misc]
    late_ones = any_store.read(lambda tx: tx.facts.list_changes_since(seq))
    assert [each.action for each in late_ones] == ["restore", "forget"]
    assert any_store.read(lambda tx: tx.facts.list_changes_since(seq, "work")) == []


def test_a_source_outlives_nothing_it_should_not(any_store: Store) -> None:
    fact = add(any_store, "one")
    source = FactSource("one", at=NOW)
    any_store.write(lambda tx: tx.facts.add_source(fact.id, source))
    assert find(any_store, fact.number).sources == (source,)


def test_every_change_is_in_the_change_sequence(any_store: Store) -> None:
    before = any_store.read(lambda tx: tx.changes.latest())
    fact = add(any_store, "one")
    any_store.write(lambda tx: tx.facts.save(fact, subject_key="user"))
    seen = any_store.read(lambda tx: tx.changes.since(before))
    assert [(c.kind, c.first, c.op) for c in seen] == [
        ("fact", fact.id, "add"),
        ("fact", fact.id, "change"),
    ]


def test_facts_are_counted_by_what_became_of_them(any_store: Store) -> None:
    new = add(any_store, "new", extractor="rules", held=True)
    add(any_store, "old", extractor="rules", superseded_by=new.id)
    gone = add(any_store, "junk", extractor="model", retracted_at=NOW)
    mine = add(any_store, "mine", extractor="person")
    add(any_store, "there", bank="work", extractor="person", retracted_at=NOW)
    told = FactChange(0, gone.id, NOW, "forget", "person", "", {}, {})
    any_store.write(lambda tx: tx.facts.record_change(told))
    any_store.write(lambda tx: tx.facts.add_contradiction(new.id, mine.id, NOW))
    tally = any_store.read(lambda tx: tx.facts.tally("default"))
    assert tally == FactTally(2, 1, 1, contested=2, held=1, extracted=3, junk=1)
    assert tally.junk_rate == pytest.approx(1 / 3)
    assert any_store.read(lambda tx: tx.facts.tally()).deleted == 2
    assert any_store.read(lambda tx: tx.facts.tally("none")) == FactTally()


def test_a_bank_narrows_the_words_of_facts(any_store: Store) -> None:
    add(any_store, "tea at home")
    there = add(any_store, "tea at work", bank="work")
    scope = TextScope("work")
    found = any_store.read(lambda tx: tx.facts.texts.postings("tea", scope, 10))
    both = any_store.read(lambda tx: tx.facts.texts.postings_all(["tea", "work"], scope, 10))
    assert (found.ids, found.complete, both) == ([there.id], True, [there.id])
    assert any_store.read(lambda tx: tx.facts.texts.size(scope)) == (1, 11)
    nowhere = any_store.read(lambda tx: tx.facts.texts.postings("tea", TextScope("none"), 10))
    assert nowhere.ids == []


def name(store: Store, *names: str, kind: EntityKind = EntityKind.OTHER) -> Entity:
    entity = Entity(0, "default", names[0], kind, names[1:])
    pairs = [(each.casefold(), each) for each in names]
    return store.write(lambda tx: tx.entities.add(entity, pairs, NOW))


def test_an_entity_is_found_by_any_of_its_names(any_store: Store) -> None:
    ana = name(any_store, "Ana", "Ana Lindqvist", kind=EntityKind.PERSON)
    assert any_store.read(lambda tx: tx.entities.find(ana.id)) == ana
    assert any_store.read(lambda tx: tx.entities.list_named("default", "ana")) == [ana]
    assert any_store.read(lambda tx: tx.entities.list_named("", "ana lindqvist")) == [ana]
    assert any_store.read(lambda tx: tx.entities.list_named("work", "ana")) == []
    assert any_store.read(lambda tx: tx.entities.find(99)) is None


def test_mentions_are_counted_and_moved_by_name(any_store: Store) -> None:
    ana, other = name(any_store, "Ana", "A."), name(any_store, "Atlas")
    fact = add(any_store, "Ana leads Atlas")
    message = keep(any_store, turn("A. is here"))[0].message_ids[0]

    def mention(tx: Tx) -> None:
        tx.entities.mention_in_fact(fact.id, [(other.id, "atlas"), (ana.id, "ana")])
        tx.entities.mention_in_message(message, [(ana.id, "a.")])

    any_store.write(mention)
    assert find(any_store, fact.number).entities == ("Atlas", "Ana")
    listed = any_store.read(lambda tx: tx.entities.list())
    assert [(e.name, e.mentions) for e in listed] == [("Ana", 2), ("Atlas", 1)]
    wanted = FactFilter(entity_id=ana.id)
    assert [f.id for f in any_store.read(lambda tx: tx.facts.list(wanted, 5))] == [fact.id]
    assert any_store.write(lambda tx: tx.entities.move_mentions(ana.id, other.id, ["a."])) == 1
    assert any_store.read(lambda tx: tx.entities.list_messages(other.id, 5)) == [message]
    assert any_store.write(lambda tx: tx.entities.move_mentions(ana.id, other.id, [])) == 1
    assert [e.name for e in any_store.read(lambda tx: tx.entities.list_in_fact(fact.id))] == [
        "Atlas"
    ]


def test_a_merged_entity_is_out_of_sight_but_there(any_store: Store) -> None:
    keep_, gone = name(any_store, "Ana"), name(any_store, "Annie")
    before = any_store.read(lambda tx: tx.entities.version())
    merged = replace(gone, merged_into=keep_.id)
    any_store.write(lambda tx: tx.entities.save(merged, [("annie", "Annie")]))
    assert any_store.read(lambda tx: tx.entities.version()) > before
    assert any_store.read(lambda tx: tx.entities.list()) == [keep_]
    assert any_store.read(lambda tx: tx.entities.list_merged(keep_.id)) == [merged]
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.entities.save(replace(gone, id=99), []))


def held(text: str, **fields: object) -> HeldWrite:
    plain = HeldWrite(0, "default", "notes", text, "it came by web", NOW, {"b": 1, "a": "é"})
    return replace(plain, **fields)  # type: ignore[arg-type]


def test_a_held_write_waits_once_and_is_decided_once(any_store: Store) -> None:
    write = any_store.write(lambda tx: tx.pending.add(held("x", trust=Trust.LOW)))
    again = any_store.write(lambda tx: tx.pending.add(held("x", trust=Trust.LOW)))
    assert again == write
    assert any_store.read(lambda tx: tx.pending.list()) == [write]
    assert any_store.read(lambda tx: tx.pending.count()) == 1
    any_store.write(lambda tx: tx.pending.decide(write.id, "rejected", at=NOW + 1))
    with pytest.raises(Conflict):
        any_store.write(lambda tx: tx.pending.decide(write.id, "approved", at=NOW + 2))
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.pending.decide(99, "approved", at=NOW))
    assert any_store.read(lambda tx: tx.pending.list()) == []
    decided = any_store.read(lambda tx: tx.pending.list(decided=True))
    assert [(w.verdict, w.decided_at) for w in decided] == [("rejected", NOW + 1)]
    refused = any_store.write(lambda tx: tx.pending.add(held("x", trust=Trust.LOW)))
    assert refused.verdict == "rejected"


def test_held_writes_of_a_bank_and_of_a_fact(any_store: Store) -> None:
    fact = add(any_store, "one")
    mine = any_store.write(lambda tx: tx.pending.add(held("x", fact_id=fact.id)))
    any_store.write(lambda tx: tx.pending.add(held("y", bank="work")))
    assert any_store.read(lambda tx: tx.pending.find_of_fact(fact.id)) == mine
    assert any_store.read(lambda tx: tx.pending.find_of_fact(99)) is None
    assert [w.text for w in any_store.read(lambda tx: tx.pending.list("work"))] == ["y"]


def test_facts_survive_a_reopening(any_place: Place) -> None:
    store = any_place.open()
    fact = add(store, "one")
    store.close()
    store = any_place.open()
    assert find(store, fact.number) == fact
    assert all(finding.level == "ok" for finding in store.check())
    store.close()
