"""How a memory fares, as figures with a verdict each: what is well, what deserves a look."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hermes.app.overview import Wellbeing
from hermes.store.base.jobs import JobState
from hermes.store.base.spending import SpendingLine

JUNK_IS_MUCH = 0.10
BACKLOG_IS_MUCH = 5_000
_ALL = "/facts?show=all"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, what it means, and where to see it; `level` is ok, warning or failed."""

    name: str
    value: str
    meaning: str
    level: str = "ok"
    href: str = ""


@dataclass(frozen=True, slots=True)
class DaySpending:
    day: str
    usd: float
    calls: int
    tokens: int
    guessed: bool


def list_figures(well: Wellbeing) -> list[Figure]:
    return [_junk(well), _copies(well), _vectors(well), _dead(well), _held(well)]


def _junk(well: Wellbeing) -> Figure:
    rate, tally = well.tally.junk_rate, well.tally
    if rate is None:
        return Figure("Junk rate", "–", "Nothing was extracted yet.")
    meaning = f"{tally.junk:,} of {tally.extracted:,} extracted facts were deleted by someone."
    return Figure("Junk rate", f"{rate:.1%}", meaning, _level(rate > JUNK_IS_MUCH), _ALL)


def _copies(well: Wellbeing) -> Figure:
    meaning = f"Facts that repeat another word for word, of {well.tally.believed:,} believed."
    return Figure("Duplicates", f"{well.copies:,}", meaning, _level(well.copies > 0), "/facts")


def _vectors(well: Wellbeing) -> Figure:
    waiting = well.waiting_for_vectors
    meaning = "Texts found by their words, but not yet by meaning."
    return Figure("Backlog", f"{waiting:,}", meaning, _level(waiting > BACKLOG_IS_MUCH))


def _dead(well: Wellbeing) -> Figure:
    dead = sum(states.get(JobState.DEAD, 0) for states in well.jobs.values())
    meaning = "Jobs that gave up; retry them below."
    return Figure("Dead jobs", f"{dead:,}", meaning, _level(dead > 0), "#h-jobs")


def _held(well: Wellbeing) -> Figure:
    meaning = "Writes held until you approve them."
    return Figure("Waiting for you", f"{well.held:,}", meaning, href="/pending")


def _level(is_bad: bool) -> str:
    return "warning" if is_bad else "ok"


def sum_days(lines: Iterable[SpendingLine]) -> Sequence[DaySpending]:
    """What each day cost, newest first."""
    days: dict[str, DaySpending] = {}
    for line in lines:
        was = days.get(line.day, DaySpending(line.day, 0.0, 0, 0, guessed=False))
        days[line.day] = DaySpending(
            day=line.day,
            usd=was.usd + line.usd,
            calls=was.calls + line.calls,
            tokens=was.tokens + line.input_tokens + line.output_tokens,
            guessed=was.guessed or line.guessed,
        )
    return [days[day] for day in sorted(days, reverse=True)]
