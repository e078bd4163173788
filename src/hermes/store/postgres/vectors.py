"""Vectors on PostgreSQL: rows, blocks of codes, and what is still to be embedded."""

from collections.abc import Iterator, Sequence

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
from hermes.store.postgres import codes, halves
from hermes.store.postgres.connection import Connection, Row, require, scalar
from hermes.store.postgres.nearest import PostgresVectorSearch
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.rows import plain
from hermes.store.postgres.vector_rows import (
    NUMBER_MASK,
    SPACE_SHIFT,
    remove_derived,
    remove_vectors,
)
from hermes.store.rows import ROLES
from hermes.store.tables import retries
from hermes.store.tables.left_models import ChoiceOfModel, take_up
from hermes.store.tables.stray import retire_strays

_SPACE = """SELECT id, provider, model, dimensions, current, seed, coding, next, mean
  FROM vector_spaces"""
_BLOCK = "SELECT number, signs, levels, scales, bases, items, tags FROM vector_blocks"
_BLOCKS_AT_ONCE = 16
_GROUP = 64

# A message, and the one recorded just before it, where that is of the same session.
_MESSAGE = """SELECT m.id, m.bank, m.packed, m.text, m.speaker, m.role,
  p.session = m.session, p.packed, p.text, p.speaker, p.role
  FROM messages m LEFT JOIN messages p ON p.id = m.id - 1"""
