"""The books of what calls to models cost, on SQLite."""

from hermes.store.tables.spending import SpendingTable


class SqliteSpending(SpendingTable):
    """As every store has them."""
