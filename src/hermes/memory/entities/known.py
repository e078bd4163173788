"""The names a store knows, ready to be found in a text; kept until the store knows others."""

import threading
from collections import OrderedDict

from hermes.memory.entities.gazetteer import Gazetteer
from hermes.store.base import Tx

MOST_BANKS = 16  # whose names are kept at once; those asked for longest ago go first


class KnownNames:
    """Gazetteers by bank, made anew when an entity was added, merged or renamed by anyone.

    For reading transactions: a change that is not yet kept may still be undone.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[str, tuple[int, Gazetteer]] = OrderedDict()

    def gazetteer(self, tx: Tx, bank: str) -> Gazetteer:
        """Names and aliases of a bank ("" for all) → entity."""
        version = tx.entities.version()
        with self._lock:
            made = self._made.get(bank)
            if made is not None:
                self._made.move_to_end(bank)
        if made is not None and made[0] == version:
            return made[1]
        fresh = Gazetteer.of(tx.entities.list(bank))
        self._keep(bank, version, fresh)
        return fresh

    def _keep(self, bank: str, version: int, fresh: Gazetteer) -> None:
        with self._lock:
            self._made[bank] = (version, fresh)
            self._made.move_to_end(bank)
            while len(self._made) > MOST_BANKS:
                self._made.popitem(last=False)
