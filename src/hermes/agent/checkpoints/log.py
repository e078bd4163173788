"""The list of checkpoints on disk: one JSON file each, written whole or not at all.

A checkpoint is opened with what the files held before, and sealed with what they held after. One
that was never sealed (the process died) still knows the before.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from hermes.agent.checkpoints.tree import Kept
from hermes.config.files import write_atomic
from hermes.errors import Corrupt, NotFound

_NAME = re.compile(r"(\d{6,})\.json")


@dataclass(frozen=True, slots=True)
class Scope:
    """What may change: the named files, or anything below `root`."""

    root: Path
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One file, before and after; None where there was certainly no file."""

    path: str
    before: Kept | None
    after: Kept | None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One step that changed files: when, in which session, why, and how to take it back."""

    number: int
    at: int
    session_id: str
    why: str
    root: str
    changes: tuple[Change, ...]
    is_sealed: bool = True
    is_partial: bool = False


class Log:
    """Checkpoints by number, oldest first, below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def numbers(self) -> list[int]:
        names = (_NAME.fullmatch(path.name) for path in self._folder.glob("*.json"))
        return sorted(int(match[1]) for match in names if match)

    def next_number(self) -> int:
        numbers = self.numbers()
        return numbers[-1] + 1 if numbers else 1

    def get(self, number: int) -> Checkpoint:
        try:
            text = self._path(number).read_text("utf-8")
        except FileNotFoundError:
            raise NotFound(
                f"there is no checkpoint {number}", "Type /rollback to see the checkpoints."
            ) from None
        return _parse(text, number)

    def list_from(self, number: int) -> Iterator[Checkpoint]:
        """Checkpoints from `number` on, oldest first."""
        yield from (self.get(n) for n in self.numbers() if n >= number)

    def save(self, checkpoint: Checkpoint) -> None:
        write_atomic(self._path(checkpoint.number), json.dumps(asdict(checkpoint)))

    def saved_at_ns(self, number: int) -> int:
        """When a checkpoint was saved, by the clock that dates files."""
        return self._path(number).stat().st_mtime_ns

    def remove(self, number: int) -> None:
        self._path(number).unlink(missing_ok=True)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:06}.json"


def _parse(text: str, number: int) -> Checkpoint:
    try:
        row = json.loads(text)
        changes = tuple(_change(change) for change in row.pop("changes"))
        return Checkpoint(changes=changes, **row)
    except (ValueError, TypeError, KeyError) as error:
        raise Corrupt(
            f"checkpoint {number} cannot be read", "Remove its file from checkpoints/ to go on."
        ) from error


def _change(row: dict[str, object]) -> Change:
    return Change(str(row["path"]), _kept(row["before"]), _kept(row["after"]))


def _kept(row: object) -> Kept | None:
    if not isinstance(row, dict):
        return None
    return Kept(str(row["digest"]), int(row["mode"]), str(row.get("mark", "")))
