"""`hermes memory fact`: what Hermes believes, why, and how to correct it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated

import typer

from hermes.app.fact_shapes import change_shape, fact_shape, kept_shape, why_shape
from hermes.app.facts import NewFact
from hermes.cli.fact_view import print_change, print_fact, print_why, told_line
from hermes.cli.layout import dim
from hermes.cli.nothing import told_nothing
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, InBank, KeepSecrets, Yes
from hermes.cli.render import aside, clean, confirm, count, print_json, print_table, tell
from hermes.cli.writer import calling_writer
from hermes.cli.zone import local_zone
from hermes.clock import SystemClock
from hermes.errors import UserError
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.given import Kept, Revision
from hermes.memory.facts.listing import FactQuery
from hermes.memory.facts.reference import render_line, render_ref
from hermes.memory.recall.when import TimeSpan, parse_when
from hermes.types import Confidence, Fact, FactKind

app = typer.Typer(help="See, add and correct what is believed.", no_args_is_help=True)

Ref = Annotated[str, typer.Argument(metavar="FACT", help="Such as fact:42.")]
Refs = Annotated[list[str], typer.Argument(metavar="FACT", help="Such as fact:42; or several.")]
Kinds = Annotated[
    list[FactKind] | None, typer.Option("--kind", help="Only of this kind; may be repeated.")
]
Day = Annotated[str | None, typer.Option(metavar="DATE", help="2026-03-01, last week, in May.")]


@app.command("add")
def add(  # noqa: PLR0913 - one parameter an option
    text: Annotated[str, typer.Argument(help='One statement: "User lives in Lisbon".')],
    *,
    bank: Annotated[str, typer.Option("--bank", metavar="NAME", help="The bank.")] = DEFAULT,
    kind: Annotated[FactKind | None, typer.Option(help="Unset: read from the words.")] = None,
    confidence: Annotated[Confidence, typer.Option(help="How sure it is.")] = Confidence.HIGH,
    since: Day = None,
    until: Day = None,
    keep_secrets: KeepSecrets = False,
    as_json: AsJson = False,
) -> None:
    """Add a fact by hand; subject, attribute and entities are found in its words."""
    new = NewFact(
        text,
        bank=bank,
        kind=kind,
        confidence=confidence,
        valid_from=_start(since),
        valid_to=_end(until),
        keep_secrets=keep_secrets,
    )
    who = calling_writer()
    if who.is_agent:
        new = replace(new, origin=who.fact_origin, confidence=None, keep_secrets=False)
    with opened() as hermes:
        kept = hermes.facts.add(new, by=who.by)
        waits = hermes.pending.find_of_fact(kept.fact) if kept.fact and kept.fact.held else None
    print_json(kept_shape(kept)) if as_json else _print_kept(kept)
    if waits is not None:
        aside(f"it is not believed yet ({waits.reason}): hermes memory approve held:{waits.id}")


def _print_kept(kept: Kept) -> None:
    if kept.fact is None:
        typer.echo(f"nothing was added: {kept.reason}", err=True)
        return
    typer.echo(clean(render_line(kept.fact)))
    others = ", ".join(render_ref(fact.number) for fact in kept.others)
    told = {
        Verdict.MERGE: "known before; the source was added",
        Verdict.SUPERSEDE: f"it takes the place of {others}",
        Verdict.CONTRADICT: f"it contradicts {others}; both are kept",
    }
    if kept.verdict in told:
        typer.echo(told[kept.verdict], err=True)


@app.command("list")
def list_facts(  # noqa: PLR0913 - one parameter an option
    *,
    recent: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="The newest so many.")
    ] = 100,
    kind: Kinds = None,
    subject: Annotated[str, typer.Option(help="Only about this: user, Atlas.")] = "",
    entity: Annotated[str, typer.Option(help="Only those that mention it.")] = "",
    bank: InBank = "",
    as_of: Annotated[str | None, typer.Option(metavar="DATE", help="What was true then.")] = None,
    believed_on: Annotated[
        str | None, typer.Option(metavar="DATE", help="What was believed then.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what was closed or deleted.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is believed, newest last."""
    query = FactQuery(
        bank=bank,
        kinds=tuple(kind or ()),
        subject=subject,
        entity=entity,
        as_of=_end(as_of),
        believed_on=_end(believed_on),
        everything=everything,
    )
    with opened(looking=True) as hermes:
        if bank:
            hermes.conversations.get_bank(bank)
        found = hermes.facts.list(query, recent)[::-1]
        held = {} if found else hermes.facts.count_by_bank()
    if as_json:
        print_json([fact_shape(fact) for fact in found])
        return
    several = len({fact.bank for fact in found}) > 1
    for fact in found:
        typer.echo(told_line(fact, with_bank=several))
    if any(fact.held and not fact.rejected for fact in found):
        told = "[held] is kept, but stands before no task until you approve it: "
        typer.echo(told + "`hermes memory pending`", err=True)
    if not found:
        typer.echo(told_nothing(query, held), err=True)


