"""Profiles in a home: make, list, choose, put away, bring back.

A deleted profile is moved to the trash folder, whole; nothing here removes what a person wrote.
"""

from dataclasses import dataclass
from pathlib import Path

from hermes.clock import Clock, to_datetime
from hermes.config.files import inside, make_private_dir, sync_dir, write_atomic
from hermes.config.paths import (
    DEFAULT_PROFILE,
    NAME,
    Home,
    ProfilePaths,
    check_name,
    ensure_layout,
)
from hermes.errors import Conflict, NotFound, UserError


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile as listed."""

    name: str
    path: Path
    active: bool


@dataclass(frozen=True, slots=True)
class Trashed:
    """A profile that was put away; `id` names it among others of the same name."""

    id: str
    name: str
    path: Path


def list_profiles(home: Home) -> list[Profile]:
    """`default` first, then the others by name."""
    active = active_profile(home)
    names = [DEFAULT_PROFILE, *sorted(_folder_names(home.profiles))]
    return [Profile(name, home.profile(name).root, name == active) for name in names]


def has_profile(home: Home, name: str) -> bool:
    """Whether profile `name` exists; `default` always does."""
    return name == DEFAULT_PROFILE or home.profile(name).root.is_dir()


def get_profile(home: Home, name: str) -> ProfilePaths:
    """The paths of a profile that exists."""
    paths = home.profile(name)
    if not has_profile(home, name):
        raise NotFound(
            f"there is no profile {name!r}",
            f"`hermes profile list` shows them; `hermes profile create {name}` makes it.",
        )
    if name != DEFAULT_PROFILE:
        inside(home.root, "profiles", name)
    return paths


def create_profile(home: Home, name: str) -> ProfilePaths:
    """Make a new profile, empty, with a layout of its own."""
    paths = home.profile(name)
    if has_profile(home, name):
        raise Conflict(f"profile {name!r} exists already", "Choose another name.")
    inside(home.root, "profiles", name)
    ensure_layout(paths)
    sync_dir(home.profiles)
    return paths


def active_profile(home: Home) -> str:
    """The profile chosen by `use_profile`; `default` if none was."""
    inside(home.root, home.active_file.name)
    try:
        name = home.active_file.read_text("utf-8").strip()
    except FileNotFoundError:
        return DEFAULT_PROFILE
    except UnicodeDecodeError:
        name = "?"
    if NAME.fullmatch(name) is None:
        raise UserError(
            f"{home.active_file} does not hold a profile name",
            "Run `hermes profile use default`.",
        )
    return name


def use_profile(home: Home, name: str) -> None:
    """Make `name` the profile of commands that name none."""
    get_profile(home, name)
    make_private_dir(home.root)
    inside(home.root, home.active_file.name)
    write_atomic(home.active_file, name + "\n")


def delete_profile(home: Home, name: str, clock: Clock) -> Trashed:
    """Move a profile to the trash; `default` and the active one stay."""
    paths = get_profile(home, name)
    if name == DEFAULT_PROFILE:
        raise UserError("the profile 'default' cannot be deleted", "It is the home itself.")
    if name == active_profile(home):
        raise UserError(
            f"profile {name!r} is the active one",
            "Choose another first, e.g. `hermes profile use default`.",
        )
    inside(home.root, home.trash.name)
    make_private_dir(home.trash)
    at = clock.now()
    trashed = _trashed(home, f"{name}@{to_datetime(at):%Y%m%dT%H%M%S}{at % 1000:03d}")
    _move(paths.root, trashed.path)
    return trashed


def list_trash(home: Home) -> list[Trashed]:
    """What was deleted and can be brought back, newest last."""
    inside(home.root, home.trash.name)
    if not home.trash.is_dir():
        return []
    names = (entry.name for entry in home.trash.iterdir() if "@" in entry.name)
    kept = [_trashed(home, name) for name in names if NAME.fullmatch(name.partition("@")[0])]
    return sorted(kept, key=lambda trashed: trashed.id.partition("@")[2])


def restore_profile(home: Home, which: str) -> ProfilePaths:
    """Bring a deleted profile back, by its name (the latest) or its id in the trash."""
    found = [t for t in list_trash(home) if which in (t.name, t.id)]
    if not found:
        raise NotFound(
            f"there is no deleted profile {which!r}", "`hermes profile list --deleted` shows them."
        )
    paths = home.profile(check_name(found[-1].name, "profile"))
    if has_profile(home, paths.name):
        raise Conflict(
            f"a profile {paths.name!r} exists again", "Delete it first, or leave this one."
        )
    inside(home.root, home.trash.name, found[-1].id)
    make_private_dir(home.profiles)
    _move(found[-1].path, paths.root)
    return paths


def _trashed(home: Home, entry: str) -> Trashed:
    return Trashed(id=entry, name=entry.partition("@")[0], path=home.trash / entry)


def _move(source: Path, target: Path) -> None:
    source.rename(target)
    sync_dir(target.parent)
    sync_dir(source.parent)


def _folder_names(folder: Path) -> list[str]:
    if not folder.is_dir() or folder.is_symlink():
        return []
    return [entry.name for entry in folder.iterdir() if _is_profile(entry)]


def _is_profile(entry: Path) -> bool:
    named = NAME.fullmatch(entry.name) is not None and entry.name != DEFAULT_PROFILE
    return named and entry.is_dir() and not entry.is_symlink()
