"""What commands print: plain JSON, safe tables, local times, questions before harm."""

import json
from dataclasses import dataclass
from datetime import UTC, date, timedelta, timezone
from pathlib import Path

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.cli.render import clean, confirm, print_json, print_table, render_local
from hermes.clock import parse_time, render_time, render_time_ms
from hermes.errors import UserError
from hermes.types import Role


@dataclass(frozen=True)
class Row:
    zebra: int
    ant: Path
    role: Role
    tags: tuple[str, ...]
    day: date


def test_json_keeps_the_order_of_the_fields(capsys: pytest.CaptureFixture[str]) -> None:
    print_json([Row(1, Path("/x"), Role.USER, ("é",), date(2026, 5, 1))])
    text = capsys.readouterr().out
    shown = {"zebra": 1, "ant": "/x", "role": "user", "tags": ["é"], "day": "2026-05-01"}
    assert json.loads(text) == [shown]
    assert text.index("zebra") < text.index("ant") and "é" in text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.text(max_size=10), min_size=2, max_size=2), max_size=4))
def test_a_table_has_one_line_for_each_row(
    capsys: pytest.CaptureFixture[str], rows: list[list[str]]
) -> None:
    capsys.readouterr()
    print_table(["a", "b"], [[cell.replace("\ud800", "") for cell in row] for row in rows])
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == "A\tB"
    assert len(lines) == len(rows) + 2
    assert all(line.count("\t") == 1 for line in lines[:-1])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc", "a b c"),
        ("\x1b[31mred\x1b]0;title\x07", "[31mred ]0;title"),
        ("abc\u202edcba", "abcdcba"),
        ("می\u200cخواهم 👩\u200d💻", "می\u200cخواهم 👩\u200d💻"),
        ("\u2028x\x9b", "x"),
    ],
)
def test_text_from_outside_cannot_steer_the_terminal(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_times_are_local() -> None:
    at = parse_time("2026-01-05T23:30:00Z")
    assert render_local(at, timezone(timedelta(hours=2))) == "2026-01-06 01:30"
    assert render_local(None) == ""


class Terminal:
    """A terminal with a person at it who types one answer."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def isatty(self) -> bool:
        return True

    def readline(self, limit: int = -1) -> str:
        return self.answer + "\n"

    def fileno(self) -> int:
        raise OSError


def test_confirm_needs_a_person_or_a_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    confirm("Delete?", yes=True)
    with pytest.raises(UserError) as caught:
        confirm("Delete?", yes=False)
    assert "--yes" in caught.value.hint
    monkeypatch.setattr("sys.stdin", Terminal("y"))
    confirm("Delete?", yes=False)
    monkeypatch.setattr("sys.stdin", Terminal("n"))
    with pytest.raises(typer.Exit):
        confirm("Delete?", yes=False)


def test_a_year_before_a_thousand_keeps_its_noughts() -> None:
    at = parse_time("0001-01-02T03:04:05Z")
    assert render_local(at, UTC) == "0001-01-02 03:04"
    assert render_time(at) == "0001-01-02T03:04:05Z"
    assert render_time_ms(at) == "0001-01-02T03:04:05.000Z"
