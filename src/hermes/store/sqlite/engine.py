"""Which SQLite is in use, and whether it is one to trust a memory to."""

import apsw

from hermes.store.base import Finding

SAFE = (3, 51, 3)  # before it, two writers could corrupt a database at a WAL reset


def check_engine(version: str | None = None) -> Finding:
    """Whether SQLite is new enough."""
    found = version or apsw.sqlite_lib_version()
    numbers = tuple(int(part) for part in found.split(".")[:3])
    if numbers < SAFE:
        wanted = ".".join(map(str, SAFE))
        what = f"SQLite {found} can corrupt a database that two processes write"
        return Finding("failed", "sqlite", what, f"Install apsw-sqlite3mc {wanted} or newer.")
    return Finding("ok", "sqlite", f"SQLite {found}")
