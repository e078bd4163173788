"""Reading every page, and asking whether what belongs together is there together."""

from pathlib import Path

from hermes.counted import many
from hermes.errors import Corrupt
from hermes.store.base import Finding
from hermes.store.sqlite.connection import Connection, Database, scalar
from hermes.store.sqlite.rows import ROLES
from hermes.store.sqlite.sealed import find_seal
from hermes.store.sqlite.texts import role_word

_RESTORE = "Restore the last good backup with `hermes backup restore`."


def check_database(connection: Connection, database: Database) -> list[Finding]:
    """What was found, part by part; Corrupt if a page cannot be trusted."""
    return [
        _integrity(connection, database),
        _references(connection),
        _index(connection),
        *_permissions(database.path),
        *_place(database.path),
    ]


def _integrity(connection: Connection, database: Database) -> Finding:
    """Every page is read; encrypted pages carry a tag that a flipped bit breaks."""
    problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
    if problems != ["ok"]:
        raise Corrupt(f"{database.path} is damaged: {_shortened(problems)}.", _RESTORE)
    pages = scalar(connection, "PRAGMA page_count")
    sealed = "authenticated" if database.key is not None else "not encrypted"
    return Finding("ok", "database", f"{pages:,} pages read, {sealed}, all sound")


def _shortened(problems: list[str]) -> str:
    """The first thing wrong, and how many more: one broken page makes many lines."""
    lines = [line for each in problems for line in each.splitlines() if line[:3] != "***"]
    first = (lines or problems)[0].partition(". error code")[0]
    return f"{first}, and {len(lines) - 1} more" if len(lines) > 1 else first


def _references(connection: Connection) -> Finding:
    broken = scalar(connection, "SELECT count(*) FROM pragma_foreign_key_check")
    if broken:
        return Finding(
            "failed", "references", f"{many(broken, 'row')} with a pointer to no row", _RESTORE
        )
    return Finding("ok", "references", "every row's parent is there")


def _index(connection: Connection) -> Finding:
    messages = scalar(connection, "SELECT count(*) FROM messages")
    words = " OR ".join(map(role_word, ROLES))
    sql = "SELECT count(*) FROM message_text WHERE message_text MATCH ?"
    indexed = scalar(connection, sql, (words,))
    if messages != indexed:
        what = f"{messages:,} messages, {indexed:,} in the search index"
        hint = "Restore the last backup: `hermes backup restore`."
        return Finding("failed", "search index", what, hint)
    return Finding("ok", "search index", f"{many(indexed, 'message')} indexed")


def _permissions(path: Path) -> list[Finding]:
    files = [Path(f"{path}{end}") for end in ("", "-wal", "-shm")]
    loose = [f for f in files if f.exists() and f.stat().st_mode & 0o077]
    if loose:
        what = f"others may read {', '.join(file.name for file in loose)}"
        hint = f"chmod 600 {' '.join(map(str, loose))}"
        return [Finding("warning", "permissions", what, hint)]
    return [Finding("ok", "permissions", "only you may read the database")]


def _place(path: Path) -> list[Finding]:
    reason = find_seal(path)
    if reason is None:
        return []
    what = f"memory can be read, but nothing can be kept: {reason}"
    return [Finding("warning", "place", what, "Make it writable, or copy the home to another.")]
