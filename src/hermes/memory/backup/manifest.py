"""What a backup says of itself: the first file in it, by which all the others are checked."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hermes.config.paths import ProfilePaths
from hermes.errors import Corrupt

FORMAT = 1
NAME = "manifest.json"
DATABASE = "memory.db"
MAX_BYTES = 16 << 20
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the backup, by its path inside the profile."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    hermes: str
    profile: str
    created_at: int
    schema: int
    seq: int
    counts: Mapping[str, int]
    entries: tuple[Entry, ...]
    label: str = ""
    format: int = field(default=FORMAT)


def render_manifest(manifest: Manifest) -> bytes:
    return json.dumps(asdict(manifest), indent=1, sort_keys=True).encode()


def parse_manifest(content: bytes) -> Manifest:
    try:
        read = json.loads(content)
        entries = tuple(Entry(**entry) for entry in read.pop("entries"))
        manifest = Manifest(entries=entries, **read)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Corrupt("The backup has no readable manifest.", "Use another backup.") from error
    if manifest.format != FORMAT:
        raise Corrupt(
            f"The backup has format {manifest.format}; this Hermes knows {FORMAT}.",
            "Restore it with the Hermes that made it, or a newer one.",
        )
    return manifest


def kept_folders(paths: ProfilePaths) -> tuple[Path, ...]:
    """The folders of a profile that a backup holds; never keys."""
    return (paths.notes, paths.workspace, paths.skills)


def describe_file(root: Path, file: Path) -> Entry:
    return Entry(file.relative_to(root).as_posix(), file.stat().st_size, digest_file(file))


def digest_file(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
