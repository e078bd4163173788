"""Conversations as other programs write them: OpenAI-style messages, one JSON value a line.

A line is one message (`{"role": …, "content": …}`) or one conversation (`{"messages": […]}`).
Anything else is an error that names the line.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from hermes.clock import from_datetime
from hermes.errors import UserError
from hermes.memory.payloads import parse_data_url, render_marker
from hermes.types import Origin, Payload, Role, ToolCall, Utterance

MAX_LINE_BYTES = 64 << 20
_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = bytes((*range(0x09), *range(0x0E, 0x1B), *range(0x1C, 0x20)))
_MESSAGE_HINT = 'Expected {"role": …, "content": …}.'
_TIME_KEYS = ("timestamp", "created_at", "create_time", "time", "at", "date")
_SESSION_KEYS = ("session_id", "conversation_id", "thread_id", "session")
_ABOUT_KEYS = ("title", "bank", "platform", "identity", "task", "parent_id")


@dataclass(frozen=True, slots=True)
class Line:
    """The messages of one line, and the conversation it says it belongs to ("" if it does not).

    `about` is what it says of that conversation: its title, bank, platform and the like. `whole`
    tells a line that is a conversation of its own.
    """

    number: int
    session_id: str
    messages: tuple[Utterance, ...]
    about: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False


def parse_lines(lines: Iterator[bytes], *, origin: Origin | None = None) -> Iterator[Line]:
    """Each line that holds something; UserError names the first that cannot be read."""
    for number, raw in enumerate(lines, 1):
        text = _decoded(raw, number)
        if text.strip():
            yield _parse_line(text, number, origin)


def _decoded(raw: bytes, number: int) -> str:
    if len(raw) > MAX_LINE_BYTES:
        raise UserError(
            f"line {number} has more than {MAX_LINE_BYTES / 1e6:,.0f} MB.",
            "Split the message, or leave out what is not conversation.",
        )
    if number == 1 and (coding := _wide_coding(raw)):
        raise UserError(
            f"line 1 looks like {coding.upper()}, not UTF-8.",
            f"Convert the file first: iconv -f {coding} -t utf-8 FILE > FILE.utf8.",
        )
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        if _is_binary(raw):
            raise UserError(
                f"line {number} is no text: it holds bytes that no text has.",
                "Give a JSONL file, one JSON object a line; unpack it first if it is compressed.",
            ) from error
        coding = "utf-16" if raw[:2] in _UTF_16_MARKS else "latin1"
        raise UserError(
            f"line {number} is not UTF-8 (byte {error.start + 1}).",
            f"Convert the file first, e.g. iconv -f {coding} -t utf-8.",
        ) from error


def json_fault(error: ValueError | RecursionError) -> str:
    """What is wrong with a text that is no JSON, without a word of how Python reads it."""
    if isinstance(error, json.JSONDecodeError):
        what = error.msg.removesuffix(" at")
        return f"{what[0].lower()}{what[1:]}, at character {error.pos + 1}"
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 (byte {error.start + 1})"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return "a number in it has too many digits"


def _is_binary(raw: bytes) -> bool:
    """Whether bytes are of a program or a picture: with controls that no coding of text uses."""
    return raw[:2] not in _UTF_16_MARKS and len(raw.translate(None, _CONTROLS)) < len(raw)


def _wide_coding(raw: bytes) -> str:
    """The name of the coding where every second byte is nought, as in UTF-16 without a mark."""
    start = raw[:4]
    if len(start) == 4 and start[1] == start[3] == 0 and start[0] and start[2]:
        return "utf-16le"
    return "utf-16be" if len(start) == 4 and start[0] == start[2] == 0 and start[1] else ""


def _parse_line(text: str, number: int, origin: Origin | None) -> Line:
    if text.lstrip().startswith("["):
        raise UserError(
            f"line {number} begins a JSON array: one JSON object a line was expected.",
            "Take it apart first, e.g. jq -c '.[]' FILE > FILE.jsonl.",
        )
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError
        raise UserError(
            f"line {number} is not JSON: {json_fault(error)}.",
            "Each line must be one whole JSON object.",
        ) from error
    try:
        return _line(value, number, origin)
    except (_NotAMessage, UserError) as error:
        hint = error.hint if isinstance(error, UserError) else ""
        raise UserError(f"line {number}: {error}", hint or _MESSAGE_HINT) from error


class _NotAMessage(ValueError):
    """A JSON value that is no message."""


def _line(value: object, number: int, origin: Origin | None) -> Line:
    if not isinstance(value, dict):
        raise _NotAMessage(f"a JSON object was expected, not {type(value).__name__}.")
    listed = value.get("messages")
    if listed is None:
        said = _sourced(parse_message(value), origin)
        return Line(number, _session_id(value), (said,), _about(value))
    if not isinstance(listed, list):
        raise _NotAMessage('"messages" must be a list.')
    messages = tuple(_sourced(parse_message(item), origin) for item in listed)
    session_id = _session_id(value) or str(value.get("id") or "")
    return Line(number, session_id, messages, _about(value), whole=True)


def _about(value: Mapping[str, Any]) -> dict[str, str]:
    return {key: text for key in _ABOUT_KEYS if (text := _text_of(value, key))}


def parse_messages(value: object) -> tuple[Utterance, ...]:
    """Messages as JSON gives them: one, a list, or an object that lists them under `messages`."""
    listed = value.get("messages", [value]) if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        raise UserError("This is no list of messages.", _MESSAGE_HINT)
    return tuple(_numbered(item, n) for n, item in enumerate(listed, 1))


def _numbered(item: object, n: int) -> Utterance:
    try:
        return parse_message(item)
    except (_NotAMessage, UserError) as error:
        hint = error.hint if isinstance(error, UserError) else _MESSAGE_HINT
        raise UserError(f"message {n}: {error}", hint) from error


def _sourced(said: Utterance, origin: Origin | None) -> Utterance:
    return said if origin is None else replace(said, origin=origin)


def _session_id(value: Mapping[str, Any]) -> str:
    return next((str(value[key]) for key in _SESSION_KEYS if value.get(key)), "")


def parse_message(value: object) -> Utterance:
    """One OpenAI-style message."""
    if not isinstance(value, Mapping):
        raise _NotAMessage(f"a message must be an object, not {type(value).__name__}.")
    role = _ROLES.get(str(value.get("role", "")).lower())
    if value.get("role") is None:
        known = ", ".join(_ROLES)
        raise _NotAMessage(f'it has no "role": one of {known}.')
    if role is None:
        given = repr(value.get("role"))[:40]
        raise _NotAMessage(f"role {given} is not one of {', '.join(_ROLES)}.")
    text, payloads = _content(value.get("content"))
    calls, is_said = _calls(value), role is not Role.TOOL
    if value.get("content") is None and role is not Role.ASSISTANT and not calls:
        raise _NotAMessage('it has no "content".')
    return Utterance(
        role=role,
        text=text,
        at=_time(value),
        speaker=_text_of(value, "name") or _text_of(value, "speaker") if is_said else "",
        calls=calls,
        call_id=_text_of(value, "tool_call_id") or ("" if is_said else _text_of(value, "name")),
        payloads=payloads,
    )


def _text_of(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _content(content: object) -> tuple[str, tuple[Payload, ...]]:
    if content is None:
        return "", ()
    if isinstance(content, str):
        return content, ()
    if not isinstance(content, list):
        raise _NotAMessage('"content" must be text or a list of parts.')
    pieces = [_part(part) for part in content]
    text = "\n".join(text for text, _ in pieces if text)
    return text, tuple(payload for _, payload in pieces if payload is not None)


def _part(part: object) -> tuple[str, Payload | None]:
    if isinstance(part, str):
        return part, None
    if not isinstance(part, Mapping):
        raise _NotAMessage("a part of the content must be text or an object.")
    if isinstance(part.get("text"), str):
        return part["text"], None
    url = _url(part)
    if url is not None:
        payload = parse_data_url(url)
        return (render_marker(payload) if payload else f"[image: {url}]"), payload
    return f"[{part.get('type', 'part')}]", None


def _url(part: Mapping[str, Any]) -> str | None:
    """Where the bytes of an image or file part are; they may be in the URL itself."""
    image, file = part.get("image_url"), part.get("file")
    url = image.get("url") if isinstance(image, Mapping) else image
    if isinstance(file, Mapping):
        url = file.get("file_data")
    return url if isinstance(url, str) else None


def _calls(value: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    listed = value.get("tool_calls") or []
    if not isinstance(listed, list):
        raise _NotAMessage('"tool_calls" must be a list.')
    calls = [_call(item) for item in listed]
    legacy = value.get("function_call")
    if isinstance(legacy, Mapping):
        calls.append(_call({"function": legacy}))
    return tuple(calls)


def _call(item: object) -> ToolCall:
    function = item.get("function", item) if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(function, Mapping):
        raise _NotAMessage("a tool call must be an object.")
    arguments = function.get("arguments", "")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(str(item.get("id") or ""), str(function.get("name") or ""), arguments)


def _time(value: Mapping[str, Any]) -> int | None:
    for key in _TIME_KEYS:
        if value.get(key) is not None:
            return parse_timestamp(value[key])
    return None


def parse_timestamp(value: object) -> int:
    """Seconds, milliseconds or microseconds since 1970, or ISO 8601, as milliseconds."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return _parse_iso(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad_time(value)
    size = abs(value)
    for limit, factor in ((1e11, 1000.0), (1e14, 1.0), (1e17, 0.001)):
        if size < limit:  # never so for NaN
            return round(value * factor)
    raise _bad_time(value)


def _parse_iso(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text.strip())
        return from_datetime(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError) as error:
        raise _bad_time(text) from error


def _bad_time(value: object) -> UserError:
    return UserError(
        f"{str(value)[:40]!r} is not a time.",
        "Give seconds or milliseconds since 1970, or ISO 8601 such as 2026-01-05T09:00:00Z.",
    )
