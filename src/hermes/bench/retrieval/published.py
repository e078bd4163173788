"""The file of a published benchmark, read entry by entry: what is wrong with it is said plainly."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hermes.errors import NotFound, UserError

Entry = Mapping[str, Any]
WHERE = "Give the folder with --data."
AGAIN = "Fetch the file again, as it is published."


def load_entries(path: Path) -> list[Entry]:
    """The objects that a file lists, in its order."""
    try:
        entries = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise NotFound(f"There is no {path.name} in {path.parent}.", WHERE) from error
    except ValueError as error:
        raise UserError(f"{path} is not JSON: {error}.", AGAIN) from error
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise UserError(f"{path} is not a list of objects.", AGAIN)
    return entries


@contextmanager
def reading(path: Path, place: int) -> Iterator[None]:
    """Say of an entry that cannot be read which it is, and what is wrong with it."""
    try:
        yield
    except KeyError as error:
        raise UserError(f"{path}: entry {place + 1} has no {error}.", AGAIN) from error
    except (AttributeError, TypeError, ValueError) as error:
        raise UserError(f"{path}: entry {place + 1} cannot be read: {error}.", AGAIN) from error