@app.command("show")
def show(fact: Ref, as_json: AsJson = False) -> None:
    """Show all that is kept of a fact."""
    with opened(looking=True) as hermes:
        found = hermes.facts.why(fact)
    print_json(fact_shape(found.fact)) if as_json else print_fact(found)


@app.command("edit")
def edit(
    fact: Ref,
    text: Annotated[str | None, typer.Argument(help="The new wording.")] = None,
    *,
    kind: Annotated[FactKind | None, typer.Option(help="What kind it is.")] = None,
    confidence: Annotated[Confidence | None, typer.Option(help="How sure it is.")] = None,
    since: Day = None,
    until: Day = None,
    as_json: AsJson = False,
) -> None:
    """Correct a fact; how it was stays in its history."""
    if all(each is None for each in (text, kind, confidence, since, until)):
        hint = f'Say how it should read: `hermes memory fact edit {fact} "User lives in Porto"`.'
        raise UserError("Nothing was given to change.", f"{hint} To look at it: `show`.")
    revision = Revision(None, kind, confidence, _start(since), _end(until))
    who = calling_writer().refuse_tainted()
    with opened() as hermes:
        found = hermes.facts.revise(fact, revision, text=text, by=who.by)
        notes = hermes.user.list_gone_notes(found) if text else []
    print_json(fact_shape(found)) if as_json else typer.echo(told_line(found))
    _tell_gone(notes)


