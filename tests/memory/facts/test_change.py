"""Changes of mind as people tell them: what is gone, what has come, and which fact ends by it."""

import re

import pytest

from hermes.clock import DAY_MS, FixedClock, parse_time
from hermes.memory.facts.audit import Act
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import NOTHING, Change, read_change
from hermes.memory.facts.clauses.reader import RuleExtractor, propose
from hermes.memory.facts.extraction import RuleReader, extract_session
from hermes.memory.facts.listing import FactQuery, list_facts
from hermes.memory.facts.replacement import find_replaced
from hermes.memory.facts.standing import build_user_model
from hermes.memory.facts.undo import restore
from hermes.memory.record import record_turns
from hermes.store.base import FactFilter, Store
from hermes.types import Confidence, Fact, FactKind, NewSession, Origin, Role, Turn, Utterance

START = parse_time("2026-01-10T09:00:00Z")
GAP = 30 * DAY_MS
READER = RuleReader(RuleExtractor(lean=True))


def tell(store: Store, *messages: str) -> list[Fact]:
    """Each message in a session of its own, a month apart; all facts, oldest first."""
    for place, text in enumerate(messages):
        at, name = START + place * GAP, f"s{place}"
        turn = Turn(NewSession(id=name), (Utterance(Role.USER, text, at=at),))
        record_turns(store, [turn], at)
        extract_session(store, name, READER, FixedClock(at + DAY_MS))
    return store.read(lambda tx: tx.facts.list(FactFilter(), 1_000))[::-1]


def closed(facts: list[Fact]) -> list[str]:
    return [fact.text for fact in facts if fact.superseded_by is not None]


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("Marta owns Orion.", "Jonas is the owner of Orion now", "Marta owns Orion"),
        ("Marta owns Orion.", "Orion is now owned by Jonas", "Marta owns Orion"),
        ("I live in Leeds", "we moved house from Leeds to York", "User lives in Leeds"),
        ("we decided on Jenkins", "we're moving off Jenkins to GitHub Actions", "Jenkins"),
        ("Orion uses MySQL", "We switched Orion from MySQL to PostgreSQL", "Orion uses MySQL"),
        ("my favourite editor is Vim", "my favourite editor is Helix now", "editor is Vim"),
        ("my favourite editor is Vim", "I switched from Vim to Helix", "editor is Vim"),
        ("Always use tabs in code", "Forget what I said about tabs, use spaces", "tabs"),
        ("I report to Sven", "From April on I report to Dana", "User reports to Sven"),
        ("I work at Acme", "I left Acme and joined Globex", "User works at Acme"),
        ("I work at Acme", "I don't work at Acme any more", "User works at Acme"),
        ("We're on Python 3.11", "We upgraded to Python 3.13", "Python 3.11"),
        ("The price is 12 dollars per seat", "We raised the price to 15 dollars per seat", "12"),
        ("The launch is on 12 May", "The launch has been moved to 19 May", "12 May"),
        ("My wife is Ana", "Ana and I split up in July", "User's wife is Ana"),
        ("I have a cat called Tom", "our cat Tom died last week", "User's cat is Tom"),
        ("I'm vegetarian", "I'm no longer vegetarian", "User is vegetarian"),
        ("we decided to use GraphQL", "we reverted to REST", "GraphQL"),
        ("we're on Django 4.2", "bumped Django to 5.1", "Django 4.2"),
        ("I prefer dark mode", "switched back to light mode", "dark mode"),
        ("I don't eat dairy", "I eat dairy again", "dairy"),
        ("Priya owns billing", "billing is Marcus's now", "Priya owns billing"),
        (
            "Let's go with Redis streams for the queue.",
            "Correction to what we decided: the queue is NATS JetStream, not Redis.",
            "Redis streams for the queue",
        ),
        ("We use Grafana for the alerts", "the alerts are in Zabbix, not Grafana", "Grafana"),
        ("My rent is 1,450", "Rent goes up to 1,525 from March", "1,450"),
        ("My day rate is 420 €", "Day rate goes up to 480 € from now on", "420"),
        (
            "CI is GitLab.",
            "Also scratch what I said about GitLab CI: we moved to GitHub Actions in April.",
            "CI is GitLab",
        ),
        ("My favourite language is Rust.", "I never said I like Rust. I prefer Go.", "Rust"),
        ("My brother Lars lives in Oslo.", "Lars moved to Trondheim last month.", "Oslo"),
        ("My sister's wedding is on 6 June.", "The wedding has been called off.", "wedding"),
        ("The launch is on 9 May.", "The launch is postponed, no new date yet.", "9 May"),
        ("The launch is on 9 May.", "Sadly the launch isn't happening", "9 May"),
        ("The Gdańsk half marathon is on 18 October.", "Actually the half marathon is off.", "18"),
        ("My flight to Lisbon is on 4 May.", "Never mind the trip, we cancelled it.", "Lisbon"),
        ("I have a cat called Ponzu", "we lost Ponzu on sunday", "Ponzu"),
        ("I'm the treasurer of our choir", "i stepped down as treasurer btw", "treasurer"),
    ],
)
def test_later_words_close_what_they_end(store: Store, before: str, after: str, gone: str) -> None:
    ended = closed(tell(store, before, after))
    assert len(ended) == 1
    assert gone in ended[0]


