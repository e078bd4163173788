"""Giving a vector to everything that has none, in the background of recording.

Texts are read, embedded outside any transaction, and written with how far the work has come in one:
a kill loses at most the embedding under way. Another model's vectors grow beside the old ones;
recall stays on the old until the new are complete.
"""

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from typing import TYPE_CHECKING

from hermes.clock import Clock
from hermes.embed.base import Embedder
from hermes.store.base import Store, Tx
from hermes.store.base.vectors import NewVector, PendingText, VectorKind, VectorSpace
from hermes.types import Role

if TYPE_CHECKING:
    from hermes.embed.base import Vectors

TEXTS_AT_ONCE = 256  # enough to sort by length, few enough to show progress every second or two
_DROPPED_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far indexing has come: vectors written by this run, and what is left."""

    done: int
    left: int


def count_backlog(tx: Tx) -> int:
    """How many texts have no vector in the newest space; before the first space, all of them."""
    spaces = tx.vectors.list_spaces()
    return tx.vectors.count_pending(spaces[-1].id if spaces else 0)


def index_pending(
    store: Store,
    embedder: Embedder,
    clock: Clock,
    *,
    render: Callable[[PendingText], str] | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> int:
    """Embed what has no vector in the embedder's space; how many vectors were written.

    May be stopped, killed, repeated, or run by two processes at once. `render` says how a text is
    put to the embedder, where it is not by `render_passage`.
    """
    put = render or render_passage
    space = _ensure_space(store, embedder, clock)
    done = 0
    while not is_stopped():
        pending = store.read(lambda tx: tx.vectors.list_pending(space.id, TEXTS_AT_ONCE))
        if not pending:
            _finish(store, space)
            break
        done += _write(store, space, pending, _embed(embedder, pending, put))
        left = store.read(lambda tx: tx.vectors.count_pending(space.id))
        on_progress(Progress(done, left))
    return done


def is_worth_embedding(text: PendingText) -> bool:
    """Instructions to a model and empty texts are no memories."""
    return text.role != Role.SYSTEM and not text.text.isspace() and bool(text.text)


def render_passage(text: PendingText) -> str:
    """The text as it is embedded: with who said it, where that is known."""
    return f"{text.speaker}: {text.text}" if text.speaker else text.text


def _embed(
    embedder: Embedder, pending: Sequence[PendingText], put: Callable[[PendingText], str]
) -> list[tuple[PendingText, "Vectors"]]:
    wanted = [text for text in pending if is_worth_embedding(text)]
    if not wanted:
        return []  # a model that is asked for nothing would still be loaded
    rows = embedder.embed_passages([put(text) for text in wanted])
    return list(zip(wanted, rows, strict=True))


def _ensure_space(store: Store, embedder: Embedder, clock: Clock) -> VectorSpace:
    wanted = embedder.space
    for known in store.read(lambda tx: tx.vectors.list_spaces()):
        if (known.provider, known.model, known.dimensions) == astuple(wanted):
            return known
    now = clock.now()
    return store.write(
        lambda tx: tx.vectors.ensure_space(wanted.provider, wanted.model, wanted.dimensions, now)
    )


def _write(
    store: Store,
    space: VectorSpace,
    passed: Sequence[PendingText],
    embedded: Sequence[tuple[PendingText, "Vectors"]],
) -> int:
    """Keep vectors and the place reached, together."""
    from hermes.store.vectors.coding import pack_row  # noqa: PLC0415 - numpy

    new = [NewVector(text.kind, text.item, text.bank, pack_row(row)) for text, row in embedded]
    reached: dict[VectorKind, int] = {}
    for text in passed:
        reached[text.kind] = text.item
    return store.write(partial(_keep, space=space.id, new=new, reached=reached))


def _keep(tx: Tx, *, space: int, new: Sequence[NewVector], reached: dict[VectorKind, int]) -> int:
    from hermes.store.vectors.blocks import add_vectors  # noqa: PLC0415 - numpy

    before = tx.vectors.get_space(space).next
    after = add_vectors(tx, space, new)
    for kind, item in reached.items():
        tx.vectors.pass_over(space, kind, item)
    return after.next - before


def _finish(store: Store, space: VectorSpace) -> None:
    """Once a space is complete recall moves to it, the others go, and its blocks are seen to."""
    from hermes.store.vectors.upkeep import keep_up  # noqa: PLC0415 - numpy

    if not space.current:
        store.write(partial(_switch, space=space.id))
    elif (packed := store.write(lambda tx: tx.vectors.repack(space.id))) is not None:
        space = packed
    while store.read(lambda tx: tx.vectors.has_retired()):
        store.write(lambda tx: tx.vectors.drop_retired(_DROPPED_AT_ONCE))
    keep_up(store, space.id)


def _switch(tx: Tx, *, space: int) -> None:
    if not tx.vectors.list_pending(space, 1):
        tx.vectors.make_current(space)
