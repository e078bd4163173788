"""`hermes config`: show settings and where they come from, change them, edit the file."""

import os
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from typing import Annotated

import typer

from hermes.cli.context import Invocation, invocation
from hermes.cli.render import print_json, print_table, tell, warn
from hermes.config.files import write_new
from hermes.config.keys import find_annotation, is_secret, list_settings
from hermes.config.load import Loaded, load_settings, read_document
from hermes.config.paths import ensure_layout
from hermes.config.references import list_references
from hermes.config.save import (
    Change,
    check_text,
    parse_key,
    remove_setting,
    replace_config,
    save_changes,
)
from hermes.config.text import Json, Path, render_value
from hermes.config.view import show_value
from hermes.errors import HermesError, UserError

app = typer.Typer(help="Show and change settings.", no_args_is_help=True)

STARTER = """\
// Settings of Hermes: JSON, with comments. What is not here has its default.
// `hermes config list` shows every key, docs/config.md what each means.
{
}
"""


def complete_key(incomplete: str) -> list[str]:
    """Keys, for the shell."""
    return [s.key for s in list_settings() if s.key.startswith(incomplete)]


Key = Annotated[
    str,
    typer.Argument(
        help="A dotted key, e.g. memory.retrieval.semanticTopK.", autocompletion=complete_key
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Reveal = Annotated[bool, typer.Option("--show-secrets", help="Show secrets instead of ****.")]


@app.command("get")
def get_setting(key: Key, as_json: AsJson = False, reveal: Reveal = False) -> None:
    """Show the value in use, whatever it comes from."""
    path = parse_key(key)
    value = show_value(_load(invocation()), path, reveal=reveal)
    if as_json or not isinstance(value, str | None):
        print_json(value)
    else:
        typer.echo(value or "")


@app.command("set", context_settings={"ignore_unknown_options": True})
def set_settings(
    pairs: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY VALUE [KEY VALUE]...",
            help="What to set; several keys are set together or not at all.",
            autocompletion=complete_key,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Write settings into config.json, keeping its comments and order."""
    if len(pairs) % 2:
        raise UserError(f"{pairs[-1]!r} has no value", "Write: hermes config set KEY VALUE")
    called = invocation()
    changes = tuple(map(Change, pairs[::2], pairs[1::2]))
    save_changes(called.paths, called.environ, changes)
    shown = {change.key: _shown(change) for change in changes}
    for key, text in {} if as_json else shown.items():
        typer.echo(f"{key} = {text}")
    if as_json:
        print_json({"set": shown, "file": called.paths.config_file})
    for change in changes:
        _warn(called, change)


@app.command("unset")
def unset_setting(key: Key, as_json: AsJson = False) -> None:
    """Take a setting out of config.json, so that its default holds again."""
    called = invocation()
    remove_setting(called.paths, called.environ, key)
    file = called.paths.config_file
    tell(f"{key} is no longer set in {file}", as_json=as_json, unset=key, file=file)


@app.command("list")
def list_values(as_json: AsJson = False, reveal: Reveal = False) -> None:
    """Show every setting, its value and where it comes from."""
    loaded = _load(invocation())
    columns = ("key", "value", "origin")
    rows = [
        (s.key, show_value(loaded, s.path, reveal=reveal), loaded.origin(s.path))
        for s in list_settings()
    ]
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        print_table(columns, ((key, _cell(value), origin) for key, value, origin in rows))


@app.command("edit")
def edit_file() -> None:
    """Open config.json in $EDITOR; it is replaced only if the result is right."""
    called = invocation()
    _refuse_without_terminal(called)
    ensure_layout(called.paths)
    before = read_document(called.paths).text
    draft = called.paths.run / f"config.{secrets.token_hex(4)}.json"
    write_new(draft, before or STARTER)
    try:
        text = _edit_until_right(called, draft)
    finally:
        if draft.read_bytes() == (before or STARTER).encode():
            draft.unlink()  # nothing of the person's is in it
    if text == (before or STARTER):
        typer.echo("nothing was changed")
    else:
        replace_config(called.paths, called.environ, text, instead_of=before)
        typer.echo(f"saved {called.paths.config_file}")
    draft.unlink(missing_ok=True)


def _refuse_without_terminal(called: Invocation) -> None:
    """Most editors wait for a terminal for ever, or draw into a pipe; one that is named may not."""
    is_named = called.environ.get("VISUAL") or called.environ.get("EDITOR")
    if is_named or (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    raise UserError(
        "There is no terminal to edit in.",
        f"Use `hermes config set KEY VALUE`, set EDITOR, or edit {called.paths.config_file}.",
    )


def _edit_until_right(called: Invocation, draft: FilePath) -> str:
    while True:
        _open_editor(called.environ, draft)
        try:
            return check_text(
                called.paths, called.environ, draft.read_text("utf-8", errors="strict")
            ).text
        except UnicodeDecodeError as error:
            raise UserError(f"{draft} is not UTF-8 text", "Save it as UTF-8.") from error
        except HermesError as error:
            _offer_again(error, draft)


def _offer_again(error: HermesError, draft: FilePath) -> None:
    """Ask whether to go on editing; the draft stays either way."""
    kept = f"config.json is as it was; your text is kept in {draft}"
    if not sys.stdin.isatty():
        raise UserError(error.message, kept) from error
    typer.echo(f"error: {error.message}", err=True)
    if not typer.confirm("Edit again?", default=True, err=True):
        raise UserError("config.json was not changed", kept) from error


def _open_editor(environ: Mapping[str, str], file: FilePath) -> None:
    command = shlex.split(environ.get("VISUAL") or environ.get("EDITOR") or "") or _any_editor()
    try:
        done = subprocess.run([*command, os.fspath(file)], check=False)  # noqa: S603
    except FileNotFoundError as error:
        raise UserError(f"there is no editor {command[0]!r}", "Set EDITOR to one.") from error
    if done.returncode:
        raise UserError(
            f"{command[0]} ended with exit code {done.returncode}; nothing was changed",
            f"What you wrote, if anything, is kept in {file}",
        )


def _any_editor() -> list[str]:
    found = next(filter(shutil.which, ("nano", "vim", "vi")), None)
    if found is None:
        raise UserError("no editor was found", "Set EDITOR, or use `hermes config set`.")
    return [found]


def _load(called: Invocation) -> Loaded:
    loaded = load_settings(called.paths, called.environ, called.flags, showing=True)
    for warning in (*loaded.warnings, *loaded.unset):
        warn(f"warning: {warning}")
    return loaded


def _is_bare_secret(change: Change) -> bool:
    """Whether a secret itself was given, and not the name of a variable that holds it."""
    secret = is_secret(find_annotation(tuple(change.key.split("."))))
    return secret and not any(list_references(change.text))


def _shown(change: Change) -> str:
    return "****" if _is_bare_secret(change) else change.text


def _warn(called: Invocation, change: Change) -> None:
    """Say what the person may not expect of what was written."""
    path = tuple(change.key.split("."))
    if _is_bare_secret(change):
        _note("a secret is safer in .env, with ${NAME} in config.json")
    for name in _overriding(path, called.environ):
        _note(f"{name} is set in the environment and goes before the file")


def _overriding(path: Path, environ: Mapping[str, str]) -> Iterable[str]:
    return (s.env for s in list_settings() if s.path == path and environ.get(s.env))


def _note(text: str) -> None:
    warn(f"note: {text}")


def _cell(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else render_value(value)
