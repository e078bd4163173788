"""Vectors of a space that is no more, on every store: rows were removed behind the store's back.

Whose they are nobody knows. A space under their number would take them for its own.
"""

from hermes.store.tables.statements import Statements


def retire_strays(connection: Statements, now: int) -> None:
    """Give every space that left vectors, or how far they went, a row: it is dropped in steps."""
    connection.execute(
        """INSERT INTO vector_spaces
          (id, provider, model, dimensions, current, retired, seed, created_at)
          SELECT space, '', '', 0, false, true, 0, ? FROM
            (SELECT space FROM vectors UNION SELECT space FROM vector_cursors) AS left_over
          WHERE space NOT IN (SELECT id FROM vector_spaces)""",
        (now,),
    )
