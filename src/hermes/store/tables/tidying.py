"""Giving space back, as on every store: texts are written with a dictionary that suits them."""

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar

from hermes.store.base.tidying import Watch

T = TypeVar("T")
TxT = TypeVar("TxT", bound="_Tx")
TxT_co = TypeVar("TxT_co", bound="_Tx", covariant=True)
REENCODED_AT_ONCE = 50


class _Erasures(Protocol):
    def fit_dictionary(self) -> bool: ...
    def reencode(self, after: int, limit: int) -> int: ...


class _Tx(Protocol):
    @property
    def erasures(self) -> _Erasures: ...


class _Writes(Protocol[TxT_co]):
    def write(self, change: Callable[[TxT_co], T]) -> T: ...


def fit_dictionary(store: _Writes[TxT], watch: Watch) -> None:
    """Write texts with a dictionary that suits what is kept, where the one there is does not.

    Cut short, it goes on the next time: until the end both dictionaries are there.
    """
    after = 0
    if not store.write(lambda tx: tx.erasures.fit_dictionary()):
        return
    while not watch.is_stopped():
        after = store.write(partial(_reencode, after=after))
        if not after:
            break
        watch.on_step("writing texts with a dictionary that suits them")


def _reencode(tx: _Tx, *, after: int) -> int:
    return tx.erasures.reencode(after, REENCODED_AT_ONCE)
