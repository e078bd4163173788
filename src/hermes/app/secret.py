"""The secret a profile has for itself: its database key, or one made once where that is off.

Backups are opened with a key derived from it, and what was erased is remembered under it.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from hermes.app.keys import key_request
from hermes.errors import UserError
from hermes.guard.crypto import Encryption, parse_recovery_key
from hermes.guard.keyfile import create_once, expect_length, load_private
from hermes.guard.recovery import KEY_BYTES

if TYPE_CHECKING:
    from hermes.app.root import App

_NAME = "profile.key"


def profile_secret(app: App) -> bytes:
    """The secret, made if there is none and none is missing."""
    if app.key is not None:
        return app.key.secret
    if app.absent is not None:  # nothing was ever kept under one
        return secrets.token_bytes(KEY_BYTES)
    file = app.paths.keys / _NAME
    create_once(file, secrets.token_bytes(KEY_BYTES))
    return expect_length(file, load_private(file) or b"", KEY_BYTES)


def existing_secret(app: App, recovery_key: str) -> bytes:
    """The secret of a profile that may be lost: by its recovery key, or where it always was."""
    if recovery_key:
        return parse_recovery_key(recovery_key)
    request = key_request(app.paths, app.config.memory, app.environ)
    place = app.paths.keys / _NAME if request.mode is Encryption.OFF else request.place
    if not place.exists():
        raise UserError(
            f"There is no key here that could open a backup: {place} is missing.",
            "Give the recovery key that was shown when the memory was made: --recovery-key.",
        )
    return profile_secret(app)
