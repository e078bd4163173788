"""The texts of messages, each read from the store once a question."""

from collections.abc import Iterable, Mapping, Sequence

from hermes.store.base import Tx
from hermes.store.base.recall import Spoken


class Reading:
    """What was read for a question so far."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self._known: dict[int, str] = {}

    def texts(self, ids: Sequence[int]) -> Mapping[int, str]:
        """The texts of at least these messages, as far as there are any."""
        if missing := [number for number in ids if number not in self._known]:
            self._known.update(self._tx.recall.texts(missing))
        return self._known

    def keep(self, messages: Iterable[Spoken]) -> None:
        """Know the texts of messages that were read whole."""
        self._known.update((message.id, message.text) for message in messages if message.text)
