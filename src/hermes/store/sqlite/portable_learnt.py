"""Facts, reflections and held writes as rows, with their index, sources and history."""

from collections.abc import Sequence

from hermes.store.base.portable import Record
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.fact_texts import SqliteFactTexts
from hermes.store.sqlite.portable_cells import log_added
from hermes.store.sqlite.rows import ORIGIN_NUMBER
from hermes.store.sqlite.texts import SqliteTexts
from hermes.store.tables.portable_cells import as_json, bank_number, list_of, trust_number
from hermes.store.text import index_form
from hermes.types import Origin

_FACT = (
    *("id", "number", "bank", "text", "kind", "subject", "subject_key", "attribute", "value"),
    *("confidence", "single", "ended", "valid_from", "valid_to", "recorded_at", "retracted_at"),
    *("origin", "trust", "held", "extractor", "vector"),
)
_REFLECTION = (
    *("id", "bank", "task_type", "lesson", "lesson_key", "worked", "failed", "next_time"),
    *("successes", "failures", "origin", "trust", "held", "author", "session", "created_at"),
    *("updated_at", "deleted_at"),
)


class Learnt:
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        self._connection = connection
        self._banks = banks
        self._fact_texts = SqliteFactTexts(connection, banks, texts)

    def put_facts(self, records: Sequence[Record]) -> None:
        marks = ", ".join("?" * len(_FACT))
        sql = f"INSERT INTO facts ({', '.join(_FACT)}) VALUES ({marks})"
        for r in records:
            bank = bank_number(self._banks, r["bank"])
            self._connection.execute(sql, self._fact_cells(r, bank))
            self._fact_texts.add(r["id"], r["text"], bank)
            self._put_sources(r)
            self._put_history(r)
            add = "INSERT INTO fact_mentions (fact, entity, key, place) VALUES (?, ?, ?, ?)"
            mentions = [
                (r["id"], m["entity"], m["key"], n) for n, m in enumerate(list_of(r, "mentions"))
            ]
            self._connection.executemany(add, mentions)
        log_added(self._connection, "fact", records)

    def _fact_cells(self, r: Record, bank: int) -> tuple[object, ...]:
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'fact_vector' RETURNING value"
        made = {
            "bank": bank,
            "origin": ORIGIN_NUMBER[Origin(r["origin"])],
            "trust": trust_number(r),
            "vector": scalar(self._connection, sql),
            **{name: int(r.get(name, False)) for name in ("single", "ended", "held")},
        }
        words = ("subject", "subject_key", "attribute", "value", "extractor")
        given = dict.fromkeys(words, "") | r | made
        return tuple(given.get(name) for name in _FACT)

    def _put_sources(self, r: Record) -> None:
        names = ("message", "episode", "session", "quote", "start", "stop", "at")
        sql = f"""INSERT INTO fact_sources (fact, trust, {", ".join(names)})
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        for source in list_of(r, "sources"):
            given = {"session": ""} | source
            self._connection.execute(
                sql, (r["id"], trust_number(source), *(given.get(name) for name in names))
            )

    def _put_history(self, r: Record) -> None:
        sql = """INSERT INTO fact_history (fact, at, action, by, reason, before, after)
          VALUES (?, ?, ?, ?, ?, ?, ?)"""
        for change in list_of(r, "history"):
            told = (change["at"], change["action"], change["by"], change["reason"])
            fields = (as_json(change["before"]), as_json(change["after"]))
            self._connection.execute(sql, (r["id"], *told, *fields))

    def put_reflections(self, records: Sequence[Record]) -> None:
        marks = ", ".join("?" * len(_REFLECTION))
        sql = f"INSERT INTO reflections ({', '.join(_REFLECTION)}) VALUES ({marks})"
        add = "INSERT INTO reflection_text (rowid, body, scope) VALUES (?, ?, ?)"
        words = ("worked", "failed", "next_time", "author", "session")
        for r in records:
            made = {
                "bank": bank_number(self._banks, r["bank"]),
                "origin": ORIGIN_NUMBER[Origin(r["origin"])],
                "trust": trust_number(r),
                "held": int(r.get("held", False)),
            }
            given = dict.fromkeys(words, "") | r | made
            self._connection.execute(sql, tuple(given.get(name) for name in _REFLECTION))
            number = self._connection.last_insert_rowid()
            if "deleted_at" not in r:
                body = index_form(f"{r['task_type']} {r['lesson']}")
                self._connection.execute(add, (number, body, f"b{made['bank']}"))
            log_added(self._connection, "reflection", [{"id": number}])

    def put_held(self, records: Sequence[Record]) -> None:
        sql = """INSERT INTO held_writes (id, bank, target, text, reason, payload, origin, trust,
          fact, held_at, decided_at, verdict) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        for r in records:
            told = (r["target"], r["text"], r.get("reason", ""), as_json(r["payload"]))
            by = (ORIGIN_NUMBER[Origin(r["origin"])], trust_number(r), r.get("fact"))
            times = (r["held_at"], r.get("decided_at"), r.get("verdict", ""))
            bank = bank_number(self._banks, r["bank"])
            self._connection.execute(sql, (r.get("id"), bank, *told, *by, *times))
