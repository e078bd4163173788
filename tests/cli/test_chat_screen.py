"""What a turn looks like in a terminal: one line a call, and no answer too long to be drawn."""

import io
import re
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from hermes.agent.events import CallBegan, CallEnded, End, Event, Outcome, Spoke
from hermes.cli.chat.editor import SlashCompleter
from hermes.cli.chat.markdown import LONGEST, take_blocks
from hermes.cli.chat.rich_screen import Drawing, RichScreen
from hermes.cli.chat.tty import marked_pastes
from hermes.cli.layout import count_cells
from hermes.tools.base import ToolResult
from hermes.types import ToolCall


def shown_on(width: int, *events: Event) -> list[str]:
    file = io.StringIO()
    screen = RichScreen(Console(file=file, width=width, force_terminal=False))
    for event in events:
        screen.on_event(event)
    screen.end_turn(Outcome(End.DONE, "x", steps=1))
    return file.getvalue().splitlines()


@pytest.mark.parametrize("typed", ["/why fa", "/why fact:1", "/why fact:01", "/why fact:001"])
def test_a_fact_is_completed_with_its_zeros_or_without(typed: str) -> None:
    completer = SlashCompleter(lambda: [], lambda _: [("fact:001", "one"), ("note:n-1", "two")])
    offered = completer.get_completions(Document(typed), CompleteEvent())
    assert [each.text for each in offered] == ["fact:001"]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_call_and_what_came_of_it_take_a_line_each(width: int) -> None:
    call = ToolCall("1", "terminal", '{"command": "' + "数据库 words " * 40 + '"}')
    result = ToolResult("a long line of words " * 20 + "\nmore\nand more")
    lines = shown_on(width, CallBegan(call), CallEnded(call, result))
    began, ended, _ = lines
    assert began.startswith("→ terminal {")
    assert began.endswith("…")
    assert ended.endswith("… (+2 lines)")
    assert max(map(count_cells, lines)) <= width


def test_calls_side_by_side_are_told_apart() -> None:
    one, two = ToolCall("1", "session_search", "{}"), ToolCall("2", "memory_recall", "{}")
    found = ToolResult("for the model\nonly", told="found “Starting Atlas”")
    lines = shown_on(
        80, CallBegan(one), CallBegan(two), CallEnded(one, found), CallEnded(two, ToolResult("x"))
    )
    assert "  ✓ session_search: found “Starting Atlas”" in lines
    assert "  ✓ x" in lines
    assert not any("for the model" in line for line in lines)


def test_an_answer_without_end_is_drawn_in_time_and_none_of_it_is_lost() -> None:
    words = [f"w{n} " for n in range(60_000)]
    pieces = ["".join(words[n : n + 500]) for n in range(0, len(words), 500)]
    begun = time.monotonic()
    lines = shown_on(80, *map(Spoke, pieces))
    assert time.monotonic() - begun < 30, "a block of 400,000 characters was drawn again each time"
    assert "".join(lines).replace(" ", "") == "".join(words).replace(" ", "")


