"""What a turn looks like, in plain lines: answers on stdout, all else on stderr.

The terminal's screen (`rich_screen`) shows the same in colour and as it is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import typer

from hermes.agent.events import (
    CallBegan,
    CallEnded,
    End,
    Event,
    Noted,
    Outcome,
    Remembered,
    Spoke,
)
from hermes.cli.layout import fit
from hermes.cli.render import HIDDEN, clean, count
from hermes.errors import HermesError

if TYPE_CHECKING:
    from hermes.agent.thread import Thread
    from hermes.app.agent_learning import Learning
    from hermes.tools.base import Receipt, ToolResult
    from hermes.types import ToolCall

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
LINE = 110  # columns where no terminal says how many there are


def tame_text(text: str) -> str:
    """A model's words without what could steer a terminal; line ends and tabs stay."""
    return _STEERING.sub("", HIDDEN.sub("", text.replace("\r\n", "\n")))


def told_receipt(receipt: Receipt) -> str:
    """`remembered: … · undo: /forget fact:12`"""
    text = _told_change(receipt)
    if receipt.held:
        return f"waits for your word: {text} · /approve or /reject {receipt.ref}"
    if receipt.ref == "restore:":  # there is no way back, and the text says so
        return text
    if receipt.ref.startswith("restore:"):
        return f"{text} · undo: /restore {receipt.ref.removeprefix('restore:')}"
    undo = f" · undo: /forget {receipt.ref}" if receipt.ref else ""
    return f"remembered: {text}{undo}"


def _told_change(receipt: Receipt) -> str:
    """What is believed now, and what no longer is."""
    gone = "; ".join(map(clean, receipt.before))
    return clean(receipt.text) + (f" (no longer: {gone})" if gone else "")


def told_late(receipt: Receipt) -> str:
    """A receipt for where no /command can follow: the chat is over, or nobody types."""
    text, ref = _told_change(receipt), receipt.ref
    if receipt.held:
        return f"waits for your word: {text} · hermes memory approve {ref}"
    if ref.startswith("fact:"):
        return f"remembered: {text} · undo: hermes memory fact delete {ref}"
    if ref.startswith("restore:fact:"):
        return f"{text} · undo: hermes memory fact restore {ref.removeprefix('restore:')}"
    has_way = ref not in ("", "restore:")  # a note's is in a chat only
    return told_receipt(receipt) + (" in `hermes chat`" if has_way else "")


def told_call(call: ToolCall, width: int = LINE) -> str:
    """A call in a line of at most `width` columns."""
    return fit(f"{call.name} {call.arguments}", width)


def told_result(result: ToolResult, width: int = LINE) -> str:
    """What came of a call, in a line of at most `width` columns."""
    if result.told:
        return fit(result.told, width)
    lines = result.text.strip().splitlines() or ["(nothing)"]
    more = f" (+{count(len(lines) - 1, 'line')})" if len(lines) > 1 else ""
    return fit(lines[0], width - len(more)) + more


def told_end(outcome: Outcome, *, is_kept: bool = True) -> tuple[str, ...]:
    """What must be said of how a turn ended; nothing for one that went well."""
    match outcome.end:
        case End.FAILED if outcome.error is not None:
            kept = "What you said is kept: /retry sends it again." if is_kept else ""
            return (f"error: {outcome.error.message}", f"hint: {outcome.error.hint} {kept}".strip())
        case End.INTERRUPTED:
            return ("interrupted" + ("; what was said so far is kept" if is_kept else ""),)
        case End.REFUSED:
            return ("the model declined to answer",)
        case End.STEPS:
            told = f"stopped after {count(outcome.steps, 'step')} (agent.maxSteps)"
            return (f"{told}; say `go on` to continue",)
    return ()


class Screen:
    """Plain lines. `is_kept` is false while nothing of what is said is recorded."""

    is_kept = True

    @staticmethod
    def told(receipt: Receipt) -> str:
        """A receipt while the chat goes on."""
        return told_receipt(receipt)

    def on_event(self, event: Event) -> None:
        match event:
            case Spoke(text):
                typer.echo(tame_text(text), nl=False)
            case CallBegan(call):
                self._aside(f"→ {told_call(call)}")
            case CallEnded(call, result) if result.failed:
                self._aside(f"  {clean(call.name)} failed: {told_result(result)}")
            case Remembered(receipt):
                self._aside(self.told(receipt))
            case Noted(text):
                self._aside(tame_text(text))

    def end_turn(self, outcome: Outcome) -> None:
        if outcome.end is End.MEMORY:
            typer.echo(tame_text(outcome.text))
        elif outcome.text:
            typer.echo()
        for line in told_end(outcome, is_kept=self.is_kept):
            self._aside(line)

    def wait(self) -> None:
        """Show that something is under way."""

    def tell(self, text: str) -> None:
        typer.echo(text)

    def mention(self, text: str) -> None:
        """What is no answer and asks for nothing."""
        self._aside(text)

    def tell_error(self, error: HermesError) -> None:
        self._aside(f"error: {error.message}")
        if error.hint:
            self._aside(f"hint: {error.hint}")

    def show_resumed(self, thread: Thread) -> None:
        self._aside(f"resumed {thread.id}, {count(len(thread.lines), 'message')} in sight")
        self._show_cut(thread)

    def _show_cut(self, thread: Thread) -> None:
        for call in thread.cut_calls:
            self._aside(f"→ {told_call(call)}")
            self._aside("  interrupted: the outcome is unknown")

    def show_learnt(self, learning: Learning, *, is_over: bool) -> None:
        """What the end of a conversation taught; `is_over` where no /command can follow."""
        for receipt in learning.receipts:
            self._aside(told_late(receipt) if is_over else self.told(receipt))
        if learning.problem:
            self._aside(clean(learning.problem))

    def _aside(self, text: str) -> None:
        typer.echo(text, err=True)


class Unattended(Screen):
    """Plain lines for where nobody can answer with a /command: what undoes works from a shell."""

    @staticmethod
    def told(receipt: Receipt) -> str:
        return told_late(receipt)