@app.command("delete")
def delete(facts: Refs, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete facts; they can be restored."""
    with opened() as hermes:
        found = [hermes.facts.get(ref) for ref in dict.fromkeys(facts)]
        confirm(_asked(found), yes=yes)
        replaced = [
            old for fact in found for old in hermes.facts.why(render_ref(fact.number)).replaced
        ]
        gone = [hermes.facts.forget(render_ref(fact.number)) for fact in found]
        notes = [text for fact in gone for text in hermes.user.list_gone_notes(fact)]
    refs = [render_ref(fact.number) for fact in found]
    named = " ".join(refs)
    tell(f"deleted {named}", as_json=as_json, deleted=refs[0] if len(refs) == 1 else refs)
    aside(
        f"bring {'it' if len(refs) == 1 else 'them'} back with `hermes memory fact restore {named}`"
    )
    for old in replaced:
        back = f"`hermes memory fact restore {render_ref(old.number)}` goes back to that"
        aside(f"it had replaced {clean(render_line(old))}; {back}")
    _tell_gone(notes)


def _tell_gone(notes: Sequence[str]) -> None:
    for text in notes:
        aside(f"the note that said so left USER.md with it: {clean(text)}")


def _asked(facts: Sequence[Fact]) -> str:
    if len(facts) == 1:
        return f"Delete {clean(render_line(facts[0]))}?"
    return "\n".join([*(clean(render_line(fact)) for fact in facts), f"Delete these {len(facts)}?"])


@app.command("restore")
def restore(
    facts: Refs,
    to: Annotated[
        int | None, typer.Option(metavar="CHANGE", help="As it was after this change.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Bring back what was deleted or replaced; else undo the last edit."""
    if to is not None and len(facts) > 1:
        raise UserError("--to is a change of one fact.", "Restore the facts one by one.")
    with opened() as hermes:
        for ref in facts:  # one that is not there stops the rest from being restored
            hermes.facts.get(ref)
        found = [hermes.facts.restore(ref, change_id=to) for ref in facts]
        explained = [hermes.facts.why(render_ref(fact.number)) for fact in found]
        rivals = {other.id: other.number for why in explained for other in why.contradicts}
    shapes = [fact_shape(fact) for fact in found]
    if as_json:
        print_json(shapes[0] if len(shapes) == 1 else shapes)
        return
    for fact in found:
        typer.echo(told_line(fact))
        _tell_rivals(fact, rivals)


def _tell_rivals(fact: Fact, known: Mapping[int, int]) -> None:
    """How to settle it where a fact now stands beside what it cannot hold beside."""
    for number in filter(None, map(known.get, fact.contradicts)):
        ref, other = render_ref(fact.number), render_ref(number)
        aside(
            f"{ref} and {other} cannot both hold; delete the one that does not: "
            f"`hermes memory fact delete {other}`, or {ref}"
        )


@app.command("merge")
def merge(
    fact: Ref,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The one that goes.")],
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Also where they say different things.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make one of two facts that say the same; sources are kept, `restore` parts them again."""
    with opened() as hermes:
        found = hermes.facts.merge(fact, other, unlike=yes)
    print_json(fact_shape(found)) if as_json else typer.echo(told_line(found))


@app.command("history")
def history(fact: Ref, as_json: AsJson = False) -> None:
    """Show every change of a fact: what, when, by whom, why."""
    with opened(looking=True) as hermes:
        found, changes = hermes.facts.history(fact)
    if as_json:
        print_json([change_shape(change) for change in changes])
        return
    typer.echo(told_line(found))
    for change in changes:
        print_change(change)


def why(
    words: Annotated[
        list[str], typer.Argument(metavar="FACT", help="Such as fact:42, or words it holds.")
    ],
    as_json: AsJson = False,
) -> None:
    """Show why a fact is believed: fact → episode → message, with the quote in its place."""
    with opened(looking=True) as hermes:
        found, others = hermes.facts.why_of(" ".join(words))
        summaries = hermes.compressing.find_among(found.messages)
    if as_json:
        print_json(why_shape(found, summaries))
        return
    print_why(found)
    for fact in others:
        typer.echo(dim(f"also: {told_line(fact)}"), err=True)


def contradictions(bank: InBank = "", as_json: AsJson = False) -> None:
    """Show the facts that cannot both hold."""
    with opened(looking=True) as hermes:
        found = hermes.facts.list(FactQuery(bank=bank), 100_000)[::-1]
    contested = [fact for fact in found if fact.contradicts]
    if as_json:
        print_json([fact_shape(fact) for fact in contested])
        return
    for fact in contested:
        typer.echo(told_line(fact))
    if not contested:
        typer.echo("no two facts contradict each other")
        return
    typer.echo(dim(f"{count(len(contested), 'fact')} contested"), err=True)


@app.command("status")
def status(bank: InBank = "", as_json: AsJson = False) -> None:
    """Show how many facts there are, and how many extracted ones turned out to be junk."""
    with opened(looking=True) as hermes:
        tally = hermes.facts.tally(bank)
    if as_json:
        print_json(asdict(tally) | {"junk_rate": tally.junk_rate})
        return
    rate = "–" if tally.junk_rate is None else f"{tally.junk_rate:.1%}"
    rows = ((name, f"{count:,}") for name, count in asdict(tally).items())
    print_table(["facts", "count"], [*rows, ("junk rate", rate)])


app.command("contradictions")(contradictions)
app.command("why")(why)


def _start(text: str | None) -> int | None:
    return None if text is None else _parse(text).start_at


def _end(text: str | None) -> int | None:
    return None if text is None else _parse(text).end_at - 1


def _parse(text: str) -> TimeSpan:
    return parse_when(text, SystemClock().now(), zone=local_zone())
