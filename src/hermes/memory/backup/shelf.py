"""Where backups stand, what they are called, and which of them are kept.

The name tells when a backup was made; nothing needs to be opened to list them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from hermes.clock import DAY_MS, from_datetime, to_datetime
from hermes.errors import NotFound, UserError

LABELLED_DAYS = 30
_AGE = b"age-encryption.org/"
_NAME = re.compile(r"hermes-(\d{8}T\d{6})(\d{3})Z(?:-([a-z-]+))?\.tar\.age")


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup; `label` says what it was made before, "" for the regular ones."""

    file: Path
    created_at: int
    size: int
    label: str = ""

    @property
    def name(self) -> str:
        return self.file.name


@dataclass(frozen=True, slots=True)
class Keep:
    """How many backups are kept of the last days, weeks and months."""

    daily: int = 7
    weekly: int = 4
    monthly: int = 6


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder of a profile's backups, and who can open them."""

    folder: Path
    identity: str = field(repr=False)
    recipients: tuple[str, ...] = ()


def backup_name(at: int, label: str = "") -> str:
    moment = to_datetime(at)
    end = f"-{label}" if label else ""
    return f"hermes-{moment:%Y%m%dT%H%M%S}{moment.microsecond // 1000:03d}Z{end}.tar.age"


def list_backups(folder: Path) -> list[Backup]:
    """Newest first."""
    if not folder.is_dir():
        return []
    found = [backup for file in folder.iterdir() if (backup := parse_backup(file)) is not None]
    return sorted(found, key=lambda backup: backup.created_at, reverse=True)


def parse_backup(file: Path) -> Backup | None:
    match = _NAME.fullmatch(file.name)
    if match is None or file.is_symlink() or not file.is_file():
        return None
    moment = datetime.strptime(match[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    return Backup(file, from_datetime(moment) + int(match[2]), file.stat().st_size, match[3] or "")


def get_backup(folder: Path, name: str) -> Backup:
    """The backup of that name, the newest for `latest`, or one that lies elsewhere, by its path."""
    found = list_backups(folder)
    if name in ("", "latest") and found:
        return found[0]
    for backup in found:
        if name in (backup.name, backup.name.removesuffix(".tar.age")):
            return backup
    file = Path(name).expanduser()
    if name and file.exists():
        _expect_backup(file)
        return parse_backup(file) or Backup(file, 0, file.stat().st_size)
    raise NotFound(f"There is no backup {name or 'yet'}.", "See `hermes backup list`.")


def _expect_backup(file: Path) -> None:
    hint = "A backup is a file that `hermes backup now` made; see `hermes backup list`."
    if not file.is_file():
        raise UserError(f"{file} is no file.", hint)
    with file.open("rb") as stream:
        if stream.read(len(_AGE)) != _AGE:
            raise UserError(f"{file} is not a Hermes backup.", hint)


def choose_kept(backups: Sequence[Backup], keep: Keep, now: int) -> set[Backup]:
    """Those to be kept: the last day's, then the newest of each day, week and month.

    One made before something was changed is kept for a month. The newest is always kept.
    """
    newest = sorted(backups, key=lambda backup: backup.created_at, reverse=True)
    kept = {b for b in newest if now - b.created_at < (LABELLED_DAYS if b.label else 1) * DAY_MS}
    kept.update(newest[:1])
    regular = [backup for backup in newest if not backup.label]
    for form, count in (("%Y-%m-%d", keep.daily), ("%G-%V", keep.weekly), ("%Y-%m", keep.monthly)):
        first: dict[str, Backup] = {}
        for backup in regular:
            first.setdefault(f"{to_datetime(backup.created_at):{form}}", backup)
        kept.update(list(first.values())[:count])
    return kept


def rotate(folder: Path, keep: Keep, now: int) -> list[Backup]:
    """Remove the backups that need not be kept; which those were."""
    backups = list_backups(folder)
    kept = choose_kept(backups, keep, now)
    gone = [backup for backup in backups if backup not in kept]
    for backup in gone:
        backup.file.unlink(missing_ok=True)
    return gone
