"""Times: preferences, events, zones, deadlines, options, and what holds for any text."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from when_rows import NOW, render_at

from hermes.clock import DAY_MS, EARLIEST_AT, HOUR_MS, LATEST_AT, from_datetime, parse_time
from hermes.errors import UserError
from hermes.memory.recall.when import Known, TimeSpan, find_times, parse_when, resolve_date
from hermes.memory.recall.when.holidays import easter
from hermes.memory.recall.when.numerals import parse_bounds, parse_nth


def window(span: TimeSpan | None) -> str:
    assert span is not None
    return f"{render_at(span.start_at)} .. {render_at(span.end_at)}"


def read_one(text: str, now: int = NOW, **options: object) -> TimeSpan:
    (span,) = find_times(text, now, **options)  # type: ignore[arg-type]
    return span


class TestPreference:
    @pytest.mark.parametrize(
        ("text", "past", "future"),
        [
            ("May 7", "2023-05-07 .. 2023-05-08", "2024-05-07 .. 2024-05-08"),
            ("June 14", "2023-06-14 .. 2023-06-15", "2023-06-14 .. 2023-06-15"),
            ("June 15", "2022-06-15 .. 2022-06-16", "2023-06-15 .. 2023-06-16"),
            ("on Wednesday", "2023-06-07 .. 2023-06-08", "2023-06-21 .. 2023-06-22"),
            ("in August", "2022-08-01 .. 2022-09-01", "2023-08-01 .. 2023-09-01"),
            ("over the weekend", "2023-06-10 .. 2023-06-12", "2023-06-17 .. 2023-06-19"),
            ("on the 3rd", "2023-06-03 .. 2023-06-04", "2023-07-03 .. 2023-07-04"),
            ("this Monday", "2023-06-12 .. 2023-06-13", "2023-06-19 .. 2023-06-20"),
            (
                "at 9am",
                "2023-06-14T09:00 .. 2023-06-14T10:00",
                "2023-06-15T09:00 .. 2023-06-15T10:00",
            ),
            ("Thanksgiving", "2022-11-24 .. 2022-11-25", "2023-11-23 .. 2023-11-24"),
            ("29 February", "2020-02-29 .. 2020-03-01", "2024-02-29 .. 2024-03-01"),
        ],
    )
    def test_settles_what_the_words_leave_open(self, text: str, past: str, future: str) -> None:
        assert window(read_one(text, prefer="past")) == past
        assert window(read_one(text, prefer="future")) == future

    def test_a_guess_is_less_certain_than_a_date(self) -> None:
        full, short = read_one("7 May 2023"), read_one("7 May")
        assert full.certainty == 1.0
        assert short.certainty < full.certainty
        assert read_one("in 2022").certainty > read_one("my 2022 goals").certainty


class TestEvents:
    launch = (parse_time("2023-03-10"), parse_time("2023-03-11"))
    known: Known = {  # noqa: RUF012
        "The Launch": launch,
        "offsite": TimeSpan(parse_time("2023-04-03"), parse_time("2023-04-06"), "", 0, 0, "day"),
        "Q1 board meeting": (parse_time("2023-02-01"), parse_time("2023-02-02")),
    }

    @pytest.mark.parametrize(
        ("text", "matched", "expected"),
        [
            ("what broke before the launch?", "before the launch", "1900-01-01 .. 2023-03-10"),
            (
                "what did we do after the offsite",
                "after the offsite",
                "2023-04-06 .. 2023-06-14T15:30",
            ),
            ("since THE LAUNCH", "since THE LAUNCH", "2023-03-10 .. 2023-06-14T15:30"),
            ("during our offsite", "during our offsite", "2023-04-03 .. 2023-04-06"),
            ("until launch", "until launch", "1900-01-01 .. 2023-03-11"),
            ("two days after the launch", "two days after the launch", "2023-03-12 .. 2023-03-13"),
            ("the week before the offsite", "week before the offsite", "2023-03-27 .. 2023-04-03"),
            ("the week of the launch", "week of the launch", "2023-03-06 .. 2023-03-13"),
            (
                "the Friday after the offsite",
                "Friday after the offsite",
                "2023-04-07 .. 2023-04-08",
            ),
            (
                "between the launch and the offsite",
                "between the launch and the offsite",
                "2023-03-10 .. 2023-04-06",
            ),
            (
                "before the Q1 board meeting",
                "before the Q1 board meeting",
                "1900-01-01 .. 2023-02-01",
            ),
        ],
    )
    def test_known_event_is_a_time(self, text: str, matched: str, expected: str) -> None:
        span = read_one(text, known=self.known)
        assert (span.text, window(span)) == (matched, expected)

    def test_unknown_event_is_none(self) -> None:
        assert find_times("before the launch", NOW) == ()
        assert find_times("before the party", NOW, known=self.known) == ()

    def test_event_without_relation_is_none(self) -> None:
        assert find_times("the launch was fine", NOW, known=self.known) == ()


class TestDeadline:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("by end of June", "2023-06-21 .. 2023-07-01"),
            ("due next Friday", "2023-06-16 .. 2023-06-17"),
            ("the report is due on the 30th", "2023-06-30 .. 2023-07-01"),
            ("2026-06-30", "2026-06-30 .. 2026-07-01"),
            ("ship it by Friday", "2023-06-16 .. 2023-06-17"),
            ("before July", "2023-06-30 .. 2023-07-01"),
            ("we met yesterday and must finish by March 3", "2024-03-03 .. 2024-03-04"),
            ("by EOD", "2023-06-14T16:00 .. 2023-06-15"),
            ("deadline is 1 August", "2023-08-01 .. 2023-08-02"),
            ("bis Freitag", "2023-06-16 .. 2023-06-17"),
            ("in two weeks", "2023-06-25 .. 2023-07-02"),
            ("by 5pm tomorrow", "2023-06-15T17:00 .. 2023-06-15T18:00"),
        ],
    )
    def test_is_the_date_itself(self, text: str, expected: str) -> None:
        assert window(resolve_date(text, NOW)) == expected

    def test_no_date(self) -> None:
        assert resolve_date("soon, I hope", NOW) is None

    def test_zone_and_side(self) -> None:
        span = resolve_date("May 7", NOW, "America/New_York", "past")
        assert window(span) == "2023-05-07T04:00 .. 2023-05-08T04:00"


class TestOption:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("last tuesday", "2023-06-13 .. 2023-06-14"),
            ("2026-03-01", "2026-03-01 .. 2026-03-02"),
            (" yesterday ", "2023-06-13 .. 2023-06-14"),
            ("may", "2023-05-01 .. 2023-06-01"),
            ("2000", "2000-01-01 .. 2001-01-01"),
            ("3d", "2023-06-11 .. 2023-06-12"),
            ("2h", "2023-06-14T13:00 .. 2023-06-14T14:00"),
            ("1mo ago", "2023-05-01 .. 2023-06-01"),
            ("the end of may", "2023-05-21 .. 2023-06-01"),
            ("昨天", "2023-06-13 .. 2023-06-14"),
            ("since last week", "2023-06-05 .. 2023-06-14T15:30"),
            ("noon", "2023-06-14T12:00 .. 2023-06-14T12:01"),
        ],
    )
    def test_whole_text_is_read(self, text: str, expected: str) -> None:
        assert window(parse_when(text, NOW)) == expected

    def test_now(self) -> None:
        span = parse_when("now", NOW)
        assert span.start_at <= NOW < span.end_at

    @pytest.mark.parametrize(
        "text", ["", "soon", "last tuesday of doom", "2023-13-01", "3 bananas", "9999y"]
    )
    def test_anything_else_is_refused_with_a_hint(self, text: str) -> None:
        with pytest.raises(UserError) as caught:
            parse_when(text, NOW)
        assert "yesterday" in caught.value.hint

    def test_unknown_zone_is_refused(self) -> None:
        for zone in ("Mars/Olympus", "../etc/passwd", "America"):
            with pytest.raises(UserError):
                parse_when("today", NOW, zone)


class TestZones:
    def test_the_day_is_the_one_of_the_zone(self) -> None:
        now = parse_time("2023-06-14T23:30:00+00:00")
        assert window(read_one("today", now)) == "2023-06-14 .. 2023-06-15"
        assert window(read_one("today", now, zone="Asia/Tokyo")) == (
            "2023-06-14T15:00 .. 2023-06-15T15:00"
        )

    @pytest.mark.parametrize(("day", "hours"), [("2023-03-26", 23), ("2023-10-29", 25)])
    def test_days_of_clock_changes_have_their_length(self, day: str, hours: int) -> None:
        span = read_one(day, zone="Europe/Berlin")
        assert span.end_at - span.start_at == hours * HOUR_MS

    def test_a_week_over_a_clock_change_starts_and_ends_at_midnight(self) -> None:
        now = parse_time("2023-03-29T12:00:00+02:00")
        span = read_one("last week", now, zone="Europe/Berlin")
        assert span.end_at - span.start_at == 7 * DAY_MS - HOUR_MS

    def test_a_skipped_midnight_starts_the_day_late(self) -> None:
        span = read_one("2018-11-04", zone="America/Sao_Paulo")  # 00:00 did not exist
        assert window(span) == "2018-11-04T03:00 .. 2018-11-05T02:00"

    def test_a_skipped_hour_is_still_an_hour(self) -> None:
        span = read_one("2023-03-26 at 2am", zone="Europe/Berlin")
        assert span.end_at - span.start_at == HOUR_MS

    def test_a_day_that_a_country_skipped_is_none(self) -> None:
        assert find_times("2011-12-30", NOW, zone="Pacific/Apia") == ()

    def test_iso_time_keeps_its_own_zone(self) -> None:
        span = read_one("2023-05-07T10:30:00+02:00", zone="Asia/Tokyo")
        assert window(span) == "2023-05-07T08:30 .. 2023-05-07T08:31"


class TestEdgesOfTheYear:
    @pytest.mark.parametrize(
        ("now", "text", "expected"),
        [
            ("2024-01-01T00:30", "yesterday", "2023-12-31 .. 2024-01-01"),
            ("2024-01-01T00:30", "last week", "2023-12-25 .. 2024-01-01"),
            ("2024-01-02T12:00", "last month", "2023-12-01 .. 2024-01-01"),
            ("2024-01-02T12:00", "last quarter", "2023-10-01 .. 2024-01-01"),
            ("2023-12-31T12:00", "next month", "2024-01-01 .. 2024-02-01"),
            ("2023-12-31T12:00", "tomorrow", "2024-01-01 .. 2024-01-02"),
            ("2024-01-15T12:00", "this winter", "2023-12-01 .. 2024-03-01"),
            ("2024-01-15T12:00", "last winter", "2022-12-01 .. 2023-03-01"),
            ("2024-01-15T12:00", "New Year's Eve", "2023-12-31 .. 2024-01-01"),
            ("2024-03-31T12:00", "within the last month", "2024-02-29 .. 2024-03-31T12:00"),
            ("2024-03-01T12:00", "yesterday", "2024-02-29 .. 2024-03-01"),
            ("2024-02-29T12:00", "a year ago", "2023-01-01 .. 2024-01-01"),
            ("2023-01-01T12:00", "last Sunday", "2022-12-25 .. 2022-12-26"),
            ("2023-01-02T12:00", "two weekends ago", "2022-12-24 .. 2022-12-26"),
        ],
    )
    def test_reads_across(self, now: str, text: str, expected: str) -> None:
        assert window(read_one(text, parse_time(now))) == expected


@pytest.mark.parametrize(
    ("year", "day"),
    [
        (1961, "04-02"),
        (2000, "04-23"),
        (2008, "03-23"),
        (2023, "04-09"),
        (2024, "03-31"),
        (2038, "04-25"),
    ],
)
def test_easter(year: int, day: str) -> None:
    assert easter(year) == date.fromisoformat(f"{year}-{day}")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("a", 1, 1),
        ("nineteen", 19, 19),
        ("twenty-one", 21, 21),
        ("ninety nine", 99, 99),
        ("a hundred", 100, 100),
        ("42", 42, 42),
        ("a few", 2, 5),
        ("two or three", 2, 3),
        ("2-3", 2, 3),
        ("two-three", 2, 3),
        ("twenty to twenty-five", 20, 25),
        ("twenty-thirty", 20, 30),
        ("a couple or three", 1, 3),
    ],
)
def test_counts(text: str, low: int, high: int) -> None:
    assert parse_bounds(text) == (low, high)


def test_counts_that_fall_are_no_alternatives() -> None:
    with pytest.raises(ValueError, match="do not rise"):
        parse_bounds("five to three")


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), ("3rd", 3), ("first", 1), ("twenty first", 21), ("thirty-first", 31)],
)
def test_days_of_a_month(text: str, number: int) -> None:
    assert parse_nth(text) == number


def test_what_follows_is_counted_from_the_time_named_before() -> None:
    _, following = find_times("on 1 May and the following Friday", NOW)
    assert render_at(following.start_at) == "2023-05-05"


def test_several_times_in_one_text() -> None:
    text = "From last Tuesday's call: ship by 30 June 2023, not in March (see 2023-05-07)."
    assert [span.text for span in find_times(text, NOW)] == [
        "From last Tuesday",
        "by 30 June 2023",
        "in March",
        "2023-05-07",
    ]


WORDS = st.sampled_from(
    "the a in on of last next this since before after between and from to by until two 3 07 2023 "
    "may march June week weeks day days weekend Tuesday spring ago 2023-05-07 5/7 3pm 10:30 early "
    "end first Christmas launch gestern hier il y dernière 昨天 3日前 99999999 29 February EOD "
    ", - . : ' 90s Q2 9999 hundred years minutes half past 0 00 31st of".split()
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=14).map(" ".join))
TIMES = st.integers(EARLIEST_AT, LATEST_AT)
ZONES = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Auckland"]
)


@given(text=TEXTS, now=TIMES, zone=ZONES, prefer=st.sampled_from(["past", "future"]))
def test_any_text_gives_sound_spans(text: str, now: int, zone: str, prefer: str) -> None:
    known = {"launch": (now - DAY_MS, now)} if now > EARLIEST_AT + DAY_MS else {}
    spans = find_times(text, now, zone=zone, known=known, prefer=prefer)  # type: ignore[arg-type]
    end = 0
    for span in spans:
        assert span.text == text[span.start : span.end]
        assert end <= span.start < span.end
        assert EARLIEST_AT <= span.start_at < span.end_at <= LATEST_AT
        assert 0 < span.certainty <= 1
        end = span.end


@given(text=TEXTS, now=TIMES)
def test_any_text_is_a_date_or_none(text: str, now: int) -> None:
    span = resolve_date(text, now)
    assert span is None or span.start_at < span.end_at


@given(text=TEXTS, now=TIMES)
def test_any_option_is_a_time_or_refused(text: str, now: int) -> None:
    try:
        span = parse_when(text, now)
    except UserError:
        return
    assert span.start_at < span.end_at


@given(
    day=st.dates(date(1950, 1, 1), date(2090, 1, 1)),
    written=st.sampled_from(
        ["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%b %d %Y", "%m/%d/%Y", "%d.%m.%Y"]
    ),
    zone=ZONES,
)
def test_every_way_of_writing_a_date_gives_that_day(day: date, written: str, zone: str) -> None:
    span = read_one(f"we met on {day.strftime(written)}, I think", zone=zone)
    place = UTC if zone == "UTC" else ZoneInfo(zone)
    following = day + timedelta(days=1)
    assert span.grain == "day"
    assert span.start_at == from_datetime(datetime(day.year, day.month, day.day, tzinfo=place))
    assert span.end_at == from_datetime(
        datetime(following.year, following.month, following.day, tzinfo=place)
    )


@given(
    count=st.integers(1, 300), now=st.integers(parse_time("2000-01-01"), parse_time("2050-01-01"))
)
def test_days_ago_and_in_days_mirror(count: int, now: int) -> None:
    back, ahead = read_one(f"{count} days ago", now), read_one(f"in {count} days", now)
    assert ahead.start_at - back.start_at == 2 * count * DAY_MS
    assert (back.direction, ahead.direction) == ("past", "future")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["the day before ", "between 3 and ", "hier ", "2023-", "上周", "1,"]
)
def test_long_text_is_read_in_linear_time(piece: str) -> None:
    find_times(piece * 20_000, NOW)
