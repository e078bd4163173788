"""Where a turn that names no bank is recorded, the same on every store."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.store.tables.statements import Statements
from hermes.types import NewSession, Turn


def place_turns(connection: Statements, turns: Sequence[Turn]) -> Sequence[Turn]:
    """The turns, each with its bank: one that names none goes to where its session lies."""
    if all(turn.session.bank for turn in turns):
        return turns
    banks: dict[str, str] = {}
    placed: list[Turn] = []
    for turn in turns:
        named = turn.session
        bank = named.bank or banks.get(named.id) or _bank_of(connection, named.id)
        banks.setdefault(named.id, bank if named.id else "")
        placed.append(turn if named.bank else replace(turn, session=replace(named, bank=bank)))
    return placed


def _bank_of(connection: Statements, uid: str) -> str:
    sql = "SELECT b.name FROM sessions s JOIN banks b ON b.id = s.bank WHERE s.uid = ?"
    found = (str(name) for (name,) in connection.execute(sql, (uid,)))
    return next(found, NewSession().bank)
