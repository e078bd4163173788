"""What a turn looks like in a terminal: one line a call, and no answer too long to be drawn."""

import io
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from rich.console import Console

from hermes.agent.events import CallBegan, CallEnded, End, Event, Outcome, Spoke
from hermes.cli.chat.editor import SlashCompleter
from hermes.cli.chat.markdown import LONGEST, take_blocks
from hermes.cli.chat.rich_screen import RichScreen
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
