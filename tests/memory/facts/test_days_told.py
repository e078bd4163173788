"""Days as they are told of facts: from when something holds, and when nothing says a day."""

import pytest

from hermes.clock import FixedClock, parse_time, to_datetime
from hermes.memory.facts.clauses.days import find_beginning, find_day, find_either
from hermes.memory.facts.clauses.reader import RuleExtractor, propose, read_text
from hermes.memory.facts.extraction import RuleReader, extract_session
from hermes.memory.record import record_turns
from hermes.store.base import FactFilter, Store
from hermes.types import FactKind, NewSession, Role, Turn, Utterance

AT = parse_time("2025-10-20T09:00:00Z")


def test_what_holds_from_a_month_on_begins_with_its_first_day(store: Store) -> None:
    told = (Utterance(Role.USER, "From August on we buy flour from Ceres.", at=AT),)
    record_turns(store, [Turn(NewSession(id="s"), told)], AT)
    extract_session(store, "s", RuleReader(RuleExtractor()), FixedClock(AT))
    [read] = store.read(lambda tx: tx.facts.list(FactFilter(), 9))
    assert read.text == "User (with others) buys flour from Ceres, from August"
    assert read.kind is FactKind.OTHER  # it lasts, so that a later word may end it
    assert read.valid_from == parse_time("2026-08-01T00:00:00Z")


@pytest.mark.parametrize("words", ["live since 5:00", "closed after 5 November"])
def test_what_has_no_end_has_no_last_day(words: str) -> None:
    assert find_day(words, AT) is None


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("from August on", "2026-08-01"),
        ("we sell bread from Monday 1 December", "2025-12-01"),
        ("as of June Bo leads billing", "2026-06-01"),
        ("starting in August", "2026-08-01"),
        ("from 14 to 20 May", None),
        ("from 3 May until 5 May", None),
        ("we close on 3 May", None),
    ],
)
def test_a_beginning_is_told_by_the_word_before_the_day(words: str, day: str | None) -> None:
    found = find_beginning(words, AT)
    assert (f"{to_datetime(found.start_at):%Y-%m-%d}" if found else None) == day


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("by end of next week", "2025-10-31"),  # a Friday
        ("on the 28th this month", "2025-10-28"),
        ("on the 3rd of next month", "2025-11-03"),
        ("comes Thursday 4pm", "2025-10-23"),
        ("backups run at 3am", None),
        ("by next Friday", None),  # said on a Monday: this week's or the one after
        ("since the first of September", None),
        ("due Sept 20", None),
        ("on 20 September next year", "2026-09-20"),
    ],
)
def test_a_day_is_told_only_where_no_other_may_be_meant(words: str, day: str | None) -> None:
    found = find_day(words, AT)
    assert (found.iso if found else None) == day


@pytest.mark.parametrize(
    "text",
    [
        "The company moved to Teams on 5 January",
        "No pork ever because of the Friday group",
        "Our sending day is Thursday now",
    ],
)
def test_what_happened_or_recurs_is_not_due(text: str) -> None:
    assert not any("(due" in each.text or "(20" in each.text for each in propose(text, AT))


def test_a_person_is_not_dated_by_what_else_the_sentence_tells() -> None:
    told = propose("my wife Ana and I start at the lab on 1 December", AT)
    assert [each.valid_from for each in told if each.value == "Ana"] == [AT]


def test_no_reading_of_the_sample_shows_a_day_nobody_said() -> None:
    assert "20" not in propose("All 14 depots are live since 5:00.", AT)[0].text


def test_of_a_disputed_day_both_are_told() -> None:
    wednesday = parse_time("2026-03-11T09:00:00Z")
    found = find_either("due next Friday", wednesday)
    assert found is not None
    assert (found.iso, found.later) == ("2026-03-13", "2026-03-20")
    assert find_day("due next Friday", wednesday) is None
    [read] = propose("The report is due next Friday.", wednesday)
    assert read.text == "The report is due next Friday (due 2026-03-13 or 2026-03-20)"
    assert read.value == "2026-03-13 or 2026-03-20"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The deadline for the Q1 report is 20 March.", "2026-03-20"),
        ("The deadline for the 10 May workshop is 2 April.", "2026-04-02"),
        ("Registration for the half marathon on 10 May closes on 2 April.", "2026-04-02"),
        ("The Friday report is due on 25 March.", "2026-03-25"),
        ("The 3rd draft is due on 25 March.", "2026-03-25"),
        ("We launch the May campaign on 2 April.", "2026-04-02"),
        ("We launch on the 3rd Monday of April.", "2026-04-20"),
        ("On 10 May we launch the new site.", "2026-05-10"),
        ("My exam on 10 May is in room 3.", "2026-05-10"),
        ("The 10 May workshop is in Rome.", "2026-05-10"),
        ("The demo moved from 5 May to 9 May.", "2026-05-09"),
    ],
)
def test_the_day_is_the_one_that_the_verb_points_at(text: str, day: str) -> None:
    [read] = read_text(text, parse_time("2026-03-02T09:00:00Z"))
    assert read.value == day


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The visa for my trip in October expires on 30 November.", FactKind.DEADLINE),
        ("The conference abstract must be submitted by 20 March.", FactKind.DEADLINE),
        ("My sister's wedding is on 12 September.", FactKind.EVENT),
    ],
)
def test_what_is_due_for_an_event_is_no_event(text: str, kind: FactKind) -> None:
    [read] = read_text(text, parse_time("2026-03-02T09:00:00Z"))
    assert read.kind is kind


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "beta goes out on march 27. code freeze is the wednesday before",
            "Code freeze is the wednesday before 2026-03-27 (due 2026-03-25)",
        ),
        (
            "launch is on Thursday December 11. code freeze is the Wednesday before.",
            "Code freeze is the Wednesday before 2025-12-11 (due 2025-12-10)",
        ),
        (
            "launch is on December 11, code freeze is the day before",
            "Code freeze is the day before 2025-12-11 (due 2025-12-10)",
        ),
        (
            "The exam is on 20 November. My flight is on the Monday after that.",
            "User's flight is on the Monday after 2025-11-20 (on 2025-11-24)",
        ),
        (
            "Code freeze is the Wednesday before December 11.",
            "Code freeze is the Wednesday before December 11 (due 2025-12-10)",
        ),
        (
            "The exam is the day after tomorrow.",
            "The exam is the day after tomorrow (due 2025-10-22)",
        ),
    ],
)
def test_a_day_before_another_is_reckoned_from_the_one_named(said: str, told: str) -> None:
    assert told in [each.text for each in propose(said, AT)]


@pytest.mark.parametrize(
    "said",
    [
        "Code freeze is the Wednesday before.",
        "Code freeze is the Wednesday before the launch.",
        "The launch is in December. Code freeze is the Wednesday before.",
    ],
)
def test_a_day_before_none_that_was_named_is_no_day(said: str) -> None:
    assert not any("(due " in each.text for each in propose(said, AT))


def test_the_day_in_whose_place_another_comes_is_not_the_one() -> None:
    day = find_day("it's december 10 now instead of november 27", AT)
    assert day is not None and day.iso == "2025-12-10"
