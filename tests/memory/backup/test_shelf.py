"""Which backups are kept, and what they are called."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import DAY_MS, HOUR_MS, parse_time
from hermes.errors import NotFound
from hermes.memory.backup.shelf import (
    Backup,
    Keep,
    backup_name,
    choose_kept,
    get_backup,
    list_backups,
    rotate,
)

NOW = parse_time("2026-06-30T12:00:00Z")


def _at(at: int, label: str = "") -> Backup:
    return Backup(Path(backup_name(at, label)), at, 1, label)


def test_a_year_of_daily_backups_leaves_days_weeks_and_months() -> None:
    daily = [_at(NOW - n * DAY_MS) for n in range(365)]
    kept = sorted((NOW - b.created_at) // DAY_MS for b in choose_kept(daily, Keep(7, 4, 6), NOW))
    assert kept[:7] == [0, 1, 2, 3, 4, 5, 6]
    assert len(kept) <= 7 + 4 + 6
    assert kept[-1] > 120  # the sixth month back


def test_all_of_the_last_day_are_kept() -> None:
    hourly = [_at(NOW - n * HOUR_MS) for n in range(48)]
    assert len(choose_kept(hourly, Keep(1, 0, 0), NOW)) == 24


def test_one_made_before_a_reset_outlives_the_daily_ones_for_a_month() -> None:
    before = _at(NOW - 20 * DAY_MS, "before-reset")
    old = _at(NOW - 40 * DAY_MS, "before-reset")
    daily = [_at(NOW - n * DAY_MS) for n in range(30)]
    kept = choose_kept([before, old, *daily], Keep(3, 0, 0), NOW)
    assert before in kept
    assert old not in kept


@given(st.lists(st.integers(0, 10**12), unique=True, max_size=60), st.integers(0, 10**12))
def test_the_newest_is_always_kept(times: list[int], now: int) -> None:
    backups = [_at(at) for at in times]
    kept = choose_kept(backups, Keep(1, 0, 0), now)
    assert not backups or max(backups, key=lambda b: b.created_at) in kept
    assert kept <= set(backups)


@given(st.integers(0, 4_000_000_000_000), st.sampled_from(["", "before-reset"]))
def test_a_name_tells_the_time(at: int, label: str) -> None:
    from hermes.memory.backup.shelf import _NAME

    match = _NAME.fullmatch(backup_name(at, label))
    assert match is not None
    assert (match[3] or "") == label


def test_rotation_touches_only_backups(tmp_path: Path) -> None:
    for n in range(5):
        (tmp_path / backup_name(NOW - n * DAY_MS)).write_bytes(b"x")
    (tmp_path / "mine.txt").write_bytes(b"x")
    gone = rotate(tmp_path, Keep(2, 0, 0), NOW)
    assert len(gone) == 3
    assert len(list_backups(tmp_path)) == 2
    assert (tmp_path / "mine.txt").exists()


def test_a_backup_is_found_by_name_or_as_the_latest(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        get_backup(tmp_path, "latest")
    for n in range(2):
        (tmp_path / backup_name(NOW - n * DAY_MS)).write_bytes(b"x")
    newest = backup_name(NOW)
    assert get_backup(tmp_path, "").name == newest
    assert get_backup(tmp_path, newest.removesuffix(".tar.age")).name == newest
    with pytest.raises(NotFound):
        get_backup(tmp_path, "hermes-nothing")