_TEXTS = {
    VectorKind.MESSAGE: (f"{_MESSAGE} WHERE true", "m.id"),
    # The item of a fact is its wording: a new one has a new number.
    VectorKind.FACT: ("SELECT vector, bank, text FROM facts WHERE true", "facts.vector"),
    VectorKind.REFLECTION: (
        """SELECT id, bank, task_type || ': ' || lesson FROM reflections
          WHERE deleted_at IS NULL""",
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
_EXISTING = {
    VectorKind.MESSAGE: "SELECT id FROM messages WHERE id = ANY(?)",
    VectorKind.FACT: "SELECT vector FROM facts WHERE vector = ANY(?)",
    VectorKind.REFLECTION: "SELECT id FROM reflections WHERE id = ANY(?) AND deleted_at IS NULL",
}
_COLUMNS = "bank int8, space int8, number int8, kind int8, part int8, item int8, row bytea"

REPACKED = 200_000  # vectors copied in one transaction at most: a second or two
_TWIN = """INSERT INTO vector_spaces
  (id, provider, model, dimensions, current, seed, coding, next, mean, created_at)
  SELECT ?, provider, model, dimensions, true, seed, coding, ?, mean, created_at
  FROM vector_spaces WHERE id = ?"""
_RENUMBERED = """INSERT INTO vectors (space, number, kind, part, item, bank, row)
  SELECT ?1, row_number() OVER (ORDER BY number) - 1, kind, part, item, bank, row
  FROM vectors WHERE space = ?2"""


class PostgresVectors(ChoiceOfModel[Connection], retries.Retries[Connection]):
    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._banks = parts.banks
        self._changes = parts.changes

    def find_search(self) -> VectorSearch | None:
        return PostgresVectorSearch(self._connection)

    def list_spaces(self) -> list[VectorSpace]:
        sql = f"{_SPACE} WHERE NOT retired ORDER BY id"
        return [VectorSpace(*row) for row in self._connection.execute(sql)]

    def get_space(self, space: int) -> VectorSpace:
        for row in self._connection.execute(f"{_SPACE} WHERE id = ?", (space,)):
            return VectorSpace(*row)
        raise NotFound(
            f"There is no vector space {space}.", "Run `hermes memory reindex` to make one."
        )

    def find_current(self) -> VectorSpace | None:
        found = self._connection.execute(f"{_SPACE} WHERE current")
        return VectorSpace(*found[0]) if found else None

    def ensure_space(self, provider: str, model: str, dimensions: int, now: int) -> VectorSpace:
        where = "WHERE provider = ? AND model = ? AND dimensions = ? AND NOT retired"
        for row in self._connection.execute(f"{_SPACE} {where}", (provider, model, dimensions)):
            return VectorSpace(*row)
        take_up(self._connection, ModelName(provider, model, dimensions))
        retire_strays(self._connection, now)
        number = _next_space(self._connection)
        self._connection.execute(
            """INSERT INTO vector_spaces
              (id, provider, model, dimensions, current, seed, created_at)
              SELECT ?, ?, ?, ?, NOT EXISTS
                (SELECT 1 FROM vector_spaces WHERE NOT retired), ?, ?""",
            (number, provider, model, dimensions, new_seed(dimensions), now),
        )
        codes.set_whole(self._connection, number, 0)
        return self.get_space(number)

    def set_mean(self, space: int, mean: bytes) -> VectorSpace:
        sql = "UPDATE vector_spaces SET mean = ?, coding = coding + 1 WHERE id = ?"
        self._connection.execute(sql, (mean, space))
        found = self.get_space(space)
        codes.add_missing(self._connection, found)
        if found.next <= codes.ROWS_AT_ONCE:  # of more, keeping up drops them step by step
            codes.drop_stale_codes(self._connection, space, found.coding)
        return found

    def list_pending(self, space: int, limit: int) -> list[PendingText]:
        found: list[PendingText] = []
        for kind in retries.list_kinds(self._connection, space):
            found += self._pending(kind, _WAITING[kind], (space, limit - len(found)))
        for kind, sql in _PENDING.items():
            if len(found) >= limit:
                break
            found += self._pending(
                kind, sql, (_find_cursor(self._connection, space, kind), limit - len(found))
            )
        return found

    def _pending(self, kind: VectorKind, sql: str, values: tuple[int, ...]) -> list[PendingText]:
        rows = self._connection.execute(sql, values)
        if kind is VectorKind.MESSAGE:
            return [self._spoken(row) for row in rows]
        return [PendingText(kind, *row) for row in rows]

    def _spoken(self, row: Row) -> PendingText:
        item, bank, packed, text, speaker, role, same, *before = row
        before_packed, before_text, before_speaker, before_role = before
        return PendingText(
            kind=VectorKind.MESSAGE,
            item=item,
            bank=bank,
            text=plain(self._connection, packed, text),
            speaker=speaker or "",
            role=_role(role),
            before=plain(self._connection, before_packed, before_text) if same else "",
            before_by=before_speaker or _role(before_role),
        )

    def list_lost(
        self, space: int, kind: VectorKind, *, after: int, limit: int
    ) -> list[PendingText]:
        return self._pending(
            kind, _LOST[kind], (after, _find_cursor(self._connection, space, kind), space, limit)
        )

    def count_pending(self, space: int) -> int:
        return retries.count_waiting(self._connection, space) + sum(
            scalar(self._connection, sql, (_find_cursor(self._connection, space, kind),))
            for kind, sql in _COUNT.items()
        )

    def pass_over(self, space: int, kind: VectorKind, items: Sequence[int]) -> None:
        require(self._connection, "vector_spaces", [space])
        self._connection.execute(
            """INSERT INTO vector_cursors (space, kind, item) VALUES (?, ?, ?)
               ON CONFLICT (profile, bank, space, kind)
               DO UPDATE SET item = greatest(vector_cursors.item, excluded.item)""",
            (space, int(kind), max(items, default=0)),
        )
        retries.leave(self._connection, space, kind, items)

    def add(self, space: int, vectors: Sequence[NewVector]) -> VectorSpace:
        before, new = self.get_space(space), self._new(space, vectors)
        first = before.next
        rows = [
            (v.bank, space, first + n, int(v.kind), v.part, v.item, v.row)
            for n, v in enumerate(new)
        ]
        self._connection.insert("vectors", _COLUMNS, rows)
        kept = [StoredVector(first + n, v.kind, v.item, v.bank, v.row) for n, v in enumerate(new)]
        codes.add_codes(self._connection, before, kept)
        if kept and halves.is_there(self._connection, before.dimensions):
            halves.add(self._connection, before, kept)
        for kind in {v.kind for v in new}:
            items = [v.item for v in new if v.kind is kind]
            retries.leave(self._connection, space, kind, items)
        if new:
            sql = "UPDATE vector_spaces SET next = ? WHERE id = ?"
            self._connection.execute(sql, (first + len(new), space))
            base = space << SPACE_SHIFT
            last = first + len(new) - 1
            self._changes.record("vector", base | first, base | last, "add")
        return self.get_space(space)

    def _new(self, space: int, vectors: Sequence[NewVector]) -> list[NewVector]:
        """Those whose items exist and lack that part, each once."""
        wanted: dict[tuple[VectorKind, int, int], NewVector] = {}
        for vector in vectors:
            wanted.setdefault((vector.kind, vector.item, vector.part), vector)
        for kind in {kind for kind, _, _ in wanted}:
            items = [item for each, item, _ in wanted if each is kind]
            there = {i for (i,) in self._connection.execute(_EXISTING[kind], (items,))}
            sql = """SELECT item, part FROM vectors
              WHERE kind = ? AND space = ? AND item = ANY(?)"""
            has = set(self._connection.execute(sql, (int(kind), space, items)))
            wanted = {
                key: vector
                for key, vector in wanted.items()
                if key[0] is not kind or (key[1] in there and key[1:] not in has)
            }
        return list(wanted.values())

    def forget(self, kind: VectorKind, item: int) -> None:
        remove_vectors(self._connection, self._changes, kind, [item])

    def list_rows(self, space: int, first: int, last: int) -> list[StoredVector]:
        sql = """SELECT number, kind, item, bank, row FROM vectors
          WHERE space = ? AND number BETWEEN ? AND ? ORDER BY number"""
        return [
            StoredVector(number, VectorKind(kind), *rest)
            for number, kind, *rest in self._connection.execute(sql, (space, first, last))
        ]

    def get_rows(self, space: int, numbers: Sequence[int]) -> dict[int, bytes]:
        sql = "SELECT number, row FROM vectors WHERE space = ? AND number = ANY(?)"
        rows = self._connection.execute(sql, (space, list(numbers)))
        found: dict[int, bytes] = {number: row for number, row in rows}  # noqa: C416 - typed
        # In the order of the other store: sums of products depend on it in their last digit.
        groups = (numbers[start : start + _GROUP] for start in range(0, len(numbers), _GROUP))
        return {n: found[n] for group in groups for n in sorted(group) if n in found}

    def find_numbers(self, space: int, kind: VectorKind, items: Sequence[int]) -> dict[int, int]:
        sql = """SELECT item, number FROM vectors
          WHERE kind = ? AND space = ? AND part = 0 AND item = ANY(?)"""
        return dict(self._connection.execute(sql, (int(kind), space, list(items))))

    def iter_blocks(self, space: int, coding: int) -> Iterator[Block]:
        sql = f"{_BLOCK} WHERE space = ? AND coding = ? AND number = ANY(?) ORDER BY number"
        numbers = self.list_blocks(space, coding)
        for start in range(0, len(numbers), _BLOCKS_AT_ONCE):
            some = numbers[start : start + _BLOCKS_AT_ONCE]
            for row in self._connection.execute(sql, (space, coding, some)):
                yield Block(*row)

    def list_blocks(self, space: int, coding: int) -> list[int]:
        sql = "SELECT number FROM vector_blocks WHERE space = ? AND coding = ? ORDER BY number"
        return [int(found) for (found,) in self._connection.execute(sql, (space, coding))]

    def put_block(self, space: int, coding: int, block: Block) -> None:
        names = ("signs", "levels", "scales", "bases", "items", "tags")
        sets = ", ".join(f"{name} = excluded.{name}" for name in names)
        self._connection.execute(
            f"""INSERT INTO vector_blocks
               (space, coding, number, signs, levels, scales, bases, items, tags)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT (profile, bank, space, coding, number) DO UPDATE SET {sets}""",
            (
                *(space, coding, block.number, block.signs, block.levels),
                *(block.scales, block.bases, block.items, block.tags),
            ),
        )
        codes.add_of_block(self._connection, space, coding, block)

    def drop_stale_blocks(self, space: int, coding: int) -> None:
        sql = "DELETE FROM vector_blocks WHERE space = ? AND coding <> ?"
        self._connection.execute(sql, (space, coding))

    def list_changes(self, seq: int) -> list[VectorChange]:
        self._changes.flush()
        sql = """SELECT seq, first, last, op = 'remove' FROM changes
          WHERE seq > ? AND kind = 'vector' ORDER BY seq"""
        return [
            VectorChange(at, first >> SPACE_SHIFT, first & NUMBER_MASK, last & NUMBER_MASK, removed)
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
        run = self._connection.execute
        run("UPDATE vector_spaces SET current = false, retired = true WHERE id = ?", (space,))
        new = _next_space(self._connection)
        run(_TWIN, (new, live, space))
        run(_RENUMBERED, (new, space))
        codes.renumber_codes(self._connection, old, new)
        run("UPDATE vector_cursors SET space = ? WHERE space = ?", (new, space))
        run("UPDATE vector_retries SET space = ? WHERE space = ?", (new, space))
        self._changes.flush()
        span = (space << SPACE_SHIFT, (space << SPACE_SHIFT) | NUMBER_MASK)
        run("DELETE FROM changes WHERE kind = 'vector' AND first BETWEEN ? AND ?", span)
        base = new << SPACE_SHIFT
        self._changes.record("vector", base, base | max(0, live - 1), "add")
        return self.get_space(new)

    def has_retired(self) -> bool:
        return scalar(self._connection, "SELECT count(*) FROM vector_spaces WHERE retired") > 0

    def drop_retired(self, limit: int) -> None:
        space = scalar(self._connection, "SELECT min(id) FROM vector_spaces WHERE retired")
        run = self._connection.execute
        run("DELETE FROM vector_blocks WHERE space = ?", (space,))
        some = "SELECT number FROM vectors WHERE space = ?1 ORDER BY number LIMIT ?2"
        sql = f"""DELETE FROM vectors WHERE space = ?1 AND number IN ({some})
          RETURNING bank, kind, number"""
        remove_derived(self._connection, space, run(sql, (space, limit)))
        if not run("SELECT 1 FROM vectors WHERE space = ? LIMIT 1", (space,)):
            for table in ("vector_cursors", "vector_retries"):
                run(f"DELETE FROM {table} WHERE space = ?", (space,))
            codes.unset_whole(self._connection, space)
            run("DELETE FROM vector_spaces WHERE id = ?", (space,))


def _next_space(connection: Connection) -> int:
    return scalar(connection, "SELECT max(id) FROM vector_spaces") + 1


def _find_cursor(connection: Connection, space: int, kind: VectorKind) -> int:
    sql = "SELECT item FROM vector_cursors WHERE space = ? AND kind = ?"
    return scalar(connection, sql, (space, int(kind)))


def _role(number: int | None) -> str:
    return "" if number is None else str(ROLES[number])
