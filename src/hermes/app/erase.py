"""What can be done to forget for good: plan, erase, prove; and reset, with a way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.proof_scope import proof_scope
from hermes.app.secret import profile_secret
from hermes.app.sharing import follow
from hermes.config.files import locked
from hermes.config.paths import ProfilePaths
from hermes.errors import Conflict
from hermes.memory.backup.shelf import Backup
from hermes.memory.banks import DEFAULT
from hermes.memory.erase.apply import apply_plan, finish
from hermes.memory.erase.files import check_pages, clear_files, clear_page
from hermes.memory.erase.plan import Plan, make_plan, parse_target
from hermes.memory.erase.prove import Proof, prove
from hermes.memory.erase.reset import ResetTarget, reset_store
from hermes.memory.erase.returned import ALL, reapply
from hermes.memory.erase.sought import Sought, list_sought, tell_apart
from hermes.memory.erase.tombs import Graveyard, Marker, append_stones, load_stones, stones_file
from hermes.memory.erase.words import Phrases
from hermes.memory.notes import load_notes, project_user
from hermes.memory.notes.shared import erase_from_pages
from hermes.memory.reflect.page import save_page
from hermes.memory.usermodel import render_lines
from hermes.store.base import Store, Tx
from hermes.types import Reflection

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.memory.facts.extraction import Reader

Say = Callable[[str], None]


def _quietly(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Erased:
    """What was erased; `is_purged` is false while a reader keeps old pages in the log."""

    counts: Mapping[str, int]
    files: Sequence[str]
    backups: Sequence[Backup]
    is_purged: bool
    sought: Sought
    seed_holds_it: bool = False


class EraseActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def plan(self, targets: Sequence[str], matching: Sequence[str]) -> Plan:
        """What an erasure would take with it; nothing is touched."""
        parsed = [parse_target(text) for text in targets]
        return self._app.store.read(lambda tx: make_plan(tx, parsed, matching))

    def erase(self, plan: Plan, *, say: Say = _quietly) -> Erased:
        """Erase what a plan names, everywhere it is."""
        app, now = self._app, self._app.clock.now()
        check_pages(app.paths)
        remember = partial(append_stones, self._stones_file)
        say("erasing")
        phrases = Phrases([*plan.wanted, *(p for p in plan.phrases if len(p) > 1)])

        def apply(tx: Tx) -> Mapping[str, int]:
            counts = apply_plan(tx, plan, self.marker, remember, now=now)
            erase_from_pages(tx, lambda page: clear_page(page, phrases.is_in), now=now)
            return counts

        counts = app.store.write(apply)
        files = clear_files(app.paths, phrases.is_in)
        if counts:
            files += self._project(app.store, app.paths, besides=files)
        follow(app)
        self.discard_stages()
        is_purged = finish(app.store, now=now, say=say)
        return Erased(
            counts=counts,
            files=files,
            backups=app.backups.list() if counts or files else [],
            is_purged=is_purged,
            sought=list_sought(plan),
            seed_holds_it=phrases.is_in(load_notes(app.paths.seed_file)),
        )

    def prove(self, sought: Sought, *, own_only: bool = False) -> Proof:
        """Search all under the home for what should be gone, other profiles too but `own_only`."""
        told_apart = self._app.store.read(lambda tx: tell_apart(tx, sought))
        return prove(proof_scope(self._app, self._database, own_only=own_only), told_apart)

    def reset(
        self, target: ResetTarget, *, say: Say = _quietly
    ) -> tuple[Backup, Mapping[str, int]]:
        """Make a backup, then empty a part of memory, or all of it; how much of what went."""
        backup, _ = self._app.backups.make(label="before-reset", say=say)
        say("resetting")
        follow(self._app)
        counts = reset_store(self._app.store, self._app.paths, target, now=self._app.clock.now())
        self._project(self._app.store, self._app.paths)
        follow(self._app)
        return backup, counts

    def note_stones(self) -> None:
        """Have the store's tombstones beside it as well: homes that share it erase, too, and what
        takes its place knows nothing of them.
        """
        known = set(load_stones(self._stones_file))
        kept = self._app.store.read(lambda tx: tx.erasures.list_tombstones())
        append_stones(self._stones_file, [stone for stone in kept if stone not in known])

    def reapply(self, store: Store, folder: Path) -> Mapping[str, int]:
        """Take out of a state that came back (a store, and a folder laid out as a profile) what was
        erased since; how much of what.
        """
        stones = load_stones(self._stones_file)
        stones += store.read(lambda tx: tx.erasures.list_tombstones())
        if not stones:
            return {}
        yard = Graveyard(self.marker, stones)
        returned = reapply(store, yard, stones, now=self._app.clock.now())
        phrases = Phrases(phrase for phrase in returned.phrases if len(phrase) > 1)
        paths = replace(self._app.paths, root=folder)
        clear_files(paths, lambda line: phrases.is_in(line) or yard.has_echo([line]), logs=False)
        self._project(store, paths)
        return returned.counts

    def barring(self, reader: Reader) -> Reader:
        """A reader that does not learn again what was erased."""
        from hermes.memory.erase.reader import BarringReader  # noqa: PLC0415 (brings the rules)

        return BarringReader(reader, self._app.store, self.graveyard)

    def graveyard(self, tx: Tx, since: int = 0) -> Graveyard:
        """What was erased, to be asked about whatever comes in."""
        stones = tx.erasures.list_tombstones()
        return Graveyard(self.marker, (stone for stone in stones if stone.at >= since))

    def _project(self, store: Store, paths: ProfilePaths, besides: Sequence[str] = ()) -> list[str]:
        """Bring the pages that show facts and reflections up to date; which others were changed."""
        lines, learnt = store.read(self._read_shown)
        limit = self._app.config.memory.user_char_limit
        changed: list[Path] = []
        before = load_notes(paths.user_note)
        if before and project_user(paths.user_note, lines, limit=limit).text != before:
            changed.append(paths.user_note)
        if paths.reflections_file.exists() and save_page(paths.reflections_file, learnt):
            changed.append(paths.reflections_file)
        names = [str(file.relative_to(paths.root)) for file in changed]
        return [name for name in names if name not in besides]

    def _read_shown(self, tx: Tx) -> tuple[list[str], list[Reflection]]:
        # Facts bring the rules: needed only once something is erased.
        from hermes.memory.facts.standing import build_user_model  # noqa: PLC0415

        model = build_user_model(tx, DEFAULT, self._app.clock.now())
        return render_lines(model, limit=ALL), tx.reflections.list(limit=ALL)

    def discard_stages(self) -> int:
        """Drop what imports that were cut short had staged: it may hold what is erased.

        One that runs is left alone: it asks what was erased when it keeps its records.
        """
        dropped = 0
        for stage in sorted(self._app.paths.run.glob("import-*.db")):
            lock = stage.with_suffix(".lock")
            with suppress(Conflict), locked(lock, wait_s=0):
                for file in stage.parent.glob(f"{stage.name}*"):
                    file.unlink(missing_ok=True)
                lock.unlink(missing_ok=True)
                dropped += 1
        return dropped

    @cached_property
    def marker(self) -> Marker:
        return Marker(profile_secret(self._app))

    @property
    def _database(self) -> Path:
        return self._app.paths.resolve(self._app.config.memory.path, self._app.paths.database)

    @property
    def _stones_file(self) -> Path:
        return stones_file(self._database)
