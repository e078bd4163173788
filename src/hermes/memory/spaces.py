"""Which model's vectors a memory has: those wanted here, those in use, those it was moved to.

Where they are not the same a person is told which answers, and why. Nobody is asked for that:
what the store holds, and what is known in this process, must do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.embed.base import NONE, Space
from hermes.memory.recall.passage import model_of, stored_name
from hermes.store.base import Tx
from hermes.store.base.jobs import JobState
from hermes.store.base.vectors import VectorSpace

JOB = "index"  # the kind of the job that makes vectors where a daemon runs


def find_moved(tx: Tx, wanted: Space | None) -> Space | None:
    """The model that the memory is moved to, where it was told so after the wanted one was set."""
    spaces = tx.vectors.list_spaces()
    if wanted is None or not spaces:
        return None
    own, newest = find_fitting(spaces, wanted), spaces[-1]
    if own:
        is_old = not (own[-1].current or own[-1].id == newest.id)
    else:
        stored = _stored(wanted)
        is_old = any(stored.fits(Space(*left)) for left in tx.vectors.list_left())
    return Space(newest.provider, model_of(newest.model), newest.dimensions) if is_old else None


def find_used(tx: Tx, wanted: Space | None) -> Space | None:
    """The model whose vectors recall uses, where another is wanted than that."""
    current = tx.vectors.find_current()
    if wanted is None or wanted.provider == NONE or current is None:
        return None
    used = Space(current.provider, model_of(current.model), current.dimensions)
    return None if wanted.fits(used) else used


def tell_moved(moved: Space, wanted: Space) -> str:
    """What to say to who has another model configured than the memory was moved to."""
    return f"the memory was moved to {moved}, so {wanted}, which is set here, makes no vectors"


def advise_moved(moved: Space, wanted: Space) -> str:
    """What to do about that: either of two things."""
    return f"`hermes memory reindex` moves it to {wanted}; or set memory.embeddings back to {moved}"


@dataclass(frozen=True, slots=True)
class Former:
    """What is said where not the configured model answers; it `is_passing` while that is filled."""

    told: str
    is_passing: bool = False


def tell_former(tx: Tx, used: Space, wanted: Space, trouble: str) -> Former:
    """By which model's vectors a question is answered in place of the wanted one's, and why.

    Nobody is asked: what is known is `trouble` in this process, and what became of the last job.
    """
    answered = f"answered by the vectors of {used}"
    if (moved := find_moved(tx, wanted)) is not None:
        return Former(f"{answered}; {tell_moved(moved, wanted)}: {advise_moved(moved, wanted)}")
    if known := trouble or _find_failure(tx):
        return Former(f"{answered}; {known.rstrip('.')}")
    if not find_fitting(tx.vectors.list_spaces(), wanted):
        return Former(f"{answered}; {wanted} has made none yet: `hermes doctor` asks it")
    return Former(f"{answered} until those of {wanted} are complete", is_passing=True)


def _find_failure(tx: Tx) -> str:
    """Why the last job that makes vectors failed, if it did."""
    last = tx.jobs.find_last(JOB)
    if last is None or last.state not in (JobState.WAITING, JobState.DEAD) or not last.error:
        return ""
    return f"the last job to make others failed: {last.error}"


def find_fitting(spaces: Sequence[VectorSpace], wanted: Space) -> list[VectorSpace]:
    """Those of a model and of how texts are put to it now."""
    stored = _stored(wanted)
    return [each for each in spaces if stored.fits(Space(*each.made_by))]


def _stored(wanted: Space) -> Space:
    return replace(wanted, model=stored_name(wanted.model))
