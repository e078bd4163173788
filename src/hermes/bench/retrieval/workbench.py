"""A benchmark's conversations recorded, indexed and asked, by the same functions users run."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hermes.bench.retrieval.dataset import Case, Question, Talk
from hermes.clock import Clock, SystemClock
from hermes.embed.base import Embedder
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.store.sqlite import Database, open_store
from hermes.types import NewSession, Turn, Utterance

TALKS_AT_ONCE = 64
KEYS = "keys.json"  # beside the store: which message is which of the benchmark's


@dataclass(slots=True)
class AskingTime:
    """The clock by which the engine asks, where it is not asked as of a time."""

    at: int = 0

    def now(self) -> int:
        return self.at


@dataclass(frozen=True, slots=True)
class Workbench:
    """A store with a bank for each case, and an engine to ask it at the time of `asking`."""

    store: Store
    engine: Engine
    clock: Clock
    asking: AskingTime
    embedder: Embedder | None
    keys: dict[str, dict[int, str]] = field(default_factory=dict)

    def record(self, case: Case) -> None:
        """Keep a case's sessions in a bank of its name."""
        known = self.keys.setdefault(case.name, {})
        last = max((said.at for talk in case.talks for said in talk.said), default=0)
        now = max(self.clock.now(), last)  # a made-up log may reach past today
        for start in range(0, len(case.talks), TALKS_AT_ONCE):
            talks = case.talks[start : start + TALKS_AT_ONCE]
            first = len(known)  # sessions bear no name of the file: it may be any text
            turns = [turn for n, talk in enumerate(talks, first) for turn in _turns(case, n, talk)]
            receipts = record_turns(self.store, turns, now)
            ids = [i for receipt in receipts for i in receipt.message_ids]
            said = [each.key for talk in talks for each in talk.said]
            known.update(zip(ids, said, strict=True))

    def record_once(self, cases: Sequence[Case], folder: Path) -> None:
        """Keep cases, unless an earlier run that was stopped kept them in the same folder."""
        known = folder / KEYS
        if known.exists():
            kept = json.loads(known.read_text("utf-8"))
            self.keys.update(
                {name: {int(i): k for i, k in of.items()} for name, of in kept.items()}
            )
            return
        for case in cases:
            self.record(case)
        known.write_text(json.dumps(self.keys), "utf-8")

    def as_of(self, question: Question) -> int | None:
        """As of when a question is to be asked: the engine's clock shows its time, also where it
        is asked of all that was said.
        """
        self.asking.at = question.asked_at
        return None if question.is_of_all else question.asked_at

    def tokens(self, text: str) -> list[str]:
        """The words of a text as the store's index sees them."""
        return self.store.read(lambda tx: tx.texts.tokens(text))

    def index(
        self, on_progress: Callable[[int], None] = lambda _: None, by: Embedder | None = None
    ) -> None:
        """Give every message its vector, made by the embedder or what stands in for it."""
        if (embedder := by or self.embedder) is not None:
            report = lambda progress: on_progress(progress.left)  # noqa: E731
            index_pending(self.store, embedder, self.clock, on_progress=report)


@contextmanager
def open_workbench(folder: Path, embedder: Embedder | None) -> Iterator[Workbench]:
    """The store in a folder, fresh unless there is one, closed at the end."""
    clock = SystemClock()
    store = open_store(Database(folder / "memory.db"))
    asking = AskingTime()
    engine = Engine(store, asking, embedder=embedder)
    try:
        yield Workbench(store, engine, clock, asking, embedder)
    finally:
        engine.close()
        store.close()


def _turns(case: Case, number: int, talk: Talk) -> Sequence[Turn]:
    session = NewSession(id=f"{case.bank}/{number}", bank=case.bank, platform="bench")
    return [
        Turn(session, (Utterance(said.role, said.text, said.at, said.speaker),))
        for said in talk.said
    ]