@given(st.text("ab \n", min_size=1), st.sampled_from(["", "```py\n", "~~~\n"]))
def test_a_block_too_long_is_cut_into_pieces_that_hold_all_of_it(piece: str, fence: str) -> None:
    body = "x" + piece.replace("\n\n", "\n") * (2 * LONGEST // len(piece) + 1)
    blocks, rest = take_blocks(fence + body.rstrip())
    pieces = [*blocks, rest]
    assert all(len(each) <= LONGEST + 10 for each in pieces)
    marks = {"```py", "```", "~~~"} if fence else set()
    lines = [line for each in pieces for line in each.split("\n") if line not in marks]
    told = "".join("".join(lines).split())
    assert told == "".join(body.split())


MARKS = st.sampled_from(["", "```", "~~~", "````", "`" * 9_000, "  ```py", "```js\n"])
LINES = st.tuples(st.sampled_from(["a", "b ", "c\n", "\n", "``", " "]), st.integers(0, 9_000))


@given(MARKS, st.lists(LINES, max_size=5))
@example("```", [("a", 7_000), ("c\n", 1), ("b", 9_000)])  # an opening line beyond the half
def test_cutting_ends_and_keeps_every_character(mark: str, parts: list[tuple[str, int]]) -> None:
    text = mark + "".join(piece * (times // len(piece)) for piece, times in parts)
    with limited_to_seconds(5):
        blocks, rest = take_blocks(text)
    assert len(rest) <= LONGEST
    told = "".join([*blocks, rest])
    left = iter(told)
    assert all(each in left for each in text if not each.isspace())
    assert len(told) <= len(text) + 80 * len(blocks), "more was written again than a fence"


@contextmanager
def limited_to_seconds(seconds: int) -> Iterator[None]:
    """What never ends fails instead of filling the memory."""

    def stop(*_: object) -> None:
        raise AssertionError("it did not end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


_CODE = re.compile(r"\x1b\[(\??[\d;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+")


def on_screen(written: str) -> list[str]:
    """What stands on a terminal after all of it was written."""
    lines, row, column = [""], 0, 0
    for piece in _CODE.finditer(written):
        match piece[2] or piece[0]:
            case "\r":
                column = 0
            case "\n":
                row, column = row + 1, 0
                lines += [""] * (row + 1 - len(lines))
            case "A":
                row = max(0, row - int(piece[1] or 1))
            case "K":
                lines[row] = ""
            case "h" | "l" | "m":
                pass
            case text:
                lines[row] = (
                    lines[row][:column].ljust(column) + text + lines[row][column + len(text) :]
                )
                column += len(text)
    return [line.rstrip() for line in lines]


def drawn(pieces: Sequence[str]) -> list[str]:
    file = io.StringIO()
    console = Console(file=file, width=60, height=20, force_terminal=True, color_system=None)
    screen = RichScreen(console)
    screen.wait()
    for piece in pieces:
        screen.on_event(Spoke(piece))
        if screen._live is not None:
            screen._live.refresh()  # as the thread may at any time
    screen.end_turn(Outcome(End.DONE, "x", steps=1))
    return on_screen(file.getvalue())


ANSWER = "**Echo**: hi\n\n- one\n- two\n\n```python\nprint('x')\n\ny\n```\n\n1. a\n2. b\n\nThe end."


@given(st.sets(st.integers(1, len(ANSWER) - 1)))
def test_an_answer_looks_the_same_however_it_arrives(cuts: set[int]) -> None:
    places = [0, *sorted(cuts), len(ANSWER)]
    pieces = [ANSWER[start:end] for start, end in pairwise(places)]
    assert drawn(pieces) == drawn([ANSWER])


class _Slow:
    """Drawn slowly: meanwhile the thread would draw, if it could."""

    def __init__(self, live: Drawing) -> None:
        self._live = live
        self.was_drawn_over = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        other = threading.Thread(target=self._live.refresh)
        other.start()
        other.join(timeout=0.2)
        self.was_drawn_over = not other.is_alive()
        yield Text("• one\n• two")


def test_nothing_is_drawn_while_a_block_is_settled() -> None:
    file = io.StringIO()
    console = Console(file=file, width=60, height=20, force_terminal=True, color_system=None)
    live = Drawing(console=console, transient=True, auto_refresh=False)
    live.start()
    live.update(Text("• one"), refresh=True)
    live.update(Text("• one\n• two"))
    slow = _Slow(live)
    live.settle([slow], Text(""))
    live.stop()
    assert not slow.was_drawn_over
    assert [line for line in on_screen(file.getvalue()) if line] == ["• one", "• two"]


def test_pastes_are_marked_while_a_chat_lasts_and_not_after(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with pytest.raises(ValueError, match="over"), marked_pastes():
        assert capsys.readouterr().out == "\x1b[?2004h"
        raise ValueError("over")
    assert capsys.readouterr().out == "\x1b[?2004l"
    monkeypatch.setenv("TERM", "dumb")
    with marked_pastes():
        assert capsys.readouterr().out == ""
