"""What pages show, worked out without a page: marks, word diffs, filters, strips, links."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.counted import plural
from hermes.errors import UserError
from hermes.memory.finding import Type
from hermes.memory.network import Network
from hermes.memory.snippet import Snippet
from hermes.memory.timeline import DayCount, end_of, start_of
from hermes.store.base.overview import Pair
from hermes.types import Entity, EntityKind, FactKind
from hermes.web.rendering import ago, render_bytes
from hermes.web.routes.comfort import local_path
from hermes.web.views.diff import diff_words
from hermes.web.views.filters import Filter, parse_day
from hermes.web.views.lab import href_of
from hermes.web.views.marks import Piece, mark_quotes, mark_spans
from hermes.web.views.network import draw_network, list_rows
from hermes.web.views.strip import MOST_BARS, build_strip

BERLIN = ZoneInfo("Europe/Berlin")


@given(st.text(), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40))))
def test_marks_lose_and_add_nothing(text: str, spans: list[tuple[int, int]]) -> None:
    assert "".join(piece.text for piece in mark_spans(text, spans)) == text


def test_marks_stand_where_the_spans_are() -> None:
    assert mark_spans(Snippet("the database", ((4, 12),))) == [
        Piece("the "),
        Piece("database", is_marked=True),
    ]
    assert mark_quotes("I like tea. A lot.", ["like tea"])[1] == Piece("like tea", is_marked=True)
    assert mark_quotes("nothing here", ["tea"]) == [Piece("nothing here")]


@given(st.text(), st.text())
def test_a_diff_gives_back_both_wordings(before: str, after: str) -> None:
    steps = diff_words(before, after)
    assert "".join(step.text for step in steps if step.kind != "gone") == after
    assert "".join(step.text for step in steps if step.kind != "came") == before


def test_a_diff_goes_by_words() -> None:
    steps = diff_words("User lives in Leipzig", "User lives in Berlin")
    assert [(step.kind, step.text) for step in steps] == [
        ("stays", "User lives in "),
        ("gone", "Leipzig"),
        ("came", "Berlin"),
    ]


def test_a_filter_covers_whole_days_of_the_zone() -> None:
    window = Filter(since="2025-10-26", until="2025-10-26").window(BERLIN)
    assert window.since_at is not None
    assert window.before_at is not None
    assert window.before_at - window.since_at == 25 * 3_600_000  # summer time ended that day


def test_a_filter_becomes_what_is_sought() -> None:
    sought = Filter("tea", Type.FACTS, FactKind.PREFERENCE, "work", entity=7).sought(BERLIN, 5)
    assert (sought.query, sought.types, sought.kinds) == (
        "tea",
        (Type.FACTS,),
        (FactKind.PREFERENCE,),
    )
    assert (sought.window.bank, sought.window.entity_id) == ("work", 7)


@pytest.mark.parametrize("text", ["yesterday", "2025-13-01", "0001-01-01", "9999-12-31"])
def test_what_is_no_day_is_said_to_be_none(text: str) -> None:
    with pytest.raises(UserError):
        parse_day(text)


def test_days_begin_and_end_in_the_zone() -> None:
    day = date(2025, 3, 30)
    assert end_of(day, BERLIN) - start_of(day, BERLIN) == 23 * 3_600_000


def test_a_strip_fills_gaps_and_has_few_bars() -> None:
    counts = [DayCount(date(2024, 1, 1), 3, 1), DayCount(date(2025, 12, 31), 5, 0)]
    strip = build_strip(counts)
    seconds, turns, facts = strip.series
    assert len(seconds) == len(turns) == len(facts) == 731
    assert (sum(turns), sum(facts)) == (8, 1)
    assert len(strip.bars) <= MOST_BARS
    assert sum(bar.turns for bar in strip.bars) == 8
    assert max(bar.height for bar in strip.bars) == 100
    assert build_strip([]).is_empty


def test_a_network_says_the_same_drawn_and_as_rows() -> None:
    wei = Entity(1, "default", "Wei", EntityKind.PERSON, mentions=4)
    atlas = Entity(2, "default", "Atlas", EntityKind.PROJECT, mentions=9)
    lone = Entity(3, "default", "Miso", mentions=1)
    network = Network((atlas, wei, lone), (Pair(1, 2, 3),), 3)
    drawn = draw_network(network)
    assert [node["alone"] for node in drawn["nodes"]] == [False, False, True]
    assert drawn["links"] == [{"source": 1, "target": 2, "together": 3}]
    assert [[(e.name, n) for e, n in row.companions] for row in list_rows(network)] == [
        [("Wei", 3)],
        [("Atlas", 3)],
        [],
    ]


@pytest.mark.parametrize(
    ("ref", "href"),
    [
        ("fact:042", "/facts/42"),
        ("message:7", "/messages/7"),
        ("reflection:3", "/lessons#lesson-3"),
        ("held:1", "/pending"),
        ("javascript:alert(1)", ""),
        ("fact:1/../../x", ""),
    ],
)
def test_a_reference_leads_to_its_page_or_nowhere(ref: str, href: str) -> None:
    assert href_of(ref) == href


@pytest.mark.parametrize(
    "text", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:1", "/a\nb"]
)
def test_no_link_back_leads_elsewhere(text: str) -> None:
    assert local_path(text) == "/"
    assert local_path("/facts?kind=event") == "/facts?kind=event"


def test_numbers_read_well() -> None:
    assert [plural("entity"), plural("day"), plural("fact")] == ["entities", "days", "facts"]
    assert [render_bytes(999), render_bytes(4_600_000), render_bytes(2 * 10**9)] == [
        "999 bytes",
        "4.6 MB",
        "2.00 GB",
    ]
    hour = 3_600_000
    assert [ago(None, 0), ago(0, 5 * hour), ago(0, 24 * hour), ago(10, 0)] == [
        "never",
        "5 hours ago",
        "1 day ago",
        "in the future",
    ]
