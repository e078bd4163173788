"""What every language model offers, and the words a conversation with one is made of.

Nothing here knows a wire format, a network or the configuration file.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from hermes.errors import UserError
from hermes.types import Payload, Role, ToolCall

JsonObject = Mapping[str, object]


class Finish(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    TOOLS = "tools"
    LENGTH = "length"
    REFUSAL = "refusal"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Thought:
    """A model's own reasoning, to be handed back to it unchanged in the same turn.

    `signature` and `sealed` mean something to the provider only.
    """

    text: str = ""
    signature: str = ""
    sealed: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation as a model sees it.

    `calls` belong to an assistant's message, `call_id` to a tool's (the call it answers), `images`
    to a user's. `cache` marks the end of a prefix worth keeping: everything up to here is the same
    in the next request.
    """

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    images: tuple[Payload, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    failed: bool = False
    cache: bool = False

    def __post_init__(self) -> None:
        if self.images and self.role is not Role.USER:
            raise UserError("Only a user's message can carry images.", "Send them as the user.")
        if self.role is Role.TOOL and not self.call_id:
            raise UserError("A tool's message must say which call it answers.", "Set call_id.")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool a model may call; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: JsonObject
    cache: bool = False


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The shape a reply must have."""

    name: str
    schema: JsonObject


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is asked of a model; what is left out is taken from its settings."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    json_schema: JsonSchema | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    deadline_s: float | None = None
    asked: bool = False
    """A person said something and waits: it is sent also while the endpoint is left alone."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `input_tokens` counts all of the prompt, the cached part included.

    `cost_usd` is set where the endpoint itself said it; `estimated` where it said nothing at all.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens; `guessed` where not all of them were told."""

    input_usd: float
    output_usd: float
    cached_usd: float | None = None
    cache_write_usd: float | None = None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A whole reply. `model` is the one that answered, which a fallback makes another one."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = Finish.STOP
    usage: Usage = Usage()
    model: str = ""
    thoughts: tuple[Thought, ...] = ()

    def as_message(self) -> ChatMessage:
        """The reply as the next message of the conversation."""
        return ChatMessage(Role.ASSISTANT, self.text, calls=self.calls, thoughts=self.thoughts)


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    text: str


@dataclass(frozen=True, slots=True)
class CallStarted:
    """The model began to write a call; the arguments come with the whole reply."""

    name: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """More of a call's arguments: they are paid for also where the reply is never whole."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of every stream that did not fail."""

    reply: ModelReply


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing came yet; it is tried again after `delay_s`, because of `reason`."""

    delay_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class StoodIn:
    """The model cannot answer because of `reason`; another, by its name, does.

    `instead` is what the first is called, where its name alone does not tell the two apart.
    """

    name: str
    reason: str
    instead: str = ""


ModelEvent = TextDelta | ThoughtDelta | CallStarted | CallDelta | Waiting | StoodIn | Finished
ModelEvents = AsyncGenerator[ModelEvent, None]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which model, where, and within which limits.

    `section` names it in errors, `key_name` the variable its key is read from, where that is known.
    """

    provider: str = "openai"
    model: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    key_name: str = ""
    max_tokens: int = 4_096
    temperature: float | None = None
    connect_timeout_s: float = 10.0
    idle_timeout_s: float = 120.0
    deadline_s: float = 600.0
    max_reply_bytes: int = 8 * 1024 * 1024
    prices: Prices | None = None
    section: str = "model"


class Model(Protocol):
    """A language model. It belongs to one event loop at a time; calls may overlap.

    Raises `Unavailable` where a retry may work, `Refused` where a key is missing or wrong or a cap
    is reached, `UserError` where the request or a setting is wrong. A model that declines to
    answer is no error: the reply's `finish` says so.
    """

    @property
    def name(self) -> str:
        """Provider and model, as shown to people: `openai/gpt-x`."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The whole reply at once."""

    def stream(self, request: ModelRequest) -> ModelEvents:
        """The reply as it is written, ending in `Finished`; `aclose` stops it."""

    async def close(self) -> None:
        """Let go of the connections; a later call opens them again."""
