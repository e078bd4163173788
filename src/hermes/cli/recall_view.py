"""How recalled memories look to a person."""

from collections.abc import Sequence

import typer

from hermes.cli.layout import dim, fit, hang, pad, screen_width, wrap
from hermes.cli.render import clean, render_local
from hermes.clock import EARLIEST_AT, LATEST_AT
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.focus import excerpt
from hermes.memory.recall.result import Item, Line, Rung, Trace, is_sure, told
from hermes.memory.recall.select import is_only_new

INDENT = 3
NOT_GIVEN = {
    "relevance": "bear too little on it",
    "budget": "did not fit",
    "quota": "were more than enough of their kind",
    "duplicate": "say the same as another",
    "held": "are not approved",
}
LABEL = 10
PLENTY = 3  # memories that bear on a task are enough not to look elsewhere
BEARS = 0.65
NAMED = 5  # banks named where there are more
LONGEST = 2_000  # characters shown of a text
DATE = len("2026-11-16")


def newest_last(items: Sequence[Item], trace: Trace) -> tuple[list[Item], list[Item]]:
    """What bears on the task, and what is there only because it is new, the newest first."""
    parts: tuple[list[Item], list[Item]] = ([], [])
    for item in items:
        parts[is_only_new(item, trace.min_relevance)].append(item)
    bearing, newest = parts
    bearing.sort(key=lambda item: not _is_sure(item, trace))
    return bearing, sorted(newest, key=lambda item: -item.at)


def _is_sure(item: Item, trace: Trace) -> bool:
    """Whether an item reaches the threshold; what a recall gives was let pass by it."""
    return trace.min_relevance > 0 or item.relevance >= BEARS


def print_items(items: Sequence[Item], trace: Trace, least: int | None = None) -> None:
    """Memories, best first: when, who, what, and what stood around it; the merely new apart.

    Where none fits, `least` is the budget that one would fit into.
    """
    bearing, newest = newest_last(items, trace)
    unsure = [item for item in bearing if not _is_sure(item, trace)]
    if head := _head(bearing, newest, trace):
        typer.echo(head + "\n")
    for number, item in enumerate((*bearing, *newest), 1):
        if number > 1:
            typer.echo()
        if unsure and item is unsure[0]:
            typer.echo(dim("less sure:"))
        if newest and item is newest[0]:
            typer.echo(dim("the newest, whatever the task:"))
        _print_item(number, item, trace.min_relevance)
    if not items:
        print_nothing(trace, least)
    if held := trace.dropped.get("held"):
        facts = "one fact that bears" if held == 1 else f"{held} facts that bear"
        typer.echo(f"\nleft out, not approved: {facts} on this (hermes memory pending)", err=True)


def _head(bearing: Sequence[Item], newest: Sequence[Item], trace: Trace) -> str:
    """What the first line says, where what follows may look like an answer and need not be one."""
    if newest and not bearing:
        return f"nothing known in bank {trace.bank} bears on this"
    is_recall = trace.min_relevance > 0
    if is_recall and bearing and not is_sure(bearing):
        return "nothing known surely answers this; what may bear on it:"
    return ""


def print_block(recall: Recall, least: int | None) -> None:
    """The block as a model would get it, or why there is none; beside it what it went by."""
    if block := recall.context():
        typer.echo(block)
    else:
        print_nothing(recall.trace, least)
    print_trace(recall.trace, in_full=False, items=())


def print_nothing(trace: Trace, least: int | None) -> None:
    """Why nothing is given: it does not fit, or nothing bears on it."""
    if least is not None:
        typer.echo(f"what is remembered does not fit: the least is --budget {least}", err=True)
    elif trace.dropped.get("budget"):
        typer.echo("what is remembered does not fit: give a larger --budget", err=True)
    else:
        typer.echo(f"nothing is remembered in bank {trace.bank} that bears on this", err=True)


def print_elsewhere(items: Sequence[Item], bank: str, others: Sequence[str]) -> None:
    """Where else to look, if little was found that bears on it and there are other banks."""
    if not others or sum(item.relevance >= BEARS for item in items) >= PLENTY:
        return
    named = ", ".join(others[:NAMED]) + (", …" if len(others) > NAMED else "")
    where = f"looked in bank {bank} only; there is also {named}: add --bank NAME"
    typer.echo(f"\n{where}. `hermes sessions search` looks for words in all banks.", err=True)


