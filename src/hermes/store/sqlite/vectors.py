"""Vectors on SQLite: rows, blocks of codes, and what is still to be embedded."""

from collections.abc import Iterator, Sequence
from typing import Any

from hermes.errors import NotFound
from hermes.store.base.vectors import (
    BLOCK_ROWS,
    Block,
    ModelName,
    NewVector,
    PendingText,
    StoredVector,
    VectorChange,
    VectorKind,
    VectorSearch,
    VectorSpace,
    new_seed,
)
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.rows import ROLES
from hermes.store.tables import retries
from hermes.store.tables.left_models import ChoiceOfModel, take_up
from hermes.store.tables.stray import retire_strays

_SPACE_SHIFT = 40
_NUMBER_MASK = (1 << _SPACE_SHIFT) - 1
_GROUP = 64  # rows asked for at once: one statement, kept prepared
_MARKS = ", ".join("?" * _GROUP)

_SPACE = """SELECT id, provider, model, dimensions, current, seed, coding, next, mean
  FROM vector_spaces"""
_BLOCK = "SELECT number, signs, levels, scales, bases, items, tags FROM vector_blocks"

# What is embedded of each kind: (item, bank, text, speaker, role, and of the message before it in
# its session, where that was the one recorded just before, text, speaker and role), in order.
_MESSAGE = """SELECT m.id, e.bank, plain(m.text), m.speaker, m.role,
  CASE WHEN b.session = e.session THEN plain(p.text) ELSE '' END, p.speaker, p.role
  FROM messages m CROSS JOIN episodes e ON e.id = m.episode
  LEFT JOIN messages p ON p.id = m.id - 1 LEFT JOIN episodes b ON b.id = p.episode"""
_TEXTS = {
    VectorKind.MESSAGE: (f"{_MESSAGE} WHERE true", "m.id"),
    # The item of a fact is its wording: a new one has a new number.
    VectorKind.FACT: (
        "SELECT vector, bank, text, '', NULL, '', NULL, NULL FROM facts WHERE true",
        "facts.vector",
    ),
    VectorKind.REFLECTION: (
        """SELECT id, bank, task_type || ': ' || lesson, '', NULL, '', NULL, NULL
          FROM reflections WHERE deleted_at IS NULL""",
        "reflections.id",
    ),
}
_PENDING, _WAITING = retries.pending(_TEXTS), retries.waiting(_TEXTS)
_LOST = retries.lost(_TEXTS)
_COUNT = {
    VectorKind.MESSAGE: "SELECT count(*) FROM messages WHERE id > ?",
    VectorKind.FACT: "SELECT count(*) FROM facts WHERE vector > ?",
    VectorKind.REFLECTION: """SELECT count(*) FROM reflections
      WHERE id > ? AND deleted_at IS NULL""",
}
_EXISTS = {
    VectorKind.MESSAGE: "SELECT 1 FROM messages WHERE id = ?",
    VectorKind.FACT: "SELECT 1 FROM facts WHERE vector = ?",
    VectorKind.REFLECTION: "SELECT 1 FROM reflections WHERE id = ? AND deleted_at IS NULL",
}


REPACKED = 200_000  # vectors copied in one transaction at most: a second or two
_TWIN = """INSERT INTO vector_spaces
  (provider, model, dimensions, current, seed, coding, next, mean, created_at)
  SELECT provider, model, dimensions, 1, seed, coding, ?, mean, created_at
  FROM vector_spaces WHERE id = ?"""
_RENUMBERED = f"""INSERT INTO vectors (id, space, kind, item, bank, row, part)
  SELECT (?1 << {_SPACE_SHIFT}) | (row_number() OVER (ORDER BY id) - 1), ?1,
    kind, item, bank, row, part
  FROM vectors WHERE id BETWEEN ?2 AND ?3"""


