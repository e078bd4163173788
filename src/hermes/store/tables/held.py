"""Held writes and what was decided of them, the same on every store."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hermes.errors import Conflict, NotFound
from hermes.store.base.pending import HeldWrite
from hermes.store.rows import ORIGIN_NUMBER, ORIGINS
from hermes.store.tables.statements import BankNumbers, Statements, count
from hermes.types import Trust

COLUMNS = "bank, target, text, reason, payload, origin, trust, fact, held_at"
_HELD = """SELECT w.id, b.name, w.target, w.text, w.reason, w.held_at, w.payload, w.origin, w.trust,
  w.fact, w.decided_at, w.verdict FROM held_writes w JOIN banks b ON b.id = w.bank"""
_BY_HAND = {"notes": "notes add", "user-model": "fact add", "facts": "fact add"}
_KNOWN = f"""{_HELD} WHERE b.name = ? AND w.target = ? AND w.text = ? AND w.payload = ?
  AND w.verdict IN ('', 'rejected') ORDER BY w.id DESC LIMIT 1"""


class HeldTable:
    """The table of held writes behind a connection; a store adds how a row is inserted."""

    def __init__(self, connection: Statements, banks: BankNumbers) -> None:
        self._connection = connection
        self._banks = banks

    def add(self, write: HeldWrite) -> HeldWrite:
        payload = json.dumps(dict(write.payload), ensure_ascii=False, sort_keys=True)
        if known := self._held(_KNOWN, (write.bank, write.target, write.text, payload)):
            return known[0]
        bank = self._banks.number(write.bank, write.held_at)
        told = (bank, write.target, write.text, write.reason, payload)
        by = (ORIGIN_NUMBER[write.origin], int(write.trust), write.fact_id, write.held_at)
        return replace(write, id=self._insert(write, (*told, *by)))

    def _insert(self, write: HeldWrite, values: tuple[object, ...]) -> int:
        """Add a row of `COLUMNS`; its number."""
        raise NotImplementedError

    def find(self, number: int) -> HeldWrite | None:
        return next(iter(self._held(f"{_HELD} WHERE w.id = ?", (number,))), None)

    def find_of_fact(self, fact_id: int) -> HeldWrite | None:
        sql = f"{_HELD} WHERE w.fact = ? ORDER BY w.id DESC LIMIT 1"
        return next(iter(self._held(sql, (fact_id,))), None)

    def count(self) -> int:
        return count(self._connection, "SELECT count(*) FROM held_writes WHERE verdict = ''")

    def decide(self, number: int, verdict: str, *, at: int) -> None:
        sql = "UPDATE held_writes SET verdict = ?, decided_at = ? WHERE id = ? AND verdict = ''"
        self._connection.execute(sql, (verdict, at, number))
        if self._connection.changes():
            return
        found = self.find(number)
        if found is None:
            raise NotFound(f"There is no held write {number}.", "See `hermes memory pending`.")
        raise Conflict(f"Held write {number} was {found.verdict} before.", _way_on(found, verdict))

    def reopen(self, number: int) -> None:
        sql = """UPDATE held_writes SET verdict = '', decided_at = NULL
          WHERE id = ? AND verdict = 'rejected'"""
        self._connection.execute(sql, (number,))
        if not self._connection.changes():
            hint = "See `hermes memory pending`."
            raise Conflict(f"Held write {number} was not rejected.", hint)

    def _held(self, sql: str, values: Sequence[object]) -> list[HeldWrite]:
        return [_write(row) for row in list(self._connection.execute(sql, tuple(values)))]

    def list(self, bank: str = "", *, decided: bool = False, limit: int = 1_000) -> list[HeldWrite]:
        which = "w.verdict <> ''" if decided else "w.verdict = ''"
        order = "DESC" if decided else "ASC"
        sql = f"{_HELD} WHERE {which} AND (? = '' OR b.name = ?) ORDER BY w.id {order} LIMIT ?"
        return self._held(sql, (bank, bank, limit))


def _way_on(decided: HeldWrite, wanted: str) -> str:
    """What can still be done about a write that was decided before."""
    shown = "`hermes memory pending --decided` shows it"
    if wanted == decided.verdict or decided.verdict != "rejected":
        return f"{shown}."
    if by_hand := _BY_HAND.get(decided.target):
        return f'{shown}; write it by hand: `hermes memory {by_hand} "…"`.'
    return f"{shown}; it is not brought back from here."


def _write(row: Sequence[Any]) -> HeldWrite:
    number, bank, target, text, reason, held_at, payload, origin, trust, fact, at, verdict = row
    return HeldWrite(
        id=number,
        bank=bank,
        target=target,
        text=text,
        reason=reason,
        held_at=held_at,
        payload=json.loads(payload),
        origin=ORIGINS[origin],
        trust=Trust(trust),
        fact_id=fact,
        decided_at=at,
        verdict=verdict,
    )
