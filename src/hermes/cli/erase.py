"""`hermes memory erase` and `hermes memory reset`: forgetting for good, and starting anew."""

import sys
from collections.abc import Callable
from shlex import quote
from typing import Annotated

import typer

from hermes.app import App
from hermes.app.erase import Erased
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, Yes
from hermes.cli.render import clean, confirm, count, print_json
from hermes.counted import many_of
from hermes.errors import UserError
from hermes.memory.erase.plan import Plan
from hermes.memory.erase.prove import EARLIER, Proof
from hermes.memory.erase.reset import ResetTarget
from hermes.types import FactSource

SHOWN = 20


def erase(
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="TARGET...", help="fact:42, message:7, session:ID, reflection:3…"),
    ] = None,
    *,
    matching: Annotated[
        list[str] | None,
        typer.Option(metavar="WORDS", help="Everything that holds these words, in this order."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be erased.")
    ] = False,
    prove: Annotated[
        bool, typer.Option("--prove", help="Search everything under the home afterwards.")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Erase for good: rows, index, vectors, derived facts, notes, log, free pages.

    Words match whole, whatever their case and punctuation. There is no way back. What was erased
    stays out when a backup is restored or a file imported.
    """
    if not targets and not matching:
        raise UserError("Nothing was said to be erased.", "See `hermes memory erase --help`.")
    with opened(looking=dry_run) as hermes:
        plan = hermes.erasing.plan(targets or [], matching or [])
        if dry_run:
            print_json(planned_shape(plan)) if as_json else _show_plan(plan)
            return
        erased = _erase(hermes, plan, yes=yes, as_json=as_json)
        proof = hermes.erasing.prove(erased.sought) if prove else None
    if as_json:
        print_json(erased_shape(erased, proof))
    else:
        _show_erased(erased, proof)
    if proof is not None and not proof.is_clean:
        raise typer.Exit(1)


def _erase(hermes: App, plan: Plan, *, yes: bool, as_json: bool) -> Erased:
    if not plan.is_empty and not as_json:
        _show_plan(plan)
    rows = sum(plan.counts().values())
    if rows:
        confirm(f"Erase {'this 1 row' if rows == 1 else f'these {rows:,} rows'} for good?", yes=yes)
    return hermes.erasing.erase(plan, say=_saying(as_json))


def _show_plan(plan: Plan) -> None:
    if plan.is_empty:
        typer.echo("nothing holds that")
        return
    for kind, rows in plan.rows.items():
        if rows:
            typer.echo(f"{len(rows):,} × {kind}")
        for number in plan.ids(kind)[:SHOWN]:
            said = clean(next((text for text in rows[number].texts if text), ""))
            typer.echo(f"  {number}: {said[:100]}")
        if len(rows) > SHOWN:
            typer.echo(f"  … and {len(rows) - SHOWN:,} more (--dry-run --json lists them)")
    if plan.put_back:
        one = len(plan.put_back) == 1
        summaries = "1 summary goes" if one else f"{len(plan.put_back):,} summaries go"
        typer.echo(
            f"{summaries}, and the messages behind {'it' if one else 'them'} are put back: only "
            "those named above are erased, the others are compressed anew"
        )
    if plan.whole:
        parts = count(len(plan.whole), "message")
        typer.echo(
            f"{parts} of these stand for compressed ones whose originals were dropped after their "
            "grace period: each goes whole, with all it says of that stretch"
        )
    for source in plan.left:
        typer.echo(f"stays: what it was read from, “{clean(source.quote)[:100]}”")
        typer.echo(f"  to erase that as well: hermes memory erase {_target_of(source)}")


def _target_of(source: FactSource) -> str:
    """How the words a fact rests on are erased: by their message, if it is a row of its own."""
    if source.message_id is not None:
        return f"message:{source.message_id}"
    return f"--matching {quote(clean(source.quote))}"


def _show_erased(erased: Erased, proof: Proof | None) -> None:
    typer.echo(f"erased: {many_of(erased.counts) or 'no rows'}")
    for file in erased.files:
        typer.echo(f"cleared: {file}")
    if erased.seed_holds_it:
        typer.echo("workspace/MEMORY.md holds it too: that file is yours, edit it by hand")
    if not erased.is_purged:
        typer.echo("old pages stay in the log until every reader is done: run `hermes stop`")
    if erased.backups:
        names = " ".join(backup.name for backup in erased.backups)
        one = len(erased.backups) == 1
        until = "it is rotated out" if one else "they are rotated out"
        typer.echo(f"{count(len(erased.backups), 'backup')} may hold it until {until}; now:")
        typer.echo(f"  hermes backup now && hermes backup remove {names}")
    if proof is not None:
        _show_proof(proof)


def _show_found(proof: Proof, searched: str) -> None:
    """Where the words still are: place by place in what is in use, in numbers elsewhere."""
    clear = "" if proof.in_use else "the memory in use is clear of it; "
    typer.echo(f"proof: searched {searched}: {clear}still found in")
    for place in proof.in_use:
        typer.echo(f"  {clean(place)}")
    for owner, places in proof.aside:
        typer.echo(f"  {clean(owner)}: {count(places, 'place')}")
    if any(EARLIER in owner for owner, _ in proof.aside):
        typer.echo("  be rid of what a restore moved aside with `hermes backup prune`")


def _show_proof(proof: Proof) -> None:
    places = many_of({"cells": proof.cells, "pages": proof.pages, "files": len(proof.files)})
    searched = f"{places} for {count(proof.texts, 'text')}"
    if proof.is_clean and proof.unsearched:
        typer.echo(f"proof: searched {searched}: not found there; what was not searched is below")
    elif proof.is_clean:
        typer.echo(f"proof: searched {searched}: found nowhere")
    else:
        _show_found(proof, searched)
    for each in proof.databases:
        pages = count(each.pages, "page") if each.pages else "no raw pages"
        typer.echo(f"  read: {each.name}, {count(each.cells, 'cell')}, {pages}")
    if proof.common:
        short = count(proof.common, "short text")
        typer.echo(f"  not searched for: {short} that what stays says, too")
    if proof.log_bytes is not None:
        log = f"{proof.log_bytes:,} bytes are left in it" if proof.log_bytes else "empty"
        typer.echo(f"  write-ahead log: {log}")
    for name, reason in proof.unsearched:
        typer.echo(f"  not searched: {name}: {clean(reason)}")


def planned_shape(plan: Plan) -> dict[str, object]:
    """Every row that would go, and the summaries that make room for what they stand for."""
    rows = {
        str(kind): [
            {"id": number, "text": rows[number].texts[0], "where": rows[number].where}
            for number in plan.ids(kind)
        ]
        for kind, rows in plan.rows.items()
        if rows
    }
    return {"planned": plan.counts(), "rows": rows, "summaries_put_back": sorted(plan.put_back)}


def erased_shape(erased: Erased, proof: Proof | None) -> dict[str, object]:
    shape: dict[str, object] = {
        "erased": dict(erased.counts),
        "files": list(erased.files),
        "backups": [backup.name for backup in erased.backups],
        "purged": erased.is_purged,
        "seed_holds_it": erased.seed_holds_it,
    }
    if proof is not None:
        shape["proof"] = {
            "found": list(proof.found),
            "texts": proof.texts,
            "common_texts": proof.common,
            "cells": proof.cells,
            "pages": proof.pages,
            "databases": [each.name for each in proof.databases],
            "files": list(proof.files),
            "not_searched": dict(proof.unsearched),
            "log_bytes": proof.log_bytes,
        }
    return shape


def reset(
    *,
    target: Annotated[ResetTarget, typer.Option(help="What to empty.")] = ResetTarget.ALL,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Empty memory, after a backup was made: restore that to go back."""
    with opened() as hermes:
        confirm(f"Make a backup, then empty {_NAMED[target]}?", yes=yes)
        backup, counts = hermes.erasing.reset(target, say=_saying(as_json))
    if as_json:
        print_json({"backup": backup.name, "removed": dict(counts)})
        return
    typer.echo(f"removed: {many_of(counts) or 'nothing was there'}")
    typer.echo(f"go back with `hermes backup restore {backup.name}`")


_NAMED = {
    ResetTarget.EPISODES: "every conversation",
    ResetTarget.FACTS: "every fact and entity",
    ResetTarget.NOTES: "MEMORY.md and USER.md",
    ResetTarget.ALL: "all of this memory",
}


def _saying(as_json: bool) -> Callable[[str], None]:
    if as_json or not sys.stderr.isatty():
        return lambda _: None
    return lambda step: typer.echo(f"{step}…", err=True)
