"""A memory by its days: counted, and told, in the zone of whoever looks."""

from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

from hermes.clock import DAY_MS, parse_time
from hermes.memory.events import add_event
from hermes.memory.facts import keeping
from hermes.memory.facts.audit import Act
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.given import Given
from hermes.memory.network import build_network, list_companions
from hermes.memory.timeline import count_days, list_days
from hermes.store.base import Store
from hermes.store.base.overview import Window
from hermes.types import EventKind, FactKind, FactSource
from talk import NOW, at, keep, turn

TOKYO, BERLIN = ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Berlin")
LATE = parse_time("2026-01-05T16:30:00+00:00")  # already the 6th in Tokyo


def believe(store: Store, text: str, said_at: int, kind: FactKind = FactKind.PREFERENCE) -> None:
    candidate = replace(parse_statement(text, NOW), kind=kind)
    given = Given("default", FactSource(candidate.quote, at=said_at))
    store.write(lambda tx: keeping.believe(tx, candidate, given, Act("person", NOW)))


def test_days_are_those_of_the_zone(store: Store) -> None:
    keep(store, at(LATE, turn("late")), at(NOW, turn("early", session="s2")))
    believe(store, "User prefers tea", LATE)
    told = {
        zone: [
            (count.day.day, count.turns, count.facts)
            for count in store.read(lambda tx, zone=zone: count_days(tx, Window(), zone))  # type: ignore[misc]
        ]
        for zone in (BERLIN, TOKYO)
    }
    assert told[BERLIN] == [(5, 2, 1)]
    assert told[TOKYO] == [(5, 1, 0), (6, 1, 1)]


def test_a_day_tells_what_was_done_decided_and_learnt(store: Store) -> None:
    keep(store, at(NOW, turn("Let us talk", "Yes")))
    believe(store, "User's team uses PostgreSQL", NOW, FactKind.DECISION)
    believe(store, "User prefers tea", NOW)
    store.write(lambda tx: add_event(tx, EventKind.RESULT, "It is built", now=NOW))
    store.write(lambda tx: add_event(tx, EventKind.DECISION, "Build it in Rust", now=NOW))
    (day,) = store.read(lambda tx: list_days(tx, Window(), BERLIN))
    assert day.day == date(2026, 1, 5)
    assert [session.id for session in day.sessions] == ["s1"]
    assert [event.summary for event in day.done] == ["It is built"]
    assert {getattr(each, "text", "") or getattr(each, "summary", "") for each in day.decided} == {
        "User's team uses PostgreSQL",
        "Build it in Rust",
    }
    assert [fact.text for fact in day.learnt] == ["User prefers tea"]
    assert store.read(lambda tx: list_days(tx, Window(before_at=NOW), BERLIN)) == []


def test_a_decision_stands_on_the_day_it_was_said_and_only_there(store: Store) -> None:
    """It was learnt two days later, which the log tells."""
    believe(store, "User's team uses PostgreSQL", NOW, FactKind.DECISION)
    learnt_at = NOW + 2 * DAY_MS
    told = "User's team uses PostgreSQL"
    store.write(lambda tx: add_event(tx, EventKind.DECISION, told, now=learnt_at, ref="fact:1"))
    (day,) = store.read(lambda tx: list_days(tx, Window(), BERLIN))
    assert (day.day, len(day.decided)) == (date(2026, 1, 5), 1)


def test_days_of_a_bank_leave_the_log_out(store: Store) -> None:
    keep(store, at(NOW, turn("hello", bank="work")))
    store.write(lambda tx: add_event(tx, EventKind.RESULT, "It is built", now=NOW))
    (day,) = store.read(lambda tx: list_days(tx, Window(bank="work"), BERLIN))
    assert (len(day.sessions), day.done) == (1, [])


def test_a_network_of_what_is_mentioned_together(store: Store) -> None:
    believe(store, "Wei works with PostgreSQL", NOW)
    believe(store, "Priya works with Kubernetes", NOW)
    network = store.read(build_network)
    wei = next(each for each in network.entities if each.name == "Wei")
    assert {each.name for each, _ in list_companions(network, wei.id)} == {"PostgreSQL"}
    assert network.total == len(network.entities)
