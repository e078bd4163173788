"""The models a memory was moved away from: whoever still has one configured must not move it back
unasked.
"""

import json

from hermes.store.base.vectors import ModelName, VectorSpace
from hermes.store.tables.statements import Statements

_NAME = "vectors.left"


def list_left(connection: Statements) -> list[ModelName]:
    """Those that were left and not taken up again, in the order they were left in."""
    sql = "SELECT value FROM meta WHERE name = ?"
    found = [json.loads(value) for (value,) in connection.execute(sql, (_NAME,))]
    return [ModelName(*each) for each in (found[0] if found else ())]


def leave(connection: Statements, spaces: list[VectorSpace], current: int) -> None:
    """Note the models of all but the current space as left."""
    own = next((each.made_by for each in spaces if each.id == current), None)
    gone = [each.made_by for each in spaces if each.made_by != own]
    _save(connection, [*(each for each in list_left(connection) if each != own), *gone])


def take_up(connection: Statements, model: ModelName) -> None:
    """Note that a model is wanted again."""
    left = list_left(connection)
    if model in left:
        _save(connection, [each for each in left if each != model])


def _save(connection: Statements, models: list[ModelName]) -> None:
    connection.execute("DELETE FROM meta WHERE name = ?", (_NAME,))
    if kept := list(dict.fromkeys(models)):
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        connection.execute(sql, (_NAME, json.dumps(kept)))
