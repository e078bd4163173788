"""The record of the user says nothing that no fact says, and hides no disagreement."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import DAY_MS, parse_time
from hermes.memory.facts.clauses.reader import read_text
from hermes.memory.usermodel import Link, build_model, render_lines
from hermes.memory.usersections import Section
from hermes.types import Confidence, Fact, FactSource, Trust

MONDAY = parse_time("2026-01-05T09:00:00Z")


def facts(*said: str, at: int = MONDAY) -> list[Fact]:
    found = [each for text in said for each in read_text(text, at)]
    return [
        Fact(
            id=number,
            number=number,
            bank="default",
            text=each.text,
            kind=each.kind,
            recorded_at=at,
            subject=each.subject,
            attribute=each.attribute,
            value=each.value,
            confidence=each.confidence,
            single=each.single,
            ended=each.ended,
            sources=(FactSource(each.quote, at=at),),
        )
        for number, each in enumerate(found, start=1)
    ]


CHAT = (
    "I'm Priya, a data engineer at Kestrel Labs",
    "I live in Leeds",
    "My timezone is Europe/London",
    "please always use British spelling",
    "I prefer tabs over spaces",
    "my manager is Dana",
    "we have a cat named Milo",
    "I speak German and French",
    "I'm allergic to peanuts",
    "my main project is Atlas",
    "I can't stand cilantro",
    "The Q2 report is due January 30",
)


def test_every_line_names_its_evidence() -> None:
    known = facts(*CHAT)
    model = build_model(known, now=MONDAY)
    numbers = {fact.number for fact in known}
    assert all(line.facts and set(line.facts) <= numbers for line in model.lines)
    assert {number for line in model.lines for number in line.facts} == numbers


def test_the_record_reads_best_first() -> None:
    shown = render_lines(build_model(facts(*CHAT), now=MONDAY))
    assert shown[0] == "Name: Priya"
    assert "Wants Hermes to always use British spelling" in shown
    assert "Role: data engineer; Employer: Kestrel Labs" in shown
    assert "Location: Leeds; Timezone: Europe/London" in shown
    assert "People: manager Dana; pet Milo" in shown
    assert "Speaks: German, French" in shown


@given(st.integers(0, 600))
def test_the_cap_holds_and_the_best_stay(limit: int) -> None:
    shown = render_lines(build_model(facts(*CHAT), now=MONDAY), limit=limit)
    assert len("\n".join(f"- {line}" for line in shown)) <= limit
    assert limit < 20 or shown[0] == "Name: Priya"


def test_a_contradiction_is_shown_as_one_and_ranked_with_a_reason() -> None:
    first, second = facts("I live in Leeds", "I live in York")
    second = replace(second, contradicts=(first.id,), confidence=Confidence.MEDIUM)
    model = build_model([first, second], now=MONDAY)
    (line,) = model.lines
    assert line.contested
    assert line.text == "Location: Leeds or York (sources disagree)"
    assert line.facts == (1, 2)
    kinds = {edge.kind: edge for edge in model.graph}
    assert (kinds[Link.OUTRANKS].source, kinds[Link.OUTRANKS].reason) == (1, "surer")
    assert Link.CONTRADICTS in kinds


class Counted(tuple[int, ...]):
    """Ids that keep count of how often they are looked at."""

    looks = 0

    def __iter__(self) -> Iterator[int]:
        Counted.looks += 1
        return super().__iter__()

    def __contains__(self, key: object) -> bool:
        Counted.looks += 1
        return super().__contains__(key)


def test_each_fact_is_asked_for_its_rivals_once() -> None:
    (first,) = facts("I live in Leeds")
    many = [replace(first, id=n, number=n, contradicts=Counted()) for n in range(1, 301)]
    Counted.looks = 0
    build_model(many, now=MONDAY)
    assert Counted.looks <= 2 * len(many)


def test_one_side_is_enough_for_a_contradiction_and_a_stranger_is_none() -> None:
    known = facts("I live in Leeds", "I live in York")
    for one, other in ((0, 1), (1, 0)):
        said = list(known)
        said[one] = replace(said[one], contradicts=(known[other].id, 99, known[one].id))
        model = build_model(said, now=MONDAY)
        assert [line.facts for line in model.lines if line.contested] == [(1, 2)]
        assert [edge.kind for edge in model.graph] == [Link.CONTRADICTS, Link.OUTRANKS]


def test_a_stated_priority_is_an_edge() -> None:
    (edge,) = build_model(facts("I prefer tabs over spaces"), now=MONDAY).graph
    assert (edge.kind, edge.target) == (Link.PREFERRED_OVER, "spaces")


def test_only_open_trusted_facts_about_the_user_count() -> None:
    (fact,) = facts("I live in Leeds")
    for hidden in (
        replace(fact, retracted_at=MONDAY),
        replace(fact, superseded_by=9),
        replace(fact, valid_to=MONDAY - 1),
        replace(fact, trust=Trust.LOW),
        replace(fact, subject="Ana"),
        replace(fact, ended=True),
    ):
        assert build_model([hidden], now=MONDAY).lines == ()


def test_deadlines_count_while_they_are_ahead() -> None:
    known = facts("The Q2 report is due January 30")
    assert build_model(known, now=MONDAY).lines[0].section is Section.DEADLINES
    assert build_model(known, now=MONDAY + 40 * DAY_MS).lines == ()


def test_what_is_unsure_is_kept_but_not_shown() -> None:
    known = [replace(fact, confidence=Confidence.LOW) for fact in facts("I live in Leeds")]
    model = build_model(known, now=MONDAY)
    assert len(model.lines) == 1
    assert render_lines(model) == []


@pytest.mark.parametrize(
    "text",
    [
        "our AWS bill is about 4,300 euros a month",
        "standup is at 9:15 every day",
        "the office address is Wijnhaven 88, Rotterdam",
        "we decided to move Orion from Postgres 15 to 16 in June",
        "my mother Adaeze lives in Lagos",
        "we're going to Lisbon in July for two weeks",
    ],
)
def test_what_a_person_would_delete_stands_in_no_line(text: str) -> None:
    shown = " ".join(line.text for line in build_model(facts(text), now=MONDAY).lines)
    assert shown in {"", "People: mother Adaeze"}


def test_a_fuller_value_says_the_shorter_and_doing_reads_as_a_sentence() -> None:
    known = facts("I run the backend team at Lumen Freight in Rotterdam")
    work = [x.text for x in build_model(known, now=MONDAY).lines if x.section is Section.WORK]
    assert work == ["Runs the backend team at Lumen Freight in Rotterdam"]


def test_what_was_said_more_often_stands_first() -> None:
    once, often = facts("I like jazz", "I like blues")
    often = replace(often, sources=often.sources * 3)
    (line,) = build_model([once, often], now=MONDAY).lines
    assert line.text == "Likes: blues, jazz"


def test_what_is_to_come_does_not_stand_there_yet() -> None:
    (now,), (later,) = facts("I report to Sven"), facts("I report to Dana")
    ahead = MONDAY + 90 * DAY_MS
    now = replace(now, superseded_by=2, valid_to=ahead)
    later = replace(later, id=2, number=2, valid_from=ahead)
    for at, who in ((MONDAY, "Sven"), (ahead, "Dana")):
        (line,) = build_model([now, later], now=at).lines
        assert line.text == f"People: manager {who}"


def likes(*values: str) -> list[Fact]:
    return [
        replace(facts("I love tea")[0], id=number, number=number, value=value)
        for number, value in enumerate(values, start=1)
    ]


def test_a_name_within_another_is_a_value_of_its_own() -> None:
    model = build_model(likes("C", "C++", "R", "R&B", "tea", "not tea"), now=MONDAY)
    assert sorted(model.lines[0].text.removeprefix("Likes: ").split(", ")) == sorted(
        ["C", "C++", "R", "R&B", "tea", "not tea"]
    )


def test_what_is_said_twice_is_told_once() -> None:
    model = build_model(likes("tea", "Tea", "coffee"), now=MONDAY)
    assert {each.casefold() for each in model.lines[0].text[7:].split(", ")} == {"tea", "coffee"}
    assert len(model.lines[0].facts) == 2


def test_many_values_are_compared_with_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    sections: list[Fact] = []

    def section_once(fact: Fact) -> Section:
        sections.append(fact)
        return Section.LIKES

    monkeypatch.setattr("hermes.memory.usermodel.section_of", section_once)
    build_model(likes(*(f"thing number {each}" for each in range(200))), now=MONDAY)
    assert len(sections) <= 3 * 200
