"""What a person who looks over the whole memory can ask: find, days, network, health, take back."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.app.memory_status import MemoryStatus, read_memory_status
from hermes.app.reflections import parse_reflection
from hermes.memory.events import add_event
from hermes.memory.facts.audit import Act
from hermes.memory.facts.given import PERSON
from hermes.memory.facts.reference import parse_ref
from hermes.memory.facts.undo import undo_last
from hermes.memory.finding import Findings, Sought, find_everything
from hermes.memory.network import Network, build_network
from hermes.memory.notes.request import Target
from hermes.memory.pending import get_held
from hermes.memory.prefixes import LexiconShelf
from hermes.memory.reflect.keeping import mark_rejected
from hermes.memory.timeline import Day, DayCount, count_days, list_days
from hermes.store.base import HeldWrite, Tx
from hermes.store.base.facts import FactTally
from hermes.store.base.jobs import JobState
from hermes.store.base.overview import Window
from hermes.types import EventKind, Fact, Reflection

if TYPE_CHECKING:
    from hermes.app.root import App


@dataclass(frozen=True, slots=True)
class Wellbeing:
    """How a memory fares: what it holds, how much of it is junk or said twice, what waits."""

    status: MemoryStatus
    tally: FactTally
    copies: int
    waiting_for_vectors: int
    held: int
    jobs: Mapping[str, Mapping[JobState, int]]


@dataclass(frozen=True, slots=True)
class Latency:
    """How long one search and one recall took just now, for the last thing that was asked."""

    question: str
    search_ms: float
    recall_ms: float
    laps: Mapping[str, float]


class OverviewActions:
    def __init__(self, app: App) -> None:
        self._app = app
        self._lexicons = LexiconShelf()

    def find(self, sought: Sought) -> Findings:
        """Everything that holds the words, of every kind."""
        notes = {target.value: self._app.notes.list(target) for target in Target}
        return self._app.store.read(
            lambda tx: find_everything(tx, sought, notes, self._lexicons.get(tx))
        )

    def warm(self) -> None:
        """Take what the first search would else wait for: a sample of the words there are."""
        self._app.store.read(self._lexicons.get)

    def find_latest_change(self) -> int:
        """The number of the last change: whoever follows changes goes on from it."""
        return self._app.store.read(lambda tx: tx.changes.latest())

    def count_days(self, window: Window) -> list[DayCount]:
        return self._app.store.read(lambda tx: count_days(tx, window, self._app.zone))

    def list_days(self, window: Window) -> list[Day]:
        """What was done, decided and learnt, day by day, newest first."""
        return self._app.store.read(lambda tx: list_days(tx, window, self._app.zone))

    def network(self, bank: str = "") -> Network:
        return self._app.store.read(lambda tx: build_network(tx, bank))

    def wellbeing(self) -> Wellbeing:
        app = self._app

        def read(tx: Tx) -> tuple[FactTally, int, int]:
            return tx.facts.tally(), tx.overview.count_copies(), tx.pending.count()

        tally, copies, held = app.store.read(read)
        status = read_memory_status(app)
        return Wellbeing(
            status=status,
            tally=tally,
            copies=copies,
            waiting_for_vectors=status.backlog,
            held=held,
            jobs=app.jobs.count(),
        )

    def measure(self) -> Latency | None:
        """Search and recall what was asked last, timed; None where nothing was ever asked."""
        app = self._app
        episodes = app.store.read(lambda tx: tx.conversations.list_episodes("", limit=1))
        asked = [message.text for each in episodes for message in each.messages if message.text]
        if not asked:
            return None
        question = " ".join(asked[0].split()[:8])
        began = time.perf_counter()
        self.find(Sought(question))
        found = time.perf_counter()
        recalled = app.memory.recall(question, bank=episodes[0].bank)
        done = time.perf_counter()
        laps = dict(recalled.trace.ms)
        return Latency(question, (found - began) * 1e3, (done - found) * 1e3, laps)

    def undo_fact(self, ref: str) -> Fact:
        """Take back the last change of a fact; done again, it puts the change back."""
        number, act = parse_ref(ref), Act(PERSON, self._app.clock.now(), "undone")
        fact = self._app.store.write(lambda tx: undo_last(tx, number, act))
        self._app.user.project()
        return fact

    def restore_reflection(self, ref: str) -> Reflection:
        """Bring back a reflection that was deleted."""
        number, now = parse_reflection(ref), self._app.clock.now()

        def change(tx: Tx) -> Reflection:
            [back] = mark_rejected(tx, [tx.reflections.restore(number)])
            told = f"Restored about {back.task_type}: {back.lesson}"
            add_event(tx, EventKind.MEMORY, told, now=now, ref=f"reflection:{number}")
            return back

        reflection = self._app.store.write(change)
        self._app.reflections.project()
        return reflection

    def reopen_held(self, number: int) -> HeldWrite:
        """Let a held write that was rejected wait for a word again."""
        now = self._app.clock.now()

        def change(tx: Tx) -> HeldWrite:
            get_held(tx, number)
            tx.pending.reopen(number)
            write = get_held(tx, number)
            told = f"Waits again for approval, {write.target}: {write.text}"
            add_event(tx, EventKind.MEMORY, told, now=now, ref=f"held:{number}")
            return write

        return self._app.store.write(change)
