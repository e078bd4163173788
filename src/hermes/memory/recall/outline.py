"""A bank in columns: of every message its session, time, role, speaker and length, in memory.

Recall asks such things of hundreds of messages per question; asking the store would cost more than
the question's embedding. 37 bytes a message are held, and kept up with the store by what was added.
Positions are places in these columns; they rise with message ids.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hermes.clock import LATEST_AT
from hermes.memory.recall.task import name_parts
from hermes.store.base.recall import OutlineRows

Positions = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
NOWHERE = -1
COLUMNS = {
    "ids": np.int64,
    "sessions": np.int32,
    "at": np.int64,
    "roles": np.int8,
    "speakers": np.int32,
    "sizes": np.int32,
    "previous": np.int32,
    "following": np.int32,
}
_TOLD = tuple(name for name in COLUMNS if name not in ("previous", "following"))


def rising(places: Positions) -> Positions:
    """Each of the places once, rising; numpy's `unique` takes four times as long."""
    ordered = np.sort(places)
    kept: Positions = ordered[_is_first(ordered)]
    return kept


def rising_with_back(places: Positions) -> tuple[Positions, Positions]:
    """Each of the places once, rising, and where each given one stands among them.

    Meant for a few runs of rising places, which a stable sort only has to merge.
    """
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    is_first = _is_first(ordered)
    back = np.empty(len(places), np.int64)
    back[order] = np.cumsum(is_first) - 1
    return ordered[is_first], back


def _is_first(ordered: Positions) -> npt.NDArray[np.bool_]:
    found = np.empty(len(ordered), np.bool_)
    found[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=found[1:])
    return found


