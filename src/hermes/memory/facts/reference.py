"""What facts are called by, and the line they are shown as: `[fact:042] … (confidence: high)`."""

import re

from hermes.errors import Conflict, NotFound, UserError
from hermes.store.base import Tx
from hermes.types import Fact

_MEANT = re.compile(r"\[?(?:fact:\S*|[-+]?\d+)\]?", re.I)
_REF = re.compile(r"\[?(?:fact:)?0*(?P<number>\d{1,18})\]?", re.I)


def parse_ref(text: str) -> int:
    """The number in `fact:42`, `fact:042` or `42`."""
    found = _REF.fullmatch(text.strip())
    if found is None or int(found["number"]) == 0:
        raise UserError(f"{text[:80]!r} names no fact.", "Write it as fact:42.")
    return int(found["number"])


def is_ref(text: str) -> bool:
    """Whether a text is meant to name a fact, there or not: `fact:-1` is no words to look for."""
    return _MEANT.fullmatch(text.strip()) is not None


def render_ref(number: int) -> str:
    return f"fact:{number:03d}"


def same_ref(ref: str) -> str:
    """A reference as it is shown: a fact's by `render_ref`, any other as it is."""
    number = _fact_number(ref)
    return render_ref(number) if number else ref


def kept_ref(ref: str) -> str:
    """A reference as the log keeps it: `fact:42`, however it was written."""
    number = _fact_number(ref)
    return f"fact:{number}" if number else ref


def _fact_number(ref: str) -> int:
    """The number of the fact a reference names; 0 if it names something else."""
    found = _REF.fullmatch(ref.strip())
    return int(found["number"]) if found and "fact:" in ref.lower() else 0


def render_line(fact: Fact) -> str:
    return f"[{render_ref(fact.number)}] {fact.text} (confidence: {fact.confidence})"


def get_fact(tx: Tx, number: int) -> Fact:
    """The fact of that number, believed or not."""
    found = tx.facts.find(number)
    if found is None:
        raise no_fact(number)
    return found


def no_fact(number: int) -> NotFound:
    return NotFound(f"There is no {render_ref(number)}.", "See `hermes memory facts list`.")


def refuse_deleted(fact: Fact) -> None:
    if fact.retracted_at is not None:
        ref = render_ref(fact.number)
        hint = f"Bring it back with `hermes memory fact restore {ref}`."
        raise Conflict(f"{ref} was deleted.", hint)
