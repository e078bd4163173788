"""Times told in several parts are one time, or none: never the wrong one.

Asked on Wednesday 18 March 2026 at 10:00 UTC.
"""

import pytest
from when_rows import list_rows, render_at

from hermes.clock import parse_time
from hermes.memory.recall.when import find_times

NOW = parse_time("2026-03-18T10:00:00Z")
ROWS = """
Tuesday two weeks ago | 2026-03-03 .. 2026-03-04
Saturday two weeks ago | 2026-03-07 .. 2026-03-08
on Thursday three weeks ago | 2026-02-26 .. 2026-02-27
at 3pm Tuesday two weeks ago | 2026-03-03T15:00 .. 2026-03-03T16:00
Friday in two weeks | 2026-04-03 .. 2026-04-04
on Monday of the week before last | 2026-03-02 .. 2026-03-03
the Monday before last | 2026-03-09 .. 2026-03-10
from Monday to Wednesday last week | 2026-03-09 .. 2026-03-12
3rd of September last year | 2025-09-03 .. 2025-09-04
the first week of March last year | 2025-03-01 .. 2025-03-08
in March two years ago | 2024-03-01 .. 2024-04-01
last year in March | 2025-03-01 .. 2025-04-01
in Q1 last year | 2025-01-01 .. 2025-04-01
in summer last year | 2025-06-01 .. 2025-09-01
in the summer of 2024 | 2024-06-01 .. 2024-09-01
on Christmas last year | 2025-12-25 .. 2025-12-26
the Monday after Easter last year | 2025-04-21 .. 2025-04-22
the last Friday of February last year | 2025-02-28 .. 2025-03-01
in mid-May last year | 2025-05-11 .. 2025-05-21
on the evening of 3 May last year | 2025-05-03T17:00 .. 2025-05-04
since March last year | 2025-03-01 .. 2026-03-18T10:00
between March and May last year | 2025-03-01 .. 2025-06-01
between Christmas and New Year | 2025-12-25 .. 2026-01-02
on the 5th of last month | 2026-02-05 .. 2026-02-06
last month on the 5th | 2026-02-05 .. 2026-02-06
the 1st of the month | 2026-03-01 .. 2026-03-02
on a Tuesday last year | 2025-01-01 .. 2026-01-01
on Monday last month | 2026-02-01 .. 2026-03-01
around Christmas | 2025-12-24 .. 2025-12-27
around 5 March | 2026-03-04 .. 2026-03-07
around 3pm | 2026-03-18T15:00 .. 2026-03-18T16:00
on 5.3.26 | 2026-03-05 .. 2026-03-06
March-April | 2026-03-01 .. 2026-05-01
in Dec/Jan | 2025-12-01 .. 2026-02-01
in week 11 | 2026-03-09 .. 2026-03-16
week 11 of 2026 | 2026-03-09 .. 2026-03-16
KW 11 | 2026-03-09 .. 2026-03-16
on 29 February | 2024-02-29 .. 2024-03-01
"""
APART = {
    "In May, last year was summed up": ["2025-05-01 .. 2025-06-01", "2025-01-01 .. 2026-01-01"],
    "in 2024 and on Monday": ["2024-01-01 .. 2025-01-01", "2026-03-16 .. 2026-03-17"],
    "on 5 May 2023 two years ago": ["2023-05-05 .. 2023-05-06", "2024-01-01 .. 2025-01-01"],
}
NONE = """
on February 29, 2025
since February 29, 2025
29 Feb 2025
on Feb 30
am 31. April 2025
2025-02-30
13/13/2026
31/04/2025
the weekend after my birthday
upgrade to 5.3.26
week 3 of the course
I live in Dun Laoghaire
"""


def told(text: str) -> list[str]:
    spans = find_times(text, NOW)
    return [f"{render_at(span.start_at)} .. {render_at(span.end_at)}" for span in spans]


@pytest.mark.parametrize("row", list_rows(ROWS))
@pytest.mark.parametrize("asked", ["{}", "What did we discuss {}?"])
def test_the_parts_make_one_time(row: str, asked: str) -> None:
    text, window = row.rsplit(" | ", 1)
    assert told(asked.format(text)) == [window]


@pytest.mark.parametrize("text", APART)
def test_what_does_not_belong_together_stays_apart(text: str) -> None:
    assert told(text) == APART[text]


@pytest.mark.parametrize("text", list_rows(NONE))
@pytest.mark.parametrize("asked", ["{}", "What did we discuss {}?"])
def test_what_cannot_be_settled_is_no_time(text: str, asked: str) -> None:
    assert told(asked.format(text)) == []
