"""One secret for all daemons of a profile.

What was erased is remembered under the profile's secret, and its backups open with it. Daemons on
several machines must therefore have the same one; the database keeps a mark of it, not the secret.
"""

import hashlib
import hmac
from typing import cast

from hermes.errors import Refused
from hermes.store.base import Store, Tx
from hermes.store.postgres.tx import PostgresTx

_NAME = "secret_mark"
_LABEL = b"hermes profile mark v1"


def settle_owner(store: Store, secret: bytes) -> None:
    """Leave the mark of `secret` with a new profile; Refused where another one's is there."""
    mark = hmac.digest(secret, _LABEL, hashlib.sha256).hex()
    found = store.read(_find) or store.write(lambda tx: _leave(tx, mark))
    if not hmac.compare_digest(found, mark):
        raise Refused(
            "This profile of the database belongs to daemons with another key.",
            "Copy keys/ of the first machine into this home, or set memory.keyPath to that file; "
            "a profile of its own needs another name (-p NAME).",
        )


def _find(tx: Tx) -> str:
    rows = cast(PostgresTx, tx).connection.execute(
        "SELECT value FROM meta WHERE name = ?", (_NAME,)
    )
    return str(rows[0][0]) if rows else ""


def _leave(tx: Tx, mark: str) -> str:
    if found := _find(tx):  # another daemon was first
        return found
    sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
    cast(PostgresTx, tx).connection.execute(sql, (_NAME, mark))
    return mark