PEANUTS = "I'm allergic to peanuts"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PEANUTS, "Forget the peanuts, what else can I put on the table for the party?"),
        (PEANUTS, "We dropped the peanuts on the kitchen floor"),
        (PEANUTS, "I bought almonds, not peanuts"),
        (PEANUTS, "I left the peanuts in the car"),
        (PEANUTS, "We don't have peanuts any more, the shop is empty"),
        ("I'm allergic to milk", "Forget the milk, we have enough."),
        ("I'm allergic to bee stings", "Forget the bee stings, tell me about wasps"),
        ("I'm allergic to cats", "We gave the cats away"),
        ("I'm vegetarian", "Forget vegetarian, what would a meat eater cook?"),
        ("I like hiking in the Eifel", "Forget hiking today, it rains"),
        ("I like coffee", "Forget the coffee, I'll have tea today"),
        ("I speak German", "Forget German, how would you say it in Dutch?"),
        ("I speak German", "I wrote it in English, not German"),
        ("I'm a nurse", "Forget the nurse, call the doctor"),
        ("I'm a nurse", "I saw a doctor, not a nurse"),
        ("I work at Acme", "Forget Acme, what do other firms pay?"),
        ("I work at Acme", "I left Acme at five"),
        ("Never book flights before 8", "Drop the flights, we take the train"),
        ("I live in Leeds", "I booked York, not Leeds"),
        ("I'm from Portugal", "We left Portugal on Friday"),
        ("My wife is Ana", "Ignore Ana, she was only joking"),
        ("My wife is Ana", "I called Tom, not Ana"),
        ("My brother is Tom", "Never mind Tom, he is always late"),
        ("My cat is called Mia", "Ignore Mia, she is only hungry"),
        ("My name is Peter", "Ignore Peter, that is another one"),
        ("We use Jira", "Ignore Jira, that ticket was closed by mistake"),
    ],
)
def test_what_is_done_with_a_thing_ends_nothing_that_is_so(
    store: Store, before: str, after: str
) -> None:
    facts = tell(store, before, after)
    assert len(facts) >= 1
    assert not closed(facts)
    assert not any("asks to" in fact.text for fact in facts)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PEANUTS, "I was wrong about the peanuts"),
        (PEANUTS, "I'm not allergic to peanuts any more"),
        ("I'm vegetarian", "I stopped being vegetarian"),
        ("I live in York", "I live in Leeds, not York"),
        ("We use Jira", "We decided on Linear, not Jira"),
        ("My wife is Ana", "I broke up with Ana"),
        ("I don't like coriander", "I like coriander again"),
    ],
)
def test_what_says_that_it_is_no_longer_so_ends_it(store: Store, before: str, after: str) -> None:
    facts = tell(store, before, after)
    assert len(closed(facts)) == 1
    assert not any(re.match("User (?:asks to|said|never said)", fact.text) for fact in facts)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PEANUTS, "Forget what I said about peanuts, the doctor says I'm fine"),
        ("I live in Leeds", "Please forget everything I said about Leeds"),
        ("I like coffee", "Scratch what I said about coffee, it's tea"),
        ("Always answer in French", "Disregard what I said about French"),
        ("My ex is Thomas", "Forget what I said about Thomas."),
        ("My ex is Thomas", "Never mind what I told you about Thomas."),
    ],
)
def test_what_is_only_taken_back_is_not_told_to_be_over(
    store: Store, before: str, after: str
) -> None:
    facts = tell(store, before, after)
    assert facts[0].retracted_at is not None
    assert not closed(facts)
    assert not any("longer" in fact.text for fact in facts)
    assert not any(re.match("User (?:asks to|said|never said)", fact.text) for fact in facts)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I have a cat called Tom", "I also have a cat called Jerry now"),
        ("I speak German", "I speak Spanish now, too"),
        ("I'm working on Orion", "I'm working on Atlas now as well"),
        ("We use Postgres for billing", "We use Redis for the rate limits now"),
        ("I live in Kiel", "My boss Henrike moved from Kiel to Husum"),
        ("Marta owns Orion.", "Jonas owns Atlas now"),
        ("We use Jira", "should we switch from Jira to Linear?"),
        ("We use Jira", "we're thinking about switching from Jira to Linear"),
        ("I work at Acme", "my sister left Acme"),
        ("Code review is on Tuesdays", "design review moved to Fridays"),
        ("I'm vegetarian", "my husband is no longer vegetarian"),
        ("I live in Berlin", "I fly from Berlin to Oslo on Friday"),
        ("Prod runs Postgres 15", "staging was upgraded to Postgres 16"),
        ("I report to Sven", "Sven moved to Munich"),
        ("We use Jira", "I closed the Jira tickets from last week"),
        ("We use Redis for the cache", "The queue is NATS JetStream, not Redis."),
        ("Let's go with Redis for the cache.", "Let's go with NATS for the queue."),
        ("My manager is Anna.", "Anna is off today, ask her on Monday."),
        ("The launch is on 9 May.", "The launch party is cancelled."),
        ("My sister's wedding is on 6 June.", "Ben's wedding is off."),
        ("My flight to Lisbon is on 4 May. My flight to Oslo is on 9 July.", "the flight is off"),
        ("The audit was on 9 January.", "The audit is cancelled."),
        ("The launch is on 9 May.", "If it rains the launch is cancelled."),
        ("My favourite language is Rust.", "He never said he likes Rust."),
    ],
)
def test_what_can_hold_beside_the_new_stays(store: Store, before: str, after: str) -> None:
    assert closed(tell(store, before, after)) == []


