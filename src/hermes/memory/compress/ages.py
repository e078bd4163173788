"""How old things are, by a clock that cannot be made to leap.

Age is measured against the newest thing said and against the machine's clock, whichever is earlier,
and that clock is believed a week at a time: whoever sets it ten years on, by mistake or not, makes
nothing ten years older.
"""

from dataclasses import dataclass

from hermes.clock import DAY_MS, HOUR_MS
from hermes.store.base import Tx

LONGEST_STEP_MS = 7 * DAY_MS
BACK_MS = HOUR_MS
_MARK = "trusted-at"
_COMPRESSED = "compressed-at"


@dataclass(frozen=True, slots=True)
class TrustedTime:
    """The time that ages are measured by; `doubt` says why nothing may be discarded now."""

    at: int
    doubt: str = ""


def tell_time(now: int, newest_at: int | None, last_at: int | None) -> TrustedTime:
    """The time to go by, from the clock, the newest thing said, and the time last gone by."""
    seen = now if newest_at is None else min(now, newest_at)
    if last_at is None or seen <= last_at + LONGEST_STEP_MS:
        if last_at is not None and now < last_at - BACK_MS:
            return TrustedTime(now, f"the clock went back {_days(last_at - now)}")
        return TrustedTime(seen)
    doubt = f"the clock is {_days(seen - last_at)} ahead of the last run"
    return TrustedTime(last_at + LONGEST_STEP_MS, doubt)


def read_time(tx: Tx, now: int) -> TrustedTime:
    """The time to go by now; nothing is noted."""
    noted = tx.summaries.load_mark(_MARK)
    return tell_time(now, tx.summaries.newest_at(), int(noted) if noted else None)


def note_time(tx: Tx, trusted: TrustedTime) -> None:
    """Remember the time gone by, so that the next step is measured from it."""
    tx.summaries.save_mark(_MARK, str(trusted.at))


def accept_time(tx: Tx, now: int) -> TrustedTime:
    """Believe the clock as it is, because a person says so."""
    newest_at = tx.summaries.newest_at()
    trusted = TrustedTime(now if newest_at is None else min(now, newest_at))
    note_time(tx, trusted)
    return trusted


def note_compression(tx: Tx, now: int) -> None:
    """Remember that something was compressed, also if that is undone."""
    tx.summaries.save_mark(_COMPRESSED, str(now))


def find_compression(tx: Tx) -> int | None:
    """When something was compressed last, undone or not."""
    noted = tx.summaries.load_mark(_COMPRESSED)
    return int(noted) if noted else tx.summaries.last_made_at()


def _days(ms: int) -> str:
    days = ms // DAY_MS
    return f"{days:,} days" if days != 1 else "a day"
