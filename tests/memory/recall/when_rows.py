"""How the tables of times in the tests are written and checked."""

from hermes.clock import parse_time, render_time
from hermes.memory.recall.when import find_times

NOW = parse_time("2023-06-14T15:30:00")


def list_rows(block: str) -> list[str]:
    return [line for line in block.splitlines() if line]


def render_at(at: int) -> str:
    return render_time(at)[:16].removesuffix("T00:00")


def check_row(row: str) -> None:
    """The text of a row holds exactly the time in brackets, with the meaning it states."""
    marked, window, kind = row.rsplit(" | ", 2)
    before, rest = marked.split("[", 1)
    matched, after = rest.split("]", 1)
    (span,) = find_times(before + matched + after, NOW)
    assert (span.text, span.start) == (matched, len(before))
    assert f"{render_at(span.start_at)} .. {render_at(span.end_at)}" == window
    assert f"{span.grain} {span.direction}" == kind
