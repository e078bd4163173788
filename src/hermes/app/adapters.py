"""Finding adapters by the name a setting gives, our own and plugins' alike."""

from importlib.metadata import entry_points
from typing import Any

from hermes.errors import UserError


def load_adapter(group: str, name: str) -> Any:
    """The opener registered as `name` in an entry-point group."""
    found = entry_points(group=group)
    for point in found:
        if point.name == name:
            return point.load()
    known = ", ".join(sorted(point.name for point in found)) or "none"
    raise UserError(
        f"There is no {group.removeprefix('hermes.').removesuffix('s')} called {name!r}.",
        f"Installed: {known}. A plugin registers one under the entry-point group {group}.",
    )
