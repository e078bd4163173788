"""One transaction on PostgreSQL: the groups of queries of the protocol."""

from functools import cached_property

from hermes.store.postgres.banks import PostgresBanks
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.conversations import PostgresConversations
from hermes.store.postgres.counters import Counters, PostgresChanges
from hermes.store.postgres.entities import PostgresEntities
from hermes.store.postgres.erase import PostgresErasures
from hermes.store.postgres.events import PostgresEvents
from hermes.store.postgres.extractions import PostgresExtractions
from hermes.store.postgres.facts import PostgresFacts
from hermes.store.postgres.jobs import PostgresJobs
from hermes.store.postgres.overview import PostgresOverview
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.pending import PostgresPending
from hermes.store.postgres.portable import PostgresPortable
from hermes.store.postgres.recall_queries import PostgresRecallQueries
from hermes.store.postgres.reflections import PostgresReflections
from hermes.store.postgres.spending import PostgresSpending
from hermes.store.postgres.summaries import PostgresSummaries
from hermes.store.postgres.texts import PostgresLearntTexts, PostgresTexts
from hermes.store.postgres.vectors import PostgresVectors
from hermes.store.postgres.words import WordKind, WordTable
from hermes.store.tables.notes import NotesTable

# Characters as the other store counts them: up to a NUL.
_CHARS = r"length(replace(split_part({}, E'\x01\x01', 1), E'\x01\x02', E'\x01'))"
_FACT_SIZE = f"""SELECT count(*), coalesce(sum({_CHARS.format("text")}), 0)::int8 FROM facts
  WHERE retracted_at IS NULL AND superseded_by IS NULL AND (?1 = 0 OR bank = ?1)"""
_REFLECTION_SIZE = f"""SELECT count(*), coalesce(sum({_CHARS.format("lesson")}), 0)::int8
  FROM reflections WHERE deleted_at IS NULL AND (?1 = 0 OR bank = ?1)"""


class PostgresTx:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def finish(self) -> int:
        """What must happen once before the commit; the number of the last change, 0 for none."""
        self.connection.push()  # the server writes rows while their words are gathered
        for table in self.word_tables:
            table.flush()
        seq = self.changes.flush()
        self._parts.counters.flush()
        return seq

    @property
    def word_tables(self) -> tuple[WordTable, ...]:
        parts = self._parts
        return parts.texts.table, parts.fact_texts.table, parts.reflection_texts.table

    @cached_property
    def _parts(self) -> Parts:
        connection = self.connection
        counters = Counters(connection)
        banks = PostgresBanks(connection)
        message, fact, reflection = (WordTable(connection, counters, kind) for kind in WordKind)
        return Parts(
            counters=counters,
            changes=PostgresChanges(connection, counters),
            banks=banks,
            texts=PostgresTexts(connection, banks, message),
            fact_texts=PostgresLearntTexts(connection, banks, fact, _FACT_SIZE),
            reflection_texts=PostgresLearntTexts(connection, banks, reflection, _REFLECTION_SIZE),
        )

    @property
    def changes(self) -> PostgresChanges:
        return self._parts.changes

    @property
    def banks(self) -> PostgresBanks:
        return self._parts.banks

    @property
    def texts(self) -> PostgresTexts:
        return self._parts.texts

    @cached_property
    def conversations(self) -> PostgresConversations:
        return PostgresConversations(self.connection, self._parts)

    @cached_property
    def vectors(self) -> PostgresVectors:
        return PostgresVectors(self.connection, self._parts)

    @cached_property
    def recall(self) -> PostgresRecallQueries:
        return PostgresRecallQueries(self.connection, self.banks, self.texts.table)

    @cached_property
    def jobs(self) -> PostgresJobs:
        return PostgresJobs(self.connection, self._parts.counters)

    @cached_property
    def events(self) -> PostgresEvents:
        return PostgresEvents(self.connection)

    @cached_property
    def erasures(self) -> PostgresErasures:
        return PostgresErasures(self.connection, self._parts)

    @cached_property
    def portable(self) -> PostgresPortable:
        return PostgresPortable(self.connection, self._parts)

    @cached_property
    def extractions(self) -> PostgresExtractions:
        return PostgresExtractions(self.connection)

    @cached_property
    def facts(self) -> PostgresFacts:
        return PostgresFacts(self.connection, self._parts)

    @cached_property
    def entities(self) -> PostgresEntities:
        return PostgresEntities(self.connection, self._parts)

    @cached_property
    def pending(self) -> PostgresPending:
        return PostgresPending(self.connection, self._parts)

    @cached_property
    def notes(self) -> NotesTable:
        return NotesTable(self.connection, self.changes)

    @cached_property
    def reflections(self) -> PostgresReflections:
        return PostgresReflections(self.connection, self._parts)

    @cached_property
    def spending(self) -> PostgresSpending:
        return PostgresSpending(self.connection)

    @cached_property
    def summaries(self) -> PostgresSummaries:
        return PostgresSummaries(self.connection, self._parts)

    @cached_property
    def overview(self) -> PostgresOverview:
        return PostgresOverview(self.connection, self.banks, self.facts, self.entities)
