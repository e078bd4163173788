"""The contract for what recall asks of a store: columns of a whole bank, and lists of numbers.

Recall works on thousands of rows at a time, so these queries answer in arrays, not in values of
one row each. Nothing here decides what is relevant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hermes.types import Role, ToolCall, Trust

LAST_ID = 2**62  # no message has a greater number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OutlineRows:
    """What can be said of messages without reading them: one entry a message, ids rising.

    `roles` are places in `tuple(Role)`; `sizes` are bytes as kept. `speakers` gives, for each name,
    the ids of what that person said; a message of nobody named is in none of them.
    """

    ids: "Numbers"
    sessions: "Numbers"
    at: "Numbers"
    roles: "Numbers"
    sizes: "Numbers"
    speakers: Mapping[str, "Numbers"]


@dataclass(frozen=True, slots=True)
class WordPostings:
    """The newest messages that hold a word, ids rising; `complete` if there are no older ones."""

    word: str
    ids: "Numbers"
    complete: bool


class Spoken(NamedTuple):
    """A message as recall shows it. A tuple: a question makes forty, and they cost a tenth so."""

    id: int
    session_id: str
    episode_id: int
    at: int
    role: Role
    text: str
    speaker: str = ""
    calls: tuple[ToolCall, ...] = ()
    trust: Trust = Trust.HIGH


class RecallQueries(Protocol):
    def outline(self, bank: str, after_id: int = 0) -> OutlineRows:
        """Every message of a bank with a number above `after_id`, hidden sessions included."""

    def hidden_sessions(self, bank: str) -> "Numbers":
        """The numbers of the sessions that nothing may show."""

    def postings(
        self, words: Sequence[str], bank: str, limit: int, *, up_to: int = LAST_ID
    ) -> list[WordPostings]:
        """For each word or phrase, the newest `limit` messages of the bank that hold it, of those
        numbered up to `up_to`."""

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        """The texts of messages."""

    def spoken(self, ids: Sequence[int]) -> dict[int, Spoken]:
        """Messages as they are shown; not those of hidden sessions."""
