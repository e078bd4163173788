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
    """The kinds of memory that recall and search answer with."""

    EPISODE = "episode"
    FACT = "fact"
    REFLECTION = "reflection"
    SKILL = "skill"


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
    payloads: tuple[Payload, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance or tool result, as kept."""

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
    """What a caller says of a conversation when it opens one."""

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

    `key` makes the write idempotent: the same key is kept once, however often it is sent.
    """

    session: NewSession
    messages: tuple[Utterance, ...]
    task: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The receipt for a turn that is on disk."""

    session_id: str
    episode_id: int
    message_ids: tuple[int, ...]
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the log of what was done."""

    id: int
    at: int
    kind: str
    summary: str
    details: Mapping[str, object] = field(default_factory=dict)
    ref: str = ""