@pytest.mark.parametrize(
    ("before", "after", "gone", "kept"),
    [
        (
            "My son Emil is allergic to eggs.",
            "Actually my son is allergic to peanuts, not eggs",
            "User's son Emil is allergic to eggs",
            "User's son is allergic to peanuts",
        ),
        (
            "I'm allergic to penicillin.",
            "Wait, it was amoxicillin, not penicillin, that I'm allergic to.",
            "User is allergic to penicillin",
            "User is allergic to amoxicillin",
        ),
        (
            "The go-live is planned for 15 April",
            "Actually the go-live is not 15 April but 6 May",
            "The go-live is planned for 15 April (due 2026-04-15)",
            "The go-live is 6 May (2026-05-06)",
        ),
        (
            "My laptop is a ThinkPad X1 with Fedora.",
            "I switched from Fedora to Debian.",
            "User's laptop is a ThinkPad X1 with Fedora",
            "User's laptop is a ThinkPad X1 with Debian",
        ),
        (
            "My laptop is a Googlebook with Go.",
            "I switched from Go to Rust.",
            "User's laptop is a Googlebook with Go",
            "User's laptop is a Googlebook with Rust",
        ),
        (
            "We decided to use Redis for the queue.",
            "Scrap that, we're going with RabbitMQ for the queue instead.",
            "User's team decided to use Redis for the queue",
            "User's team is going with RabbitMQ for the queue instead",
        ),
    ],
)
def test_a_correction_names_what_was_wrong(
    store: Store, before: str, after: str, gone: str, kept: str
) -> None:
    facts = tell(store, before, after)
    assert closed(facts) == [gone]
    assert facts[-1].text == kept


def test_what_is_taken_back_in_one_breath_is_not_said(store: Store) -> None:
    (boss,) = tell(store, "my boss is Ingrid, no wait, Solveig")
    assert (boss.text, boss.value) == ("User's boss is Solveig", "Solveig")


def test_what_moves_keeps_its_hour(store: Store) -> None:
    said = "Rehearsals are on Wednesdays at 19:00. Oh wait, no, they moved it to Mondays."
    facts = tell(store, said)
    assert closed(facts) == ["Rehearsals are on Wednesdays at 19:00"]
    assert facts[-1].text == "Rehearsals are on Mondays at 19:00"


