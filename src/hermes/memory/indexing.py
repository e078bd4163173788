"""Giving a vector to everything that has none, in the background of recording.

Texts are read, embedded outside any transaction, and written with how far the work has come in one:
a kill loses at most the request under way. What a model refuses is passed over and counted, and
tried again by who says so. Another model's vectors grow beside the old ones; recall stays on the
old until the new are complete, and what is said meanwhile gets vectors of both. A model that was
left for another is taken up again only by who says so: of two processes with different models the
one with the older wish stops.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hermes.clock import Clock
from hermes.embed.apart import embed_each
from hermes.embed.base import Embedder, EmbedsInBatches, Space
from hermes.errors import HermesError
from hermes.memory.lost import notice_lost
from hermes.memory.recall.passage import (
    is_worth_embedding,
    model_of,
    passages_of,
    stored_name,
)
from hermes.memory.spaces import find_fitting, find_moved
from hermes.store.base import Store, Tx
from hermes.store.base.vectors import NewVector, PendingText, VectorKind, VectorSpace

if TYPE_CHECKING:
    from hermes.embed.base import Vectors

TEXTS_AT_ONCE = 256  # enough to sort by length, few enough to show progress every second or two
PASSAGES_AT_ONCE = 512  # of long texts, which make several each
MEANWHILE = 256  # texts; where the model in use lacks more, it was never complete
_DROPPED_AT_ONCE = 2_000
_NO_SPACE = 0  # in which nothing has a vector


@dataclass(frozen=True, slots=True)
class Progress:
    """How far indexing has come: texts seen to by this run, and what is left.

    Of those `refused` were given no vector by the model, one of them for what `refusal` says.
    """

    done: int
    left: int
    refused: int = 0
    refusal: HermesError | None = None


OpenFormer = Callable[[Space], Embedder | None]


def count_backlog(tx: Tx, wanted: Space | None = None) -> int:
    """How many texts have no vector in the wanted space (none: the newest); all, if it is new."""
    return tx.vectors.count_pending(_find_space(tx, wanted))


def count_refused(tx: Tx, wanted: Space | None = None) -> int:
    """How many texts the model of the wanted space gave no vector."""
    return tx.vectors.count_refused(_find_space(tx, wanted))


def find_share_embedded(tx: Tx, backlog: int) -> float:
    """The share of all texts that has a vector where so many have none; counts only if any."""
    return 1 - backlog / max(backlog, tx.vectors.count_pending(_NO_SPACE)) if backlog else 1.0


def has_backlog(tx: Tx, wanted: Space | None = None) -> bool:
    """Whether there is anything to embed for who wants a space: nothing, where it was left."""
    if find_moved(tx, wanted) is not None:
        return False
    return bool(tx.vectors.list_pending(_find_space(tx, wanted), 1))


UNMADE_HINT = "`hermes memory reindex`, or the daemon, makes them anew."
REFUSED_HINT = "`hermes memory reindex` tries again, and says why."


def _find_space(tx: Tx, wanted: Space | None) -> int:
    """The space of a model and of how texts are put to it now, if there is one; where the memory
    was moved to another, the space of that.
    """
    spaces = tx.vectors.list_spaces()
    if wanted is not None and find_moved(tx, wanted) is None:
        spaces = find_fitting(spaces, wanted)
    return spaces[-1].id if spaces else _NO_SPACE


def index_pending(
    store: Store,
    embedder: Embedder,
    clock: Clock,
    *,
    former: OpenFormer = lambda _: None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    is_told: bool = False,
) -> int:
    """Embed what has no vector in the embedder's space; how many vectors were written.

    May be stopped, killed, repeated, or run by two processes at once. Where the memory was moved to
    another model it is left there, unless a person tells this one to be used (`is_told`), which
    also tries again what it refused and makes again what was lost. `former` opens the model that is
    in use meanwhile.
    """
    wanted = embedder.space
    if not is_told and store.read(lambda tx: find_moved(tx, wanted)) is not None:
        return 0
    space = _ensure_space(store, embedder, clock)
    if is_told:
        notice_lost(store, wanted)
        store.write(lambda tx: tx.vectors.retry_refused(space.id))
    in_use = _InUse(store, embedder, former)
    made = left = 0
    now = Progress(0, 0)
    try:
        while not is_stopped():
            if store.read(lambda tx: find_moved(tx, wanted)) is not None:  # by another, meanwhile
                break
            step = _take_step(store, space, embedder)
            if step is None:
                _finish(store, space)
                break
            made += step.made
            left -= step.done
            if left < step.waiting:  # none counted yet, or more has come since
                left = store.read(lambda tx: tx.vectors.count_pending(space.id))
            refusal = step.refusal or now.refusal
            now = Progress(now.done + step.done, left, now.refused + step.refused, refusal)
            on_progress(now)
            if not space.current:
                in_use.catch_up(is_stopped)
    finally:
        in_use.close()
    return made


@dataclass(frozen=True, slots=True)
class _Step:
    """What became of the `waiting` texts that were looked at: of so many `done` all is written."""

    waiting: int
    done: int
    made: int
    refused: int
    refusal: HermesError | None


def _take_step(store: Store, space: VectorSpace, embedder: Embedder) -> _Step | None:
    """Embed the next texts of a space; None where there are none."""
    sizes = _Sizes.of(embedder)
    pending, parts = store.read(lambda tx: _next_texts(tx, space.id, sizes.texts))
    if not pending:
        return None
    worded = _word(pending, parts, sizes.passages)
    embedded = _embed(embedder, worded)
    seen = pending[: len(worded)]
    made = _write(store, space, seen, embedded)
    refused = len(embedded.refused)
    return _Step(len(pending), len(seen), made, refused, embedded.refusal)


class _InUse:
    """The vectors that recall uses while those of another model are made, kept up meanwhile.

    What was said since would else be found by its words alone, for hours. Where that model cannot
    be had recall says what lacks a vector.
    """

    def __init__(self, store: Store, embedder: Embedder, open_former: OpenFormer) -> None:
        self._store = store
        self._embedder = embedder
        self._open_former = open_former
        self._former: Embedder | None = None
        self._is_given_up = False

    def catch_up(self, is_stopped: Callable[[], bool]) -> None:
        space = self._store.read(lambda tx: tx.vectors.find_current())
        if space is None or self._is_given_up:
            return
        if not 0 < self._store.read(lambda tx: tx.vectors.count_pending(space.id)) <= MEANWHILE:
            return
        try:
            self._embed(space, is_stopped)
        except HermesError:  # the new model's vectors are made all the same
            self._is_given_up = True

    def _embed(self, space: VectorSpace, is_stopped: Callable[[], bool]) -> None:
        provider, model, dimensions = space.made_by
        used = Space(provider, model_of(model), dimensions)
        if self._former is None:  # only the recipe of its passages may be another
            same = used == self._embedder.space
            self._former = self._embedder if same else self._open_former(used)
        if self._former is None:
            self._is_given_up = True
            return
        while not is_stopped() and _take_step(self._store, space, self._former) is not None:
            pass

    def close(self) -> None:
        if self._former is not None and self._former is not self._embedder:
            self._former.close()


@dataclass(frozen=True, slots=True)
class _Sizes:
    """How many texts, and pieces of long ones, are embedded and kept at a time."""

    texts: int = TEXTS_AT_ONCE
    passages: int = PASSAGES_AT_ONCE

    @classmethod
    def of(cls, embedder: Embedder) -> "_Sizes":
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


@dataclass(frozen=True, slots=True)
class _Embedded:
    """A row for each part of each text, but of those that were refused, of whatever part."""

    rows: list[tuple[PendingText, int, "Vectors"]]
    refused: list[PendingText]
    refusal: HermesError | None = None


def _embed(embedder: Embedder, worded: Sequence[tuple[PendingText, list[str]]]) -> _Embedded:
    asked = [(text, passages) for text, passages in worded if passages]
    if not asked:
        return _Embedded([], [])  # a model that is asked for nothing would still be loaded
    answer = embed_each(embedder, [passages for _, passages in asked])
    rows: list[tuple[PendingText, int, Vectors]] = []
    refused: list[PendingText] = []
    for (text, _), found in zip(asked, answer.rows, strict=True):
        if found is None:
            refused.append(text)
        else:
            rows += [(text, part, row) for part, row in enumerate(found)]
    return _Embedded(rows, refused, answer.refusal)


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
    store: Store, space: VectorSpace, seen: Sequence[PendingText], embedded: _Embedded
) -> int:
    """Keep vectors, what was refused and the place reached, together; how many were new."""
    from hermes.store.vectors.coding import pack_row  # noqa: PLC0415 - numpy

    new = [
        NewVector(text.kind, text.item, text.bank, pack_row(row), part)
        for text, part, row in embedded.rows
    ]
    items, refused = _by_kind(seen), _by_kind(embedded.refused)
    return store.write(partial(_keep, space=space.id, new=new, seen=items, refused=refused))


_ByKind = dict[VectorKind, list[int]]


def _by_kind(texts: Sequence[PendingText]) -> _ByKind:
    kinds = dict.fromkeys(text.kind for text in texts)
    return {kind: [text.item for text in texts if text.kind is kind] for kind in kinds}


def _keep(tx: Tx, *, space: int, new: Sequence[NewVector], seen: _ByKind, refused: _ByKind) -> int:
    from hermes.store.vectors.blocks import add_vectors  # noqa: PLC0415 - numpy

    before = tx.vectors.get_space(space).next
    after = add_vectors(tx, space, new)
    for kind, items in seen.items():
        tx.vectors.pass_over(space, kind, items)
    for kind, items in refused.items():
        tx.vectors.refuse(space, kind, items)
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
