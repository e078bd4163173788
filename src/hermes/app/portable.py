"""What can be done to carry a memory: write it all into a file, and bring a file in."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import zstandard

from hermes.app.sharing import follow
from hermes.config.files import FILE_MODE, locked, sync_dir
from hermes.errors import Conflict, NotFound, UserError
from hermes.memory.backup.disk import on_disk
from hermes.memory.erase.tombs import Graveyard
from hermes.memory.portable.arriving import Arriving, abandon, find_plan
from hermes.memory.portable.carry import (
    NoteLimits,
    Terms,
    digest_stream,
    list_notes,
    merge_notes,
    stage_export,
)
from hermes.memory.portable.reading import Limits
from hermes.memory.portable.report import Report
from hermes.memory.portable.writing import Sink, write_export
from hermes.store.base.portable import Section, Stage

if TYPE_CHECKING:
    from hermes.app.root import App

Advance = Callable[[str, int], None]


def _quietly(_: str, __: int) -> None:
    return None


class PortableActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def count(self, bank: str = "") -> int:
        """How many records an export would have, for whoever watches it grow."""
        return self._app.store.read(
            lambda tx: sum(tx.portable.count(section, bank) for section in Section)
        )

    def export_to(
        self, file: Path, *, bank: str = "", advance: Advance = _quietly
    ) -> dict[str, int]:
        """Write all of the memory into a file, packed if its name ends so; whole or not at all."""
        if not file.parent.is_dir():
            raise UserError(f"There is no folder {file.parent}.", "Make it, or name another place.")
        with (
            on_disk("Nothing was exported"),
            _new_file(file) as raw,
            _packed(raw, file.suffix) as sink,
        ):
            return self.export(sink, bank=bank, advance=advance)

    def export(self, sink: Sink, *, bank: str = "", advance: Advance = _quietly) -> dict[str, int]:
        if bank:
            self._app.conversations.get_bank(bank)
        if self._app.store.read(find_plan):
            raise Conflict(
                "An import is under way, or was cut short: the export would have half of it.",
                "Run that import again to finish it, or `hermes memory import --undo`.",
            )
        follow(self._app)
        notes = list_notes(self._app.paths)
        return self._app.store.read(
            lambda tx: write_export(tx, sink, notes, bank=bank, progress=advance)
        )

    def import_from(
        self,
        file: Path,
        *,
        is_dry: bool = False,
        is_untrusted: bool = False,
        limits: Limits | None = None,
        advance: Advance = _quietly,
    ) -> Report:
        """Bring a file in, all of it or nothing; an attempt that was cut short goes on."""
        terms = Terms(
            now=self._app.clock.now(),
            yard=self._app.erasing.graveyard,
            limits=limits or Limits(),
            is_untrusted=is_untrusted,
            is_dry=is_dry,
        )
        with on_disk("Nothing was imported"), file.open("rb") as stream:
            name = f"import-{digest_stream(stream)[:16]}"
            stream.seek(0)
            with self._staged(name) as stage:
                head = stage_export(stream, stage, terms.limits, advance)
                arriving = Arriving(self._app.store, stage, head, terms, name=name)
                report = arriving.bring_in(advance)
                self._merge_notes(stage, terms, report)
        if not is_dry:
            self._app.reflections.project()
        return report

    def undo_import(self) -> int:
        """Take back an import that was cut short; how many messages it had brought in."""
        plan = self._app.store.read(find_plan)
        if plan is None and self._app.erasing.discard_stages():
            return 0  # cut short while the file was read: nothing had been brought in
        if plan is None:
            raise NotFound(
                "No import was cut short.",
                "A finished one is undone by `hermes backup restore`, or by erasing its sessions.",
            )
        with self._staged(plan.name):
            return abandon(self._app.store, lambda found: found.name == plan.name)

    @contextmanager
    def _staged(self, name: str) -> Iterator[Stage]:
        """Where a file is read into; left only where an import is cut short, so that it goes on."""
        folder = self._app.run_folder
        lock = folder / f"{name}.lock"
        with locked(lock):
            stage = self._app.store.open_stage(folder / f"{name}.db")
            try:
                yield stage
            except (UserError, Conflict):  # refused: there is nothing to go on with
                stage.discard()
                lock.unlink(missing_ok=True)
                raise
            except BaseException:
                stage.close()
                raise
            stage.discard()
            lock.unlink(missing_ok=True)

    def _merge_notes(self, stage: Stage, terms: Terms, report: Report) -> None:
        app = self._app
        yard: Graveyard = app.store.read(app.erasing.graveyard)
        limits = NoteLimits(app.config.memory.memory_char_limit, app.config.memory.user_char_limit)
        follow(app)
        is_shown = bool(yard) or app.paths.user_note.exists()
        notes = merge_notes(app.paths, stage, terms, yard, limits)
        follow(app)
        if is_shown and not terms.is_dry:
            app.user.project()
        report.sections |= notes.sections
        report.warnings += notes.warnings


@contextmanager
def _new_file(file: Path) -> Iterator[BinaryIO]:
    """A file only its owner may read, which appears once it is whole."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, FILE_MODE)
    try:
        with os.fdopen(handle, "wb", buffering=1 << 20) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
        sync_dir(file.parent)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _packed(raw: BinaryIO, suffix: str) -> Iterator[Sink]:
    if suffix == ".gz":
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
            yield packed
    elif suffix == ".zst":
        with zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False) as stream:
            yield stream
    else:
        yield raw
