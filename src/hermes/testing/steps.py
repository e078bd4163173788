"""What a scripted server does with one request: answer, in one of the ways servers answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes.llm.base import Finish
from hermes.types import ToolCall


@dataclass(frozen=True, slots=True)
class Say:
    """A reply; with `thought` before it, or cut off by `finish`."""

    text: str
    finish: Finish = Finish.STOP
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A reply that asks for tools."""

    calls: tuple[ToolCall, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Refuse:
    """A reply in which the model declines."""

    text: str = "I cannot help with that."


@dataclass(frozen=True, slots=True)
class Fail:
    """An HTTP error, with the sentence and headers that come with it."""

    status: int
    said: str = "it failed"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing, until the server closes; after `text`, if there is one and the reply is streamed."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Truncate:
    """The beginning of a reply, then a closed connection."""

    text: str = "The beginning of"


@dataclass(frozen=True, slots=True)
class Garbage:
    """Status 200, and a body that is not JSON."""

    body: str = '{"choices": [{"message": {"content": "un'


@dataclass(frozen=True, slots=True)
class Html:
    """A web page where an API was expected."""

    status: int = 200


@dataclass(frozen=True, slots=True)
class Flood:
    """A reply of very many bytes."""

    size: int = 50 * 1024 * 1024


Answer = Say | Call | Refuse
Step = Answer | Fail | Hang | Truncate | Garbage | Html | Flood
