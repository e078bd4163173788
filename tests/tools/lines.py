"""A shell line as a whole, as a person is asked about it."""

from collections.abc import Collection

from hermes.tools.danger import Danger, join_dangers, list_dangers


def find_danger(line: str, allowed: Collection[str] = ()) -> Danger | None:
    """Why this shell line should be asked about; None if nothing speaks against it."""
    return join_dangers(list_dangers(line, allowed))
