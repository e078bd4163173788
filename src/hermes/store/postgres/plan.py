"""Statements that spread a database over partitions of one server, or over the servers of Citus.

Every table is cut by profile and bank, which lead its key; nothing else changes. The statements are
made from the migrations, so that they fit the schema whatever it grows to; they are run after
`hermes db migrate`, on an empty database or on one in use (in a quiet hour: each table is copied).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hermes.store.postgres.schema import list_migrations
from hermes.store.postgres.server import SCHEMA

_TABLE = re.compile(r"^CREATE TABLE (\w+) \((.*?)^\)([^;]*);", re.MULTILINE | re.DOTALL)
_DROPPED = re.compile(r"^DROP TABLE (\w+);", re.MULTILINE)
_INDEX = re.compile(r"^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)[^;]*;", re.MULTILINE)
_TRIGGER = re.compile(r"^CREATE TRIGGER \w+ [^;]* ON (\w+)\s[^;]*;", re.MULTILINE)
_PRIMARY = re.compile(r"PRIMARY KEY (\([^)]*\)(?: INCLUDE \([^)]*\))?)")
_CITUS_NOTES = (
    "-- Checked against the documentation of Citus, never run. Before you rely on it:",
    "-- policies need the profile on the workers: SET citus.propagate_set_commands = 'local', and",
    "-- SET LOCAL, which is passed on, where Hermes calls set_config, which is not;",
    "-- Citus refuses joins that do not name the column tables are distributed by, and Hermes",
    "-- leaves the profile to the policies. Servers with some profiles each need none of this.",
)
_SHARED = frozenset({"profiles"})  # the directory of profiles is small, and every part needs it


@dataclass(frozen=True, slots=True)
class Table:
    """What must be made again when a table is replaced by one in parts."""

    name: str
    primary: str
    storage: str
    after: tuple[str, ...]

    @property
    def cut_by(self) -> str:
        """The two columns a table is cut by: a bank's own row is cut by its number."""
        return "profile, id" if self.name == "banks" else "profile, bank"


def list_tables() -> list[Table]:
    """The tables that hold rows of profiles."""
    text = "\n".join(sql for _, sql in list_migrations())
    gone = set(_DROPPED.findall(text))
    made = [(match[1], match[2], match[3].strip()) for match in _TABLE.finditer(text)]
    return [
        Table(name, _primary(body), storage, tuple(_following(text, name)))
        for name, body, storage in made
        if name not in _SHARED and name not in gone
    ]


def plan_partitions(parts: int) -> list[str]:
    """Native hash partitions: `parts` of each table."""
    tables = list_tables()
    steps = [statement for table in tables for statement in _replaced(table, parts)]
    return [f"SET search_path = {SCHEMA};", "BEGIN;", *steps, "SELECT protect();", "COMMIT;"]


def plan_citus() -> list[str]:
    """Distribution by Citus: all rows of a profile on one node, tables side by side.

    Held against Citus's documentation, never run on it.
    """
    tables = list_tables()
    first = tables[0].name
    return [
        *_CITUS_NOTES,
        "CREATE EXTENSION IF NOT EXISTS citus;",
        "SET citus.enable_unsafe_triggers = on; -- the trigger of events reads its own row only",
        f"SELECT create_reference_table('{SCHEMA}.profiles');",
        f"SELECT create_distributed_table('{SCHEMA}.{first}', 'profile');",
        *(
            f"SELECT create_distributed_table('{SCHEMA}.{table.name}', 'profile', "
            f"colocate_with => '{SCHEMA}.{first}');"
            for table in tables[1:]
        ),
    ]


def _replaced(table: Table, parts: int) -> Iterator[str]:
    name = table.name
    yield f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY;"  # the copy takes every profile's rows
    yield (
        f"CREATE TABLE {name}_new (LIKE {name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS "
        f"INCLUDING STORAGE) PARTITION BY HASH ({table.cut_by});"
    )
    for part in range(parts):
        bounds = f"FOR VALUES WITH (MODULUS {parts}, REMAINDER {part})"
        yield f"CREATE TABLE {name}_{part} PARTITION OF {name}_new {bounds} {table.storage};"
    yield f"INSERT INTO {name}_new SELECT * FROM {name};"
    yield f"DROP TABLE {name};"
    yield f"ALTER TABLE {name}_new RENAME TO {name};"
    yield f"ALTER TABLE {name} ADD PRIMARY KEY {table.primary};"
    yield from table.after


def _primary(body: str) -> str:
    found = _PRIMARY.search(body)
    if found is None:
        raise ValueError("a table without a primary key cannot be cut into parts")
    return found[1]


def _following(text: str, table: str) -> Iterator[str]:
    for pattern in (_INDEX, _TRIGGER):
        yield from (match[0] for match in pattern.finditer(text) if match[1] == table)