@dataclass(slots=True)
class Outline:
    """The columns, each with room to grow; only the first `count` entries mean something.

    The last of that room is never taken: from `NOWHERE`, which leads there, one comes to nowhere.
    """

    count: int = 0
    names: dict[str, int] = field(default_factory=dict)
    name_parts: dict[str, set[int]] = field(default_factory=dict)
    session_numbers: dict[int, int] = field(default_factory=dict)
    _columns: dict[str, npt.NDArray[Any]] = field(
        default_factory=lambda: {name: np.full(1, NOWHERE, kind) for name, kind in COLUMNS.items()}
    )
    _last: Positions = field(default_factory=lambda: np.empty(0, np.int64))
    _hidden: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    has_gaps: bool = False  # whether the bank has other messages between those that are here
    total_size: int = 0
    oldest_at: int = LATEST_AT

    @property
    def last_id(self) -> int:
        return int(self._columns["ids"][self.count - 1]) if self.count else 0

    @property
    def average_size(self) -> float:
        return max(1.0, self.total_size / max(1, self.count))

    def relative_sizes(self, places: Positions) -> Floats:
        """How long messages are beside the average one."""
        found: Floats = (self.take("sizes", places) / self.average_size).astype(np.float32)
        return found

    def column(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name][: self.count]

    def take(self, name: str, at: Positions) -> npt.NDArray[Any]:
        """Entries of a column; `NOWHERE` gives one that is no message's: `NOWHERE` itself."""
        return self._columns[name][at]

    def add(self, rows: OutlineRows) -> None:
        """Append messages, whose ids must be above all that are here."""
        added = len(rows.ids)
        if not added:
            return
        first, end = self.count, self.count + added
        self._grow(end)
        place = slice(first, end)
        self._columns["ids"][place] = rows.ids
        self._columns["at"][place] = rows.at
        self._columns["roles"][place] = rows.roles
        self._columns["sizes"][place] = rows.sizes
        self._columns["sessions"][place] = self._session_codes(rows.sessions)
        self._columns["speakers"][place] = NOWHERE
        self.total_size += int(rows.sizes.sum())
        self.oldest_at = min(self.oldest_at, int(rows.at.min()))
        for name, ids in rows.speakers.items():
            said = first + np.searchsorted(rows.ids, ids)
            self._columns["speakers"][said] = self._speaker_code(name)
        self._link(first, end)
        self.count = end  # last: a question under way in another thread sees none of it before

    def find(self, ids: Positions) -> Positions:
        """The positions of messages that are here; of others, those they would have."""
        known = self.column("ids")
        if self._is_dense():
            offsets: Positions = np.minimum(np.maximum(ids - known[0], 0), self.count)
            return offsets
        places: Positions = np.searchsorted(known, ids)
        return places

    def find_known(self, ids: Positions) -> Positions:
        """The positions of those of the messages that are here, in the order given."""
        if self._is_dense():
            offsets: Positions = ids - self._columns["ids"][0]
            inside = (offsets >= 0) & (offsets < self.count)
            return offsets if inside.all() else offsets[inside]
        places = self.find(ids)
        inside = places < self.count
        places = places[inside]
        known: Positions = places[self.take("ids", places) == ids[inside]]
        return known

    def _is_dense(self) -> bool:
        """Whether no number is missing, so that a message's place is known from its number."""
        known = self._columns["ids"]
        return bool(self.count) and int(known[self.count - 1]) - int(known[0]) + 1 == self.count

    def neighbours(self, places: Positions, step: int) -> Positions:
        """The message `step` places on in the same session (back if negative), or `NOWHERE`."""
        links = self._columns["following" if step > 0 else "previous"]
        for _ in range(abs(step)):
            places = links[places]
        return places.astype(np.int64)

    def walk(self, place: int, step: int, count: int) -> list[int]:
        """The next `count` places of the session, one by one (back if `step` is negative)."""
        links = self._columns["following" if step > 0 else "previous"]
        found: list[int] = []
        while len(found) < count and (place := links.item(place)) != NOWHERE:
            found.append(place)
        return found

    def list_until(self, at: int, without: Collection[int] = ()) -> Positions:
        """The places of what was said up to a time, but for some messages, rising."""
        said = self.column("at") <= at
        if without:
            said &= ~np.isin(self.column("ids"), np.fromiter(without, np.int64))
        return np.flatnonzero(said)

    def pick(self, places: Positions) -> "Outline":
        """The messages of some rising places, as an outline of theirs alone, with the same codes.

        It is not added to: what came later would get the numbers of those left out.
        """
        picked = Outline(session_numbers=self.session_numbers, _hidden=self._hidden)
        if not len(places):
            return picked
        picked._grow(len(places))
        for name in _TOLD:
            picked._columns[name][: len(places)] = self.take(name, places)
        picked._link(0, len(places))
        picked.has_gaps = int(places[-1]) >= len(places)
        picked.count = len(places)
        said_by = set(picked.column("speakers").tolist())
        picked.names = {name: code for name, code in self.names.items() if code in said_by}
        parts = {part: codes & said_by for part, codes in self.name_parts.items()}
        picked.name_parts = {part: codes for part, codes in parts.items() if codes}
        picked.total_size = int(picked.column("sizes").sum())
        picked.oldest_at = int(picked.column("at").min())
        return picked

    def hide(self, sessions: Positions) -> None:
        """Let nothing of these sessions be shown, and everything of all others."""
        self._hidden = np.zeros(len(self.session_numbers), np.bool_)
        codes = [self.session_numbers[n] for n in sessions.tolist() if n in self.session_numbers]
        self._hidden[codes] = True

    @property
    def hides_any(self) -> bool:
        return bool(self._hidden.any())

    def is_shown(self, places: Positions) -> npt.NDArray[np.bool_]:
        if not self.hides_any:
            return np.ones(len(places), np.bool_)
        codes = self.take("sessions", places).astype(np.int64)
        known = codes < len(self._hidden)
        return ~(known & self._hidden[np.where(known, codes, 0)])

    def _grow(self, needed: int) -> None:
        capacity = len(self._columns["ids"])
        if needed < capacity:
            return
        room = max(needed + 1, capacity * 3 // 2)
        for name, kept in self._columns.items():
            grown = np.empty(room, COLUMNS[name])
            grown[:capacity] = kept
            grown[-1] = NOWHERE
            self._columns[name] = grown

    def _session_codes(self, numbers: Positions) -> Positions:
        known, places = np.unique(numbers, return_inverse=True)
        codes = [
            self.session_numbers.setdefault(n, len(self.session_numbers)) for n in known.tolist()
        ]
        return np.array(codes, np.int64)[places]

    def _speaker_code(self, name: str) -> int:
        code = self.names.setdefault(name, len(self.names))
        for part in name_parts(name):
            self.name_parts.setdefault(part, set()).add(code)
        return code

    def _link(self, first: int, end: int) -> None:
        """Tie each new message to the one before it in its session."""
        added = np.arange(first, end)
        codes = self._columns["sessions"][first:end].astype(np.int64)
        order = np.argsort(codes, kind="stable")
        codes, places = codes[order], added[order]
        starts = np.r_[True, codes[1:] != codes[:-1]]
        ends = np.r_[starts[1:], True]
        missing = len(self.session_numbers) - len(self._last)
        self._last = np.r_[self._last, np.full(missing, NOWHERE, np.int64)]
        before = np.where(starts, self._last[codes], np.r_[NOWHERE, places[:-1]])
        self._columns["previous"][places] = before
        self._columns["following"][places] = NOWHERE
        tied = before != NOWHERE
        self._columns["following"][before[tied]] = places[tied]
        self._last[codes[ends]] = places[ends]
