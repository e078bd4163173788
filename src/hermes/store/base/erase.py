"""The contract for erasing: reading every text there is, removing rows with all that hangs on them,
and remembering, without saying what it was, that something was erased.

What is to be erased is decided in `memory.erase`; a store finds no matches and keeps no secrets.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class TextKind(StrEnum):
    """What a text belongs to."""

    MESSAGE = "message"
    ARCHIVE = "archived message"
    EPISODE = "episode"
    SESSION = "session"
    FACT = "fact"
    REFLECTION = "reflection"
    ENTITY = "entity"
    EVENT = "event"
    HELD = "held write"
    JOB = "job"
    BANK = "bank"


@dataclass(frozen=True, slots=True)
class Passage:
    """Everything one row says, what it is known by first (a message's or fact's text).

    `where` is the session of a message, the bank of a fact, what an event refers to; `behind` the
    summary that stands in the place of an archived message.
    """

    kind: TextKind
    id: int
    texts: tuple[str, ...]
    where: str = ""
    at: int = 0
    role: str = ""
    behind: int = 0


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a fact rests on: words of a message, or of none that is kept."""

    fact: int
    message: int | None
    quote: str


@dataclass(frozen=True, slots=True)
class Tombstone:
    """That something was erased: a keyed hash, of which kind, when, over how many words."""

    digest: bytes
    kind: str
    at: int
    words: int = 0


@dataclass(frozen=True, slots=True)
class ScanReport:
    """What a search of everything stored came to; `found` names the places."""

    cells: int
    pages: int
    found: tuple[str, ...] = ()
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """How a store is searched: its indexes by phrases, its cells by text or bytes, its pages by
    bytes (None: not).
    """

    phrases: Sequence[str]
    is_in: Callable[[str], bool] = field(repr=False)
    is_in_bytes: Callable[[bytes], bool] = field(repr=False)
    is_in_page: Callable[[bytes], bool] | None = field(default=None, repr=False)


class Erasures(Protocol):
    def list_texts(self, kind: TextKind, *, after: int, limit: int) -> list[Passage]:
        """The next rows of a kind, hidden and retracted ones included, by number.

        Archived messages come by the number of the summary they are behind, and `after` is one.
        """

    def list_messages_of(self, session_id: str) -> list[int]: ...

    def find_session_number(self, session_id: str) -> int | None: ...

    def list_quoted(self, messages: Collection[int], behind: Collection[int] = ()) -> list[Quoted]:
        """All that the facts rest on that quote one of these messages, which may be archived behind
        the summaries `behind`.
        """

    def remove_messages(self, ids: Collection[int]) -> dict[str, int]:
        """Remove messages from rows, index and vectors, with the quotes taken from them (as sources
        and in the history of facts: lines whose `after.source.message` is one of `ids`), episodes
        and sessions that are empty then, and payloads nobody refers to; how many of each.
        """

    def remove_facts(self, ids: Collection[int], *, now: int) -> int:
        """Remove facts with their history; what they had superseded is not believed again."""

    def blank_texts(self, kind: TextKind, ids: Collection[int]) -> int:
        """Empty what is written of a session, an episode or a bank; drop sessions without any."""

    def remove_rows(self, kind: TextKind, ids: Collection[int]) -> int:
        """Remove reflections, entities, jobs or held writes."""

    def drop_unmentioned(self, entities: Collection[int]) -> int:
        """Remove those of the entities that no fact and no message mentions and no other entity
        was merged into, with their names; how many that was.
        """

    def drop_payloads(self, media_types: Sequence[str]) -> int:
        """Remove payloads of some kinds and the bytes nobody refers to then; how many. Those that
        are archived go, too, uncounted.
        """

    def forget_keys(self) -> None:
        """Let go of every idempotency key: what was kept before may be sent again."""

    def add_tombstones(self, stones: Sequence[Tombstone]) -> None:
        """Remember what was erased; of what is known only the time moves on, never back."""

    def list_tombstones(self) -> list[Tombstone]: ...

    def note_removed(self, texts: Sequence[str]) -> None:
        """Have the dictionary renewed if it holds a piece of texts that go."""

    def renew_dictionary(self, now: int) -> bool:
        """Begin to replace a dictionary that holds pieces of what was removed; whether one does."""

    def fit_dictionary(self) -> bool:
        """Begin to replace a dictionary that holds such pieces, or whose size does not suit what is
        kept; whether one does.
        """

    def reencode(self, after: int, limit: int) -> int:
        """Write the next messages with the newest dictionary; the last one looked at, 0 at the
        end, when the older dictionaries are gone.
        """


class Purges(Protocol):
    def purge(self) -> bool:
        """Leave nothing of removed rows in free pages or the log; false if a reader held it."""

    def scan(self, look: Look) -> ScanReport:
        """Search every cell, the text index, and the raw pages."""