class SqliteVectors(ChoiceOfModel[Connection], retries.Retries[Connection]):
    def __init__(self, connection: Connection, banks: SqliteBanks) -> None:
        self._connection = connection
        self._banks = banks

    def find_search(self) -> VectorSearch | None:
        return None  # the file is on the machine that asks: its memory holds the codes

    def list_spaces(self) -> list[VectorSpace]:
        sql = f"{_SPACE} WHERE NOT retired ORDER BY id"
        return [_space(row) for row in self._connection.execute(sql)]

    def get_space(self, space: int) -> VectorSpace:
        for row in self._connection.execute(f"{_SPACE} WHERE id = ?", (space,)):
            return _space(row)
        raise NotFound(
            f"There is no vector space {space}.", "Run `hermes memory reindex` to make one."
        )

    def find_current(self) -> VectorSpace | None:
        rows = self._connection.execute(f"{_SPACE} WHERE current = 1")
        return next((_space(row) for row in rows), None)

    def ensure_space(self, provider: str, model: str, dimensions: int, now: int) -> VectorSpace:
        where = "WHERE provider = ? AND model = ? AND dimensions = ? AND NOT retired"
        for row in self._connection.execute(f"{_SPACE} {where}", (provider, model, dimensions)):
            return _space(row)
        take_up(self._connection, ModelName(provider, model, dimensions))
        retire_strays(self._connection, now)
        self._connection.execute(
            """INSERT INTO vector_spaces (provider, model, dimensions, current, seed, created_at)
               SELECT ?, ?, ?, NOT EXISTS (SELECT 1 FROM vector_spaces WHERE NOT retired), ?, ?""",
            (provider, model, dimensions, new_seed(dimensions), now),
        )
        return self.get_space(self._connection.last_insert_rowid())

    def set_mean(self, space: int, mean: bytes) -> VectorSpace:
        sql = "UPDATE vector_spaces SET mean = ?, coding = coding + 1 WHERE id = ?"
        self._connection.execute(sql, (mean, space))
        return self.get_space(space)

    def list_pending(self, space: int, limit: int) -> list[PendingText]:
        found: list[PendingText] = []
        for kind in retries.list_kinds(self._connection, space):
            found += self._pending(kind, _WAITING[kind], (space, limit - len(found)))
        for kind, sql in _PENDING.items():
            if len(found) >= limit:
                break
            found += self._pending(kind, sql, (self._cursor(space, kind), limit - len(found)))
        return found

    def _pending(self, kind: VectorKind, sql: str, bindings: tuple[int, ...]) -> list[PendingText]:
        found: list[PendingText] = []
        for item, bank, text, *said in self._connection.execute(sql, bindings):
            speaker, role, before, before_speaker, before_role = said
            before_by = before_speaker or _role(before_role)
            by = (speaker or "", _role(role))
            found.append(PendingText(kind, item, bank, text, *by, before, before_by))
        return found

    def list_lost(
        self, space: int, kind: VectorKind, *, after: int, limit: int
    ) -> list[PendingText]:
        return self._pending(kind, _LOST[kind], (after, self._cursor(space, kind), space, limit))

    def count_pending(self, space: int) -> int:
        return retries.count_waiting(self._connection, space) + sum(
            scalar(self._connection, sql, (self._cursor(space, kind),))
            for kind, sql in _COUNT.items()
        )

    def pass_over(self, space: int, kind: VectorKind, items: Sequence[int]) -> None:
        self._connection.execute(
            """INSERT INTO vector_cursors (space, kind, item) VALUES (?, ?, ?)
               ON CONFLICT DO UPDATE SET item = max(item, excluded.item)""",
            (space, int(kind), max(items, default=0)),
        )
        retries.leave(self._connection, space, kind, items)

    def add(self, space: int, vectors: Sequence[NewVector]) -> VectorSpace:
        first = self.get_space(space).next
        following = first
        for vector in vectors:
            key = (space << _SPACE_SHIFT) | following
            following += self._insert(key, space, vector)
        if following > first:
            sql = "UPDATE vector_spaces SET next = ? WHERE id = ?"
            self._connection.execute(sql, (following, space))
            sql = "INSERT INTO changes (kind, first, last, op) VALUES ('vector', ?, ?, 'add')"
            base = space << _SPACE_SHIFT
            self._connection.execute(sql, (base | first, base | (following - 1)))
        return self.get_space(space)

    def forget(self, kind: VectorKind, item: int) -> None:
        sql = "DELETE FROM vectors WHERE kind = ? AND item = ?"
        self._connection.execute(sql, (int(kind), item))

    def list_rows(self, space: int, first: int, last: int) -> list[StoredVector]:
        sql = "SELECT id, kind, item, bank, row FROM vectors WHERE id BETWEEN ? AND ? ORDER BY id"
        base = space << _SPACE_SHIFT
        return [
            StoredVector(key & _NUMBER_MASK, VectorKind(kind), item, bank, row)
            for key, kind, item, bank, row in self._connection.execute(
                sql, (base | first, base | last)
            )
        ]

    def get_rows(self, space: int, numbers: Sequence[int]) -> dict[int, bytes]:
        base = space << _SPACE_SHIFT
        found: dict[int, bytes] = {}
        for group in _groups([base | each for each in numbers]):
            found.update((key & _NUMBER_MASK, row) for key, row in self._rows(group))
        return found

    def find_numbers(self, space: int, kind: VectorKind, items: Sequence[int]) -> dict[int, int]:
        sql = f"""SELECT item, id FROM vectors
          WHERE kind = ? AND space = ? AND part = 0 AND item IN ({_MARKS})"""
        found: dict[int, int] = {}
        for group in _groups(items):
            rows = self._connection.execute(sql, (int(kind), space, *group))
            found.update((item, key & _NUMBER_MASK) for item, key in rows)
        return found

    def iter_blocks(self, space: int, coding: int) -> Iterator[Block]:
        sql = f"{_BLOCK} WHERE space = ? AND coding = ? ORDER BY number"
        for row in self._connection.execute(sql, (space, coding)):
            yield Block(*row)

    def list_blocks(self, space: int, coding: int) -> list[int]:
        sql = "SELECT number FROM vector_blocks WHERE space = ? AND coding = ? ORDER BY number"
        return [int(found) for (found,) in self._connection.execute(sql, (space, coding))]

    def put_block(self, space: int, coding: int, block: Block) -> None:
        self._connection.execute(
            """INSERT OR REPLACE INTO vector_blocks
               (space, coding, number, signs, levels, scales, bases, items, tags)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                *(space, coding, block.number, block.signs, block.levels),
                *(block.scales, block.bases, block.items, block.tags),
            ),
        )

    def drop_stale_blocks(self, space: int, coding: int) -> None:
        sql = "DELETE FROM vector_blocks WHERE space = ? AND coding <> ?"
        self._connection.execute(sql, (space, coding))

    def list_changes(self, seq: int) -> list[VectorChange]:
        sql = """SELECT seq, first, last, op = 'remove' FROM changes
          WHERE seq > ? AND kind = 'vector' ORDER BY seq"""
        return [
            VectorChange(
                at, first >> _SPACE_SHIFT, first & _NUMBER_MASK, last & _NUMBER_MASK, bool(removed)
            )
            for at, first, last, removed in self._connection.execute(sql, (seq,))
        ]

    def find_bank(self, name: str) -> int | None:
        return self._banks.find_number(name)

    def repack(self, space: int) -> VectorSpace | None:
        old = self.get_space(space)
        gone = scalar(self._connection, "SELECT gone FROM vector_spaces WHERE id = ?", (space,))
        live = old.next - gone  # counting the rows would read all of them
        if not old.current or old.next < BLOCK_ROWS or live > min(old.next // 2, REPACKED):
            return None
        span = (space << _SPACE_SHIFT, (space << _SPACE_SHIFT) | _NUMBER_MASK)
        run = self._connection.execute
        run("UPDATE vector_spaces SET current = 0, retired = 1 WHERE id = ?", (space,))
        run(_TWIN, (live, space))
        new = self._connection.last_insert_rowid()
        run(_RENUMBERED, (new, *span))
        run("UPDATE vector_cursors SET space = ? WHERE space = ?", (new, space))
        run("UPDATE vector_retries SET space = ? WHERE space = ?", (new, space))
        run("DELETE FROM changes WHERE kind = 'vector' AND first BETWEEN ? AND ?", span)
        sql = "INSERT INTO changes (kind, first, last, op) VALUES ('vector', ?, ?, 'add')"
        run(sql, (new << _SPACE_SHIFT, (new << _SPACE_SHIFT) | max(0, live - 1)))
        return self.get_space(new)

    def has_retired(self) -> bool:
        return scalar(self._connection, "SELECT count(*) FROM vector_spaces WHERE retired") > 0

    def drop_retired(self, limit: int) -> None:
        space = scalar(self._connection, "SELECT min(id) FROM vector_spaces WHERE retired")
        run = self._connection.execute
        run("DELETE FROM vector_blocks WHERE space = ?", (space,))
        span = (space << _SPACE_SHIFT, (space << _SPACE_SHIFT) | _NUMBER_MASK)
        some = "SELECT id FROM vectors WHERE id BETWEEN ? AND ? LIMIT ?"
        run(f"DELETE FROM vectors WHERE id IN ({some})", (*span, limit))
        if not list(run(some, (*span, 1))):
            run("DELETE FROM vector_spaces WHERE id = ?", (space,))

    def _cursor(self, space: int, kind: VectorKind) -> int:
        sql = "SELECT item FROM vector_cursors WHERE space = ? AND kind = ?"
        return scalar(self._connection, sql, (space, int(kind)))

    def _insert(self, key: int, space: int, vector: NewVector) -> int:
        """One if the vector was kept; none where its item is gone, or has that part already."""
        exists = _EXISTS[vector.kind].replace("?", "?6")
        self._connection.execute(
            f"""INSERT OR IGNORE INTO vectors (id, space, kind, item, bank, row, part)
                SELECT ?1, ?2, ?3, ?6, ?4, ?5, ?7 WHERE EXISTS ({exists})""",
            (key, space, int(vector.kind), vector.bank, vector.row, vector.item, vector.part),
        )
        return int(self._connection.changes())

    def _rows(self, keys: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        sql = f"SELECT id, row FROM vectors WHERE id IN ({_MARKS})"
        yield from self._connection.execute(sql, tuple(keys))


def _role(number: int | None) -> str:
    return "" if number is None else str(ROLES[number])


def _space(row: tuple[Any, ...]) -> VectorSpace:
    number, provider, model, dimensions, current, seed, coding, following, mean = row
    return VectorSpace(
        number, provider, model, dimensions, bool(current), seed, coding, following, mean
    )


def _groups(keys: Sequence[int]) -> Iterator[list[int]]:
    """Keys in groups of one size, so that one statement serves all; the last repeats its first."""
    for start in range(0, len(keys), _GROUP):
        group = list(keys[start : start + _GROUP])
        yield group + [group[0]] * (_GROUP - len(group))