def test_a_trip_that_is_off_takes_its_flight_with_it(store: Store) -> None:
    trip = "My trip to Lisbon is on 4 May. My flight to Lisbon is on 4 May at 9."
    facts = tell(store, trip, "Never mind the trip, we cancelled it.")
    assert len(closed(facts)) == 2


def test_a_new_boss_comes_on_the_day_that_was_told(store: Store) -> None:
    old, new = tell(store, "My boss is Ingrid Dahl", "My new boss is Anders Holm, starting in June")
    assert old.superseded_by == new.id
    assert old.valid_to == new.valid_from == parse_time("2026-06-01T00:00:00Z")


def test_a_change_of_what_nobody_knew_is_not_believed(store: Store) -> None:
    assert tell(store, "binned it, nothing burned", "upgraded the thing to level 4 again") == []


def test_a_closed_fact_comes_back(store: Store) -> None:
    facts = tell(store, "We're on Python 3.11", "We upgraded to Python 3.13")
    old = facts[0]
    assert old.valid_to == START + GAP
    act = Act("person", START + 3 * GAP)
    back = store.write(lambda tx: restore(tx, old.number, act))
    assert (back.superseded_by, back.valid_to) == (None, None)


def test_two_owners_stand_against_each_other_once_the_first_is_back(store: Store) -> None:
    marta, jonas = tell(store, "Marta owns Orion.", "Jonas is the owner of Orion now")
    back = store.write(lambda tx: restore(tx, marta.number, Act("person", START + 3 * GAP)))
    assert back.contradicts == (jonas.id,)


def test_what_a_thing_was_chosen_for_names_its_slot(store: Store) -> None:
    """Redis is a cache to most, and a queue to those who said so; for a project it stays one."""
    chosen = ("Let's go with Redis streams for the queue.", "Let's go with Redis for Atlas.")
    assert [fact.attribute for fact in tell(store, *chosen)] == ["queue", "cache"]


def test_a_closed_choice_is_history_and_comes_back(store: Store) -> None:
    old, new = tell(
        store,
        "Let's go with Redis streams for the queue.",
        "The queue is NATS JetStream, not Redis.",
    )
    assert (old.superseded_by, old.valid_to) == (new.id, START + GAP)
    back = store.write(lambda tx: restore(tx, old.number, Act("person", START + 3 * GAP)))
    assert back.superseded_by is None


def test_it_is_what_the_words_before_were_about(store: Store) -> None:
    """ "Priya told me the launch is not …": it is the launch that moves, and not Priya."""
    moved = "Priya just told me the launch is not on 14 May any more. It moves to 21 May."
    old, new = tell(store, "Launch for all depots on 14 May.", moved)
    assert (old.text, old.superseded_by) == (
        "Launch for all depots on 14 May (due 2026-05-14)",
        new.id,
    )
    assert new.text == "The launch moves to 21 May (due 2026-05-21)"
    assert new.kind is FactKind.DEADLINE


def test_it_without_anything_it_could_be_is_left(store: Store) -> None:
    facts = tell(store, "Launch for all depots on 14 May.", "It moves to 21 May.")
    assert [fact.text for fact in facts] == ["Launch for all depots on 14 May (due 2026-05-14)"]


def test_one_theme_preferred_to_another_is_the_one(store: Store) -> None:
    old, new = tell(store, "I prefer dark mode", "No, I prefer light mode to dark mode")
    assert (new.value, new.contradicts) == ("light mode over dark mode", ())
    assert old.superseded_by == new.id


def test_a_sentence_of_its_own_takes_no_topic_from_the_message_before() -> None:
    earlier = propose("Square launches on 3 June.", START)
    [read] = propose("The health inspection is on 14 July.", START, earlier)
    assert read.text == "The health inspection is on 14 July (due 2026-07-14)"
    [same] = propose("For Square: the health inspection is on 14 July.", START, earlier)
    assert same.text.startswith("Square")


def test_an_order_in_the_place_of_another_is_one(store: Store) -> None:
    facts = tell(store, "Always use tabs in code", "Forget what I said about tabs, use spaces")
    assert [(f.text, f.kind) for f in facts if f.superseded_by is None] == [
        ("User wants Hermes to use spaces", FactKind.PREFERENCE)
    ]


