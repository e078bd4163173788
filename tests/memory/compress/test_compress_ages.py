"""No clock can make things old at once."""

from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import DAY_MS
from hermes.memory.compress.ages import (
    LONGEST_STEP_MS,
    accept_time,
    note_time,
    read_time,
    tell_time,
)
from hermes.store.base import Store
from talk import NOW, at, keep, turn

TIMES = st.integers(0, 4_000_000_000_000)


@given(TIMES, st.none() | TIMES, st.none() | TIMES)
def test_time_is_never_ahead_of_the_clock_the_talk_or_a_weeks_step(
    now: int, newest_at: int | None, last_at: int | None
) -> None:
    told = tell_time(now, newest_at, last_at)
    assert told.at <= now
    if newest_at is not None and not told.doubt:
        assert told.at <= newest_at
    if last_at is not None:
        assert told.at <= last_at + LONGEST_STEP_MS


def test_a_day_is_no_leap_and_ten_years_are() -> None:
    later = NOW + DAY_MS
    assert tell_time(later, later, NOW).doubt == ""
    leapt = tell_time(NOW + 3650 * DAY_MS, NOW + 3650 * DAY_MS, NOW)
    assert leapt.at == NOW + LONGEST_STEP_MS
    assert "3,650 days ahead" in leapt.doubt


def test_a_clock_set_back_is_doubted() -> None:
    told = tell_time(NOW - 2 * DAY_MS, NOW, NOW)
    assert told.at == NOW - 2 * DAY_MS
    assert "went back 2 days" in told.doubt


def test_silence_makes_nothing_older() -> None:
    assert tell_time(NOW + 400 * DAY_MS, NOW, NOW).at == NOW


def test_a_gap_is_caught_up_week_by_week(store: Store) -> None:
    keep(store, at(NOW, turn("hello")))
    store.write(lambda tx: note_time(tx, read_time(tx, NOW)))
    later = NOW + 20 * DAY_MS
    keep(store, at(later, turn("back again")))
    doubts = []
    for _ in range(4):
        trusted = store.read(lambda tx: read_time(tx, later))
        doubts.append(bool(trusted.doubt))
        store.write(lambda tx, trusted=trusted: note_time(tx, trusted))  # type: ignore[misc]
    assert doubts == [True, True, False, False]
    assert store.read(lambda tx: read_time(tx, later)).at == later


def test_a_person_may_vouch_for_the_clock(store: Store) -> None:
    keep(store, at(NOW, turn("hello")))
    store.write(lambda tx: note_time(tx, read_time(tx, NOW)))
    later = NOW + 300 * DAY_MS
    keep(store, at(later, turn("back again")))
    assert store.write(lambda tx: accept_time(tx, later)).at == later
    assert store.read(lambda tx: read_time(tx, later)).doubt == ""
