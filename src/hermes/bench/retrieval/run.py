"""Runs a retrieval benchmark through record → index → recall, and its baselines beside it.

LoCoMo's conversations lie in one store, a bank each. LongMemEval gives each question a history of
its own; histories are recorded a few at a time and dropped again, so that any size fits.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from hermes.bench.retrieval.baselines import build_bm25, build_dense, build_grep, fuse_by_rank
from hermes.bench.retrieval.chats import load_chats, load_years, load_years_together
from hermes.bench.retrieval.dataset import Case, Question, ask_last, join
from hermes.bench.retrieval.lives import load_lives
from hermes.bench.retrieval.locomo import load_locomo
from hermes.bench.retrieval.logs import load_logs
from hermes.bench.retrieval.longmemeval import load_longmemeval
from hermes.bench.retrieval.metrics import CUTOFFS
from hermes.bench.retrieval.pace import Pace
from hermes.bench.retrieval.remembering import open_remembering
from hermes.bench.retrieval.workbench import Workbench, open_workbench
from hermes.counted import many
from hermes.embed.base import Embedder
from hermes.errors import NotFound, UserError
from hermes.memory.recall.select import is_only_new
from hermes.memory.recall.tokens import count_tokens
from hermes.store.vectors.index import VectorIndex
from hermes.types import Kind, Role

LOCOMO = "locomo10.json"
LONGMEMEVAL = {
    name: (f"longmemeval_{name}.json", f"longmemeval_{name}_cleaned.json")
    for name in ("oracle", "s", "m")
}
LOCOMO_AT = "github.com/snap-research/locomo"
LONGMEMEVAL_AT = "github.com/xiaowu0162/LongMemEval"
WRITTEN: dict[str, Callable[[], Iterable[Case]]] = {
    "chats": load_chats,
    "chats2": partial(load_chats, "chats2"),
    "lives": load_lives,
    "years": load_years,
    "years2": partial(load_years, "years2"),
    "years-one": load_years_together,
}
_LOGS = re.compile(r"(logs2?)-(\d{2,6})")
HISTORIES_AT_ONCE = 8
SHOWN = 10
ASKED_FOR = 2 * CUTOFFS[-1]  # of an assistant's log half is the user's
HERMES, GREP, BM25, DENSE, RRF = "hermes", "grep", "bm25", "dense", "rrf"
GIVEN = "given"  # what recall gives a model: ranked, over the threshold, within quota and budget


@dataclass(frozen=True, slots=True)
class Ranking:
    """How one system ranked messages for a question; `tokens` of its first ten, and the time.

    `heard` are those of them the user said, the only turns LongMemEval ranks; `sessions` are those
    in which the user said them.
    """

    system: str
    question: Question
    case: int
    keys: tuple[str, ...]
    heard: tuple[str, ...]
    sessions: tuple[str, ...]
    tokens: int = 0
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class RetrievalRun:
    """Everything a benchmark run found; `report` turns it into figures."""

    dataset: str
    cases: int
    messages: int
    rankings: tuple[Ranking, ...] = field(repr=False, default=())


def run(
    data_dir: Path | None,
    *,
    dataset: str = "locomo",
    embedder: Embedder | None,
    baselines: bool = True,
    limit: int | None = None,
    folder: Path | None = None,
    on_progress: Callable[[str], None] = lambda _: None,
) -> RetrievalRun:
    """Run `locomo`, `locomo-one`, `longmemeval-oracle`, `-s`, `-m`, or what needs no data.

    With a `folder` the vectors are kept there, and one that was stopped goes on with them.
    """
    cases, total = _load_counted(data_dir, dataset, limit)
    size = HISTORIES_AT_ONCE if dataset.startswith("longmemeval") else 10_000
    rankings: list[Ranking] = []
    count = messages = 0
    pace = Pace(total)
    with ExitStack() as stack:
        made_by: Embedder | None = None
        if embedder is not None:
            made_by = stack.enter_context(open_remembering(embedder, folder))
        for group in _groups(cases, size):
            with (
                tempfile.TemporaryDirectory(prefix="hermes-bench-") as place,
                open_workbench(Path(place), embedder) as bench,
            ):
                _prepare(bench, group, made_by, lambda left: on_progress(_tell_left(pace, left)))
                pace.prepare(len(group))
                for case in group:
                    rankings += _ask(bench, case, count, baselines=baselines)
                    count, messages = count + 1, messages + case.messages
                    pace.ask()
                    on_progress(pace.tell())
    if not any(ranking.question.evidence for ranking in rankings):
        raise UserError(
            f"Nothing in {dataset} can be asked: no question has a marked answer.",
            "Look whether the file is the published one, and whole.",
        )
    return RetrievalRun(dataset, count, messages, tuple(rankings))


def _load_counted(
    data_dir: Path | None, dataset: str, limit: int | None
) -> tuple[Iterable[Case], int]:
    """The first so many histories and their number.

    LongMemEval's are read twice, the first time to the end: they do not fit in memory, and what
    cannot be read of them should be told before hours of work.
    """
    cases = islice(_load(data_dir, dataset), limit)
    if dataset.startswith("longmemeval"):
        return islice(_load(data_dir, dataset), limit), sum(1 for _ in cases)
    listed = list(cases)
    return listed, len(listed)


def _load(data_dir: Path | None, dataset: str) -> Iterable[Case]:
    if (made_up := _LOGS.fullmatch(dataset)) is not None:
        return load_logs(int(made_up[2]), made_up[1])
    if dataset in WRITTEN:
        return WRITTEN[dataset]()
    size = dataset.removeprefix("longmemeval-")
    if dataset not in {"locomo", "locomo-one"} and size not in LONGMEMEVAL:
        raise UserError(
            f"There is no data set {dataset!r}.",
            "Such as locomo, longmemeval-s, chats, years: see `hermes bench retrieval --help`.",
        )
    if data_dir is None:
        is_locomo = dataset.startswith("locomo")
        file, place = (LOCOMO, LOCOMO_AT) if is_locomo else (LONGMEMEVAL[size][0], LONGMEMEVAL_AT)
        raise UserError(
            f"{dataset} is read from {file}, which does not come with Hermes.",
            f"Get it from {place}, and give its folder with --data. "
            "`--dataset chats`, `lives`, `years` and `logs-50` need none.",
        )
    if dataset.startswith("locomo"):
        cases = load_locomo(data_dir / LOCOMO)
        return cases if dataset == "locomo" else [ask_last(join(cases))]
    for name in LONGMEMEVAL[size]:
        if (data_dir / name).exists():
            return load_longmemeval(data_dir / name)
    raise NotFound(
        f"There is no {LONGMEMEVAL[size][0]} in {data_dir}.", "Give the folder with --data."
    )


def _groups(cases: Iterable[Case], size: int) -> Iterator[list[Case]]:
    remaining = iter(cases)
    while group := list(islice(remaining, size)):
        yield group


def _prepare(
    bench: Workbench,
    cases: Sequence[Case],
    embedder: Embedder | None,
    on_progress: Callable[[int], None],
) -> None:
    for case in cases:
        bench.record(case)
    bench.index(on_progress, embedder)


def _tell_left(pace: Pace, left: int) -> str:
    return f"{pace.tell()}; {many(left, 'message')} of the next to embed"


def _ask(bench: Workbench, case: Case, number: int, *, baselines: bool) -> Iterator[Ranking]:
    place = _Places(case)
    for question in case.questions:
        yield _ask_hermes(bench, case, number, question, place)
        yield _ask_recall(bench, case, number, question, place)
    if not baselines:
        return
    bm25, grep = build_bm25(case, bench.tokens).rank, build_grep(case)
    dense = build_dense(bench, case, VectorIndex())
    for question in case.questions:
        by_words, by_meaning = bm25(question.text), dense(question.text)
        for system, keys in (
            (GREP, grep(question.text)),
            (BM25, by_words),
            (DENSE, by_meaning),
            (RRF, fuse_by_rank([by_words, by_meaning])),
        ):
            yield place.ranking(system, question, number, keys)


def _ask_hermes(
    bench: Workbench, case: Case, number: int, question: Question, place: "_Places"
) -> Ranking:
    started = time.perf_counter()
    items, _ = bench.engine.search(
        question.text,
        bank=case.bank,
        limit=ASKED_FOR,
        kinds=(Kind.EPISODE,),
        as_of=bench.as_of(question),
    )
    ms = (time.perf_counter() - started) * 1000
    keys = [bench.keys[case.name][item.message_id] for item in items]
    return place.ranking(HERMES, question, number, keys, ms)


def _ask_recall(
    bench: Workbench, case: Case, number: int, question: Question, place: "_Places"
) -> Ranking:
    started = time.perf_counter()
    found = bench.engine.recall(question.text, bank=case.bank, as_of=bench.as_of(question))
    ms = (time.perf_counter() - started) * 1000
    bears = (e for e in found.items if not is_only_new(e, found.trace.min_relevance))
    keys = [bench.keys[case.name][item.message_id] for item in bears]
    return place.ranking(GIVEN, question, number, keys, ms)


class _Places:
    """Where each message of a case stands, and what it takes to show it."""

    def __init__(self, case: Case) -> None:
        self._talks = {said.key: talk.id for talk in case.talks for said in talk.said}
        self._said = {said.key: said for talk in case.talks for said in talk.said}

    def ranking(
        self, system: str, question: Question, case: int, keys: Sequence[str], ms: float = 0.0
    ) -> Ranking:
        heard = tuple(key for key in keys if self._said[key].role is Role.USER)
        sessions = tuple(dict.fromkeys(self._talks[key] for key in heard))
        tokens = sum(count_tokens(self._said[key].text) for key in keys[:SHOWN])
        return Ranking(system, question, case, tuple(keys), heard, sessions, tokens, ms)
