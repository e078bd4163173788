"""Which result belongs to which call: some servers count their calls anew each time."""

from collections.abc import Iterable
from typing import Protocol

from hermes.types import Role, ToolCall


class Spoken(Protocol):
    """A message, as it was kept or as a model gets it."""

    @property
    def role(self) -> Role: ...

    @property
    def calls(self) -> tuple[ToolCall, ...]: ...

    @property
    def call_id(self) -> str: ...


def pair_results(messages: Iterable[Spoken]) -> dict[tuple[int, str], int]:
    """Where the result of each call stands, by the place of the message that asked and the id."""
    asked: dict[str, int] = {}
    found: dict[tuple[int, str], int] = {}
    for place, message in enumerate(messages):
        asked |= {call.id: place for call in message.calls}
        if message.role is Role.TOOL and message.call_id in asked:
            found[asked.pop(message.call_id), message.call_id] = place
    return found
