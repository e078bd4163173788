"""How the time of a message fits a time that was named."""

import numpy as np
import pytest

from hermes.clock import DAY_MS, parse_time
from hermes.memory.recall import windows
from hermes.memory.recall.when import find_times

NOW = parse_time("2023-10-20T12:00:00")


def fit(question: str, *dates: str) -> list[float]:
    at = np.array([parse_time(f"{date}T12:00:00") for date in dates], np.int64)
    spans = find_times(question, NOW)
    assert spans
    found: list[float] = windows.fit(spans, at, int(at.min())).tolist()
    return found


def test_inside_is_best_and_it_falls_off_on_both_sides() -> None:
    inside, after, long_after, before = fit(
        "what happened on 1 May 2023?", "2023-05-01", "2023-05-04", "2023-06-20", "2023-04-25"
    )
    assert inside == pytest.approx(1.0)
    assert inside > after > before > long_after


def test_a_month_without_a_year_may_be_an_earlier_one() -> None:
    this, last, other = fit("what did we do in April?", "2023-04-10", "2022-04-10", "2022-10-10")
    assert this > last > other


def test_a_year_tells_little() -> None:
    inside, outside = fit("what happened in 2022?", "2022-03-01", "2023-03-01")
    assert 0 < inside < 0.5
    assert outside == 0


def test_before_a_day_means_shortly_before() -> None:
    near, far = fit("what did she finish before 23 January 2023?", "2023-01-21", "2021-01-21")
    assert near > far > 0


def test_no_time_fits_nothing() -> None:
    at = np.array([NOW, NOW - DAY_MS], np.int64)
    assert windows.fit((), at, NOW).tolist() == [0.0, 0.0]
