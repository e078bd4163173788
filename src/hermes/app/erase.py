"""What can be done to forget for good: plan, erase, prove; and reset, with a way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.secret import profile_secret
from hermes.config.running import find_daemon
from hermes.memory.backup.shelf import Backup
from hermes.memory.backup.swap import list_replaced
from hermes.memory.erase.apply import apply_plan, finish, list_stones, reapply
from hermes.memory.erase.files import clear_files
from hermes.memory.erase.plan import Plan, make_plan, parse_target
from hermes.memory.erase.prove import Proof, Scope, prove
from hermes.memory.erase.reset import ResetTarget, reset_store
from hermes.memory.erase.tombs import Graveyard, Marker, append_stones, load_stones, stones_file
from hermes.memory.erase.words import Phrases, Words, parse_phrase
from hermes.memory.notes import load_notes
from hermes.store.base import Store, Tx

if TYPE_CHECKING:
    from hermes.app.root import App

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
    phrases: tuple[Words, ...] = ()
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
        stones = [] if plan.is_empty else list_stones(plan, self.marker, now)
        append_stones(self._stones_file, stones)  # first: a restore must know even if we die here
        say("erasing")
        counts = app.store.write(lambda tx: apply_plan(tx, plan, stones, now=now))
        if counts.get("facts"):
            app.user.project()  # what was shown of the person may have rested on them
        phrases = Phrases([*plan.wanted, *(p for p in plan.phrases if len(p) > 1)])
        daemon = find_daemon(app.paths)
        files = clear_files(app.paths, phrases, logs=daemon is None)
        is_purged = finish(app.store, now=now, say=say)
        return Erased(
            counts=counts,
            files=files,
            backups=app.backups.list(),
            is_purged=is_purged,
            phrases=tuple(plan.wanted or plan.phrases[:1]),
            seed_holds_it=phrases.is_in(load_notes(app.paths.seed_file)),
        )

    def prove(self, phrases: Sequence[Words]) -> Proof:
        """Search everything under the home for what should be gone."""
        app = self._app
        scope = Scope(app.paths.root, self._database, app.backups.list(), list_replaced(app.paths))
        return prove(app.store, scope, phrases)

    def prove_words(self, text: str) -> Proof:
        return self.prove([parse_phrase(text)])

    def reset(
        self, target: ResetTarget, *, say: Say = _quietly
    ) -> tuple[Backup, Mapping[str, int]]:
        """Make a backup, then empty a part of memory, or all of it; how much of what went."""
        backup, _ = self._app.backups.make(label="before-reset", say=say)
        say("resetting")
        counts = reset_store(self._app.store, self._app.paths, target, now=self._app.clock.now())
        return backup, counts

    def reapply(self, store: Store) -> Mapping[str, int]:
        """Take out of a store that came back what was erased since; how much of what."""
        stones = {stone.digest: stone for stone in load_stones(self._stones_file)}
        for stone in store.read(lambda tx: tx.erasures.list_tombstones()):
            stones.setdefault(stone.digest, stone)
        yard = Graveyard(self.marker, stones.values())
        return reapply(store, yard, stones.values(), now=self._app.clock.now())

    def graveyard(self, tx: Tx) -> Graveyard:
        """What was erased, to be asked about whatever comes in."""
        return Graveyard(self.marker, tx.erasures.list_tombstones())

    @cached_property
    def marker(self) -> Marker:
        return Marker(profile_secret(self._app))

    @property
    def _database(self) -> Path:
        return self._app.paths.resolve(self._app.config.memory.path, self._app.paths.database)

    @property
    def _stones_file(self) -> Path:
        return stones_file(self._database)
