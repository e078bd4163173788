"""The models a memory was moved away from: whoever still has one configured must not move it back
unasked.
"""

import json
from typing import Generic, TypeVar

from hermes.store.base.vectors import ModelName, VectorSpace
from hermes.store.tables.statements import Statements

_NAME = "vectors.left"
AnyConnection = TypeVar("AnyConnection", bound=Statements)


class ChoiceOfModel(Generic[AnyConnection]):
    """Which space recall uses, and which models were left for that, the same on every store."""

    _connection: AnyConnection

    def list_spaces(self) -> list[VectorSpace]:
        raise NotImplementedError

    def list_left(self) -> list[ModelName]:
        return _load(self._connection)

    def make_current(self, space: int) -> None:
        spaces = self.list_spaces()
        own = next((each.made_by for each in spaces if each.id == space), None)
        left = [*self.list_left(), *(each.made_by for each in spaces)]
        _save(self._connection, [each for each in left if each != own])
        sql = "UPDATE vector_spaces SET current = (id = ?1), retired = (id <> ?1)"
        self._connection.execute(sql, (space,))


def take_up(connection: Statements, model: ModelName) -> None:
    """Note that a model is wanted again."""
    left = _load(connection)
    if model in left:
        _save(connection, [each for each in left if each != model])


def _load(connection: Statements) -> list[ModelName]:
    """Those that were left and not taken up again, in the order they were left in."""
    sql = "SELECT value FROM meta WHERE name = ?"
    found = [json.loads(value) for (value,) in connection.execute(sql, (_NAME,))]
    return [ModelName(*each) for each in (found[0] if found else ())]


def _save(connection: Statements, models: list[ModelName]) -> None:
    connection.execute("DELETE FROM meta WHERE name = ?", (_NAME,))
    if kept := list(dict.fromkeys(models)):
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        connection.execute(sql, (_NAME, json.dumps(kept)))