def test_what_is_to_come_takes_the_place_when_it_comes(store: Store) -> None:
    tell(store, "I report to Sven", "From April on I report to Dana")
    april = parse_time("2026-04-01T00:00:00Z")

    def true_at(at: int) -> list[str]:
        query = FactQuery(as_of=at)
        return [f.value for f in store.read(lambda tx: list_facts(tx, query, limit=9, now=at))]

    def recorded_at(at: int) -> list[str]:
        return [line.text for line in store.read(lambda tx: build_user_model(tx, "", at)).lines]

    assert recorded_at(april - 1) == ["People: manager Sven"]
    assert recorded_at(april + DAY_MS) == ["People: manager Dana"]
    assert true_at(april - 1) == ["Sven"]
    assert true_at(april + DAY_MS) == ["Dana"]


def test_older_words_read_later_end_nothing_newer(store: Store) -> None:
    for name, at, text in (
        ("new", START + GAP, "I live in Leeds"),
        ("old", START, "we moved from Leeds to York"),
    ):
        turn = Turn(NewSession(id=name), (Utterance(Role.USER, text, at=at),))
        record_turns(store, [turn], at)
        extract_session(store, name, READER, FixedClock(START + 2 * GAP))
    facts = store.read(lambda tx: tx.facts.list(FactFilter(), 9))
    assert [fact.value for fact in facts if fact.superseded_by is None] == ["Leeds"]


@pytest.mark.parametrize(
    "text",
    [
        "I like tea",
        "Can we go from A to B?",
        "if we moved from Jira to Linear it would be nicer",
        "maybe we drop Jira",
        "let's switch to Linear one day",
    ],
)
def test_no_change_is_read_where_none_is_told(text: str) -> None:
    assert read_change(text) == NOTHING


@pytest.mark.parametrize(
    ("text", "gone", "new", "topic"),
    [
        ("we swapped Middlemarch for Stoner", "Middlemarch", "Stoner", ""),
        ("Standup got pushed to 10, sorry", "", "10", "Standup"),
        ("We upgraded to Python 3.13.", "", "Python 3.13", ""),
        ("the bullet thing is getting old, go back to prose", "bullet", "prose", ""),
        ("Gym is Wed and Sat now", "", "Wed and Sat", "Gym"),
        ("use pnpm instead of npm", "npm", "pnpm", ""),
    ],
)
def test_what_is_gone_and_what_has_come_are_named(
    text: str, gone: str, new: str, topic: str
) -> None:
    change = read_change(text)
    assert (change.gone, change.new, change.topic) == (gone, new, topic)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("They made me a team lead", "team lead"),
        ("They made me a cook", "cook"),
        ("They made me head of sales last week", "head of sales"),
        ("They made us leads", "leads"),
        ("They promoted me to partner", "partner"),
        ("They appointed me CTO", "CTO"),
        ("They appointed me as a trustee", "trustee"),
        ("We moved, Ghent now", "Ghent"),
        ("The cold made me tired", ""),
        ("The noise made me leave", ""),
        ("The rain made me head home", ""),
        ("They made me cook", ""),
        ("They made me promise to call", ""),
        ("She made me a sandwich", ""),
        ("The training made me a better nurse", ""),
        ("The news made us sad", ""),
        ("They appointed me to lead the review", ""),
        ("They appointed me to the board", ""),
        ("We finally moved, exhausted now", ""),
    ],
)
def test_who_is_made_something_holds_a_post_by_it_only_if_it_is_one(text: str, new: str) -> None:
    assert read_change(text).new == new


@pytest.mark.parametrize("known", ["I run the chess club.", "I'm a developer at Acme."])
@pytest.mark.parametrize(
    "passing",
    [
        "The cold made me tired.",
        "The noise made me leave.",
        "The ending made me happy.",
        "The end of the film made me cry.",
        "The cold has made me tired again.",
        "The film left me speechless.",
        "It got me thinking.",
        "The news made us sad.",
        "She made me a sandwich.",
        "I was promoted to customer of the month.",
    ],
)
def test_what_something_does_to_somebody_ends_no_post_and_is_not_kept(
    store: Store, known: str, passing: str
) -> None:
    facts = tell(store, known, passing)
    assert len(facts) == 1
    assert closed(facts) == []


