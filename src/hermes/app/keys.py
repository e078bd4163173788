"""Opening the database key as the settings say."""

import getpass
import sys
from collections.abc import Mapping

from hermes.config.model import MemorySettings
from hermes.config.paths import ProfilePaths
from hermes.guard.crypto import DatabaseKey, Encryption, KeyRequest, open_key

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
    key_path = paths.resolve(settings.key_path, paths.keys) if settings.key_path else None
    return KeyRequest(
        mode=mode,
        keys_dir=paths.keys,
        has_database=database.exists(),
        key_path=key_path,
        passphrase=_passphrase(environ) if mode is Encryption.PASSPHRASE else None,
    )


def _passphrase(environ: Mapping[str, str]) -> str | None:
    given = environ.get(PASSPHRASE)
    if given is None and sys.stdin.isatty():
        return getpass.getpass("Passphrase of this memory: ")
    return given
