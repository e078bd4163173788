"""The figures of a retrieval run, and the same as text."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hermes.bench.retrieval.logs import is_fitted_on
from hermes.bench.retrieval.metrics import (
    CUTOFFS,
    HaystackScore,
    Score,
    haystack_score,
    macro_ndcg,
    mean,
    mean_haystack,
    score,
)
from hermes.bench.retrieval.run import HERMES, Ranking, RetrievalRun

FITTED_ON = 5  # LoCoMo's first conversations, which the weights were fitted on
HAYSTACK_AT = (5, 10, 50)


@dataclass(frozen=True, slots=True)
class Figures:
    """One system on one part of the questions."""

    system: str
    part: str
    questions: int
    score: Score
    by_category: dict[str, Score]
    ndcg_macro: float
    tokens: float
    ms: float
    ms_p95: float


@dataclass(frozen=True, slots=True)
class HaystackFigures:
    """LongMemEval's own figures: of turns, or of sessions."""

    system: str
    level: str
    questions: int
    at: dict[int, HaystackScore]


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    dataset: str
    cases: int
    messages: int
    figures: tuple[Figures, ...]
    haystack: tuple[HaystackFigures, ...] = ()


def summarise(found: RetrievalRun) -> RetrievalReport:
    """Every system on all questions and, of LoCoMo, on each half apart."""
    parts: dict[str, Callable[[Ranking], bool]] = {"all": lambda _: True}
    if found.dataset == "locomo":
        parts["0-4"] = lambda ranking: ranking.case < FITTED_ON
        parts["5-9"] = lambda ranking: ranking.case >= FITTED_ON
    if found.dataset == "lives" or found.dataset.startswith("logs-"):  # of logs2 nothing was
        parts["dev"] = lambda ranking: is_fitted_on(ranking.question.id)
        parts["held"] = lambda ranking: not is_fitted_on(ranking.question.id)
    figures, haystack = [], []
    for system in dict.fromkeys(ranking.system for ranking in found.rankings):
        ours = [ranking for ranking in found.rankings if ranking.system == system]
        for part, belongs in parts.items():
            chosen = [each for each in ours if belongs(each) and each.question.evidence]
            if chosen:
                figures.append(_figures(system, part, chosen))
        if not found.dataset.startswith("locomo"):
            own = (_turns(system, ours), _sessions(system, ours))
            haystack += [each for each in own if each.questions]
    return RetrievalReport(
        found.dataset, found.cases, found.messages, tuple(figures), tuple(haystack)
    )


def _figures(system: str, part: str, rankings: Sequence[Ranking]) -> Figures:
    scored = [
        (each.question.category, score(each.keys, each.question.evidence)) for each in rankings
    ]
    names = sorted({category for category, _ in scored})
    by_category = {
        name: mean(each for category, each in scored if category == name) for name in names
    }
    times = sorted(each.ms for each in rankings)
    return Figures(
        system=system,
        part=part,
        questions=len(rankings),
        score=mean(each for _, each in scored),
        by_category=by_category,
        ndcg_macro=macro_ndcg(by_category),
        tokens=sum(each.tokens for each in rankings) / len(rankings),
        ms=times[len(times) // 2],
        ms_p95=times[int(len(times) * 0.95)],
    )


def _turns(system: str, rankings: Iterable[Ranking]) -> HaystackFigures:
    judged = [each for each in rankings if each.question.targets]
    at = {
        k: mean_haystack(haystack_score(each.heard, each.question.targets, k) for each in judged)
        for k in HAYSTACK_AT
    }
    return HaystackFigures(system, "turn", len(judged), at)


def _sessions(system: str, rankings: Iterable[Ranking]) -> HaystackFigures:
    judged = [each for each in rankings if each.question.sessions]
    at = {
        k: mean_haystack(
            haystack_score(each.sessions, each.question.sessions, k) for each in judged
        )
        for k in HAYSTACK_AT
    }
    return HaystackFigures(system, "session", len(judged), at)


def render_report(report: RetrievalReport) -> str:
    """The report as a person reads it."""
    lines = [f"{report.dataset}: {report.cases} histories, {report.messages:,} messages", ""]
    head = "".join(f"{f'r@{k}':>8}" for k in CUTOFFS)
    lines.append(
        f"{'system':8}{'part':6}{'n':>6}{head}{'ndcg@10':>9}{'macro':>8}{'mrr':>7}"
        f"{'tokens':>8}{'ms':>7}{'p95':>7}"
    )
    lines += [_row(each) for each in report.figures]
    ours = next((f for f in report.figures if f.system == HERMES and f.part == "all"), None)
    if ours is not None:
        lines += ["", "hermes by category", f"{'category':28}{head}{'ndcg@10':>9}{'mrr':>7}"]
        lines += [_category_row(name, each) for name, each in ours.by_category.items()]
    if report.haystack:
        lines += [
            "",
            f"{'system':8}{'level':9}{'n':>5}"
            + "".join(f"{f'any@{k}':>8}{f'all@{k}':>8}{f'ndcg@{k}':>9}" for k in HAYSTACK_AT),
        ]
        lines += [_haystack_row(each) for each in report.haystack]
    return "\n".join(lines)


def _row(each: Figures) -> str:
    figures = "".join(f"{each.score.recall[k]:8.4f}" for k in CUTOFFS)
    times = f"{each.ms:7.1f}{each.ms_p95:7.1f}" if each.ms else f"{'':14}"
    return (
        f"{each.system:8}{each.part:6}{each.questions:6}{figures}{each.score.ndcg:9.4f}"
        f"{each.ndcg_macro:8.4f}{each.score.mrr:7.4f}{each.tokens:8.0f}{times}"
    )


def _category_row(name: str, each: Score) -> str:
    figures = "".join(f"{each.recall[k]:8.4f}" for k in CUTOFFS)
    return f"{name:28}{figures}{each.ndcg:9.4f}{each.mrr:7.4f}"


def _haystack_row(each: HaystackFigures) -> str:
    figures = "".join(f"{f.any:8.4f}{f.all:8.4f}{f.ndcg:9.4f}" for f in each.at.values())
    return f"{each.system:8}{each.level:9}{each.questions:5}{figures}"
