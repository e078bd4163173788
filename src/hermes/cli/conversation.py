"""How conversations look to a person: hits with what stands around them, and whole passages."""

import sys
from collections.abc import Iterator, Mapping, Sequence

import typer

from hermes.cli.layout import (
    Spans,
    count_cells,
    dim,
    embolden,
    fit,
    pad,
    print_columns,
    screen_width,
    tame,
    wrap,
)
from hermes.cli.render import clean, count, render_local
from hermes.memory.sessions import Preview, Scroll, SessionHit, SessionSearch
from hermes.store.base.summaries import Summary
from hermes.types import Message, Role, Session

LABEL = 9  # the length of `assistant`, the longest role
INDENT = 3
NARROW_TABLE = 72
BRANCHED = "(a branch begins here)"


def print_search(search: SessionSearch) -> None:
    """Conversations, best first, each with the place that answers."""
    for number, hit in enumerate(search.hits, 1):
        if number > 1:
            typer.echo()
        _print_hit(number, hit)
    rest = search.candidates - len(search.hits)
    count = f"{rest}" if search.is_all else f"{rest} or"
    more = f"{count} more with a higher --limit; " if rest > 0 else ""
    if search.hits:
        read_on = f"read on with `hermes sessions show --around {search.hits[0].message.id}`"
        typer.echo(dim(f"\n{more}{read_on}"), err=True)


def _print_hit(number: int, hit: SessionHit) -> None:
    width = screen_width()
    title = fit(_title(hit), width - INDENT)
    typer.echo(pad(f"{number}.", INDENT) + typer.style(title, bold=True))
    _print_facts(_facts(hit), width)
    for message in _bookend(hit.first if hit.session.title else (), hit):
        _print_line("began", message.text, width)
    for message in hit.around:
        if message.id == hit.message.id:
            _print_wrapped(_label(message), hit.snippet.text, width, hit.snippet.highlights)
        elif abs(_place(hit, message)) == 1:
            _print_line(_label(message), message.text, width)
    for message in _bookend(hit.last, hit):
        _print_line("ended", message.text, width)


def _place(hit: SessionHit, message: Message) -> int:
    """How far a message is from the one that was found."""
    ids = [each.id for each in hit.around]
    return ids.index(message.id) - ids.index(hit.message.id)


def _bookend(ends: Sequence[Message], hit: SessionHit) -> Iterator[Message]:
    """The start or the end of the conversation, where it is not shown anyway."""
    shown = {m.id for m in hit.around if abs(_place(hit, m)) <= 1}
    return (message for message in ends if message.id not in shown)


def _title(hit: SessionHit) -> str:
    if hit.session.title:
        return hit.session.title
    return hit.first[0].text if hit.first else hit.session.id


def _facts(hit: SessionHit) -> str:
    session = hit.session
    matched = f", {hit.hits} match" if hit.hits > 1 else ""
    told = [
        render_local(hit.message.at),
        session.platform,
        f"{count(session.messages, 'message')}{matched}",
        f"message {hit.message.id}",
    ]
    return clean(" · ".join(part for part in told if part))


def _print_facts(text: str, width: int) -> None:
    for start, end in wrap(text, width - INDENT):
        typer.echo(" " * INDENT + dim(text[start:end].rstrip()))


def _label(message: Message) -> str:
    return fit(message.speaker or message.role.value, LABEL)


def _print_line(label: str, text: str, width: int) -> None:
    room = width - INDENT - LABEL - 2
    typer.echo(" " * INDENT + dim(f"{pad(label, LABEL)}  {fit(text, room)}"))


def _print_wrapped(label: str, text: str, width: int, marks: Spans = ()) -> None:
    shown = tame(text)
    head = " › " + pad(label, LABEL) + "  "
    for start, end in wrap(shown, width - INDENT - LABEL - 2):
        typer.echo(head + embolden(shown, start, end, marks))
        head = " " * count_cells(head)


