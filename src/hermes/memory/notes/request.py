"""The `memory` tool's arguments as a request: what a model wrote, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from hermes.errors import UserError
from hermes.memory.notes.change import Action, Operation

MOST_OPERATIONS = 50

Chosen = TypeVar("Chosen", bound=StrEnum)


class Target(StrEnum):
    MEMORY = "memory"
    USER = "user"


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    target: Target
    operations: tuple[Operation, ...]


def parse_request(arguments: Mapping[str, object]) -> MemoryRequest:
    """The request, or a UserError that says what is wrong with it."""
    target = _choice(Target, arguments.get("target", "memory"), "target")
    listed = arguments.get("operations") or []
    if not isinstance(listed, list):
        raise UserError("`operations` must be a list.", "Give a list of objects with an action.")
    if arguments.get("action"):
        listed = [arguments, *listed]
    if not listed:
        raise UserError("Neither `action` nor `operations` was given.", "Say what to change.")
    if len(listed) > MOST_OPERATIONS:
        raise UserError(f"More than {MOST_OPERATIONS} operations at once.", "Send fewer.")
    return MemoryRequest(target, tuple(_operation(item) for item in listed))


def _operation(item: object) -> Operation:
    if not isinstance(item, Mapping):
        raise UserError("An operation must be an object.", "Give it an action and its content.")
    action = _choice(Action, item.get("action"), "action")
    return Operation(action, _text(item, "content"), _text(item, "old_text"))


def _text(item: Mapping[str, object], key: str) -> str:
    value = item.get(key) or ""
    if not isinstance(value, str):
        raise UserError(f"`{key}` must be text.", "Send it as a string.")
    return value


def _choice(kind: type[Chosen], value: object, name: str) -> Chosen:
    try:
        return kind(str(value))
    except ValueError as error:
        choices = ", ".join(kind)
        raise UserError(f"`{name}` is {value!r}.", f"Use one of: {choices}.") from error
