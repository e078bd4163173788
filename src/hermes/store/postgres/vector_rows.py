"""Taking vectors away with what is derived from them, the one way for every part of the store."""

from collections.abc import Collection, Sequence

from hermes.store.base.vectors import BLOCK_ROWS, VectorKind
from hermes.store.postgres import halves
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.counters import PostgresChanges

SPACE_SHIFT = 40  # in the change sequence a vector is its space and its number in it
NUMBER_MASK = (1 << SPACE_SHIFT) - 1


def remove_vectors(
    connection: Connection, changes: PostgresChanges, kind: VectorKind, items: Collection[int]
) -> None:
    """Remove the vectors of items from every space, and the blocks that hold their codes."""
    if not items:
        return
    sql = "DELETE FROM vector_retries WHERE kind = ? AND item = ANY(?)"
    connection.defer(sql, (int(kind), list(items)))
    sql = """DELETE FROM vectors WHERE kind = ? AND item = ANY(?)
      RETURNING item, space, part, number, bank"""
    gone = sorted(connection.execute(sql, (int(kind), list(items))))
    searched: set[int] = set()
    for space in {space for _, space, *_ in gone}:
        here = [(bank, int(kind), number) for _, each, _, number, bank in gone if each == space]
        remove_derived(connection, space, here)
        numbers = [number for _, _, number in here]
        blocks = sorted({number // BLOCK_ROWS for number in numbers})
        sql = "DELETE FROM vector_blocks WHERE space = ? AND number = ANY(?)"
        connection.defer(sql, (space, blocks))
        sql = "UPDATE vector_spaces SET gone = gone + ? WHERE id = ? RETURNING retired"
        found = connection.execute(sql, (len(numbers), space))
        if found and not found[0][0]:  # nobody searches a retired space, or one that is gone
            searched.add(space)
    for _, space, _, number, _ in gone:
        if space in searched:
            place = (space << SPACE_SHIFT) | number
            changes.record("vector", place, place, "remove")


def remove_derived(
    connection: Connection, space: int, gone: Sequence[tuple[int, int, int]]
) -> None:
    """Remove what was made of vectors, given by bank, kind and number, outside the blocks."""
    if not gone:
        return
    banks, kinds, numbers = (sorted(set(column)) for column in zip(*gone, strict=True))
    sql = """DELETE FROM vector_codes
      WHERE bank = ANY(?) AND space = ? AND kind = ANY(?) AND number = ANY(?)"""
    connection.defer(sql, (banks, space, kinds, numbers))
    sql = "SELECT dimensions FROM vector_spaces WHERE id = ?"
    for (dimensions,) in connection.execute(sql, (space,)):
        if halves.is_there(connection, dimensions):
            halves.remove(connection, space, dimensions, (banks, numbers))
