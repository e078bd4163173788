"""`hermes memory export` and `hermes memory import`: a memory as one file."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hermes.app import App
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, InBank, Yes
from hermes.cli.progress import counted
from hermes.cli.render import aside, clean, confirm, print_json, render_local
from hermes.counted import many, many_of
from hermes.errors import UserError
from hermes.memory.portable.report import Report


def export_memory(
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; .gz and .zst are packed."),
    ] = None,
    bank: InBank = "",
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Write everything remembered into one JSON file, which `import` reads."""
    if output is None:
        with opened(looking=True) as hermes:
            hermes.portable.export(sys.stdout.buffer, bank=bank)
        return
    if output.exists():
        confirm(f"Replace {output}?", yes=yes)
    with opened(looking=True) as hermes, counted("exporting", hermes.portable.count(bank)) as show:
        done = 0

        def advance(_: str, count: int) -> None:
            nonlocal done
            done += count
            show(done)

        counts = hermes.portable.export_to(output, bank=bank, advance=advance)
    if as_json:
        print_json({"file": str(output), "bytes": output.stat().st_size, "records": counts})
        return
    told = many_of({name.replace("_", " "): count for name, count in counts.items() if count})
    typer.echo(f"wrote {output}: {told or 'nothing is remembered yet'}")


def import_memory(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="What `export` wrote.")
    ] = None,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be added, changed, left out.")
    ] = False,
    untrusted: Annotated[
        bool, typer.Option("--untrusted", help="Trust nothing in it more than a web page.")
    ] = False,
    take_back: Annotated[
        bool, typer.Option("--undo", help="Take back an import that was cut short.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring in what `export` wrote: all of it or nothing, nothing twice, nothing erased.

    Nothing of it is seen before all of it is there. Cut short, it goes on when it is run again.
    """
    if take_back:
        _undo(as_json=as_json)
        return
    if file is None or not file.is_file():
        told = "No file is given." if file is None else f"{file} is no file."
        raise UserError(told, "Give what `hermes memory export` wrote.")
    with opened(looking=dry_run) as hermes, counted("importing", 0) as show:
        if not dry_run:
            _tell_backup(hermes)
        done = 0

        def advance(_: str, count: int) -> None:
            nonlocal done
            done += count
            show(done)

        report = hermes.portable.import_from(
            file, is_dry=dry_run, is_untrusted=untrusted, advance=advance
        )
    if as_json:
        shape = {"dry_run": dry_run, "sections": report.counts(), "warnings": report.warnings}
        print_json(shape)
    else:
        _show_report(report, dry_run=dry_run)


def _tell_backup(hermes: App) -> None:
    """Said before a file comes into a memory that holds something: how far back one could go."""
    if not hermes.portable.count():
        return
    kept = hermes.backups.list()
    last = (
        f"The last backup is of {render_local(kept[0].created_at)}" if kept else "There is none yet"
    )
    aside(
        "A finished import is undone only by restoring a backup made before it. "
        f"{last}. To have a newer one, stop here (Ctrl-C) and run `hermes backup now` first."
    )


def _undo(*, as_json: bool) -> None:
    with opened() as hermes:
        removed = hermes.portable.undo_import()
    if as_json:
        print_json({"removed_messages": removed})
    else:
        typer.echo(
            f"took back {many(removed, 'message')} nobody had seen; the import can be begun anew"
        )


def _show_report(report: Report, *, dry_run: bool) -> None:
    names = {"added": "new", "changed": "changed", "same": "there already", "erased": "erased here"}
    counts = report.counts()
    if not counts:
        typer.echo("the file holds nothing")
    for section, found in counts.items():
        told = ", ".join(f"{count:,} {names[key]}" for key, count in found.items())
        typer.echo(f"{section.replace('_', ' ')}: {told}")
        for sample in report.sections[section].samples if dry_run else ():
            typer.echo(f"  + {clean(sample)[:100]}")
    for warning in report.warnings:
        typer.echo(warning, err=True)
    if dry_run:
        typer.echo("nothing was changed")
    elif any("added" in found for found in counts.values()):
        typer.echo("what is new gets its vectors from the daemon, or by `hermes memory reindex`")
