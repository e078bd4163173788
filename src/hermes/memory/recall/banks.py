"""The outlines and vectors of banks, held between questions and kept up with the store.

A question as of a time is asked of the bank as it stood then: nothing that was said later is among
what it looks at, so that nothing of it can find, outweigh or crowd out what was there.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from hermes.memory.recall.bankvectors import BankVectors
from hermes.memory.recall.outline import Outline
from hermes.memory.recall.takers import Takers
from hermes.store.base import Tx
from hermes.store.base.facts import FactFilter
from hermes.store.vectors.index import VectorIndex
from hermes.types import Kind

BANKS_HELD = 16
PASTS_HELD = 3  # of a bank, as it stood at the times that were asked as of last
UNKNOWN_BANK = -1


@dataclass(slots=True)
class HeldBank:
    """What is held of a bank, as of change `seq` of the store."""

    outline: Outline
    vectors: BankVectors
    takers: Takers = field(default_factory=Takers)
    seq: int = -1
    lock: threading.Lock = field(default_factory=threading.Lock)
    pasts: "OrderedDict[int, HeldBank]" = field(default_factory=OrderedDict)  # by their times

    @property
    def is_unknown(self) -> bool:
        """Whether the store has no bank of that name."""
        return self.vectors.bank == UNKNOWN_BANK


class BankShelf:
    """The banks asked of lately; shared by all threads of a process."""

    def __init__(self, index: VectorIndex) -> None:
        self._index = index
        self._banks: OrderedDict[str, HeldBank] = OrderedDict()
        self._lock = threading.Lock()

    def open(
        self, tx: Tx, name: str, as_of: int | None = None, opened: HeldBank | None = None
    ) -> HeldBank:
        """The bank as of the transaction, or as it stood at a time; an unknown one is empty.

        What was opened as of that time before is given again, as long as it is still so.
        """
        with self._lock:
            held = self._banks.get(name)
            if held is None:
                held = self._banks[name] = HeldBank(Outline(), BankVectors(UNKNOWN_BANK))
            self._banks.move_to_end(name)
            if len(self._banks) > BANKS_HELD:
                self._banks.popitem(last=False)
        with held.lock:
            self._catch_up(tx, name, held)
            if as_of is None:
                return held
            if opened is not None and opened is not held and _is_still_so(opened, held):
                return opened
            return _as_it_stood(tx, name, held, as_of)

    def release(self) -> None:
        """Give back the memory; the next question reads it again."""
        with self._lock:
            self._banks.clear()

    def _catch_up(self, tx: Tx, name: str, held: HeldBank) -> None:
        latest = tx.changes.latest()
        if latest == held.seq and not _has_moved(tx, held.vectors):
            return
        held.pasts.clear()
        number = tx.vectors.find_bank(name)
        if number is None:
            return
        if _was_rewritten(tx, held.seq):
            held.outline, held.vectors = Outline(), BankVectors(number)
            held.takers = Takers()
        held.vectors.bank = number
        held.outline.add(tx.recall.outline(name, held.outline.last_id))
        held.takers.catch_up(tx, name, held.outline)
        held.outline.hide(tx.recall.hidden_sessions(name))
        opened = self._index.open(tx)
        if opened is not None:
            held.vectors.catch_up(tx, *opened, held.outline)
        held.seq = latest


def _as_it_stood(tx: Tx, name: str, held: HeldBank, as_of: int) -> HeldBank:
    """The bank without what was said after a time, and without summaries that tell of it."""
    if as_of in held.pasts:
        held.pasts.move_to_end(as_of)
        return held.pasts[as_of]
    outline = held.outline
    places = outline.list_until(as_of, tx.summaries.find_unfinished(as_of))
    if len(places) == outline.count:
        return held
    vectors = held.vectors.pick(tx, places, outline.count)
    past = HeldBank(outline.pick(places), vectors, seq=held.seq)
    past.takers.catch_up(tx, name, past.outline)
    held.pasts[as_of] = past
    if len(held.pasts) > PASTS_HELD:
        held.pasts.popitem(last=False)
    return past


def _is_still_so(past: HeldBank, held: HeldBank) -> bool:
    return past.seq == held.seq and past.vectors.shelf is held.vectors.shelf


def find_kinds(tx: Tx, bank: str) -> frozenset[Kind]:
    """Of what there is any in a bank; a search costs nearly as much where nothing can be found."""
    kept = {Kind.EPISODE}
    if tx.facts.list(FactFilter(bank=bank), 1):
        kept.add(Kind.FACT)
    if tx.reflections.count(bank):
        kept.add(Kind.REFLECTION)
    return frozenset(kept)


def _has_moved(tx: Tx, vectors: BankVectors) -> bool:
    """Whether recall uses another model's vectors since; moving changes no row."""
    current = tx.vectors.find_current()
    if current is None or vectors.space is None:
        return False
    return current.id != vectors.space.id


def _was_rewritten(tx: Tx, seq: int) -> bool:
    """Whether messages already read were changed or taken away since."""
    if seq < 0:
        return False
    changes = tx.changes.since(seq, limit=1_000_000)
    return any(each.kind == "message" and each.op != "add" for each in changes)
