"""How recalled memories look to a person."""

from collections.abc import Sequence

import typer

from hermes.cli.layout import dim, fit, hang, pad, screen_width, wrap
from hermes.cli.render import clean, render_local
from hermes.memory.recall.result import Item, Line, Rung, Trace

INDENT = 3
LABEL = 10


def print_items(items: Sequence[Item], bank: str) -> None:
    """Memories, best first: when, who, what, and what stood around it."""
    for number, item in enumerate(items, 1):
        if number > 1:
            typer.echo()
        _print_item(number, item)
    if not items:
        typer.echo(f"nothing is remembered in bank {bank} that bears on this", err=True)


def _print_item(number: int, item: Item) -> None:
    why = f"relevance {item.relevance:.2f}" if item.relevance else "among the newest"
    head = f"{render_local(item.at)} · {item.ref} · {why}"
    typer.echo(pad(f"{number}.", INDENT) + dim(head))
    if not item.lines:
        _print_text("", item.text)
    for place, line in enumerate(item.lines):
        if place == item.hit:
            _print_text(line.by, line.text)
        else:
            _print_beside(line)


def _print_text(by: str, text: str) -> None:
    room = screen_width() - INDENT - LABEL
    shown = clean(text)
    for n, (start, end) in enumerate(wrap(shown, room)):
        label = pad(fit(by, LABEL - 1), LABEL) if n == 0 else " " * LABEL
        typer.echo(" " * INDENT + label + shown[start:end].rstrip())


def _print_beside(line: Line) -> None:
    room = screen_width() - INDENT - LABEL
    label = pad(fit(line.by, LABEL - 1), LABEL)
    typer.echo(dim(" " * INDENT + label + fit(line.text, room)))


def print_trace(trace: Trace, *, in_full: bool, items: Sequence[Item]) -> None:
    """What the answer went by: always when it is less than everything, in full when asked."""
    if trace.rung is not Rung.FULL:
        reason = f": {trace.reason}" if trace.reason else ""
        typer.echo(f"\nrecalled by {trace.rung.value}{reason}", err=True)
    elif trace.reason:
        typer.echo(f"\n{trace.reason}", err=True)
    if not in_full:
        return
    found = f"by {trace.rung.value}, {trace.candidates:,} candidates"
    typer.echo()
    _print_aside(f"bank {trace.bank}, {found}")
    _print_aside(f"words: {', '.join(trace.terms) or 'none'}")
    _print_aside(f"times: {', '.join(trace.times) or 'none'}")
    _print_aside("passes: " + ", ".join(f"{name} {n:,}" for name, n in trace.passes.items()))
    _print_aside("ms: " + ", ".join(f"{name} {ms:g}" for name, ms in trace.ms.items()))
    for number, item in enumerate(items, 1):
        ways = ", ".join(f"{found.by} #{found.rank}" for found in item.found)
        strongest = sorted(item.parts.items(), key=lambda part: -abs(part[1]))[:5]
        parts = ", ".join(f"{name} {value:+.2f}" for name, value in strongest)
        why = "; ".join(filter(None, (ways, parts)))
        _print_aside(f"{pad(f'{number}.', INDENT)}{item.ref}: {why}")


def _print_aside(line: str) -> None:
    typer.echo(dim(hang(clean(line), INDENT)))
