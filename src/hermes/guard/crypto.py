"""The key of the database: made once, found again, and never replaced behind anyone's back.

Four modes: a key file in the profile's `keys/`, the system's keyring, a passphrase, or none. This
module knows nothing of databases but whether one is already there: then a missing key is an error
to be mended, not a reason to make a new one. A passphrase is handed in; the environment and the
terminal belong to the edge.
"""

import hashlib
import json
import secrets
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from hermes.errors import Corrupt, Refused, Unavailable, UserError
from hermes.guard.keyfile import create_once, expect_length, expect_same, load_private
from hermes.guard.keyring import Keyring, SystemKeyring
from hermes.guard.recovery import KEY_BYTES, parse_recovery_key, render_recovery_key

__all__ = [
    "DatabaseKey",
    "Encryption",
    "KeyRequest",
    "open_key",
    "parse_recovery_key",
    "render_recovery_key",
    "restore_key",
]

_KEY_NAME = "database.key"
_SALT_NAME = "passphrase.json"
_KEYRING_NAME = "keyring.id"
_SERVICE = "hermes-memory"
_SCRYPT = {"n": 1 << 17, "r": 8, "p": 1}  # 128 MiB and about half a second for each guess
_SCRYPT_MEMORY = 256 << 20


class Encryption(StrEnum):
    """The values of `memory.encryption`."""

    KEYFILE = "keyfile"
    KEYRING = "keyring"
    PASSPHRASE = "passphrase"  # noqa: S105 - the name of a mode
    OFF = "off"


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """Which key is asked for, and all that is needed to find or make it."""

    mode: Encryption
    keys_dir: Path
    has_database: bool
    key_path: Path | None = None
    passphrase: str | None = field(default=None, repr=False)
    keyring: Keyring | None = field(default=None, repr=False)

    @property
    def file(self) -> Path:
        return self.key_path or self.keys_dir / _KEY_NAME

    @property
    def place(self) -> Path:
        """The file that is there once a key was made: the key itself, or the way to it."""
        ways = {Encryption.PASSPHRASE: _SALT_NAME, Encryption.KEYRING: _KEYRING_NAME}
        name = ways.get(self.mode)
        return self.keys_dir / name if name else self.file


@dataclass(frozen=True, slots=True)
class DatabaseKey:
    """Thirty-two bytes, and whether they were made just now: then show the recovery key, once."""

    secret: bytes = field(repr=False)
    created: bool = False


def open_key(request: KeyRequest) -> DatabaseKey | None:
    """The key of the database, made if there is neither key nor database; None when it is off."""
    match request.mode:
        case Encryption.OFF:
            return None
        case Encryption.KEYFILE:
            return _open_keyfile(request)
        case Encryption.PASSPHRASE:
            return _open_passphrase(request)
        case Encryption.KEYRING:
            return _open_keyring(request)


def restore_key(request: KeyRequest, recovery_key: str) -> DatabaseKey:
    """Put a lost key back as a key file; a different key in its place is never overwritten."""
    secret = parse_recovery_key(recovery_key)
    if not create_once(request.file, secret):
        expect_same(request.file, secret, _load(request))
    return DatabaseKey(secret)


def _load(request: KeyRequest) -> bytes | None:
    return load_private(request.file, is_chosen=request.key_path is not None)


def _open_keyfile(request: KeyRequest) -> DatabaseKey:
    kept, created = _load(request), False
    if kept is None:
        _expect_no_database(request, str(request.file))
        created = create_once(request.file, secrets.token_bytes(KEY_BYTES))
        kept = _load(request)
    return DatabaseKey(expect_length(request.file, kept or b"", KEY_BYTES), created)


