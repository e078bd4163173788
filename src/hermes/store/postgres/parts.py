"""What the groups of queries of one transaction share."""

from dataclasses import dataclass

from hermes.store.postgres.banks import PostgresBanks
from hermes.store.postgres.counters import Counters, PostgresChanges
from hermes.store.postgres.texts import PostgresLearntTexts, PostgresTexts


@dataclass(frozen=True, slots=True)
class Parts:
    counters: Counters
    changes: PostgresChanges
    banks: PostgresBanks
    texts: PostgresTexts
    fact_texts: PostgresLearntTexts
    reflection_texts: PostgresLearntTexts
