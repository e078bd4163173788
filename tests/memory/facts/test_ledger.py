"""Carrying out verdicts one after the other: nothing known disappears."""

from functools import partial
from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.clock import DAY_MS, parse_time
from hermes.memory.facts.audit import Act
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.given import ALL, Given
from hermes.memory.facts.keeping import believe
from hermes.store.base import FactFilter, Store
from hermes.types import Fact, FactSource, Message, Role

MONDAY = parse_time("2026-01-05T09:00:00Z")
BANKS = count()


def read(*texts: str) -> list[Candidate]:
    chat = [
        Message(number, "s", number, MONDAY + number * DAY_MS, Role.USER, text)
        for number, text in enumerate(texts, start=1)
    ]
    return RuleExtractor().extract(chat)


def settle(store: Store, candidates: list[Candidate]) -> tuple[list[Fact], list[Verdict]]:
    """Believe candidates one after the other, in a bank of their own."""
    bank, verdicts = f"bank{next(BANKS)}", []
    for each in candidates:
        heard = Given(bank, FactSource(each.quote, at=each.at))
        act = Act("rules", each.at or 0)
        kept = store.write(partial(believe, candidate=each, given=heard, act=act))
        verdicts.append(kept.verdict)
    wanted = FactFilter(bank=bank)
    return store.read(lambda tx: tx.facts.list(wanted, ALL))[::-1], verdicts


def believed(facts: list[Fact]) -> list[str]:
    return [fact.value for fact in facts if fact.superseded_by is None and not fact.ended]


def test_a_move_closes_the_old_address_and_keeps_it(store: Store) -> None:
    facts, _ = settle(store, read("I live in Leeds", "I live in York now"))
    leeds, york = facts
    assert (leeds.superseded_by, leeds.valid_to) == (york.id, MONDAY + 2 * DAY_MS)
    assert york.superseded_by is None


def test_an_appointment_holds_from_when_it_is_told_to_when_it_is_moved(store: Store) -> None:
    chat = read("The launch is on 3 May", "The launch is on 17 May now")
    first, second = settle(store, chat)[0]
    assert (first.value, first.valid_from) == ("2026-05-03", MONDAY + DAY_MS)
    assert (first.superseded_by, first.valid_to) == (second.id, MONDAY + 2 * DAY_MS)
    assert (second.value, second.valid_from) == ("2026-05-17", MONDAY + 2 * DAY_MS)


def test_repeating_adds_a_source_not_a_fact(store: Store) -> None:
    (fact,), verdicts = settle(store, [*read("I live in Leeds"), *read("noise", "i live in leeds")])
    assert verdicts == [Verdict.ADD, Verdict.MERGE]
    assert [source.quote for source in fact.sources] == ["I live in Leeds", "i live in leeds"]


def test_a_long_life_ends_in_what_is_true(store: Store) -> None:
    facts, _ = settle(
        store,
        read(
            "I live in Leeds. I work at Acme. We use Heroku and Postgres.",
            "we have a cat named Milo",
            "we moved off Heroku to Fly.io",
            "I just joined Globex, and I moved to York",
            "we have a dog named Rex",
            "scratch that, I live in Ripon",
        ),
    )
    assert set(believed(facts)) == {"Ripon", "Globex", "Postgres", "Fly.io", "Milo", "Rex"}


SAID = st.sampled_from(
    [
        "I live in Leeds",
        "I live in York now",
        "We use Postgres",
        "we switched from Postgres to MySQL",
        "We no longer use MySQL",
        "I love sushi",
        "I don't like sushi",
        "my sister Ana called",
        "actually my name is Sam",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(said=st.lists(SAID, max_size=12))
def test_nothing_said_is_ever_lost(store: Store, said: list[str]) -> None:
    candidates = read(*said)
    facts, verdicts = settle(store, candidates)
    quotes = {source.quote for fact in facts for source in fact.sources}
    assert {candidate.quote for candidate in candidates} <= quotes
    added = sum(each not in {Verdict.MERGE, Verdict.SKIP} for each in verdicts)
    assert len(facts) == added
    ids = {fact.id for fact in facts}
    assert all(fact.superseded_by in ids for fact in facts if fact.superseded_by)
    assert all(set(fact.contradicts) <= ids for fact in facts)
