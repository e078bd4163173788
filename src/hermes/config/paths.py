"""Where everything lives: the home, and the folder of each profile in it.

Values only. The environment is read once, by `read_home`, at the edge; below it paths are passed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes.config.files import FILE_MODE, make_private_dir, refuse_links, set_mode
from hermes.errors import UserError

DEFAULT_PROFILE = "default"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds all profiles; `root` is absolute and free of symbolic links."""

    root: Path

    @property
    def profiles(self) -> Path:
        return self.root / "profiles"

    @property
    def trash(self) -> Path:
        return self.root / "trash"

    @property
    def active_file(self) -> Path:
        return self.root / "active-profile"

    def profile(self, name: str) -> "ProfilePaths":
        """Where profile `name` lives, whether it exists or not."""
        check_name(name, "profile")
        folder = self.root if name == DEFAULT_PROFILE else self.profiles / name
        return ProfilePaths(home=self, name=name, root=folder)


@dataclass(frozen=True, slots=True)
class ProfilePaths:
    """Every place of one profile."""

    home: Home
    name: str
    root: Path

    @property
    def config_file(self) -> Path:
        return self.root / "config.json"

    @property
    def env_file(self) -> Path:
        return self.root / ".env"

    @property
    def database(self) -> Path:
        return self.root / "memory.db"

    @property
    def notes(self) -> Path:
        return self.root / "memories"

    @property
    def memory_note(self) -> Path:
        return self.notes / "MEMORY.md"

    @property
    def user_note(self) -> Path:
        return self.notes / "USER.md"

    @property
    def workspace(self) -> Path:
        return self.root / "workspace"

    @property
    def seed_file(self) -> Path:
        return self.workspace / "MEMORY.md"

    @property
    def reflections_file(self) -> Path:
        return self.workspace / "REFLECTIONS.md"

    @property
    def skills(self) -> Path:
        return self.root / "skills"

    @property
    def keys(self) -> Path:
        return self.root / "keys"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def checkpoints(self) -> Path:
        return self.root / "checkpoints"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def run(self) -> Path:
        return self.root / "run"

    def folders(self) -> Iterator[Path]:
        """The folders every profile has."""
        yield self.root
        yield from (self.notes, self.workspace, self.skills, self.keys)
        yield from (self.backups, self.checkpoints, self.logs, self.run)

    def private_files(self) -> Iterator[Path]:
        """The files Hermes keeps at 0600; `.env` is the person's, so it is only warned of."""
        yield from (self.config_file, self.database, self.memory_note, self.user_note)

    def resolve(self, text: str | None, default: Path) -> Path:
        """The path a setting names: `~` is the person's home, relative is from the profile."""
        return self.root / Path(text).expanduser() if text else default


def read_home(environ: Mapping[str, str], home: str | None = None) -> Home:
    """The home a command works in: `home` if given, else HERMES_HOME, else `~/.hermes`."""
    text = home or environ.get("HERMES_HOME") or "~/.hermes"
    if "\x00" in text:
        raise UserError("the home's path holds a NUL character", "Give --home a plain path.")
    user = environ.get("HOME")
    if user and (text == "~" or text.startswith("~/")):
        return Home(Path(user, text[2:]).resolve())
    return Home(Path(text).expanduser().resolve())


def check_name(name: str, kind: str) -> str:
    """`name` if it may name a profile or a bank; `kind` says which in the error."""
    if NAME.fullmatch(name) is None:
        raise UserError(
            f"{name[:80]!r} is not a {kind} name",
            "Use 1 to 64 of a-z, 0-9, '-' and '_', beginning with a letter or digit.",
        )
    return name


def ensure_layout(paths: ProfilePaths) -> None:
    """Make the folders of a profile: 0700, its files 0600, none of them a symbolic link."""
    for folder in (paths.home.root, *_above(paths), *paths.folders()):
        refuse_links(paths.home.root, folder)
        make_private_dir(folder)
    for file in (*paths.private_files(), paths.env_file, paths.seed_file, paths.reflections_file):
        refuse_links(paths.home.root, file)
    for file in paths.private_files():
        set_mode(file, FILE_MODE)


def _above(paths: ProfilePaths) -> tuple[Path, ...]:
    return (paths.home.profiles,) if paths.name != DEFAULT_PROFILE else ()
