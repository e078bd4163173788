"""Putting one state of a profile in the place of another, with a way back.

What is there now is moved aside, the other state moved in. The moves are written down before the
first is made, so that whoever opens the profile after a power cut makes the rest of them.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from hermes.clock import to_datetime
from hermes.config.files import make_private_dir, sync_dir, write_atomic
from hermes.config.paths import ProfilePaths, ensure_layout
from hermes.errors import Corrupt, NotFound
from hermes.memory.backup.manifest import DATABASE, kept_folders

REPLACED = "replaced"
_PLAN = "swap.json"
_BESIDE = ("", "-wal", "-shm", "-journal", ".mark", ".anchor")


@dataclass(frozen=True, slots=True)
class Swapped:
    """Where the earlier state lies now."""

    aside: Path


def swap_in(
    paths: ProfilePaths, database: Path, incoming: Path, *, now: int, with_config: bool
) -> Swapped:
    """Make the state in `incoming` (a folder laid out as a profile) the profile's own."""
    stamp = f"{to_datetime(now):%Y%m%dT%H%M%S}{now % 1000:03d}Z"
    aside = paths.root / REPLACED / stamp
    outgoing = [
        (Path(f"{database}{end}"), database.parent / REPLACED / stamp / f"{DATABASE}{end}")
        for end in _BESIDE
    ]
    staged = _beside(incoming / DATABASE, database)
    arriving = [(staged, database)]
    for name in _names(paths, incoming, with_config=with_config):
        outgoing.append((paths.root / name, aside / name))
        if (incoming / name).exists():  # a folder that was empty is in no backup
            arriving.append((incoming / name, paths.root / name))
    moves = [(old, new) for old, new in outgoing if old.exists()]
    for folder in (paths.run, aside.parent, database.parent / REPLACED):
        make_private_dir(folder)
    plan = {"out": _texts(moves), "in": _texts(arriving), "scratch": str(incoming)}
    write_atomic(paths.run / _PLAN, json.dumps(plan))
    resume_swap(paths)
    ensure_layout(paths)
    return Swapped(aside)


def resume_swap(paths: ProfilePaths) -> bool:
    """Make the moves that are left of a swap; whether there were any."""
    plan_file = paths.run / _PLAN
    try:
        plan = json.loads(plan_file.read_text("utf-8"))
    except FileNotFoundError:
        return False
    except ValueError as error:
        hint = f"Look into {paths.root / REPLACED}, put things right, then delete that file."
        raise Corrupt(f"{plan_file} cannot be read.", hint) from error
    for old, new in plan["out"]:
        if not Path(new).exists():  # else it was made, and `old` may be the new state by now
            _move(Path(old), Path(new))
    for old, new in plan["in"]:
        if Path(old).exists():
            _move(Path(old), Path(new))
    shutil.rmtree(plan["scratch"], ignore_errors=True)
    plan_file.unlink(missing_ok=True)
    sync_dir(paths.run)
    return True


def list_replaced(paths: ProfilePaths) -> list[Path]:
    """The states that were moved aside, newest first."""
    folder = paths.root / REPLACED
    return sorted(folder.iterdir(), reverse=True) if folder.is_dir() else []


def get_replaced(paths: ProfilePaths) -> Path:
    """The state that was moved aside last."""
    found = [state for state in list_replaced(paths) if (state / DATABASE).exists()]
    if not found:
        raise NotFound(
            "No restore has moved anything aside, so there is nothing to put back.",
            "To go back to a backup: `hermes backup list`, then `hermes backup restore NAME`.",
        )
    return found[0]


def _names(paths: ProfilePaths, incoming: Path, *, with_config: bool) -> list[str]:
    names = [folder.name for folder in kept_folders(paths)]
    config = paths.config_file
    wanted = with_config or not config.exists()
    return [*names, config.name] if wanted and (incoming / config.name).exists() else names


def _beside(file: Path, database: Path) -> Path:
    """The file next to where it is to go: a move from another file system is not one step."""
    make_private_dir(database.parent)
    staged = database.with_name(f".{database.name}.incoming")
    staged.unlink(missing_ok=True)
    shutil.move(file, staged)
    return staged


def _texts(moves: list[tuple[Path, Path]]) -> list[tuple[str, str]]:
    return [(str(old), str(new)) for old, new in moves]


def _move(old: Path, new: Path) -> None:
    if not old.exists():
        return
    make_private_dir(new.parent)
    old.replace(new)
    sync_dir(new.parent)
    sync_dir(old.parent)
