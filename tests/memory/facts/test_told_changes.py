"""A change told in the middle of a longer sentence closes what it changes."""

import pytest

from hermes.app import App
from hermes.types import NewSession, Role, Turn, Utterance

AT = 1_772_442_000_000  # a Monday in March 2026
MONTH_MS = 30 * 24 * 3_600_000


def say(app: App, *said: str) -> None:
    for number, text in enumerate(said):
        at = AT + number * MONTH_MS
        turn = Turn(NewSession(id="s", started_at=AT), (Utterance(Role.USER, text, at),))
        app.conversations.record([turn])
    list(app.facts.extract())


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        (
            "I work at Globex.",
            "I quit Globex, starting at Initech on Monday.",
            "User works at Globex",
        ),
        (
            "I'm the treasurer of our nursery.",
            "I stepped down as treasurer, Hakim does it now.",
            "User is the treasurer of their nursery",
        ),
        (
            "I drive a Fabia.",
            "We bought a Kia Niro last weekend and sold the Fabia.",
            "User drives a Fabia",
        ),
        (
            "The cut-over is on 12 September.",
            "Customer moved the cut-over to 26 September, their auditors are here on the 12th.",
            "The cut-over is on 12 September (due 2026-09-12)",
        ),
        (
            "The fitters come on 20 July.",
            "The fitters have moved it to the 27th.",
            "The fitters come on 20 July (due 2026-07-20)",
        ),
        (
            "I want to learn Rust this year, evenings only.",
            "I gave up on Rust tbh, going for Zig.",
            "User wants to learn Rust this year, evenings only (said 2026-03-02)",
        ),
        (
            "I start at the museum on 1 August as a registrar, 60%.",
            "Sorry, it's 80% not 60, I misread the contract.",
            "User starts at the museum on 1 August as a registrar, 60%",
        ),
        (
            "Our warehouse is Snowflake.",
            "Small change: management decided we leave Snowflake for Databricks by end of June.",
            "User's team's warehouse is Snowflake",
        ),
        (
            "We are moving from Leicester to Malmö in August.",
            "Little update Malmö is off, we stay in Leicester.",
            "User (with others) is moving from Leicester to Malmö in August",
        ),
        (
            "I'm closing the bookshop on the 24th of September.",
            "The lease lets me stay, so we close on the 28th of October instead.",
            "User is closing the bookshop on the 24th of September (2026-09-24)",
        ),
    ],
)
def test_it_is_no_longer_believed(app: App, before: str, after: str, gone: str) -> None:
    say(app, before, after)
    believed = {fact.text for fact in app.facts.list() if fact.superseded_by is None}
    assert believed and gone not in believed


def test_of_a_number_that_is_corrected_only_the_number_changes(app: App) -> None:
    say(app, "My terms are 14 days always.", "Since February I do 30 days not 14.")
    assert "User's terms are 30 days always" in {fact.text for fact in app.facts.list()}


def test_what_another_person_gave_up_is_still_the_users(app: App) -> None:
    say(app, "I am vegetarian.", "My husband is no longer vegetarian, he eats fish.")
    assert "User is vegetarian" in {f.text for f in app.facts.list() if f.superseded_by is None}


def test_what_is_told_in_one_breath_does_not_contradict_itself(app: App) -> None:
    say(app, "I am in my notice period at Wipro, joining Deloitte from 1st August.")
    assert not [fact for fact in app.facts.list() if fact.contradicts]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We use Kafka for events.", "Sorry, actually we moved to Utrecht."),
        ("We use Postgres for the ledger.", "Actually I moved to Leeds last week, not York."),
        ("We decided to use Postgres for the ledger.", "Actually we moved to Leeds last week."),
    ],
)
def test_who_moved_house_puts_no_town_in_place_of_a_tool(app: App, before: str, after: str) -> None:
    say(app, before, after)
    believed = {fact.text for fact in app.facts.list() if fact.superseded_by is None}
    assert any("for " in text for text in believed), "what was used is used still"
    places = {text for text in believed if "Utrecht" in text or "Leeds" in text}
    assert all(text.startswith("User lives in ") for text in places)
    assert not any("last week" in text for text in places)


def test_a_correction_of_one_day_does_not_lose_another_told_with_it(app: App) -> None:
    say(
        app,
        "The grant report is due on 12 December and the tax filing by end of January.",
        "Correction: the grant report is due on 19 December.",
    )
    believed = [fact for fact in app.facts.list() if fact.superseded_by is None]
    assert any("tax filing" in fact.text for fact in believed)
    assert any("19 December" in fact.text and fact.contradicts for fact in believed)


def test_what_a_tool_was_for_is_known_when_another_takes_its_place(app: App) -> None:
    say(app, "We use Jenkins for CI.", "We switched from Jenkins to GitHub Actions today.")
    believed = {fact.text for fact in app.facts.list() if fact.superseded_by is None}
    assert "CI: User's team uses Jenkins" not in believed
    assert any("GitHub Actions" in text for text in believed)


@pytest.mark.parametrize(
    "after", ["I start at Initech on 1 May.", "I'm starting at Initech on 1 May, finally."]
)
def test_who_starts_on_a_day_ahead_is_where_they_were_until_then(app: App, after: str) -> None:
    say(app, "I work at Globex.", after)
    found = {fact.value: fact for fact in app.facts.list() if fact.attribute == "employer"}
    assert found["Initech"].valid_from == 1_777_593_600_000  # 1 May 2026


def test_a_day_that_is_told_is_not_told_twice(app: App) -> None:
    say(app, "Launch for all depots is on 14 November.", "The launch moves to 21 November.")
    told = [fact.text for fact in app.facts.list() if "2026-11-21" in fact.text]
    assert told and all(text.count("2026-11-21") == 1 for text in told)


def test_a_choice_for_one_thing_ends_none_for_another(app: App) -> None:
    say(app, "We picked the blue logo for Atlas.", "We moved the Atlas servers to Frankfurt.")
    believed = [fact.text for fact in app.facts.list()]
    assert "User (with others) picked the blue logo for Atlas" in believed
    assert "User's team moved the Atlas servers to Frankfurt" in believed


@pytest.mark.parametrize("after", ["Correction: it's Thursday.", "Correction: make that 10:30."])
def test_a_correction_puts_no_day_or_hour_in_the_place_of_a_town(app: App, after: str) -> None:
    say(app, "I live in Berlin.", after)
    assert [fact.text for fact in app.facts.list()] == ["User lives in Berlin"]
