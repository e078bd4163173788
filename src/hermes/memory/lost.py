"""Texts whose vectors are gone without the memory being told: rows removed behind its back, a table
that was damaged. They are put among what waits for a vector, where everything else sees them.

To look costs a walk over the numbers of all texts, so it is done where a memory is opened, told of
or made anew, and never for a question.
"""

from collections.abc import Iterator
from functools import partial

from hermes.embed.base import Space
from hermes.memory.recall.passage import is_worth_embedding
from hermes.memory.spaces import find_fitting, find_moved
from hermes.store.base import Store, Tx
from hermes.store.base.vectors import VectorKind, VectorSpace

TEXTS_AT_ONCE = 1_000
_KINDS = (VectorKind.MESSAGE, VectorKind.FACT, VectorKind.REFLECTION)
_NO_BLOCKS = -1  # a coding that none is of


def notice_lost(store: Store, wanted: Space | None = None) -> int:
    """Have every text embedded again that has lost its vector; how many they are."""
    return sum(
        _notice(store, space, kind)
        for space in store.read(partial(_list_spaces, wanted=wanted))
        for kind in _KINDS
    )


def _list_spaces(tx: Tx, *, wanted: Space | None) -> list[VectorSpace]:
    """Those that recall uses or that are being filled for it."""
    spaces = tx.vectors.list_spaces()
    filled = [] if wanted is None or find_moved(tx, wanted) else find_fitting(spaces, wanted)
    return [each for each in spaces if each.current or each in filled]


def _notice(store: Store, space: VectorSpace, kind: VectorKind) -> int:
    noticed = 0
    for items in _find_lost(store, space.id, kind):
        store.write(partial(_have_made, space=space.id, kind=kind, items=items))
        noticed += len(items)
    return noticed


def _find_lost(store: Store, space: int, kind: VectorKind) -> Iterator[list[int]]:
    after = 0
    while found := store.read(partial(_list_lost, space=space, kind=kind, after=after)):
        after = found[-1][0]
        if items := [item for item, is_worth in found if is_worth]:
            yield items


def _list_lost(tx: Tx, *, space: int, kind: VectorKind, after: int) -> list[tuple[int, bool]]:
    lost = tx.vectors.list_lost(space, kind, after=after, limit=TEXTS_AT_ONCE)
    return [(text.item, is_worth_embedding(text)) for text in lost]


def _have_made(tx: Tx, *, space: int, kind: VectorKind, items: list[int]) -> None:
    """The blocks go, too: they may hold the codes of what is gone, and are made from the rows."""
    tx.vectors.wait_again(space, kind, items)
    tx.vectors.drop_stale_blocks(space, _NO_BLOCKS)
