"""Facts, reflections and held writes as rows, with their index, sources and history."""

from collections.abc import Sequence

from hermes.store.base.portable import Record
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.portable_cells import (
    as_json,
    bank_number,
    list_of,
    log_added,
    trust_number,
)
from hermes.store.rows import ORIGIN_NUMBER
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
    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._banks = parts.banks
        self._parts = parts

    def put_facts(self, records: Sequence[Record]) -> None:
        marks = ", ".join("?" * len(_FACT))
        sql = f"INSERT INTO facts ({', '.join(_FACT)}) VALUES ({marks})"
        for r in records:
            bank = bank_number(self._banks, r["bank"])
            self._connection.execute(sql, self._fact_cells(r, bank))
            self._parts.fact_texts.add(r["id"], r["text"], bank)
            self._put_sources(r, bank)
            self._put_history(r, bank)
            add = """INSERT INTO fact_mentions (bank, fact, entity, key, place)
              VALUES (?, ?, ?, ?, ?)"""
            mentions = [
                (bank, r["id"], m["entity"], m["key"], n)
                for n, m in enumerate(list_of(r, "mentions"))
            ]
            self._connection.executemany(add, mentions)
        log_added(self._parts.changes, "fact", records)

    def _fact_cells(self, r: Record, bank: int) -> tuple[object, ...]:
        made = {
            "bank": bank,
            "origin": ORIGIN_NUMBER[Origin(r["origin"])],
            "trust": trust_number(r),
            "vector": self._parts.counters.take("fact_vector"),
            **{name: bool(r.get(name, False)) for name in ("single", "ended", "held")},
        }
        words = ("subject", "subject_key", "attribute", "value", "extractor")
        given = dict.fromkeys(words, "") | r | made
        return tuple(given.get(name) for name in _FACT)

    def _put_sources(self, r: Record, bank: int) -> None:
        names = ("message", "episode", "session", "quote", "start", "stop", "at")
        sql = f"""INSERT INTO fact_sources (id, bank, fact, trust, {", ".join(names)})
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        number = scalar(self._connection, "SELECT max(id) FROM fact_sources")
        for source in list_of(r, "sources"):
            given = {"session": ""} | source
            number += 1
            self._connection.execute(
                sql,
                (number, bank, r["id"], trust_number(source), *(given.get(name) for name in names)),
            )

    def _put_history(self, r: Record, bank: int) -> None:
        sql = """INSERT INTO fact_history (id, bank, fact, at, action, by, reason, before, after)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        number = scalar(self._connection, "SELECT max(id) FROM fact_history")
        for change in list_of(r, "history"):
            told = (change["at"], change["action"], change["by"], change["reason"])
            fields = (as_json(change["before"]), as_json(change["after"]))
            number += 1
            self._connection.execute(sql, (number, bank, r["id"], *told, *fields))

    def put_reflections(self, records: Sequence[Record]) -> None:
        marks = ", ".join("?" * len(_REFLECTION))
        sql = f"INSERT INTO reflections ({', '.join(_REFLECTION)}) VALUES ({marks})"
        words = ("worked", "failed", "next_time", "author", "session")
        for r in records:
            bank = bank_number(self._banks, r["bank"])
            made = {
                "bank": bank,
                "origin": ORIGIN_NUMBER[Origin(r["origin"])],
                "trust": trust_number(r),
                "held": bool(r.get("held", False)),
            }
            number = r.get("id") or self._parts.counters.take("reflection")
            given = dict.fromkeys(words, "") | r | made | {"id": number}
            self._connection.execute(sql, tuple(given.get(name) for name in _REFLECTION))
            self._parts.counters.raise_to("reflection", number)
            if "deleted_at" not in r:
                body = f"{r['task_type']} {r['lesson']}"
                self._parts.reflection_texts.add(number, body, bank)
            log_added(self._parts.changes, "reflection", [{"id": number}])

    def put_held(self, records: Sequence[Record]) -> None:
        sql = """INSERT INTO held_writes (id, bank, target, text, reason, payload, origin, trust,
          fact, held_at, decided_at, verdict) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        for r in records:
            told = (r["target"], r["text"], r.get("reason", ""), as_json(r["payload"]))
            by = (ORIGIN_NUMBER[Origin(r["origin"])], trust_number(r), r.get("fact"))
            times = (r["held_at"], r.get("decided_at"), r.get("verdict", ""))
            bank = bank_number(self._banks, r["bank"])
            number = r.get("id") or self._parts.counters.take("held")
            self._parts.counters.raise_to("held", number)
            self._connection.execute(sql, (number, bank, *told, *by, *times))
