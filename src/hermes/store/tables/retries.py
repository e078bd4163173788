"""What needs a vector although its number was passed over, the same on every store.

A cursor says up to which number each kind has been seen to. What is written anew under an older
number, or comes back, is put on this list, and so is what a model refused: that waits until
somebody has it tried again.
"""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from hermes.store.base.vectors import VectorKind
from hermes.store.tables.statements import Statements, count

_MESSAGE_BANKS = """(SELECT m.id, e.bank FROM messages m JOIN episodes e ON e.id = m.episode)"""
_ITEMS = {  # where the items of a kind and their banks are, and which column numbers them
    VectorKind.MESSAGE: (_MESSAGE_BANKS, "id"),
    VectorKind.FACT: ("facts", "vector"),
    VectorKind.REFLECTION: ("reflections", "id"),
}
Texts = Mapping[VectorKind, tuple[str, str]]  # a query of a kind's texts, and its numbers there
_TURNS = 500  # items in one statement at most
AnyConnection = TypeVar("AnyConnection", bound=Statements)


class Retries(Generic[AnyConnection]):
    """The list, as a part of a store's vectors."""

    _connection: AnyConnection

    def ask_again(self, kind: VectorKind, items: Sequence[int]) -> None:
        ask_again(self._connection, kind, items)

    def wait_again(self, space: int, kind: VectorKind, items: Sequence[int]) -> None:
        enlist(self._connection, space, kind, items, refused=False)

    def refuse(self, space: int, kind: VectorKind, items: Sequence[int]) -> None:
        enlist(self._connection, space, kind, items, refused=True)

    def retry_refused(self, space: int) -> None:
        retry_refused(self._connection, space)

    def count_refused(self, space: int) -> int:
        return count_refused(self._connection, space)

    def find_reach(self, space: int, kind: VectorKind, bank: int, up_to: int) -> tuple[int, int]:
        return find_reach(self._connection, space, kind, bank, up_to)


def ask_again(connection: Statements, kind: VectorKind, items: Sequence[int]) -> None:
    """Have items embedded in every space that has passed them over already."""
    table, number = _ITEMS[kind]
    for some in _groups(items):
        among, values = connection.among(f"t.{number}", some)
        connection.execute(
            f"""INSERT INTO vector_retries (bank, kind, item, space)
              SELECT t.bank, c.kind, t.{number}, c.space FROM {table} t
              JOIN vector_cursors c ON c.kind = {int(kind)} AND c.item >= t.{number}
              JOIN vector_spaces s ON s.id = c.space AND NOT s.retired
              WHERE {among} ON CONFLICT DO NOTHING""",
            values,
        )


def enlist(
    connection: Statements, space: int, kind: VectorKind, items: Sequence[int], *, refused: bool
) -> None:
    """Put items a space has passed over on its list: they wait, or its model `refused` them."""
    table, number = _ITEMS[kind]
    for some in _groups(items):
        among, values = connection.among(f"t.{number}", some)
        connection.execute(
            f"""INSERT INTO vector_retries (bank, kind, item, space, refused)
              SELECT t.bank, {int(kind)}, t.{number}, s.id, {int(refused)} FROM {table} t
              JOIN vector_spaces s ON s.id = {int(space)}
              WHERE {among} ON CONFLICT DO NOTHING""",
            values,
        )


def leave(connection: Statements, space: int, kind: VectorKind, items: Sequence[int]) -> None:
    """Take items off the list: they were seen to."""
    for some in _groups(items):
        among, values = connection.among("item", some)
        sql = f"DELETE FROM vector_retries WHERE space = ? AND kind = ? AND {among}"
        connection.execute(sql, (space, int(kind), *values))


def retry_refused(connection: Statements, space: int) -> None:
    """Let what was refused wait like everything else."""
    sql = "UPDATE vector_retries SET refused = 0 WHERE space = ? AND refused = 1"
    connection.execute(sql, (space,))


def list_kinds(connection: Statements, space: int) -> list[VectorKind]:
    """Of which kinds something waits."""
    sql = "SELECT DISTINCT kind FROM vector_retries WHERE space = ? AND refused = 0 ORDER BY kind"
    return [VectorKind(kind) for (kind,) in connection.execute(sql, (space,))]


def count_waiting(connection: Statements, space: int) -> int:
    sql = "SELECT count(*) FROM vector_retries WHERE space = ? AND refused = 0"
    return count(connection, sql, (space,))


def count_refused(connection: Statements, space: int) -> int:
    sql = "SELECT count(*) FROM vector_retries WHERE space = ? AND refused = 1"
    return count(connection, sql, (space,))


def find_reach(
    connection: Statements, space: int, kind: VectorKind, bank: int, up_to: int
) -> tuple[int, int]:
    """Up to which number a kind was seen to, and how many of a bank up to there have no vector."""
    seen = "SELECT item FROM vector_cursors WHERE space = ?1 AND kind = ?2"
    lacking = """SELECT count(*) FROM vector_retries
      WHERE space = ?1 AND kind = ?2 AND bank = ?3 AND item <= ?4"""
    sql = f"SELECT coalesce(({seen}), 0), ({lacking})"
    ((reached, lack),) = connection.execute(sql, (space, int(kind), bank, up_to))
    return int(reached), int(lack)


def pending(texts: Texts) -> dict[VectorKind, str]:
    """Of each kind a query of the texts beyond a number."""
    return {
        kind: f"{query} AND {item} > ? ORDER BY {item} LIMIT ?"
        for kind, (query, item) in texts.items()
    }


def waiting(texts: Texts) -> dict[VectorKind, str]:
    """Of each kind a query of the texts that wait in a space."""
    listed = "SELECT item FROM vector_retries WHERE space = ? AND refused = 0"
    return {
        kind: f"{query} AND {item} IN ({listed} AND kind = {int(kind)}) ORDER BY {item} LIMIT ?"
        for kind, (query, item) in texts.items()
    }


def lost(texts: Texts) -> dict[VectorKind, str]:
    """Of each kind a query of the texts up to a number that have no vector in a space and do not
    wait for one."""
    queries = {}
    for kind, (query, item) in texts.items():
        own = f"kind = {int(kind)} AND item = {item} AND space ="
        queries[kind] = f"""{query} AND {item} > ?1 AND {item} <= ?2
          AND NOT EXISTS (SELECT 1 FROM vectors WHERE {own} ?3)
          AND NOT EXISTS (SELECT 1 FROM vector_retries WHERE {own} ?3)
          ORDER BY {item} LIMIT ?4"""
    return queries


def _groups(items: Sequence[int]) -> list[list[int]]:
    return [list(items[start : start + _TURNS]) for start in range(0, len(items), _TURNS)]
