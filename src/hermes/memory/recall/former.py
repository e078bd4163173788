"""Which model a question is put to: while vectors of a new one are made, the one before it.

A question can be compared only with vectors of its own model. Until those of the configured one
are complete recall stays on the old ones, and so must the question, where that model can be had.
"""

import threading
from dataclasses import dataclass

from hermes.embed.base import Asker, Embedder, Space, expected_space, find_trouble
from hermes.errors import HermesError
from hermes.memory.indexing import OpenFormer
from hermes.memory.recall.passage import model_of
from hermes.store.base import Store


@dataclass(frozen=True, slots=True)
class Absent:
    """The configured model where another answers, and what is known to be wrong with it."""

    space: Space
    trouble: str


class Models:
    """The configured model, and the one whose vectors are in use, while that is another."""

    def __init__(self, store: Store, embedder: Embedder, open_former: OpenFormer) -> None:
        self._store = store
        self._embedder = Asker(embedder)
        self._open_former = open_former
        self._lock = threading.Lock()
        self._is_settled = False
        self._former: tuple[Space, Asker | None] | None = None

    def choose(self) -> Asker:
        """The model of the vectors in use; the configured one where that cannot be had."""
        if self._is_settled:
            return self._embedder
        used = self._find_used()
        with self._lock:
            if used is None:
                return self._embedder
            if self._is_of(used):
                self._is_settled = True
                self._let_go()
                return self._embedder
            return self._former_of(used) or self._embedder

    def find_absent(self, chosen: Asker) -> Absent | None:
        """The configured model, if it is not the one that was chosen."""
        if chosen is self._embedder:
            return None
        configured = self._embedder.embedder
        return Absent(expected_space(configured), find_trouble(configured))

    def look_again(self) -> None:
        """The vectors in use turned out to be another model's."""
        self._is_settled = False

    def close(self) -> None:
        with self._lock:
            self._let_go()

    def _find_used(self) -> Space | None:
        found = self._store.read(lambda tx: tx.vectors.find_current())
        if found is None:
            return None
        return Space(found.provider, model_of(found.model), found.dimensions)

    def _is_of(self, used: Space) -> bool:
        try:
            return expected_space(self._embedder.embedder).fits(used)
        except HermesError:
            return True  # one that cannot even say what it is fails where that is told

    def _former_of(self, used: Space) -> Asker | None:
        if self._former is None or self._former[0] != used:
            self._let_go()
            opened = self._open_former(used)
            self._former = (used, None if opened is None else Asker(opened))
        return self._former[1]

    def _let_go(self) -> None:
        former, self._former = self._former, None
        if former is not None and former[1] is not None:
            former[1].embedder.close()
