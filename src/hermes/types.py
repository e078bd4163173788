"""The words of Hermes as values: what is kept, what is found, and where it came from.

These are plain frozen data. They know nothing of stores, models or surfaces.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Origin(StrEnum):
    """Who brought a piece of text to Hermes; set by Hermes, never by the text."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"


class Trust(IntEnum):
    """How far a row may be believed. It falls when text is passed on, and never rises."""

    NONE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3


class EpisodeState(StrEnum):
    RAW = "raw"
    COMPRESSED = "compressed"


class Kind(StrEnum):
    """The kinds of memory that recall and search answer with, and that can be asked for.

    Skills join here once they are kept: commands, schemas and quotas go by this.
    """

    EPISODE = "episode"
    FACT = "fact"
    REFLECTION = "reflection"

    @classmethod
    def _missing_(cls, value: object) -> "Kind | None":
        """Also by the plural, which listings and commands go by: `facts`."""
        return next((kind for kind in cls if value == f"{kind.value}s"), None)


@dataclass(frozen=True, slots=True)
class Bank:
    """A scope inside a profile's memory."""

    name: str
    created_at: int
    description: str = ""
    sessions: int = 0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call a model asked for; `arguments` is the JSON text it wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Payload:
    """Bytes that belong to a message but not to its text: an image, a file."""

    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message as it comes in, before it is kept."""

    role: Role
    text: str
    at: int | None = None
    speaker: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    origin: Origin | None = None
    trust: Trust = Trust.HIGH
    payloads: tuple[Payload, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance or tool result, as kept.

    `attachments` are the payloads that came with it, without what the agent keeps for itself.
    """

    id: int
    session_id: str
    episode_id: int
    at: int
    role: Role
    text: str
    speaker: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    origin: Origin = Origin.USER
    trust: Trust = Trust.HIGH
    payload_count: int = 0
    attachments: int = 0


@dataclass(frozen=True, slots=True)
class Episode:
    """One turn of a session: what was asked, what was answered, what the tools gave back."""

    id: int
    session_id: str
    bank: str
    at: int
    task: str
    state: EpisodeState
    messages: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation, with one identity, on one or several platforms."""

    id: str
    bank: str
    started_at: int
    last_at: int
    platform: str = ""
    identity: str = ""
    title: str = ""
    task: str = ""
    parent_id: str = ""
    ended_at: int | None = None
    messages: int = 0
    episodes: int = 0


@dataclass(frozen=True, slots=True)
class NewSession:
    """What a caller says of a conversation when it opens one.

    Bank "" is wherever the session lies already, and `default` for a new one.
    """

    id: str = ""
    bank: str = "default"
    platform: str = "cli"
    identity: str = ""
    title: str = ""
    task: str = ""
    parent_id: str = ""
    started_at: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What is recorded at once: the messages of one turn and the session they belong to.

    `key` makes the write idempotent: in one bank the same key is kept once, however often sent.
    With `continues` the messages join the last episode of the session instead of a new one.
    """

    session: NewSession
    messages: tuple[Utterance, ...]
    task: str = ""
    key: str = ""
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """The receipt for a turn that is on disk."""

    session_id: str
    episode_id: int
    message_ids: tuple[int, ...]
    duplicate: bool = False


class EventKind(StrEnum):
    TASK = "task"
    DECISION = "decision"
    RESULT = "result"
    FAILURE = "failure"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the log of what was done; one that was erased says nothing but when."""

    id: int
    at: int
    kind: str
    summary: str
    details: Mapping[str, object] = field(default_factory=dict)
    ref: str = ""
    erased_at: int | None = None


class FactKind(StrEnum):
    IDENTITY = "identity"
    PREFERENCE = "preference"
    DECISION = "decision"
    DEADLINE = "deadline"
    RELATIONSHIP = "relationship"
    ENVIRONMENT = "environment"
    EVENT = "event"
    OTHER = "other"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class FactSource:
    """The exact words a fact rests on, and the message that holds them (none: said by hand).

    `start` and `end` are the quote's place in the message, where its words stand letter for letter.
    """

    quote: str
    message_id: int | None = None
    episode_id: int | None = None
    session_id: str = ""
    at: int | None = None
    start: int | None = None
    end: int | None = None
    trust: Trust = Trust.HIGH


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement Hermes believes, with its two times and what it rests on.

    `valid_*` say when it holds in the world, `recorded_at`/`retracted_at` when Hermes believed it.
    A `held` one may not stand in notes or in the user model until the person approves it; one that
    they refused is `rejected`, too, where it is shown.
    """

    id: int
    number: int
    bank: str
    text: str
    kind: FactKind
    recorded_at: int
    subject: str = ""
    attribute: str = ""
    value: str = ""
    entities: tuple[str, ...] = ()
    confidence: Confidence = Confidence.MEDIUM
    single: bool = False
    ended: bool = False
    valid_from: int | None = None
    valid_to: int | None = None
    retracted_at: int | None = None
    superseded_by: int | None = None
    contradicts: tuple[int, ...] = ()
    origin: Origin = Origin.USER
    trust: Trust = Trust.HIGH
    extractor: str = ""
    sources: tuple[FactSource, ...] = ()
    held: bool = False
    rejected: bool = False


class EntityKind(StrEnum):
    PERSON = "person"
    PROJECT = "project"
    ORGANISATION = "organisation"
    PLACE = "place"
    PRODUCT = "product"
    DOMAIN = "domain"
    HANDLE = "handle"
    TAG = "tag"
    CODE = "code"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, project, place, product… that memories mention, under all its names."""

    id: int
    bank: str
    name: str
    kind: EntityKind = EntityKind.OTHER
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    merged_into: int | None = None


@dataclass(frozen=True, slots=True)
class Reflection:
    """What was learnt of how a type of task works, and how often it held.

    A `held` one may not be put before a task until the person approves it; one that they refused is
    `rejected`, too, where it is shown.
    """

    id: int
    bank: str
    task_type: str
    lesson: str
    worked: str = ""
    failed: str = ""
    next_time: str = ""
    successes: int = 0
    failures: int = 0
    created_at: int = 0
    updated_at: int = 0
    origin: Origin = Origin.AGENT
    trust: Trust = Trust.MEDIUM
    held: bool = False
    author: str = ""
    session_id: str = ""
    rejected: bool = False

    @property
    def is_warning(self) -> bool:
        """Whether it tells of what fails rather than of what works."""
        return self.failures > self.successes

    @property
    def weight(self) -> float:
        """From -1 (always failed) to 1 (always worked); near 0 while it was seen only once."""
        return (self.successes - self.failures) / (self.successes + self.failures + 1)
