"""A turn in a terminal: Markdown as it is written, tools and receipts in dim lines beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment
from rich.text import Text

from hermes.agent.events import (
    CallBegan,
    CallEnded,
    End,
    Event,
    Noted,
    Outcome,
    Progress,
    Remembered,
    Spoke,
    Thought,
)
from hermes.cli.chat.markdown import take_blocks
from hermes.cli.chat.screen import (
    Screen,
    tame_text,
    told_call,
    told_end,
    told_receipt,
    told_result,
)
from hermes.cli.layout import hang_within
from hermes.cli.render import clean
from hermes.errors import HermesError
from hermes.types import Role

if TYPE_CHECKING:
    from hermes.agent.thread import Thread

REFRESH = 12
SHOWN_AT_RESUME = 6
RESUMED_CHARS = 300
TAIL_LINES = 12
TODO = "todo"


class Block:
    """Markdown without the empty lines that lists, tables and code put around themselves."""

    def __init__(self, text: str) -> None:
        self._markdown = Markdown(text)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self._markdown, options, pad=False)
        full = [n for n, line in enumerate(lines) if any(each.text.strip() for each in line)]
        for line in lines[full[0] : full[-1] + 1] if full else ():
            yield from line
            yield Segment.line()


class Drawing(Live):
    """What is still being written, drawn again and again by a thread of its own."""

    def settle(self, done: Sequence[RenderableType], rest: RenderableType) -> None:
        """Leave `done` for good above `rest`, in one piece.

        The lock is the thread's: were it to draw between reckoning how far up to go and going
        there, a line of what it drew would stay.
        """
        with self._lock, self.console:
            self.update(Text(""), refresh=True)
            for each in done:
                self.console.print(each)
            self.update(rest, refresh=True)


class RichScreen(Screen):
    """Draws on a terminal. `console` is where; tests give their own."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console()
        self._open = ""
        self._last_call = ""
        self._live: Drawing | None = None
        self._waiting: list[Event] | None = None

    def on_event(self, event: Event) -> None:
        if self._waiting is None:
            self._draw(event)
        else:
            self._waiting.append(event)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While a question to the person is open, nothing is drawn; what happens is shown after."""
        self._settle()
        self._waiting = []
        try:
            yield
        finally:
            waiting, self._waiting = self._waiting, None
            for event in waiting:
                self._draw(event)

    def _draw(self, event: Event) -> None:
        match event:
            case Spoke(text):
                self._speak(tame_text(text))
            case Thought():
                self._status("thinking")
            case CallBegan(call):
                self._settle()
                self._aside(f"→ {told_call(call, self.console.width - 2)}")
                self._last_call = call.id
                self._status(call.name)
            case CallEnded(call, result) if call.name == TODO and not result.failed:
                self._settle()  # its list was shown as progress
            case CallEnded(call, result):
                self._settle()
                # Calls that run side by side end in any order: only the last needs no name.
                name = "" if call.id == self._last_call else f"{clean(call.name)}: "
                told = told_result(result, self.console.width - 4 - len(name))
                self._aside(f"  {'✗' if result.failed else '✓'} {name}{told}")
            case Progress(text):
                self._settle()
                self._aside("\n".join(f"  {clean(line)}" for line in text.splitlines()))
            case Remembered(receipt):
                self._settle()
                self._line(told_receipt(receipt), "yellow" if receipt.held else "green")
            case Noted(text):
                self._settle()
                self._line(tame_text(text), "yellow")

    def wait(self) -> None:
        self._status("")

    def end_turn(self, outcome: Outcome) -> None:
        self._settle()
        if outcome.end is End.MEMORY:
            self.console.print(Block(tame_text(outcome.text)))
        style = "red" if outcome.end is End.FAILED else "yellow"
        for line in told_end(outcome, is_kept=self.is_kept):
            self._line(line, style)
        self.console.print()

    def tell(self, text: str) -> None:
        self.console.print(Text(text))

    def tell_error(self, error: HermesError) -> None:
        self._settle()
        self._line(f"error: {error.message}", "red")
        if error.hint:
            self._line(f"hint: {error.hint}", "dim")

    def show_resumed(self, thread: Thread) -> None:
        self._aside(f"resumed {thread.id}")
        spoken = [
            line.message
            for line in thread.lines
            if line.message.role in (Role.USER, Role.ASSISTANT) and line.message.text.strip()
        ]
        for message in spoken[-SHOWN_AT_RESUME:]:
            mark = "❯ " if message.role is Role.USER else "  "
            said = clean(message.text)
            cut = said if len(said) <= RESUMED_CHARS else said[:RESUMED_CHARS] + "…"
            self._aside(hang_within(mark + cut, len(mark), self.console.width))
        self._show_cut(thread)
        self.console.print()

    def _speak(self, text: str) -> None:
        blocks, self._open = take_blocks(self._open + text)
        live = self._begin()
        if blocks:
            done = [each for block in blocks for each in (Block(block), Text(""))]
            live.settle(done, self._tail())
        else:
            live.update(self._tail())

    def _tail(self) -> Block:
        """The block still being written, its last lines where it is taller than the screen."""
        room = max(TAIL_LINES, self.console.height - 4)
        lines = self._open[-room * self.console.width :].split("\n")
        return Block("\n".join(lines[-room:]))

    def _status(self, text: str) -> None:
        if not self._open:
            self._begin().update(Text(f"… {clean(text)}".rstrip(), style="dim"))

    def _begin(self) -> Drawing:
        if self._live is None:
            self._live = Drawing(
                console=self.console, refresh_per_second=REFRESH, transient=True, auto_refresh=True
            )
            self._live.start()
        return self._live

    def _settle(self) -> None:
        """Take the live part away and leave what it showed for good."""
        if self._live is not None:
            self._live.update(Text(""))
            self._live.stop()
            self._live = None
        if self._open.strip():
            self.console.print(Block(self._open))
        self._open = ""

    def _aside(self, text: str) -> None:
        self._line(text, "dim")

    def _line(self, text: str, style: str) -> None:
        self.console.print(Text(text, style=style))
