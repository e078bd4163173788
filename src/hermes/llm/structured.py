"""Replies that must be JSON of a given shape: how to ask for them, and how to read them.

Reading is all or nothing: a reply refused, cut off or malformed gives an error, never a part.
"""

import json
from collections.abc import Mapping

from hermes.errors import Unavailable
from hermes.llm.base import Finish, JsonObject, JsonSchema, ModelReply


def render_instruction(schema: JsonSchema) -> str:
    """What to tell a model whose endpoint cannot hold it to a schema."""
    text = json.dumps(schema.schema, ensure_ascii=False)
    return f"Reply with one JSON value that fits this JSON Schema, and with nothing else:\n{text}"


def is_strict(schema: object) -> bool:
    """Whether every object in a schema is closed and requires all it names, as strict mode asks."""
    if isinstance(schema, list):
        return all(is_strict(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        required = schema.get("required")
        named = set(required) if isinstance(required, list | tuple) else set()
        if schema.get("additionalProperties") is not False or named != set(properties):
            return False
    return all(is_strict(part) for part in schema.values())


def parse_json_reply(reply: ModelReply) -> object:
    """The JSON value of a reply; `Unavailable` if it holds none, whole and undisputed."""
    if reply.finish is Finish.REFUSAL:
        raise _unusable(reply, "declined to answer", "Nothing was kept; another model may answer.")
    if reply.finish is Finish.LENGTH:
        raise _unusable(reply, "ran out of room", "Raise maxTokens, or ask for less at once.")
    try:
        return json.loads(_unfence(reply.text))
    except (ValueError, RecursionError):
        hint = "Nothing was kept; try again, or choose a model that keeps to a schema."
        raise _unusable(reply, "did not answer in JSON", hint) from None


def parse_json_object(reply: ModelReply) -> JsonObject:
    """As `parse_json_reply`, for a schema whose value is an object."""
    value = parse_json_reply(reply)
    if not isinstance(value, dict):
        raise _unusable(reply, "answered in JSON of another shape", "Nothing was kept; try again.")
    return value


def _unusable(reply: ModelReply, what: str, hint: str) -> Unavailable:
    return Unavailable(f"The model {reply.model or 'asked'} {what}.", hint)


def _unfence(text: str) -> str:
    """The text inside a code fence, if that is all there is beside a sentence before it."""
    text = text.strip()
    if "```" not in text:
        return text
    _, _, inside = text.partition("```")
    body, closing, after = inside.rpartition("```")
    if not closing or after.strip():
        return text
    return body.removeprefix("json").strip()
