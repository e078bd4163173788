"""Export and import from end to end: files in, files out, all or nothing."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from hermes.config.files import make_private_dir, write_atomic
from hermes.config.paths import ProfilePaths
from hermes.memory.erase.tombs import Graveyard
from hermes.memory.notes import Action, NotesFull, Operation, change_notes, load_notes, parse_notes
from hermes.memory.notes.page import BLOCK
from hermes.memory.portable.arrival import Arrival
from hermes.memory.portable.fact_numbers import put_facts
from hermes.memory.portable.log import Log, append_lines
from hermes.memory.portable.merge import Merge, drop_erased_entities
from hermes.memory.portable.reading import Head, Limits, Readable, read_export
from hermes.memory.portable.records import NOTES
from hermes.memory.portable.report import Report
from hermes.store.base import Store, Tx
from hermes.store.base.portable import Record, Section, Stage

BATCH = 1_000
Advance = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Terms:
    """How a file is brought in. `yard` tells what was erased, of the store as it then is."""

    now: int
    yard: Callable[[Tx], Graveyard]
    limits: Limits = field(default_factory=Limits)
    is_untrusted: bool = False
    is_dry: bool = False


def stage_export(stream: Readable, stage: Stage, limits: Limits, advance: Advance) -> Head:
    """Read and check a whole file into a stage; what an earlier attempt staged is not done anew."""
    done = stage.count()
    items = read_export(stream, limits, skip=done)
    head: Head | None = None
    batch: list[tuple[str, Record]] = []
    for item in items:
        if isinstance(item, Head):
            head = item
        elif done:
            done -= 1
        else:
            batch.append(item)
        if len(batch) == BATCH:
            stage.add(batch)
            advance("reading", len(batch))
            batch = []
    stage.add(batch)
    assert head is not None  # noqa: S101 (the reader gives it, or raises)
    return head


class Staged(Protocol):
    """Records to be brought in, section by section, in order."""

    def list_records(self, section: str, after: int, limit: int) -> list[tuple[int, Record]]: ...


def merge_stage(store: Store, stage: Staged, head: Head, terms: Terms, advance: Advance) -> Report:
    """Bring everything staged into a store nobody else writes to, in one transaction."""

    def change(tx: Tx) -> Report:
        yard, portable = terms.yard(tx), tx.portable
        is_fresh = portable.is_empty()
        arrival = Arrival(
            portable,
            yard,
            is_fresh,
            renumber=lambda name, _: portable.reserve(name, 1),
            put_facts=partial(put_facts, portable, is_fresh=is_fresh),
            is_untrusted=terms.is_untrusted,
        )
        merge = Merge(arrival)
        for section in Section:
            for records in batches(stage, section) if section is not Section.EVENTS else ():
                merge.add(section, records)
                advance("keeping", len(records))
        merge.finish()
        if arrival.is_fresh:
            portable.raise_numbers(head.numbers)
        drop_erased_entities(tx, yard, merge.report)
        log = Log(tx, yard, portable, is_fresh=arrival.is_fresh)
        for records in batches(stage, Section.EVENTS):
            append_lines(tx, log.sift(records), log.blank, now=terms.now)
        merge.report.sections |= log.report.sections
        return merge.report

    return store.write(change)


def batches(stage: Staged, section: str, size: int = BATCH) -> Iterable[list[Record]]:
    """What was staged of a section, in order."""
    after = 0
    while found := stage.list_records(section, after, size):
        yield [record for _, record in found]
        after = found[-1][0]


def list_notes(paths: ProfilePaths) -> list[dict[str, Any]]:
    """The notebooks and the seed file, as records."""
    files = (paths.memory_note, paths.user_note, paths.seed_file)
    found = [(str(file.relative_to(paths.root)), load_notes(file)) for file in files]
    return [{"file": name, "text": text} for name, text in found if text]


@dataclass(frozen=True, slots=True)
class NoteLimits:
    memory: int
    user: int


def merge_notes(
    paths: ProfilePaths, stage: Stage, terms: Terms, yard: Graveyard, limits: NoteLimits
) -> Report:
    """Bring in notebooks: whole where there is none, else what they say that is not there yet."""
    report = Report()
    for _, record in stage.list_records(NOTES, 0, 100):
        file = paths.root / record["file"]
        present = load_notes(file)
        text = _without_erased(record["text"], yard)
        if text != record["text"]:
            report.of(NOTES).erased += 1
        if yard or present.strip():
            text = BLOCK.sub("", text)  # what shows facts is made anew from those that came in
        if present == text:
            report.of(NOTES).same += 1
        elif not present.strip():
            report.of(NOTES).added += 1
            if not terms.is_dry:
                make_private_dir(file.parent)
                write_atomic(file, text)
        elif file == paths.seed_file:
            report.warnings.append(f"{record['file']} is yours and differs: it was left as it is")
        else:
            limit = limits.user if file == paths.user_note else limits.memory
            _add_notes(file, text, limit, report, is_dry=terms.is_dry)
    return report


def _add_notes(file: Path, text: str, limit: int, report: Report, *, is_dry: bool) -> None:
    known = {note.id for note in parse_notes(load_notes(file))}
    outcome = report.of(NOTES)
    for note in parse_notes(text):
        if note.id in known:
            outcome.same += 1
            continue
        outcome.note(note.text)
        try:
            if not is_dry:
                change_notes(file, [Operation(Action.ADD, note.text)], limit=limit)
            outcome.changed += 1
        except NotesFull as full:
            report.warnings.append(f"{file.name}: no room for {note.text[:60]!r}. {full.message}")


def _without_erased(text: str, yard: Graveyard) -> str:
    if not yard:
        return text
    lines = text.split("\n")
    return "\n".join(line for line in lines if not yard.has_echo([line]))


def digest_stream(stream: Readable) -> str:
    """What tells one file from another, so that an unfinished import finds its stage again."""
    digest = hashlib.sha256()
    while chunk := stream.read(1 << 20):
        digest.update(chunk)
    return digest.hexdigest()
