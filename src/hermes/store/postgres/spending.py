"""The books of what calls to models cost, on PostgreSQL."""

from typing import ClassVar

from hermes.store.tables.spending import SpendingTable


class PostgresSpending(SpendingTable):
    """`profile` is who the rows belong to there, so that another word names whose line it is."""

    _profile: ClassVar = "who"
    _key: ClassVar = "profile, bank, day, who, role, model"
