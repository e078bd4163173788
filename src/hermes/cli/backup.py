"""`hermes backup`: make, list, verify and restore backups."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from hermes.app import App, open_app
from hermes.app.keep_shapes import check_shape
from hermes.cli.context import invocation
from hermes.cli.layout import print_columns
from hermes.cli.opening import opened, opened_settings
from hermes.cli.options import AsJson, Yes
from hermes.cli.recovery import ask_recovery_key
from hermes.cli.render import aside, confirm, count, print_json, render_local, tell
from hermes.counted import many_of
from hermes.errors import Corrupt, HermesError
from hermes.memory.backup.restore import Restored
from hermes.memory.backup.shelf import Backup

app = typer.Typer(help="Make, list, verify and restore backups.", no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="[BACKUP]", help="Its name or its file; the newest if left out.")
]
RecoveryKey = Annotated[
    str,
    typer.Option(
        "--recovery-key",
        metavar="KEY",
        help="The recovery key, where keys/ is lost; - asks for it.",
    ),
]


@app.command("now")
def now(*, as_json: AsJson = False) -> None:
    """Make a backup and prove it by restoring it into a scratch folder."""
    with opened() as hermes:
        backup, gone = hermes.backups.make(say=_saying(as_json))
    if as_json:
        print_json(backup_shape(backup) | {"removed": [old.name for old in gone]})
        return
    typer.echo(f"{backup.name}: {_megabytes(backup.size)}, verified")
    for old in gone:
        typer.echo(f"{old.name}: removed, newer ones are kept")


@app.command("list")
def list_all(*, as_json: AsJson = False) -> None:
    """Show the backups there are, newest first."""
    with opened_settings() as hermes:
        found = hermes.backups.list()
        folder = hermes.backups.folder
    if as_json:
        print_json([backup_shape(backup) for backup in found])
    elif found:
        rows = [(render_local(b.created_at), _megabytes(b.size), b.name, b.label) for b in found]
        print_columns(["made", "size", "name", "label"], rows, wide=2)
    else:
        typer.echo(f"no backups in {folder}; make one with `hermes backup now`", err=True)


@app.command("verify")
def verify(
    backup: Name = "",
    *,
    every: Annotated[bool, typer.Option("--all", help="Every backup there is.")] = False,
    recovery_key: RecoveryKey = "",
    as_json: AsJson = False,
) -> None:
    """Restore a backup into a scratch folder and check every page, file and count."""
    key = _ask_key(recovery_key)
    results = []
    with opened_settings() as hermes:
        names = [b.name for b in hermes.backups.list()] if every else [backup]
        for name in names:
            results.append(_verify_one(hermes, name, key))
            if not as_json:
                typer.echo(f"{results[-1]['name']}: {results[-1]['message']}")
    if as_json:
        print_json(results)
    if not all(result["sound"] for result in results):
        aside(_advise([str(each["name"]) for each in results if each["sound"]], every=every))
        raise typer.Exit(1)


def _advise(sound: list[str], *, every: bool) -> str:
    """What to do where a backup is not sound; the newest that is, is the first."""
    if sound:
        return f"the newest sound one: `hermes backup restore {sound[0]}`"
    if every:
        return "none is sound: make one of the memory as it is with `hermes backup now`"
    return "`hermes backup verify --all` tells which can be trusted"


def _verify_one(hermes: App, name: str, key: str) -> dict[str, object]:
    shown = hermes.backups.get(name).name
    try:
        manifest = hermes.backups.verify(name, recovery_key=key)
    except Corrupt as error:
        told = error.message.removeprefix(f"{shown} is ")
        return {"name": shown, "sound": False, "message": told}
    except HermesError as error:
        return {"name": shown, "sound": False, "message": f"{error.message} {error.hint}"}
    return check_shape(shown, manifest)


@app.command("restore")
def restore(
    backup: Name = "",
    *,
    recovery_key: RecoveryKey = "",
    with_config: Annotated[
        bool, typer.Option("--with-config", help="Restore config.json as well.")
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Put back what the last restore moved aside.")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Put a backup in the place of what is there, which is moved aside and can be put back."""
    key = _ask_key(recovery_key)
    with _unopened() as hermes:
        if undo:
            confirm("Put back what was there before the last restore?", yes=yes)
            done = hermes.backups.undo_restore()
        else:
            chosen = hermes.backups.get(backup)
            confirm(f"Replace this memory by {chosen.name}?", yes=yes)
            done = hermes.backups.restore(
                backup, recovery_key=key, with_config=with_config, say=_saying(as_json)
            )
    if as_json:
        told = {"messages": done.messages, "left_out": dict(done.left_out)}
        print_json({"aside": str(done.aside)} | told)
    else:
        _say_restored(done)


def _say_restored(done: Restored) -> None:
    if done.manifest is not None:
        made = render_local(done.manifest.created_at)
        as_they_were = "as it was" if done.messages == 1 else "as they were"
        typer.echo(f"restored: {count(done.messages, 'message')}, {as_they_were} on {made}")
    else:
        typer.echo("put back")
    if done.left_out:
        typer.echo(f"left out, because it was erased since: {many_of(done.left_out)}")
    if done.aside.exists():
        typer.echo(f"what was there lies in {done.aside}")
        typer.echo("put it back with `hermes backup restore --undo`")
        typer.echo("be rid of it with `hermes backup prune`")


@app.command("remove")
def remove(
    backups: Annotated[list[str], typer.Argument(metavar="BACKUP...", help="Which ones.")],
    *,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete backups, for example those that still hold what was erased."""
    with _unopened() as hermes:
        deleted = []
        for name in backups:
            confirm(f"Delete {hermes.backups.get(name).name}?", yes=yes)
            deleted.append(hermes.backups.remove(name).name)
        tell("\n".join(f"{each}: deleted" for each in deleted), as_json=as_json, deleted=deleted)


@app.command("prune")
def prune(*, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete the earlier states that restores moved aside; there is no way back to them then."""
    with _unopened() as hermes:
        states = hermes.backups.list_replaced()
        sizes = [sum(f.stat().st_size for f in s.rglob("*") if f.is_file()) for s in states]
        if states and not as_json:
            rows = [(s.name, _megabytes(size)) for s, size in zip(states, sizes, strict=True)]
            print_columns(["moved aside", "size"], rows, wide=0)
        if states:
            which = (
                "this earlier state" if len(states) == 1 else f"these {len(states)} earlier states"
            )
            confirm(f"Delete {which} for good?", yes=yes)
        dropped = hermes.backups.drop_replaced() if states else 0
    if as_json:
        print_json({"deleted": [state.name for state in states], "bytes": sum(sizes)})
    elif dropped:
        typer.echo(f"deleted {count(dropped, 'earlier state')}, {_megabytes(sum(sizes))}")
    else:
        typer.echo("no restore has moved anything aside", err=True)


def backup_shape(backup: Backup) -> dict[str, object]:
    return {
        "name": backup.name,
        "file": str(backup.file),
        "created_at": backup.created_at,
        "bytes": backup.size,
        "label": backup.label,
    }


@contextmanager
def _unopened() -> Iterator[App]:
    """The profile without its store: a lost key or a damaged database must not be in the way."""
    called = invocation()
    with open_app(called.paths, called.environ, flags=called.flags) as hermes:
        yield hermes


def _ask_key(given: str) -> str:
    return ask_recovery_key() if given == "-" else given


def _saying(as_json: bool) -> Callable[[str], None]:
    """Tells what is being done, where someone watches."""
    if as_json or not sys.stderr.isatty():
        return lambda _: None
    return lambda step: typer.echo(f"{step}…", err=True)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