def _print_item(number: int, item: Item, min_relevance: float) -> None:
    why = (
        "among the newest"
        if is_only_new(item, min_relevance)
        else f"relevance {told(item.relevance):.2f}"
    )
    held = " · not approved" if item.held else ""
    head = f"{render_local(item.at)} · {item.ref} · {why}{held}"
    typer.echo(f"{number}.".ljust(INDENT - 1) + " " + dim(head))
    if item.note:
        _print_note(clean(item.note))
    if not item.lines:
        _print_text("", item.text)
    for place, line in enumerate(item.lines):
        if place == item.hit:
            whole = f"; `hermes sessions show --around {line.message_id}` shows it"
            _print_text(line.by, line.text, whole, item.focus)
        else:
            _print_beside(line)


def _print_note(note: str) -> None:
    for start, end in wrap(note, screen_width() - INDENT):
        typer.echo(dim(" " * INDENT + note[start:end].rstrip()))


def _print_text(by: str, text: str, whole: str = "", focus: int = 0) -> None:
    """A text up to a length, and where it is longer that it is, and what shows the whole."""
    room = screen_width() - INDENT - LABEL
    shown = clean(excerpt(text, focus, LONGEST))
    for n, (start, end) in enumerate(wrap(shown, room)):
        label = pad(fit(by, LABEL - 1), LABEL) if n == 0 else " " * LABEL
        typer.echo(" " * INDENT + label + shown[start:end].rstrip())
    if len(text) > LONGEST:
        _print_note(f"cut: it has {len(text):,} characters{whole}")


def _print_beside(line: Line) -> None:
    room = screen_width() - INDENT - LABEL
    label = pad(fit(line.by, LABEL - 1), LABEL)
    typer.echo(dim(" " * INDENT + label + fit(line.text, room)))


def print_trace(trace: Trace, *, in_full: bool, items: Sequence[Item]) -> None:
    """What the answer went by: always when it is less than everything, in full when asked."""
    if trace.went_by is not Rung.FULL:
        reason = f": {trace.reason}" if trace.reason else ""
        typer.echo(f"\nwent by {trace.went_by.value}{reason}", err=True)
    elif trace.reason:
        typer.echo(f"\n{trace.reason}", err=True)
    if not in_full:
        return
    found = f"went by {trace.went_by.value}, {trace.candidates:,} candidates"
    typer.echo()
    _print_aside(f"bank {trace.bank}, {found}")
    _print_aside(f"task: {trace.task_type or 'none'}")
    _print_aside(f"words: {', '.join(trace.terms) or 'none'}")
    _print_aside(f"times: {', '.join(map(_render_span, trace.spans)) or 'none'}")
    _print_aside("passes: " + ", ".join(f"{name} {n:,}" for name, n in trace.passes.items()))
    reasons = ", ".join(f"{n:,} {NOT_GIVEN.get(why, why)}" for why, n in trace.dropped.items() if n)
    _print_aside(f"left out: {reasons or 'none'}")
    _print_aside("ms: " + ", ".join(f"{name} {ms:g}" for name, ms in trace.ms.items()))
    bearing, newest = newest_last(items, trace)
    listed = (*bearing, *newest)
    room = max(INDENT, len(f"{len(listed)}. "))
    for number, item in enumerate(listed, 1):
        ways = ", ".join(f"{found.by} #{found.rank}" for found in item.found)
        strongest = sorted(item.parts.items(), key=lambda part: -abs(part[1]))[:5]
        parts = ", ".join(f"{name} {value:+.2f}" for name, value in strongest)
        why = "; ".join(filter(None, (ways, parts)))
        _print_aside(f"{pad(f'{number}.', room)}{item.ref}: {why}")


def _render_span(span: tuple[str, int, int]) -> str:
    """A time as it was said, and the days it was taken for."""
    text, start_at, end_at = span
    first, last = (
        "any day" if at in (EARLIEST_AT, LATEST_AT) else render_local(at)[:DATE]
        for at in (start_at, end_at if end_at == LATEST_AT else end_at - 1)
    )
    return f"{text} ({first})" if first == last else f"{text} ({first} to {last})"


def _print_aside(line: str) -> None:
    typer.echo(dim(hang(clean(line), INDENT)))
