"""Reading all that is written, kind by kind, row by row."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from hermes.errors import NotFound
from hermes.store.base import Tx
from hermes.store.base.erase import Passage, Quoted, TextKind

BATCH = 2_000


def iter_texts(tx: Tx, kind: TextKind, after: int = 0) -> Iterator[Passage]:
    while found := tx.erasures.list_texts(kind, after=after, limit=BATCH):
        yield from found
        after = found[-1].behind or found[-1].id


def find_passage(tx: Tx, kind: TextKind, number: int) -> Passage | None:
    found = tx.erasures.list_texts(kind, after=number - 1, limit=1)
    return found[0] if found and found[0].id == number else None


def get_passage(tx: Tx, kind: TextKind, number: int, name: str = "") -> Passage:
    """All that one row says."""
    found = find_passage(tx, kind, number)
    if found is None:
        raise NotFound(f"There is no {name or kind}.", "It may have been erased before.")
    return found


def list_resting(quoted: Sequence[Quoted], messages: Collection[int]) -> list[int]:
    """The facts that rest on nothing but these messages."""
    by_fact = groupby(quoted, key=lambda each: each.fact)
    return [fact for fact, rests in by_fact if all(each.message in messages for each in rests)]
