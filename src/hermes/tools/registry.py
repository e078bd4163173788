"""Finds tools: each is an entry point of the group `hermes.tools`, ours as a plugin's.

A plugin that cannot be loaded takes nobody down: it is left out, and said aloud.
"""

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError

from hermes.errors import NotFound, UserError
from hermes.llm.base import ToolSpec
from hermes.memory.recall.tokens import count_tokens
from hermes.tools.base import AnyTool, Arguments, Tool

GROUP = "hermes.tools"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one agent, in the order the model sees them."""

    tools: Mapping[str, AnyTool]

    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told of them; the same tools give the same bytes."""
        return tuple(spec_of(tool) for tool in self.tools.values())

    @property
    def tokens(self) -> int:
        """What the tools take of a model's window, in every request."""
        return sum(_tokens_of(tool) for tool in self.tools.values())

    def get(self, name: str) -> AnyTool:
        if found := self.tools.get(name):
            return found
        raise NotFound(f"There is no tool {name!r}.", f"The tools are: {', '.join(self.tools)}.")

    def without(self, unwanted: Callable[[AnyTool], bool]) -> "Toolbox":
        return Toolbox({name: t for name, t in self.tools.items() if not unwanted(t)})


def make_toolbox(tools: Iterable[AnyTool]) -> Toolbox:
    """Tools by name, sorted: the order must not depend on what was installed when."""
    return Toolbox({tool.name: tool for tool in sorted(tools, key=lambda tool: tool.name)})


def load_toolbox() -> Toolbox:
    """Every tool that is installed."""
    # Reading what is installed is slow to import, and of no use before a model is asked.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return make_toolbox(tool for point in entry_points(group=GROUP) if (tool := _load(point)))


def _load(point: Any) -> AnyTool | None:
    try:
        tool = point.load()
    except (ImportError, AttributeError) as error:
        log.warning("the tool %s cannot be loaded: %s", point.name, error)
        return None
    if isinstance(tool, Tool):
        return tool
    log.warning("the tool %s is none: %s", point.name, type(tool).__name__)
    return None


@cache
def spec_of(tool: AnyTool) -> ToolSpec:
    """What the model is told of a tool; made once, as a schema takes a millisecond and more."""
    return ToolSpec(tool.name, tool.description, _plain(tool.arguments.model_json_schema()))


@cache
def _tokens_of(tool: AnyTool) -> int:
    """An estimate, from above, in the longest of the forms in which servers are told of a tool."""
    spec = spec_of(tool)
    function = {"name": spec.name, "description": spec.description, "parameters": spec.parameters}
    return count_tokens(json.dumps({"type": "function", "function": function}))


def parse_arguments(tool: AnyTool, text: str) -> Arguments:
    """A call's arguments, or a UserError the model can mend its call by."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise UserError(
            f"The arguments of {tool.name} are not JSON.", "Send one JSON object."
        ) from None
    try:
        parsed: Arguments = tool.arguments.model_validate(value)
    except ValidationError as error:
        wrong = "; ".join(_told(each) for each in error.errors(include_url=False)[:5])
        raise UserError(f"The arguments of {tool.name} are wrong: {wrong}.", "Mend them.") from None
    return parsed


def _told(error: Mapping[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"])
    return f"{where}: {error['msg']}" if where else str(error["msg"])


def _plain(schema: Any) -> Any:
    """The schema without titles, which say nothing, and with what is referred to put in place."""
    return _inline(schema, schema.get("$defs", {}))


def _inline(value: Any, defined: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_inline(each, defined) for each in value]
    if not isinstance(value, dict):
        return value
    if ref := value.get("$ref"):
        rest = {key: each for key, each in value.items() if key != "$ref"}
        return _inline(defined[ref.rpartition("/")[2]] | rest, defined)
    return {
        key: _inline_named(key, each, defined)
        for key, each in value.items()
        if key != "$defs" and not (key == "title" and isinstance(each, str))
    }


def _inline_named(key: str, value: Any, defined: Mapping[str, Any]) -> Any:
    """Under `properties` a key is an argument's name, which may well be `title`."""
    if key == "properties" and isinstance(value, dict):
        return {name: _inline(each, defined) for name, each in value.items()}
    return _inline(value, defined)
