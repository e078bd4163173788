"""Where a command lives that was asked for at the top, and is one of a group."""

import re
from collections.abc import Iterator

from typer.core import TyperGroup

from hermes.cli.lazy import LazyCommand

MOST = 4
_UNKNOWN = re.compile(r"No such command '(?P<name>[^']+)'")


def advise_namesakes(message: str, command: object) -> str:
    """What to say where a group has the very command that its parent does not; else nothing."""
    asked = _UNKNOWN.match(message)
    if asked is None or not isinstance(command, TyperGroup):
        return ""
    found = list(_find(command, asked["name"]))
    told = " or ".join(f"`{path}`" for path in found[:MOST])
    more = ", among others" if len(found) > MOST else ""
    return f"There is {told}{more}." if found else ""


def _find(root: TyperGroup, name: str) -> Iterator[str]:
    for place, stand_in in root.commands.items():
        group = stand_in.load() if isinstance(stand_in, LazyCommand) else stand_in
        if isinstance(group, TyperGroup) and name in group.commands:
            yield f"hermes {place} {name}"
