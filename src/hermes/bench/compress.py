"""What compression saves and what it costs: sizes on disk, and answers found before and after.

An answer counts as found if its words stand in the context that recall gives for the question with
its usual settings, and once more within a tenth of the usual budget, where it matters that a
summary takes more room than a message. Sizes are those of the file beyond an empty store's.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes.bench.compress_history import BANK, History, Planted, make_history
from hermes.bench.retrieval.dataset import Case, Question
from hermes.bench.retrieval.locomo import load_locomo
from hermes.bench.spine import Figure
from hermes.clock import DAY_MS, FixedClock
from hermes.embed.base import Embedder
from hermes.memory.compress.drafts import ExtractiveSummariser
from hermes.memory.compress.run import Run, compress_old
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine, RecallOptions
from hermes.memory.recall.task import telling_words
from hermes.memory.record import record_turns
from hermes.store.base import Store, Tx
from hermes.store.base.texts import TextScope
from hermes.store.base.tidying import Watch
from hermes.store.sqlite import Database, open_store
from hermes.types import NewSession, Role, Turn, Utterance

USUAL = RecallOptions(recency_episodes=0)
TIGHT = RecallOptions(budget_tokens=2_000, recency_episodes=0)
SMALLER = 0.90
STILL_FOUND = 0.97
AT_ONCE = 500
LATER_MS = 40 * DAY_MS
"""How much later the run takes place: everything in a history is then old enough."""


@dataclass(frozen=True, slots=True)
class Material:
    """A history in the form every run takes: turns, and what is asked of which bank."""

    name: str
    turns: Sequence[Turn]
    questions: Sequence[tuple[str, Planted]]
    last_at: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of the file beyond an empty one's, and characters of text."""

    file: int
    text: int


@dataclass(frozen=True, slots=True)
class Found:
    """Which questions were answered, before and after."""

    before: Sequence[bool]
    after: Sequence[bool]

    @property
    def still(self) -> float:
        """The share of what was found before that is found after."""
        kept = sum(one and two for one, two in zip(self.before, self.after, strict=True))
        return kept / max(1, sum(self.before))

    def __str__(self) -> str:
        counts = f"{sum(self.before)} of {len(self.before)} answers found before"
        return f"{counts}, {sum(self.after)} after"


@dataclass(frozen=True, slots=True)
class Measured:
    """A history before compression, in its grace period, and after."""

    name: str
    before: Sizes
    in_grace: Sizes
    after: Sizes
    usual: Found
    tight: Found
    run: Run

    @property
    def smaller(self) -> float:
        return 1 - self.after.file / self.before.file


def measure_compress(
    folder: Path,
    embedder: Embedder | None,
    *,
    locomo: Path | None,
    days: int = 120,
    say: Callable[[str], None],
) -> Iterator[Figure]:
    """Figures of the synthetic history and, where there is a copy, of LoCoMo."""
    for material in _materials(locomo, days):
        say(f"{material.name}: {len(material.turns):,} turns, {len(material.questions)} questions")
        yield from _figures(measure(folder / material.name, embedder, material))


def measure(folder: Path, embedder: Embedder | None, material: Material) -> Measured:
    """Record, index, ask; compress; let the grace period pass; ask again."""
    folder.mkdir(parents=True)
    file = folder / "memory.db"
    store = open_store(Database(file, os.urandom(32)))
    clock = FixedClock(material.last_at)
    asking = _Asking(store, clock, embedder, material.questions)
    try:
        empty = _size(store, file).file
        _record(store, clock, material.turns, embedder)
        before = _size(store, file, empty)
        answers = [asking.ask(USUAL), asking.ask(TIGHT)]
        run = _compress_later(store, clock, embedder)
        in_grace = _size(store, file, empty)
        _compress_later(store, clock, embedder)
        after = _size(store, file, empty)
        answers += [asking.ask(USUAL), asking.ask(TIGHT)]
    finally:
        store.close()
    usual, tight = Found(answers[0], answers[2]), Found(answers[1], answers[3])
    return Measured(material.name, before, in_grace, after, usual, tight, run)


def _materials(locomo: Path | None, days: int) -> Iterator[Material]:
    history: History = make_history(days)
    asked = [(BANK, planted) for planted in history.planted]
    yield Material("history", history.turns, asked, history.last_at)
    if locomo is not None:
        yield _locomo_material(locomo)


def _locomo_material(file: Path) -> Material:
    answers = _answers(file)
    turns: list[Turn] = []
    asked: list[tuple[str, Planted]] = []
    for number, case in enumerate(load_locomo(file)):
        bank = f"locomo-{number}"
        for talk in case.talks:
            session = NewSession(id=f"{bank}/{talk.id}", bank=bank, platform="bench")
            said = (Utterance(s.role, s.text, s.at, s.speaker) for s in talk.said)
            turns += [Turn(session, (each,)) for each in said]
        asked += [
            (bank, Planted(question.text, answer, question.asked_at))
            for question in case.questions
            if (answer := _said_answer(case, question, answers.get(question.id, "")))
        ]
    last_at = max(said.at or 0 for turn in turns for said in turn.messages)
    return Material("locomo", turns, asked, last_at)


