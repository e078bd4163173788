"""One secret for all daemons of a profile.

What was erased is remembered under the profile's secret, and its backups open with it. Daemons on
several machines must therefore have the same one; the database keeps a mark of it, not the secret.
"""

import hashlib
import hmac
from typing import cast

from hermes.errors import Refused
from hermes.store.base import Store, Tx
from hermes.store.postgres.connection import translated
from hermes.store.postgres.schema import schema_version
from hermes.store.postgres.server import Server, connect
from hermes.store.postgres.tx import PostgresTx

_NAME = "secret_mark"
_LABEL = b"hermes profile mark v1"


def settle_owner(store: Store, secret: bytes) -> None:
    """Leave the mark of `secret` with a new profile; Refused where another one's is there."""
    mark = hmac.digest(secret, _LABEL, hashlib.sha256).hex()
    found = store.read(_find) or store.write(lambda tx: _leave(tx, mark))
    if not hmac.compare_digest(found, mark):
        raise _refused()


def refuse_second_key(server: Server) -> None:
    """Before a key is made: Unavailable where there is no server, Refused where others have one."""
    with translated(server.location), connect(server) as raw:
        if not schema_version(raw):
            return
        with raw.transaction():
            raw.execute("SELECT set_config('hermes.profile_name', %s, true)", (server.profile,))
            found = raw.execute("SELECT id FROM profiles").fetchall()
            if not found:
                return
            raw.execute("SELECT set_config('hermes.profile', %s, true)", (str(found[0][0]),))
            if raw.execute("SELECT 1 FROM meta WHERE name = %s", (_NAME,)).fetchall():
                raise _refused()


def _refused() -> Refused:
    return Refused(
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