@pytest.mark.parametrize(
    "promoted",
    ["They made me a team lead.", "I was promoted to staff engineer.", "I'm a nurse now."],
)
def test_a_new_job_ends_no_post_in_a_club_but_the_old_job(store: Store, promoted: str) -> None:
    known = ("I run the chess club.", "I'm a developer at Acme.")
    assert closed(tell(store, *known, promoted)) == ["User is a developer at Acme"]


def test_another_post_in_the_club_ends_the_one_there(store: Store) -> None:
    told = ("I'm the treasurer of the chess club.", "They made me chair of the chess club.")
    assert closed(tell(store, *told)) == ["User is the treasurer of the chess club"]


@pytest.mark.parametrize(("came", "ends"), [("tired", 0), ("customer of the month", 0), ("CTO", 1)])
def test_only_what_may_be_a_role_takes_the_place_of_one(store: Store, came: str, ends: int) -> None:
    facts = tell(store, "I'm a developer at Acme.")
    change = Change(new=came, topic="role", cued=True)
    told = Candidate("", FactKind.OTHER, value=came, quote=f"It made me {came}", change=change)
    assert len(find_replaced(told, facts)) == ends


def test_what_says_the_same_of_what_moved_ends_with_it(store: Store) -> None:
    facts = tell(
        store,
        "We'll use RabbitMQ for the payout events. We also use RabbitMQ for the mail queue.",
        "We decided on RabbitMQ.",
        "We moved the payout events from RabbitMQ to NATS JetStream after all.",
    )
    assert closed(facts) == [
        "User's team will use RabbitMQ for the payout events",
        "User's team decided on RabbitMQ",
    ]


def test_of_two_that_could_be_meant_neither_ends_with_the_decision(store: Store) -> None:
    facts = tell(
        store,
        "We use RabbitMQ for the payout queue. We also use RabbitMQ for the mail queue.",
        "We decided on RabbitMQ.",
        "We moved the queue from RabbitMQ to NATS.",
    )
    assert closed(facts) == ["User's team decided on RabbitMQ"]


@pytest.mark.parametrize(
    ("said", "confidence"),
    [
        ("Remember that my GitHub handle is nokafor", Confidence.HIGH),
        ("My name is Ngozi", Confidence.HIGH),
        ("I live in Delft", Confidence.MEDIUM),
        ("the wiki says prod runs Postgres 15", Confidence.LOW),
    ],
)
def test_confidence_says_how_a_thing_was_told(
    store: Store, said: str, confidence: Confidence
) -> None:
    assert {fact.confidence for fact in tell(store, said)} == {confidence}


def test_what_is_said_again_is_sure(store: Store) -> None:
    (fact,) = tell(store, "I live in Delft", "I live in Delft, remember?", "I live in Delft")
    assert fact.confidence is Confidence.HIGH


def test_in_one_breath_and_without_a_word_of_change_it_is_a_contradiction(store: Store) -> None:
    told = ("our customer data is in Frankfurt", "our customer data is in Dublin")
    said = [Utterance(Role.USER, text, at=START + n * 60_000) for n, text in enumerate(told)]
    record_turns(store, [Turn(NewSession(id="s"), (each,)) for each in said], START)
    extract_session(store, "s", READER, FixedClock(START + DAY_MS))
    facts = store.read(lambda tx: tx.facts.list(FactFilter(), 9))
    assert all(fact.contradicts and fact.superseded_by is None for fact in facts)
    assert len(facts) == 2


def test_of_an_import_only_what_stands_in_the_record_of_the_user_waits(store: Store) -> None:
    told = ("I live in Delft", "standup is at 9:15 every day", "Marta owns Orion")
    for n, text in enumerate(told):
        said = Utterance(Role.USER, text, at=START + n * GAP, origin=Origin.IMPORT)
        record_turns(store, [Turn(NewSession(id=f"s{n}"), (said,))], START + 9 * GAP)
        extract_session(store, f"s{n}", READER, FixedClock(START + 9 * GAP))
    facts = store.read(lambda tx: tx.facts.list(FactFilter(), 9))[::-1]
    assert [(fact.text, fact.held) for fact in facts] == [
        ("User lives in Delft", True),
        ("Standup is at 9:15 every day", False),
        ("Marta owns Orion", False),
    ]
    (held,) = store.read(lambda tx: tx.pending.list(decided=False))
    assert "says of you what came from outside" in held.reason
