"""Opening the database key as the settings say."""

import getpass
import sys
from collections.abc import Mapping
from pathlib import Path

from hermes.config.model import MemorySettings
from hermes.config.paths import ProfilePaths
from hermes.guard.crypto import DatabaseKey, Encryption, KeyRequest, open_key, restore_key

PASSPHRASE = "HERMES_PASSPHRASE"  # noqa: S105 (the name of a variable)


def open_database_key(
    paths: ProfilePaths, settings: MemorySettings, environ: Mapping[str, str]
) -> DatabaseKey | None:
    """The key of a profile's database, made with the first one; None where encryption is off."""
    return open_key(key_request(paths, settings, environ))


def key_request(
    paths: ProfilePaths, settings: MemorySettings, environ: Mapping[str, str]
) -> KeyRequest:
    mode = Encryption(settings.encryption)
    database = paths.resolve(settings.path, paths.database)
    return KeyRequest(
        mode=mode,
        keys_dir=paths.keys,
        has_database=database.exists(),
        key_path=_key_path(paths, settings),
        passphrase=_passphrase(environ) if mode is Encryption.PASSPHRASE else None,
    )


def _passphrase(environ: Mapping[str, str]) -> str | None:
    given = environ.get(PASSPHRASE)
    if given is None and sys.stdin.isatty():
        return getpass.getpass("Passphrase of this memory: ")
    return given


def restore_database_key(paths: ProfilePaths, settings: MemorySettings, recovery_key: str) -> Path:
    """Put a lost key back as a key file, whatever the mode was; where it is now."""
    request = KeyRequest(Encryption.KEYFILE, paths.keys, True, _key_path(paths, settings))
    restore_key(request, recovery_key)
    return request.file


def _key_path(paths: ProfilePaths, settings: MemorySettings) -> Path | None:
    return paths.resolve(settings.key_path, paths.keys) if settings.key_path else None