def print_previews(previews: Sequence[Preview]) -> None:
    """A table of conversations; two lines each where the terminal is too narrow for it."""
    if sys.stdout.isatty() and screen_width() < NARROW_TABLE:
        for preview in previews:
            session = preview.session
            typer.echo(fit(name_of(preview), screen_width()))
            counted = count(session.messages, "message")
            facts = f"{render_local(session.last_at)} · {counted} · {session.id}"
            _print_facts(clean(facts), screen_width())
        return
    rows = (
        (render_local(p.session.last_at), p.session.messages, p.session.id, name_of(p))
        for p in previews
    )
    print_columns(["last", "messages", "id", "title"], rows, wide=3)


def name_of(preview: Preview) -> str:
    """What a conversation is called: by its title, or by how it began."""
    under = "↳ " if preview.session.parent_id else ""
    return under + (preview.session.title or preview.opening.text)


def print_scroll(scroll: Scroll, summaries: Mapping[int, Summary] | None = None) -> None:
    """A passage of a conversation, every word of it; by their episodes, which are summaries."""
    stand_in = dict(summaries or {})
    width = screen_width()
    _print_heading(scroll.session, width)
    if scroll.has_before and scroll.messages:
        typer.echo(dim("  …"))
    last_day, last_session = "", ""
    for message in scroll.messages:
        if last_session not in ("", message.session_id) and message.role is not Role.SYSTEM:
            typer.echo(dim(f"  {BRANCHED}"))
        last_session = message.session_id
        day, _, clock = render_local(message.at).partition(" ")
        if day != last_day:
            typer.echo(dim(f"\n{day}"))
            last_day = day
        label = "summary" if message.episode_id in (summaries or {}) else _label(message)
        _print_note(stand_in.pop(message.episode_id, None), width)
        mark = "›" if message.id == scroll.anchor_id else " "
        _print_message(message, f"{mark} {clock}  {pad(label, LABEL)}  ", width)
    if scroll.has_after and scroll.messages:
        on = f"hermes sessions show {scroll.session.id} --after {scroll.messages[-1].id}"
        typer.echo(dim(f"  …\ngo on with `{on}`"), err=True)


def _print_heading(session: Session, width: int) -> None:
    typer.echo(typer.style(fit(session.title or session.id, width), bold=True))
    told = [
        session.id if session.title else "",
        session.platform,
        session.identity,
        f"bank {session.bank}" if session.bank != "default" else "",
        f"part of {session.parent_id}" if session.parent_id else "",
        count(session.messages, "message"),
        "ended" if session.ended_at is not None else "",
    ]
    typer.echo(dim(clean(" · ".join(part for part in told if part))))


def _print_note(summary: Summary | None, width: int) -> None:
    """Said before the first message of a summary: what it stands for, and the way back."""
    if summary is None:
        return
    told = f"summary {summary.id} stands for {count(summary.messages, 'message')}; "
    if summary.purged_at is None:
        back = f"hermes memory compact --undo {summary.id}"
        told += f"until {render_local(summary.purge_at)} they are brought back by `{back}`"
    else:
        told += "they were dropped when their grace period had passed"
    for start, end in wrap(told, width - INDENT + 1):
        typer.echo(dim("  " + told[start:end].rstrip()))


def _print_message(message: Message, head: str, width: int) -> None:
    lines: list[str] = []
    below = " " * count_cells(head)
    for line in _body(message):
        shown = tame(line).rstrip()
        for start, end in wrap(shown, width - len(below)):
            lines.append((head + shown[start:end]).rstrip())
            head = below
    typer.echo("\n".join(lines))  # at once: one by one, a million lines take half a minute


def _body(message: Message) -> list[str]:
    lines = message.text.expandtabs(4).splitlines()
    lines += [f"→ {call.name}({call.arguments})" for call in message.calls]
    return lines or [BRANCHED if message.role is Role.SYSTEM else "(nothing)"]
