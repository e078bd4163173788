"""The figures of a retrieval run, and the same as text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from hermes.counted import many

FITTED_ON = 5  # LoCoMo's first conversations, which the weights were fitted on
HAYSTACK_AT = (1, 3, 5, 10, 30, 50)
NAME_CHARS = 26  # of a category: what a file calls one may be long
HAYSTACK_TITLE = "as LongMemEval judges: only the user's turns, and the sessions they stand in"


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
    """LongMemEval's own figures: of the user's turns, or of the sessions they stand in."""

    system: str
    level: str
    questions: int
    at: dict[int, HaystackScore]


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """Figures are of the questions with a marked answer and of what anybody said, but for
    LongMemEval's own; `asked` were all.
    """

    dataset: str
    cases: int
    messages: int
    asked: int
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
    asked = len({(ranking.case, ranking.question.id) for ranking in found.rankings})
    return RetrievalReport(
        found.dataset, found.cases, found.messages, asked, tuple(figures), tuple(haystack)
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
    """The report as a person reads it, in 80 columns; all of it is in the JSON."""
    recalls = "".join(f"{f'r@{k}':>7}" for k in CUTOFFS)
    lines = [
        f"{report.dataset}: {many(report.cases, 'history')}, {many(report.messages, 'message')}",
        _tell_asked(report),
        "",
        f"{'system':8}{'part':5}{'n':>6}{recalls}{'ndcg@10':>8}{'mrr':>7}",
        *map(_row, report.figures),
        "",
        f"{'system':8}{'part':5}{'macro ndcg@10':>14}{'tokens of ten':>14}{'ms':>8}{'p95':>8}",
        *map(_cost_row, report.figures),
    ]
    ours = next((f for f in report.figures if f.system == HERMES and f.part == "all"), None)
    if ours is not None:
        lines += ["", "hermes by category", f"{'category':{NAME_CHARS}}{recalls}{'ndcg@10':>8}"]
        lines += [_category_row(name, each) for name, each in ours.by_category.items()]
    if report.haystack:
        places = "".join(f"{f'@{k}':>8}" for k in HAYSTACK_AT)
        lines += ["", HAYSTACK_TITLE, f"{'system':8}{'level':8}{'n':>6} {'':5}{places}"]
        lines += [row for each in report.haystack for row in _haystack_rows(each)]
    return "\n".join(lines)


def _tell_asked(report: RetrievalReport) -> str:
    marked = max((each.questions for each in report.figures), default=0)
    told = f"{report.asked:,} questions asked; n counts those with a marked answer"
    return told if marked == report.asked else f"{told}: {report.asked - marked:,} have none"


def _row(each: Figures) -> str:
    figures = "".join(f"{each.score.recall[k]:7.4f}" for k in CUTOFFS)
    return (
        f"{each.system:8}{each.part:5}{each.questions:6}{figures}"
        f"{each.score.ndcg:8.4f}{each.score.mrr:7.4f}"
    )


def _cost_row(each: Figures) -> str:
    times = f"{each.ms:8.1f}{each.ms_p95:8.1f}" if each.ms else ""
    return f"{each.system:8}{each.part:5}{each.ndcg_macro:14.4f}{each.tokens:14.0f}{times}"


def _category_row(name: str, each: Score) -> str:
    figures = "".join(f"{each.recall[k]:7.4f}" for k in CUTOFFS)
    return f"{name[: NAME_CHARS - 1]:{NAME_CHARS}}{figures}{each.ndcg:8.4f}"


def _haystack_rows(each: HaystackFigures) -> Iterator[str]:
    for name in ("any", "all", "ndcg"):
        figures = "".join(f"{getattr(at, name):8.4f}" for at in each.at.values())
        yield f"{each.system:8}{each.level:8}{each.questions:6} {name:5}{figures}"
