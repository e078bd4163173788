"""Writing an export: one JSON document, one record a line, the same bytes for the same memory."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from hermes.memory.portable.records import FORMAT, NOTES, VERSION
from hermes.store.base import Tx
from hermes.store.base.portable import Cursor, Section

BATCH = 500
Progress = Callable[[str, int], None]


class Sink(Protocol):
    def write(self, content: bytes, /) -> object: ...


def write_export(
    tx: Tx, sink: Sink, notes: list[dict[str, Any]], *, bank: str = "", progress: Progress
) -> dict[str, int]:
    """Write all of a memory, or of a bank; how many records of each section."""
    head = {"format": FORMAT, "version": VERSION, "numbers": tx.portable.get_numbers()}
    if bank:
        head["bank"] = bank
    sink.write(_line(head)[:-1] + b",\n")
    counts: dict[str, int] = {}
    for section in Section:
        counts[section] = _write_section(sink, section, _records(tx, section, bank), progress)
        sink.write(b",\n")
    counts[NOTES] = _write_section(sink, NOTES, iter([] if bank else notes), progress)
    sink.write(b"}\n")
    return counts


def _records(tx: Tx, section: Section, bank: str) -> Iterator[dict[str, Any]]:
    after: Cursor = ()
    while found := tx.portable.list_records(section, after, limit=BATCH, bank=bank):
        for _, record in found:
            yield record
        after = found[-1][0]


def _write_section(
    sink: Sink, name: str, records: Iterator[dict[str, Any]], progress: Progress
) -> int:
    sink.write(f'"{name}":['.encode())
    count = 0
    for record in records:
        sink.write((b",\n" if count else b"\n") + _line(record))
        count += 1
        if count % BATCH == 0:
            progress(name, BATCH)
    progress(name, count % BATCH)
    sink.write(b"]")
    return count


def _line(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")
