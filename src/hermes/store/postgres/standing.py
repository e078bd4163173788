"""Acting for a profile, and only while it is there.

A profile is known by its number once a store is open, and a restore puts another number in its
place: whoever still goes by the old one would read nothing, and write what nobody reads again.
"""

from typing import Any

import psycopg
from psycopg import sql

from hermes.errors import Conflict
from hermes.store.postgres.server import Raw, Server

LOCK_SPACE = 0x48524D53  # "HRMS": the lock of a profile's writer is this and the profile


def acting_for(server: Server, profile: int) -> str:
    """The statements that begin a transaction's work; the last counts the profile."""
    name = sql.Literal(server.profile).as_string()
    return f"""SELECT set_config('hermes.profile', '{profile:d}', true),
        set_config('hermes.profile_name', {name}, true);
      SELECT count(*) FROM profiles WHERE id = {profile:d}"""


def expect_there(begun: psycopg.Cursor[Any]) -> None:
    """Refuse to go on where what `acting_for` counted is gone."""
    while begun.nextset():
        pass
    ((there,),) = begun.fetchall()
    if not there:
        raise Conflict(
            "The memory of this profile was replaced while it was open: a backup was restored.",
            "Nothing was kept of this. Open it again (restart the program), and send it once more.",
        )


def lock_writers(raw: Raw, profile: int) -> None:
    """Have every writer of a profile wait for the end of this transaction."""
    raw.execute(f"SELECT pg_advisory_xact_lock({LOCK_SPACE}, {profile:d})".encode())
