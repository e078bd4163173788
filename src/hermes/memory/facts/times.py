"""When a statement holds beside others: only what holds at one time can stand against another."""

from hermes.clock import DAY_MS
from hermes.errors import UserError
from hermes.memory.facts.candidate import Candidate
from hermes.types import Fact

_EVER = 1 << 62


def is_over(candidate: Candidate) -> bool:
    """Whether it tells of a time that was past as it was said."""
    ends, at = candidate.valid_to, candidate.at
    return ends is not None and at is not None and ends <= at


def is_of_its_time(fact: Fact, candidate: Candidate) -> bool:
    """Whether a fact may hold while a candidate does.

    One that is over when the candidate is said stands beside it only if that tells of the past,
    too. The day on which the one ends and the other begins is no time that they share.
    """
    if is_over(candidate):
        same = (fact.valid_from, fact.valid_to) == (candidate.valid_from, candidate.valid_to)
        return same or _shared_ms(fact, candidate) > DAY_MS
    if not _is_open(fact, candidate.at) or _shared_ms(fact, candidate) <= 0:
        return False
    begins, at = candidate.holds_from, candidate.at or 0
    return begins is None or begins <= at or _is_open(fact, begins + DAY_MS)


def is_begun_before(candidate: Candidate, fact: Fact) -> bool:
    """Whether it holds since before the day on which the fact is known to have begun.

    What was told without a day began by the time it was told, whenever that was.
    """
    told = {source.at for source in fact.sources}
    begins = candidate.holds_from
    if begins is None or fact.valid_from is None or fact.valid_from in told:
        return False
    return begins < fact.valid_from and begins != candidate.at


def began(candidate: Candidate, ends: int | None) -> int | None:
    """Since when it holds, given its end: not known, where it was only told after that."""
    begins = candidate.valid_from
    is_after = begins is not None and ends is not None and begins > ends
    return None if is_after and begins == candidate.at else begins


def require_order(valid_from: int | None, valid_to: int | None) -> None:
    if valid_from is not None and valid_to is not None and valid_to < valid_from:
        hint = "Give an end that is later than the beginning; either can be given anew."
        raise UserError("The fact would end before it began.", hint)


def _is_open(fact: Fact, at: int | None) -> bool:
    return fact.valid_to is None or (at is not None and fact.valid_to > at)


def _shared_ms(fact: Fact, candidate: Candidate) -> int:
    """How long both hold; what ends and has no known beginning is of the time of its end."""
    end = min(_or_ever(fact.valid_to), _or_ever(candidate.valid_to))
    return end - max(_begin(fact), _begin(candidate))


def _begin(told: Fact | Candidate) -> int:
    begins = told.holds_from if isinstance(told, Candidate) else told.valid_from
    if begins is not None:
        return begins
    return -_EVER if told.valid_to is None else told.valid_to


def _or_ever(at: int | None) -> int:
    return _EVER if at is None else at
