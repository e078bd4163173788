"""What takes something back in a bank: the newest messages with such words, held between questions.

Asking the store for them costs a question more than all that is done with them. So they are looked
up once, and after that only among what was added; each is read once.
"""

from dataclasses import dataclass, field

import numpy as np

from hermes.memory.recall.outline import Outline, Positions
from hermes.memory.recall.postings import list_postings
from hermes.memory.recall.revoked import WORDS, Revocation, find_revocation
from hermes.store.base import Tx
from hermes.types import Role

PER_WORD = 200  # newest messages that hold a word of taking back
_USER = tuple(Role).index(Role.USER)


def _none() -> Positions:
    return np.empty(0, np.int64)


@dataclass(slots=True)
class Takers:
    """The ids, rising, of what the user said with a word of taking back, of the newest with it.

    `named` are those of them that name what they take back, the newest first. Good as long as the
    outline they belong to: what was said changes only with a new one.
    """

    ids: Positions = field(default_factory=_none)
    named: dict[int, Revocation] = field(default_factory=dict)
    _by_word: list[Positions] = field(default_factory=lambda: [_none() for _ in WORDS])
    _last_id: int = 0  # of the messages that were looked at

    def catch_up(self, tx: Tx, bank: str, outline: Outline) -> None:
        """Take in what was added to the outline since."""
        added = outline.count - int(outline.find(np.array([self._last_id + 1]))[0])
        if not added:
            return
        # Of so many messages no word can stand in more: the older ones are known.
        found = list_postings(tx, outline, WORDS, bank, min(added, PER_WORD))
        known = zip(self._by_word, found, strict=True)
        self._by_word = [np.union1d(old, new.ids)[-PER_WORD:] for old, new in known]
        places = outline.find_known(np.unique(np.concatenate(self._by_word)))
        ids = outline.take("ids", places[outline.take("roles", places) == _USER])
        self.named = self._read(tx, ids)
        self.ids = ids
        self._last_id = outline.last_id

    def _read(self, tx: Tx, ids: Positions) -> dict[int, Revocation]:
        texts = tx.recall.texts(ids[ids > self._last_id].tolist())
        read = {number: find_revocation(texts[number]) for number in sorted(texts, reverse=True)}
        new = {number: taken for number, taken in read.items() if taken is not None and taken.of}
        held = set(ids.tolist())
        return new | {number: taken for number, taken in self.named.items() if number in held}