def _said_answer(case: Case, question: Question, answer: str) -> str:
    """The words of the answer that its evidence really says: the others are the annotator's."""
    said = (s.text for talk in case.talks for s in talk.said if s.key in question.evidence)
    known = {word.casefold() for text in said for word in telling_words(text)}
    return " ".join(word for word in telling_words(answer) if word.casefold() in known)


def _answers(file: Path) -> dict[str, str]:
    """The answers by the number of the question; adversarial ones have none."""
    samples = json.loads(file.read_text("utf-8"))
    return {
        f"{number}:{place}": str(asked["answer"])
        for number, sample in enumerate(samples)
        for place, asked in enumerate(sample["qa"])
        if "answer" in asked
    }


def _record(
    store: Store, clock: FixedClock, turns: Sequence[Turn], embedder: Embedder | None
) -> None:
    for start in range(0, len(turns), AT_ONCE):
        record_turns(store, turns[start : start + AT_ONCE], clock.now())
    _read(store, clock)
    _index(store, clock, embedder)


def _read(store: Store, clock: FixedClock) -> None:
    """Note every session as read for facts: facts are not what is measured."""
    now = clock.now()
    due = store.read(lambda tx: tx.extractions.list_due(now=now + LATER_MS, idle_ms=0, limit=10**9))

    def mark(tx: Tx) -> None:
        for session in due:
            tx.extractions.mark(session.id, 1 << 60, now=now)

    store.write(mark)


def _index(store: Store, clock: FixedClock, embedder: Embedder | None) -> None:
    if embedder is not None:
        index_pending(store, embedder, clock)


def _compress_later(store: Store, clock: FixedClock, embedder: Embedder | None) -> Run:
    """Time passes, something is said, and compression runs."""
    clock.advance(LATER_MS)
    ping = Turn(NewSession(bank="ping"), (Utterance(Role.USER, "ping", at=clock.now()),))
    record_turns(store, [ping], clock.now())
    run = compress_old(store, clock.now(), ExtractiveSummariser(), trust_clock=True)
    while run.more:
        more = compress_old(store, clock.now(), ExtractiveSummariser())
        run = Run((*run.drafts, *more.drafts), (*run.summaries, *more.summaries), more=more.more)
    _index(store, clock, embedder)
    return run


def _size(store: Store, file: Path, empty: int = 0) -> Sizes:
    store.tidy(Watch())
    store.tidy(Watch())  # merging the index frees pages that the second time gives back
    size = sum(f.stat().st_size for f in (file, Path(f"{file}-wal")) if f.exists())
    return Sizes(size - empty, store.read(lambda tx: tx.texts.size(TextScope()))[1])


@dataclass(frozen=True, slots=True)
class _Asking:
    store: Store
    clock: FixedClock
    embedder: Embedder | None
    questions: Sequence[tuple[str, Planted]]

    def ask(self, options: RecallOptions) -> list[bool]:
        """Which questions recall answers."""
        engine = Engine(self.store, self.clock, embedder=self.embedder, options=options)
        try:
            return [self._is_found(engine, bank, asked) for bank, asked in self.questions]
        finally:
            engine.close()

    def _is_found(self, engine: Engine, bank: str, asked: Planted) -> bool:
        context = engine.recall(asked.question, bank=bank, as_of=asked.asked_at).context()
        return self._words(asked.answer) <= self._words(context)

    def _words(self, text: str) -> set[str]:
        return set(self.store.read(lambda tx: tx.texts.tokens(text)))


def _figures(found: Measured) -> Iterator[Figure]:
    name, run = found.name, found.run
    sizes = (
        f"{found.before.file / 1e6:.2f} MB before, {found.in_grace.file / 1e6:.2f} in the grace "
        f"period, {found.after.file / 1e6:.2f} after, vectors and index included"
    )
    met = found.smaller >= SMALLER
    yield Figure(f"{name}: smaller by", found.smaller, "", f">= {SMALLER}", met, sizes)
    texts = f"{found.before.text:,} characters before, {found.after.text:,} after, unpacked"
    shorter = 1 - found.after.text / found.before.text
    yield Figure(f"{name}: text shorter by", shorter, "", "none", True, texts)
    share = found.usual.still
    target = f">= {STILL_FOUND}"
    yield Figure(f"{name}: still found", share, "", target, share >= STILL_FOUND, str(found.usual))
    tight = f"{found.tight}, within {TIGHT.budget_tokens:,} tokens"
    yield Figure(f"{name}: still found in a tenth", found.tight.still, "", "none", True, tight)
    probes = sum(draft.proof.probes for draft in run.drafts)
    proved = sum(draft.proof.found for draft in run.drafts) / max(1, probes)
    note = f"{len(run.summaries)} summaries, {len(run.left_raw)} clusters left raw"
    yield Figure(f"{name}: found by the proof", proved, "", target, proved >= STILL_FOUND, note)
