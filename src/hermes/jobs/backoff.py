"""When a job that failed is tried again. Pure: the dice and the clock are the caller's."""

from hermes.clock import HOUR_MS, SECOND_MS
from hermes.errors import HermesError, NotFound, Refused, UserError
from hermes.store.base.jobs import Job

FIRST_MS = 10 * SECOND_MS
GROWTH = 4
LONGEST_MS = 6 * HOUR_MS
_LASTING = (UserError, NotFound, Refused)


def next_try(job: Job, error: Exception, *, now: int, roll: float) -> int | None:
    """When to try again, or None where it is no use or was tried often enough.

    `roll`, from 0 to 1, spreads jobs that failed together.
    """
    if isinstance(error, _LASTING) or job.attempts >= job.max_attempts:
        return None
    grown = FIRST_MS
    for _ in range(job.attempts - 1):
        grown = min(LONGEST_MS, grown * GROWTH)
    return now + round(grown * (0.75 + roll / 2))


def describe(error: Exception) -> str:
    """What is kept of a failure: one line."""
    if isinstance(error, HermesError):
        return error.message
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]
