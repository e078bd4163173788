"""Facts beside messages: found by words, meaning and entities, and only if they are believed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import DAY_MS, FixedClock, parse_time, to_datetime
from hermes.memory.entities.names import spelling_key
from hermes.memory.facts.audit import Act, Action, alter
from hermes.memory.facts.reference import render_ref
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine, RecallOptions
from hermes.memory.recall.events import find_events
from hermes.memory.recall.fitting import shows
from hermes.memory.recall.fuse import LEAST_GIVEN
from hermes.memory.recall.result import Rung
from hermes.memory.recall.select import QUOTAS
from hermes.memory.recall.task import read_task
from hermes.memory.recall.then import asks_former
from hermes.memory.recall.when import find_times
from hermes.memory.record import record_turns
from hermes.store.base import Store, Tx
from hermes.types import (
    Entity,
    Fact,
    FactKind,
    FactSource,
    Kind,
    NewSession,
    Reflection,
    Role,
    Trust,
    Turn,
    Utterance,
)


def keep(store: Store, at: int, text: str, entity: str = "", **fields: object) -> Fact:
    """Keep a fact, and the entity it mentions."""

    def write(tx: Tx) -> Fact:
        number, short = tx.facts.reserve()
        plain = Fact(number, short, "default", text, FactKind.OTHER, recorded_at=at, subject="user")
        fact = replace(plain, **fields)  # type: ignore[arg-type]
        tx.facts.add(fact, subject_key=fact.subject)
        if entity:
            key = spelling_key(entity)
            made = tx.entities.add(Entity(0, "default", entity), [(key, entity)], at)
            tx.entities.mention_in_fact(fact.id, [(made.id, key)])
        return fact

    return store.write(write)


@pytest.fixture
def engine(store: Store, clock: FixedClock) -> Iterator[Engine]:
    opened = Engine(store, clock, embedder=WordEmbedder())
    yield opened
    opened.close()


def found(engine: Engine, query: str, as_of: int | None = None) -> list[str]:
    items, _ = engine.search(query, bank="default", kinds=(Kind.FACT,), as_of=as_of)
    return [item.text for item in items]


def test_a_fact_is_found_by_its_words(store: Store, clock: FixedClock, engine: Engine) -> None:
    keep(store, clock.now(), "User is allergic to walnuts")
    kept = keep(store, clock.now(), "User plays the oboe")
    items, _ = engine.search("what do I play, the oboe?", bank="default")
    assert items[0].ref == render_ref(kept.number)
    assert items[0].kind is Kind.FACT
    assert "lexical" in {each.by for each in items[0].found}


def test_a_new_fact_is_recalled_before_it_has_a_vector(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    keep(store, clock.now(), "User's cat is called Minka")
    keep(store, clock.now(), "User lives in Lisbon")

    def given(task: str) -> list[str]:
        return [item.text for item in engine.recall(task, bank="default").items]

    assert given("what is the cat called") == ["User's cat is called Minka"]
    assert given("Who lives in Lisbon?") == ["User lives in Lisbon"]
    assert given("write a haiku") == []


def test_a_fact_is_found_by_its_meaning(store: Store, clock: FixedClock, engine: Engine) -> None:
    keep(store, clock.now(), "User plays the oboe")
    index_pending(store, WordEmbedder(), clock)
    items, _ = engine.search("the the the", bank="default", kinds=(Kind.FACT,))
    assert "semantic" in {each.by for each in items[0].found}


def test_a_fact_is_found_by_whom_it_mentions(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    keep(store, clock.now(), "She prefers tea", entity="Maria Lopez")
    keep(store, clock.now(), "He prefers coffee", entity="Jon Berg")
    items, _ = engine.search("Gift for Maria Lopez?", bank="default")
    assert [item.text for item in items] == ["She prefers tea"]
    assert [each.by for each in items[0].found] == ["entity"]


def test_who_finds_what_was_replaced_is_given_what_replaced_it(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    """Also where the question has no word of how things are now, and things changed twice."""
    now = clock.now()
    turn = Turn(NewSession("s1"), (Utterance(Role.USER, "We use Square for the till"),))
    said = record_turns(store, [turn], now)
    source = FactSource("Square for the till", message_id=said[0].message_ids[0])
    last = keep(store, now, "Payments run on SumUp", valid_from=now)
    middle = keep(store, now, "Payments run on Zettle", superseded_by=last.id)
    keep(store, now, "The till is a Square till", superseded_by=middle.id, sources=(source,))
    items = engine.recall("which till", bank="default").items
    facts = [item for item in items if item.kind is Kind.FACT]
    assert [item.text for item in facts] == ["Payments run on SumUp"]
    assert facts[0].note.endswith("The till is a Square till")
    assert [each.by for each in facts[0].found] == ["replaced"]
    (message,) = [item for item in items if item.kind is Kind.EPISODE]
    changed = f'"The till is a Square till", see {render_ref(last.number)}'
    assert message.note == f"no longer so since 2026-01-05: {changed}"


def test_what_came_in_the_place_of_a_fact_names_what_it_replaced_last(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    priya, daniel, helena = _keep_managers(store, clock.now())
    (item, *_) = engine.search("who is my boss", bank="default", kinds=(Kind.FACT,))[0]
    assert item.ref == render_ref(priya.number)
    last, before = (f"{render_ref(f.number)}, {f.text}" for f in (daniel, helena))
    assert item.note == f"in place of {last}; before that {before}"


@pytest.mark.parametrize(
    "task",
    [
        "who was my boss before",
        "who was my previous manager?",
        "my former boss",
        "who was my boss before Priya",
        "who was my boss before we moved?",
        "who used to be my boss",
    ],
)
def test_who_asks_how_it_was_before_gets_what_was_replaced_last(
    store: Store, clock: FixedClock, engine: Engine, task: str
) -> None:
    priya, daniel, _ = _keep_managers(store, clock.now())
    index_pending(store, WordEmbedder(), clock)
    first = engine.recall(task, bank="default").items[0]
    assert first.text == daniel.text
    assert first.note == f"so until 2026-01-05: now see {render_ref(priya.number)}"


@pytest.mark.parametrize(
    "task",
    [
        "what happened before the wedding",
        "call me before noon",
        "who is my boss",
        "Before I forget, where do I live?",
        "what should I know before I'm off to Ana?",
        "Before we proceed: where do we deploy?",
    ],
)
def test_what_is_before_an_event_does_not_ask_for_what_was_replaced(task: str) -> None:
    assert not asks_former(read_task(task, 0))


def _keep_managers(store: Store, now: int) -> tuple[Fact, Fact, Fact]:
    """Three, each in the place of the one before: the last of them first."""
    days = [now, now - 100 * DAY_MS, now - 300 * DAY_MS]
    names = ["User's manager is Priya", "User reports to Daniel", "User's boss is Helena"]
    kept: list[Fact] = []
    for text, at in zip(names, days, strict=True):
        until, after = (kept[-1].valid_from, kept[-1].id) if kept else (None, None)
        fact = keep(
            store,
            at,
            text,
            attribute="manager",
            valid_from=at,
            valid_to=until,
            superseded_by=after,
        )
        kept.append(fact)
    priya, daniel, helena = kept
    return priya, daniel, helena


def test_where_another_lives_is_no_answer_to_where_the_user_lives(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    keep(store, clock.now(), "User's brother Lars lives in Oslo", subject="Lars")
    index_pending(store, WordEmbedder(), clock)
    assert engine.recall("where do I live", bank="default").items == ()
    assert engine.recall("where does Lars live", bank="default").items != ()


@pytest.mark.parametrize(
    ("task", "text", "is_fit"),
    [
        ("how old is Zosia", "User's kid is Zosia", False),
        ("how old is Zosia", "Zosia turned 8 on the 11th", True),
        ("where did I go in March", "Migration: Deadline is 20 March", False),
        ("where did I go in March", "User went to Lisbon in March", True),
        ("who is Zosia", "User's kid is Zosia", True),
    ],
)
def test_a_fact_of_another_kind_than_is_asked_for_is_unfit(
    task: str, text: str, is_fit: bool
) -> None:
    fact = Fact(1, 1, "default", text, FactKind.OTHER, recorded_at=0, subject="user")
    assert shows(read_task(task, 0), [fact]).tolist() == [is_fit]


def test_what_replaced_a_fact_is_given_once_and_never_while_it_waits(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    now = clock.now()
    new = keep(store, now, "The till is a SumUp till")
    held = keep(store, now, "The till is a trap", held=True)
    keep(store, now, "The till is a Square till", superseded_by=new.id)
    keep(store, now, "The till is a Zettle till", superseded_by=held.id)
    facts = engine.recall("which till", bank="default").items
    assert [item.text for item in facts] == ["The till is a SumUp till"]


def test_what_is_no_longer_believed_is_not_recalled(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    now = clock.now()
    new = keep(store, now, "User lives in Lisbon now")
    keep(store, now, "User lives in Porto", superseded_by=new.id)
    keep(store, now, "User lives in Faro", retracted_at=now)
    assert found(engine, "where does the user live, lives in?") == ["User lives in Lisbon now"]


def test_as_of_gives_what_was_believed_then(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    then = clock.now() - 10 * DAY_MS
    keep(store, then, "User lives in Porto", retracted_at=then + 5 * DAY_MS)
    keep(store, then + 5 * DAY_MS, "User lives in Lisbon")
    assert found(engine, "user lives", as_of=then + DAY_MS) == ["User lives in Porto"]
    assert found(engine, "user lives", as_of=then + 6 * DAY_MS) == ["User lives in Lisbon"]


def test_as_of_knows_what_an_imported_history_had_said_by_then(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    now, said = clock.now(), clock.now() - 100 * DAY_MS

    def told(at: int) -> tuple[FactSource, ...]:
        return (FactSource("as it was said", at=at),)

    moved = said + 20 * DAY_MS
    new = keep(store, now, "User lives in Lisbon", sources=told(moved), valid_from=moved)
    keep(
        store,
        now,
        "User lives in Porto",
        sources=told(said),
        valid_from=said,
        valid_to=moved,
        superseded_by=new.id,
    )
    assert found(engine, "user lives", as_of=said - DAY_MS) == []
    assert found(engine, "user lives", as_of=said + DAY_MS) == ["User lives in Porto"]
    assert found(engine, "user lives", as_of=moved + DAY_MS) == ["User lives in Lisbon"]


def test_facts_of_another_bank_stay_there(store: Store, clock: FixedClock, engine: Engine) -> None:
    keep(store, clock.now(), "User plays the oboe", bank="other")
    assert found(engine, "oboe") == []


def test_what_is_no_longer_believed_hides_nothing(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    now = clock.now()
    keep(store, now, "User's favourite editor is Helix", entity="Maria Lopez")
    for number in range(80):
        keep(store, now, f"favourite editor Thing{number}", retracted_at=now)
    assert found(engine, "favourite editor") == ["User's favourite editor is Helix"]
    index_pending(store, WordEmbedder(), clock)
    items, _ = engine.search("favourite editor", bank="default", kinds=(Kind.FACT,))
    assert {each.by for each in items[0].found} >= {"lexical", "semantic"}


def test_an_entitys_true_fact_is_found_behind_its_old_ones(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    now = clock.now()
    true = keep(store, now, "She prefers tea", entity="Maria Lopez")
    (maria,) = store.read(lambda tx: tx.entities.list_named("default", spelling_key("Maria Lopez")))
    olds = [keep(store, now, f"Thing {n}", superseded_by=true.id).id for n in range(40)]

    def tag(tx: Tx) -> None:
        for old in olds:
            tx.entities.mention_in_fact(old, [(maria.id, spelling_key("Maria Lopez"))])

    store.write(tag)
    assert found(engine, "Gift for Maria Lopez?") == ["She prefers tea"]


def test_as_of_knows_what_was_replaced_and_what_was_over(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    start = clock.now() - 10 * DAY_MS
    old = keep(store, start, "User lives in Lisbon")
    new = keep(store, start + 5 * DAY_MS, "User lives in Berlin")
    closed = replace(old, superseded_by=new.id, valid_to=new.recorded_at)
    act = Act("user", new.recorded_at)
    store.write(lambda tx: alter(tx, old, closed, Action.SUPERSEDE, act))
    keep(store, start, "User lives on a boat", valid_to=start + 2 * DAY_MS)
    asked = "where does the user live, lives?"
    assert set(found(engine, asked, as_of=start + DAY_MS)) == {
        "User lives in Lisbon",
        "User lives on a boat",
    }
    assert found(engine, asked, as_of=start + 3 * DAY_MS) == ["User lives in Lisbon"]
    assert found(engine, asked, as_of=start + 6 * DAY_MS) == ["User lives in Berlin"]


def test_as_many_facts_are_given_as_were_asked_for(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    for number in range(60):
        keep(store, clock.now(), f"Maria{number} owns a red bicycle")
    items, _ = engine.search("red bicycle", bank="default", limit=1_000, kinds=(Kind.FACT,))
    assert len(items) == 60


def test_what_waits_for_approval_is_found_but_not_given_to_a_model(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    keep(store, clock.now(), "User lives in Evora", held=True)
    (item,), trace = engine.search("where do I live, Evora?", bank="default")
    assert item.trust is Trust.LOW and item.held
    given = engine.recall("where do I live, Evora?", bank="default")
    assert given.items == () and given.context() == ""
    assert given.trace.dropped == {"held": 1}
    assert trace.went_by is Rung.TEXT  # no message holds the word, but a fact does
    assert trace.bank == "default"


def test_a_dated_fact_gives_an_event_its_time(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    keep(store, clock.now(), "The launch is on 3 May 2026")
    keep(store, clock.now(), "The launch party was fun")
    known = store.read(
        lambda tx: find_events(
            tx, "What broke before the launch last time?", bank="default", as_of=None, zone="UTC"
        )
    )
    day = parse_time("2026-05-03T00:00:00")
    assert known == {"launch": (day, day + DAY_MS)}
    _, trace = engine.search("What broke before the launch?", bank="default")
    assert trace.times == ("before the launch",)
    _, trace = engine.search("What broke before the merger?", bank="default")
    assert trace.times == ()


@pytest.mark.parametrize(
    ("fact", "task", "day"),
    [
        ("My wedding is on 2026-06-20", "who called me after my wedding?", "2026-06-20"),
        ("The tax report is due on 30 June 2026", "before the tax report", "2026-06-30"),
        (
            "Anna's product demo took place on March 5, 2026",
            "after Anna's product demo",
            "2026-03-05",
        ),
    ],
)
def test_events_are_named_in_many_ways(
    store: Store, clock: FixedClock, *, fact: str, task: str, day: str
) -> None:
    keep(store, clock.now(), fact)
    known = store.read(lambda tx: find_events(tx, task, bank="default", as_of=None, zone="UTC"))
    start = parse_time(f"{day}T00:00:00")
    assert list(known.values()) == [(start, start + DAY_MS)]
    assert find_times(task, clock.now(), known=known)


def test_an_event_is_not_known_before_its_fact(store: Store, clock: FixedClock) -> None:
    keep(store, clock.now(), "The launch is on 3 May 2026")
    earlier = clock.now() - DAY_MS
    task = "before the launch"
    assert not store.read(
        lambda tx: find_events(tx, task, bank="default", as_of=earlier, zone="UTC")
    )


def test_one_recall_gives_every_kind_within_its_quota(store: Store, clock: FixedClock) -> None:
    now = clock.now()
    said = tuple(Utterance(Role.USER, f"We tested the parser, run {n}", now) for n in range(40))
    record_turns(store, [Turn(NewSession(id="s"), said)], now)
    for n in range(40):
        keep(store, now, f"The parser of project {n} is written in Rust")
        lesson = Reflection(
            0, "default", "coding", f"Run the parser tests first, case {n}", created_at=now
        )
        store.write(lambda tx, lesson=lesson: tx.reflections.add(lesson, lesson_key=lesson.lesson))  # type: ignore[misc]
    embedder = WordEmbedder()
    index_pending(store, embedder, clock)
    engine = Engine(store, clock, embedder=embedder, options=RecallOptions(min_relevance=0.0))
    found = engine.recall("Implement a function in the parser and run its tests", bank="default")
    engine.close()
    counts = Counter(item.kind for item in found.items)
    assert counts[Kind.FACT] == QUOTAS[Kind.FACT]
    assert counts[Kind.REFLECTION] == QUOTAS[Kind.REFLECTION]
    assert 0 < counts[Kind.EPISODE] <= 2 * RecallOptions().top_k + RecallOptions().recency_episodes
    assert found.trace.dropped["quota"] > 0


def test_how_it_was_in_a_past_time_is_what_held_then(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    """Though it was replaced since, and the question has no word of it."""
    clock.advance(parse_time("2026-06-15T12:00:00Z") - clock.now())
    first, second, third = (parse_time(f"2026-0{month}-05T09:00:00Z") for month in (1, 2, 5))

    def manager(name: str, since: int, to: int | None = None, later: int | None = None) -> Fact:
        told = f"User's manager is {name}"
        when = {"valid_from": since, "valid_to": to, "superseded_by": later}
        return keep(store, since, told, "", attribute="manager", **when)

    now = manager("Ravi", third)
    was = manager("Dana", second, third, now.id)
    manager("Olof", first, second, was.id)
    given = engine.recall("who was my boss in March", bank="default").items
    assert [item.text for item in given] == ["User's manager is Dana"]
    assert given[0].note == f"so until 2026-05-05: now see {render_ref(now.number)}"
    given = engine.recall("who is my boss", bank="default").items
    assert [item.text for item in given] == ["User's manager is Ravi"]
    given = engine.recall("who was my boss last week", bank="default").items
    assert [item.text for item in given] == ["User's manager is Ravi"]


def test_a_fact_beyond_the_edge_of_a_time_is_not_of_it(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    """ "Before the beta" has an edge: that it is live was said after it, though it names it."""
    beta = clock.now() - 30 * DAY_MS
    day = to_datetime(beta).date().isoformat()
    keep(store, beta - 9 * DAY_MS, f"Beta (due {day})", kind=FactKind.DEADLINE, value=day)
    live = "Beta is live since friday, three customers in"
    keep(store, beta + 3 * DAY_MS, live, valid_from=beta + 3 * DAY_MS)
    said = Utterance(Role.USER, "the beta needs a security review", beta - 5 * DAY_MS)
    record_turns(store, [Turn(NewSession(id="s"), (said,))], clock.now())
    items, trace = engine.search("what did I tell you before the beta?", bank="default")
    assert trace.spans
    told = {item.text: item.relevance for item in items}
    assert told[live] <= 0.5
    assert items[0].text != live


def test_a_fact_that_only_others_are_further_from_comes_last(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    """No word of the question, and no nearer than what is said on average: after all messages."""
    for n, text in enumerate(("24 June, the external is from Wageningen", "the the the the")):
        turn = Turn(NewSession(id=str(n)), (Utterance(Role.USER, text, clock.now()),))
        record_turns(store, [turn], clock.now())
    keep(store, clock.now(), "A bank holiday weekend in May")
    index_pending(store, WordEmbedder(), clock)
    items, _ = engine.search("24 June and the external", bank="default")
    told = {item.text: item.relevance for item in items}
    assert told.get("A bank holiday weekend in May", 0) <= LEAST_GIVEN
    assert items[0].text.startswith("24 June")
