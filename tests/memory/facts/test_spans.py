"""What is told to be so from a day until a day is over after it."""

import pytest

from hermes.clock import DAY_MS, parse_time
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.spans import spanned
from hermes.types import FactKind

AT = parse_time("2026-03-17T16:30:00Z")  # a Tuesday


def told(quote: str) -> Candidate:
    text = f"Olek is away {quote} (said 2026-03-17)"
    return Candidate(text, FactKind.OTHER, "Olek", "said", quote, quote=quote)


@pytest.mark.parametrize(
    ("quote", "first", "last"),
    [
        ("from monday until end of april", "2026-03-23", "2026-04-30"),
        ("from Monday until the end of April", "2026-03-23", "2026-04-30"),
        ("from 1 May to 20 June", "2026-05-01", "2026-06-20"),
        ("from tomorrow till 4 April", "2026-03-18", "2026-04-04"),
    ],
)
def test_both_days_are_kept(quote: str, first: str, last: str) -> None:
    kept = spanned(told(quote), AT)
    assert kept.valid_from == parse_time(f"{first}T00:00:00Z")
    assert kept.valid_to == parse_time(f"{last}T00:00:00Z") + DAY_MS
    assert kept.text == f"Olek is away {quote} ({first} to {last})"


@pytest.mark.parametrize(
    "quote",
    [
        "from Monday to Friday",
        "from Berlin to Ulm",
        "from 9 to 5",
        "from May on",
        "until end of april",
    ],
)
def test_what_is_no_span_of_days_stays(quote: str) -> None:
    assert spanned(told(quote), AT) == told(quote)
