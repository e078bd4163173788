"""Facts as people read them: one line each, or all that is known of one."""

import typer

from hermes.cli.layout import dim, hang
from hermes.cli.render import clean, render_local
from hermes.clock import render_time
from hermes.memory.facts.reference import render_line, render_ref
from hermes.memory.facts.why import Evidence, Why
from hermes.store.base import FactChange
from hermes.types import Fact

HANGING = len("[fact:042] ")
_TIMES = frozenset({"valid_from", "valid_to", "retracted_at"})


def told_line(fact: Fact, *, with_bank: bool = False) -> str:
    """`[fact:042] … (confidence: high)`, with what else must be said of it."""
    notes = [f"bank {fact.bank}"] if with_bank else []
    if fact.retracted_at is not None:
        notes.append(f"deleted {render_local(fact.retracted_at)}")
    elif fact.superseded_by is not None:
        notes.append(f"closed {render_local(fact.valid_to)}".strip())
    elif fact.valid_to is not None:
        notes.append(f"until {render_local(fact.valid_to)}")
    if fact.contradicts:
        notes.append("contested")
    if fact.held:
        notes.append("rejected" if fact.rejected else "held")
    line = clean(render_line(fact) + (f" [{', '.join(notes)}]" if notes else ""))
    return hang(line, HANGING)


def print_fact(why: Why) -> None:
    fact = why.fact
    typer.echo(told_line(fact))
    rows = {
        "kind": fact.kind,
        "subject": fact.subject,
        "attribute": fact.attribute,
        "value": fact.value,
        "entities": ", ".join(fact.entities),
        "bank": fact.bank,
        "holds": _span(fact),
        "learnt": render_local(fact.recorded_at),
        "by": fact.extractor,
        "trust": f"{fact.trust.name.lower()} ({fact.origin})",
        "sources": str(len(fact.sources)),
    }
    for name, value in rows.items():
        if value:
            typer.echo(f"  {name:<10} {clean(str(value))}")
    _print_relatives(why)


def _span(fact: Fact) -> str:
    begins, ends = render_local(fact.valid_from), render_local(fact.valid_to)
    if not begins:
        return f"until {ends}" if ends else ""
    return f"{begins} – {ends}" if ends else begins


def print_why(why: Why) -> None:
    typer.echo(told_line(why.fact))
    for evidence in why.evidence:
        _print_evidence(evidence, why.fact)
    for evidence in why.earlier:
        quote = clean(evidence.source.quote)
        typer.echo(dim(f"  {render_local(evidence.source.at)}  before it was edited: “{quote}”"))
    _print_relatives(why)


def _print_evidence(evidence: Evidence, fact: Fact) -> None:
    source = evidence.source
    when = render_local(source.at)
    was_compressed = source.message_id is None and source.episode_id is not None
    if was_compressed and evidence.session is not None:
        where = f"session {clean(source.session_id)}{_title(evidence)}"
        typer.echo(f"  {when}  {where}, compressed since: “{clean(source.quote)}”")
        return
    if source.message_id is None:
        said = "by hand" if fact.extractor == "person" else f"by {fact.extractor}"
        typer.echo(f"  {when}  given {said}: “{clean(source.quote)}”")
        return
    if evidence.message is None:
        typer.echo(
            f"  {when}  message:{source.message_id}, no longer there: “{clean(source.quote)}”"
        )
        return
    message = evidence.message
    who = message.speaker or message.role.value
    typer.echo(
        f"  {when}  session {clean(message.session_id)}{_title(evidence)} → "
        f"episode:{message.episode_id} → message:{message.id}"
    )
    before, after = clean(evidence.before), clean(evidence.after)
    quote = typer.style(clean(source.quote), bold=True)
    gap = " " if evidence.before[-1:].isspace() and before else ""
    tail = " " if evidence.after[:1].isspace() and after else ""
    typer.echo(f"    {clean(who)}: {dim(before)}{gap}«{quote}»{tail}{dim(after)}")


def _title(evidence: Evidence) -> str:
    titled = evidence.session is not None and evidence.session.title
    return f" “{clean(titled)}”" if titled else ""


def _print_relatives(why: Why) -> None:
    for old in why.replaced:
        typer.echo(f"  replaced {clean(render_line(old))}")
    if why.replaced_by is not None:
        typer.echo(f"  replaced by {clean(render_line(why.replaced_by))}")
    for rival in why.contradicts:
        typer.echo(f"  contradicts {clean(render_line(rival))}")


def print_change(change: FactChange) -> None:
    reason = f" ({clean(change.reason)})" if change.reason else ""
    told = f"{change.action} by {clean(change.by)}{reason}"
    typer.echo(f"  {change.id:>4}  {render_local(change.at)}  {told}")
    if not change.before:
        return
    for name, was in change.before.items():
        now = change.after.get(name)
        typer.echo(dim(f"        {name}: {_value(name, was)} → {_value(name, now)}"))


def _value(name: str, value: object) -> str:
    if name in _TIMES and isinstance(value, int):
        return render_time(value)
    if name == "superseded_by" and isinstance(value, int):
        return "another fact"
    return "–" if value is None else clean(str(value))


def print_refs(numbers: tuple[int, ...]) -> str:
    return ", ".join(render_ref(number) for number in numbers)
