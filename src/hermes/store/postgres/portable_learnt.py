"""Facts, reflections and held writes as rows, with their index, sources and history."""

from collections.abc import Mapping, Sequence

from hermes.store.base.portable import Record
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.portable_cells import log_added
from hermes.store.records import SOURCE
from hermes.store.rows import ORIGIN_NUMBER
from hermes.store.tables.portable_cells import as_json, bank_number, list_of, trust_number
from hermes.types import Origin

_FACTS = (
    "id int8, number int8, bank int8, text text, kind text, subject text, subject_key text, "
    "attribute text, value text, confidence text, single bool, ended bool, valid_from int8, "
    "valid_to int8, recorded_at int8, retracted_at int8, origin int8, trust int8, held bool, "
    "extractor text, vector int8"
)
_FACT = tuple(column.split()[0] for column in _FACTS.split(", "))
_SOURCES = (
    "id int8, bank int8, fact int8, trust int8, message int8, episode int8, session text, "
    "quote text, start int8, stop int8, at int8"
)
_HISTORY = (
    "id int8, bank int8, fact int8, at int8, action text, by text, reason text, before text, "
    "after text"
)
_MENTIONS = "bank int8, fact int8, entity int8, key text, place int8"
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
        banks = {r["id"]: bank_number(self._banks, r["bank"]) for r in records}
        for r in records:
            self._parts.fact_texts.add(r["id"], r["text"], banks[r["id"]])
        rows = [self._fact_cells(r, banks[r["id"]]) for r in records]
        self._connection.insert("facts", _FACTS, rows)
        self._put_sources(records, banks)
        self._put_history(records, banks)
        mentions = [
            (banks[r["id"]], r["id"], m["entity"], m["key"], n)
            for r in records
            for n, m in enumerate(list_of(r, "mentions"))
        ]
        self._connection.insert("fact_mentions", _MENTIONS, mentions)
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

    def _put_sources(self, records: Sequence[Record], banks: Mapping[int, int]) -> None:
        first = scalar(self._connection, "SELECT max(id) FROM fact_sources") + 1
        found = [(r["id"], {"session": ""} | s) for r in records for s in list_of(r, "sources")]
        rows = [
            (number, banks[fact], fact, trust_number(given), *(given.get(name) for name in SOURCE))
            for number, (fact, given) in enumerate(found, first)
        ]
        self._connection.insert("fact_sources", _SOURCES, rows)

    def _put_history(self, records: Sequence[Record], banks: Mapping[int, int]) -> None:
        first = scalar(self._connection, "SELECT max(id) FROM fact_history") + 1
        found = [(r["id"], change) for r in records for change in list_of(r, "history")]
        rows = [
            (
                *(number, banks[fact], fact, told["at"], told["action"], told["by"]),
                *(told["reason"], as_json(told["before"]), as_json(told["after"])),
            )
            for number, (fact, told) in enumerate(found, first)
        ]
        self._connection.insert("fact_history", _HISTORY, rows)

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
