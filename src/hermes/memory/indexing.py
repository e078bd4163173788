"""Giving a vector to everything that has none, in the background of recording.

Texts are read, embedded outside any transaction, and written with how far the work has come in one:
a kill loses at most the request under way. Another model's vectors grow beside the old ones;
recall stays on the old until the new are complete. A model that was left for another is taken up
again only by who says so: of two processes with different models the one with the older wish stops.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from hermes.clock import Clock
from hermes.embed.base import Embedder, EmbedsInBatches, Space
from hermes.memory.recall.passage import model_of, passages_of, stored_name
from hermes.store.base import Store, Tx
from hermes.store.base.vectors import NewVector, PendingText, VectorKind, VectorSpace
from hermes.types import Role

if TYPE_CHECKING:
    from hermes.embed.base import Vectors

TEXTS_AT_ONCE = 256  # enough to sort by length, few enough to show progress every second or two
PASSAGES_AT_ONCE = 512  # of long texts, which make several each
_DROPPED_AT_ONCE = 2_000
_NO_SPACE = 0  # in which nothing has a vector


@dataclass(frozen=True, slots=True)
class Progress:
    """How far indexing has come: texts seen to by this run, and what is left."""

    done: int
    left: int


def count_backlog(tx: Tx, wanted: Space | None = None) -> int:
    """How many texts have no vector in the wanted space (none: the newest); all, if it is new."""
    return tx.vectors.count_pending(_find_space(tx, wanted))


def find_share_embedded(tx: Tx, backlog: int) -> float:
    """The share of all texts that has a vector where so many have none; counts only if any."""
    return 1 - backlog / max(backlog, tx.vectors.count_pending(_NO_SPACE)) if backlog else 1.0


def has_backlog(tx: Tx, wanted: Space | None = None) -> bool:
    """Whether there is anything to embed for who wants a space: nothing, where it was left."""
    if find_moved(tx, wanted) is not None:
        return False
    return bool(tx.vectors.list_pending(_find_space(tx, wanted), 1))


def find_moved(tx: Tx, wanted: Space | None) -> Space | None:
    """The model that the memory is moved to, where it was told so after the wanted one was set."""
    spaces = tx.vectors.list_spaces()
    if wanted is None or not spaces:
        return None
    own, newest = _fitting(spaces, wanted), spaces[-1]
    if own:
        is_old = not (own[-1].current or own[-1].id == newest.id)
    else:
        stored = _stored(wanted)
        is_old = any(stored.fits(Space(*left)) for left in tx.vectors.list_left())
    return Space(newest.provider, model_of(newest.model), newest.dimensions) if is_old else None


def tell_moved(moved: Space, wanted: Space) -> str:
    """What to say to who has another model configured than the memory was moved to."""
    return f"the memory was moved to {moved}, and no vectors of {wanted} are made any more"


MOVED_HINT = "Set the embeddings to that model, or run `hermes memory reindex` to move it here."


def _find_space(tx: Tx, wanted: Space | None) -> int:
    """The space of a model and of how texts are put to it now, if there is one; where the memory
    was moved to another, the space of that.
    """
    spaces = tx.vectors.list_spaces()
    if wanted is not None and find_moved(tx, wanted) is None:
        spaces = _fitting(spaces, wanted)
    return spaces[-1].id if spaces else _NO_SPACE


def _fitting(spaces: Sequence[VectorSpace], wanted: Space) -> list[VectorSpace]:
    stored = _stored(wanted)
    return [each for each in spaces if stored.fits(Space(*each.made_by))]


def _stored(wanted: Space) -> Space:
    return replace(wanted, model=stored_name(wanted.model))


def index_pending(
    store: Store,
    embedder: Embedder,
    clock: Clock,
    *,
    on_progress: Callable[[Progress], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    is_told: bool = False,
) -> int:
    """Embed what has no vector in the embedder's space; how many vectors were written.

    May be stopped, killed, repeated, or run by two processes at once. Where the memory was moved to
    another model it is left there, unless a person tells this one to be used (`is_told`).
    """
    wanted = embedder.space
    if not is_told and store.read(lambda tx: find_moved(tx, wanted)) is not None:
        return 0
    space = _ensure_space(store, embedder, clock)
    steps = _Steps.of(embedder)
    made = done = left = 0
    while not is_stopped():
        if store.read(lambda tx: find_moved(tx, wanted)) is not None:  # by another, meanwhile
            break
        pending, parts = store.read(lambda tx: _next_texts(tx, space.id, steps.texts))
        if not pending:
            _finish(store, space)
            break
        worded = _word(pending, parts, steps.passages)
        made += _write(store, space, pending[: len(worded)], _embed(embedder, worded))
        done += len(worded)
        left -= len(worded)
        if left < len(pending):  # none counted yet, or more has come since
            left = store.read(lambda tx: tx.vectors.count_pending(space.id))
        on_progress(Progress(done, left))
    return made


def is_worth_embedding(text: PendingText) -> bool:
    """Instructions to a model and empty texts are no memories."""
    return text.role != Role.SYSTEM and not text.text.isspace() and bool(text.text)


@dataclass(frozen=True, slots=True)
class _Steps:
    """How many texts, and pieces of long ones, are embedded and kept at a time."""

    texts: int = TEXTS_AT_ONCE
    passages: int = PASSAGES_AT_ONCE

    @classmethod
    def of(cls, embedder: Embedder) -> "_Steps":
        if not isinstance(embedder, EmbedsInBatches):
            return cls()
        return cls(embedder.batch_size, embedder.batch_size)


def _next_texts(tx: Tx, space: int, most: int) -> tuple[list[PendingText], set[int]]:
    """Texts without a vector, and which of them, messages, are parts of summaries."""
    pending = tx.vectors.list_pending(space, most)
    said = [text.item for text in pending if text.kind is VectorKind.MESSAGE]
    return pending, tx.summaries.find_parts(said)


def _word(
    pending: Sequence[PendingText], parts: Set[int], room: int
) -> list[tuple[PendingText, list[str]]]:
    """The first of the texts, each with what is embedded for it; as many as one step takes."""
    worded: list[tuple[PendingText, list[str]]] = []
    for text in pending:
        is_part = text.kind is VectorKind.MESSAGE and text.item in parts
        passages = passages_of(text, is_part=is_part) if is_worth_embedding(text) else []
        room -= len(passages)
        if room < 0 and worded:
            break
        worded.append((text, passages))
    return worded


def _embed(
    embedder: Embedder, worded: Sequence[tuple[PendingText, list[str]]]
) -> list[tuple[PendingText, int, "Vectors"]]:
    """A row for each part of each text."""
    parts = [(text, part) for text, passages in worded for part in range(len(passages))]
    if not parts:
        return []  # a model that is asked for nothing would still be loaded
    rows = embedder.embed_passages([each for _, passages in worded for each in passages])
    return [(text, part, row) for (text, part), row in zip(parts, rows, strict=True)]


def _ensure_space(store: Store, embedder: Embedder, clock: Clock) -> VectorSpace:
    """The space of the model and of how texts are put to it; another of either has its own."""
    made_by = embedder.space
    wanted = (made_by.provider, stored_name(made_by.model), made_by.dimensions)
    for known in store.read(lambda tx: tx.vectors.list_spaces()):
        if (known.provider, known.model, known.dimensions) == wanted:
            return known
    now = clock.now()
    return store.write(lambda tx: tx.vectors.ensure_space(*wanted, now))


def _write(
    store: Store,
    space: VectorSpace,
    passed: Sequence[PendingText],
    embedded: Sequence[tuple[PendingText, int, "Vectors"]],
) -> int:
    """Keep vectors and the place reached, together."""
    from hermes.store.vectors.coding import pack_row  # noqa: PLC0415 - numpy

    new = [
        NewVector(text.kind, text.item, text.bank, pack_row(row), part)
        for text, part, row in embedded
    ]
    seen_to = {kind: [text.item for text in passed if text.kind is kind] for kind in VectorKind}
    return store.write(partial(_keep, space=space.id, new=new, seen_to=seen_to))


def _keep(
    tx: Tx, *, space: int, new: Sequence[NewVector], seen_to: dict[VectorKind, list[int]]
) -> int:
    from hermes.store.vectors.blocks import add_vectors  # noqa: PLC0415 - numpy

    before = tx.vectors.get_space(space).next
    after = add_vectors(tx, space, new)
    for kind, items in seen_to.items():
        if items:
            tx.vectors.pass_over(space, kind, items)
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