def _open_passphrase(request: KeyRequest) -> DatabaseKey:
    if not request.passphrase:
        raise UserError(
            "The memory is protected by a passphrase, and none was given.",
            "Set HERMES_PASSPHRASE, or start Hermes in a terminal to be asked for it.",
        )
    path = request.keys_dir / _SALT_NAME
    kept = load_private(path)
    if kept is not None:
        return DatabaseKey(_derive_checked(request.passphrase, path, kept))
    _expect_no_database(request, str(path))
    made, secret = _new_salt(request.passphrase)
    if create_once(path, made):
        return DatabaseKey(secret, created=True)
    return DatabaseKey(_derive_checked(request.passphrase, path, load_private(path) or b""))


def _new_salt(passphrase: str) -> tuple[bytes, bytes]:
    """The content of a new salt file, and the key that the passphrase gives with it."""
    salt = secrets.token_bytes(16)
    secret = _derive(passphrase, salt, _SCRYPT)
    kept = {"kdf": "scrypt", **_SCRYPT, "salt": salt.hex(), "check": _check_of(secret)}
    return json.dumps(kept).encode() + b"\n", secret


def _derive_checked(passphrase: str, path: Path, kept: bytes) -> bytes:
    try:
        salt_file = json.loads(kept)
        costs = {name: int(salt_file[name]) for name in _SCRYPT}
        secret = _derive(passphrase, bytes.fromhex(salt_file["salt"]), costs)
        check = salt_file["check"]
    except (ValueError, KeyError, TypeError) as error:
        raise Corrupt(
            f"The passphrase file {path} is damaged.",
            "Put the original file back, or use the recovery key.",
        ) from error
    if check != _check_of(secret):
        raise Refused("The passphrase is not right.", "Try again, or use the recovery key.")
    return secret


def _derive(passphrase: str, salt: bytes, costs: dict[str, int]) -> bytes:
    typed = unicodedata.normalize("NFKC", passphrase)  # keyboards differ in composition
    return hashlib.scrypt(
        typed.encode("utf-8", "surrogateescape"),
        salt=salt,
        maxmem=_SCRYPT_MEMORY,
        dklen=KEY_BYTES,
        **costs,
    )


def _check_of(secret: bytes) -> str:
    return hashlib.sha256(b"hermes passphrase check" + secret).hexdigest()[:16]


def _open_keyring(request: KeyRequest) -> DatabaseKey:
    ring = request.keyring or SystemKeyring()
    path = request.keys_dir / _KEYRING_NAME
    kept = load_private(path)
    if kept is not None:
        return DatabaseKey(_from_keyring(ring, kept.decode("ascii", "replace").strip()))
    _expect_no_database(request, str(path))
    return _new_in_keyring(ring, path)


def _new_in_keyring(ring: Keyring, path: Path) -> DatabaseKey:
    """A keyring cannot create-if-absent: each racer stores its key under a name of its own, and
    the file that names the winner is what is created once."""
    entry, secret = secrets.token_hex(8), secrets.token_bytes(KEY_BYTES)
    ring.set_password(_SERVICE, entry, secret.hex())
    if create_once(path, entry.encode() + b"\n"):
        return DatabaseKey(_from_keyring(ring, entry), created=True)
    ring.delete_password(_SERVICE, entry)
    return DatabaseKey(_from_keyring(ring, (load_private(path) or b"").decode().strip()))


def _from_keyring(ring: Keyring, entry: str) -> bytes:
    kept = ring.get_password(_SERVICE, entry)
    if kept is None:
        raise Unavailable(
            f"The keyring has no entry {_SERVICE}/{entry}.",
            "Unlock the keyring of the account that made the memory, or use the recovery key.",
        )
    try:
        secret = bytes.fromhex(kept)
    except ValueError:
        secret = b""
    if len(secret) != KEY_BYTES:
        raise Corrupt(
            f"The keyring entry {_SERVICE}/{entry} is not a database key.",
            "Use the recovery key.",
        )
    return secret


def _expect_no_database(request: KeyRequest, missing: str) -> None:
    if request.has_database:
        raise Unavailable(
            f"The database is there but its key is not: {missing} is missing.",
            "Put the keys directory back from where it was, or put the key back from the "
            "recovery key with `hermes doctor --restore-key`. No new key was made.",
        )
