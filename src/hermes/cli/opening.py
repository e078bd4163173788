"""Opening the profile a command works in, and what is said when its memory is new.

The recovery key is shown once, when the key is made, on stderr: stdout belongs to the answer.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from hermes.app import App, open_app
from hermes.app.keys import key_request
from hermes.app.looking import open_settings, open_to_look
from hermes.cli.context import Invocation, invocation, is_for_program, refuse_missing_home
from hermes.cli.render import aside, warn
from hermes.config.load import read_env
from hermes.guard.crypto import DatabaseKey, render_recovery_key

GROUPS_A_LINE = 7
_OF = {
    "sqlite": "A new memory was made. It is encrypted; its key lies in",
    "postgres": "A new key was made, for backups and for what is erased; every machine that\n"
    "shares this profile needs the same one. It lies in",
}


@contextmanager
def opened(called: Invocation | None = None, *, looking: bool = False) -> Iterator[App]:
    """The App of the profile in use; it is closed whatever happens.

    A command that is only `looking` makes neither a home nor a memory: it finds an empty one.
    """
    if looking:
        refuse_missing_home()
    where = called or invocation()
    enter = open_to_look if looking else open_app
    with enter(where.paths, where.environ, flags=where.flags) as app:
        if app.absent is not None:
            aside(f"nothing is kept yet: there is no memory at {app.absent}")
        elif app.key is not None and app.key.created:
            _show_recovery_key(app, app.key)
        _warn_of_env(app)
        yield app


@contextmanager
def opened_settings() -> Iterator[App]:
    """The App of the profile in use for what needs no memory; none is made."""
    where = invocation()
    with open_settings(where.paths, where.environ, flags=where.flags) as app:
        _warn_of_env(app)
        yield app


def _warn_of_env(app: App) -> None:
    """Keys that others on this machine can read are used all the same, but not silently."""
    for warning in read_env(app.paths)[1]:
        warn(f"warning: {warning}")


def _show_recovery_key(app: App, key: DatabaseKey) -> None:
    place = key_request(app.paths, app.config.memory, app.environ).place
    recovery_key = render_recovery_key(key.secret)
    if is_for_program():
        warn("a new key was made; this is shown only now", key=place, recovery_key=recovery_key)
        return
    groups = recovery_key.split("-")
    lines = [
        "-".join(groups[start : start + GROUPS_A_LINE])
        for start in range(0, len(groups), GROUPS_A_LINE)
    ]
    written = "-\n  ".join(lines)
    typer.echo(
        f"{_OF.get(app.config.memory.backend, _OF['sqlite'])}\n"
        f"  {place}\n"
        "This recovery key opens it if that file is ever lost. It is shown only now:\n"
        "write it down, and keep it away from this machine.\n\n"
        f"  {written}\n",
        err=True,
    )
