"""Reading messages as other programs write them; what cannot be read is named by its line."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import UserError
from hermes.memory.transcript import Line, parse_lines, parse_message, parse_timestamp
from hermes.types import Origin, Payload, Role, ToolCall, Utterance

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)
keys = st.sampled_from(
    ["role", "content", "messages", "tool_calls", "function_call", "timestamp", "name", "id"]
)
message_like = st.dictionaries(keys, json_values | st.sampled_from(["user", "tool"]), max_size=6)


def lines(*raw: bytes) -> list[Line]:
    return list(parse_lines(iter(raw)))


def one(value: Any) -> Utterance:
    [line] = lines(json.dumps(value).encode())
    [said] = line.messages
    return said


def failure(*raw: bytes) -> str:
    with pytest.raises(UserError) as caught:
        lines(*raw)
    assert caught.value.hint
    return caught.value.message


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("user", Role.USER),
        ("Human", Role.USER),
        ("assistant", Role.ASSISTANT),
        ("model", Role.ASSISTANT),
        ("system", Role.SYSTEM),
        ("developer", Role.SYSTEM),
        ("tool", Role.TOOL),
        ("function", Role.TOOL),
    ],
)
def test_roles(role: str, expected: Role) -> None:
    assert one({"role": role, "content": "x"}) == Utterance(expected, "x")


def test_tool_calls_and_their_results() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"a": 1}'}}
    said = one({"role": "assistant", "content": None, "tool_calls": [call]})
    assert (said.text, said.calls) == ("", (ToolCall("c1", "ls", '{"a": 1}'),))
    assert one({"role": "tool", "tool_call_id": "c1", "content": "a.txt"}).call_id == "c1"
    assert one({"role": "function", "name": "ls", "content": "a.txt"}).call_id == "ls"
    legacy = {"role": "assistant", "function_call": {"name": "ls", "arguments": {"a": "ü"}}}
    assert one(legacy).calls == (ToolCall("", "ls", '{"a": "ü"}'),)


def test_names_are_speakers() -> None:
    assert one({"role": "user", "content": "x", "name": "Ada"}).speaker == "Ada"
    assert one({"role": "user", "content": "x", "speaker": "Ada"}).speaker == "Ada"
    assert one({"role": "user", "content": "x", "name": ["Ada"]}).speaker == ""


def test_parts_and_pictures() -> None:
    picture = base64.b64encode(b"\x89PNG" * 300).decode()
    said = one(
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "look:"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}},
                {"type": "image_url", "image_url": "https://example.org/a.png"},
                {"type": "input_audio", "input_audio": {}},
                "plain",
            ],
        }
    )
    assert said.payloads == (Payload("image/png", b"\x89PNG" * 300),)
    assert said.text.split("\n") == [
        "look:",
        "[image/png, 1 KB]",
        "[image: https://example.org/a.png]",
        "[input_audio]",
        "plain",
    ]


def test_a_line_may_be_a_whole_conversation() -> None:
    told = {"id": 7, "title": "T", "messages": [{"role": "user", "content": "x"}] * 2}
    [line] = lines(json.dumps(told).encode())
    assert (line.session_id, len(line.messages), line.whole) == ("7", 2, True)
    assert line.about == {"title": "T"}


def test_a_line_may_name_its_conversation() -> None:
    for key in ("session_id", "conversation_id", "thread_id", "session"):
        [line] = lines(json.dumps({"role": "user", "content": "x", key: "abc"}).encode())
        assert (line.session_id, line.whole) == ("abc", False)


def test_an_origin_is_given_to_every_message() -> None:
    [line] = parse_lines(iter([b'{"role": "user", "content": "x"}']), origin=Origin.IMPORT)
    assert line.messages[0].origin is Origin.IMPORT


def test_bom_crlf_and_blank_lines_are_read_over() -> None:
    raw = b'{"role": "user", "content": "\xc3\xbc"}'
    found = lines(b"\xef\xbb\xbf" + raw + b"\r\n", b"\r\n", b"   \n", raw)
    assert [line.number for line in found] == [1, 4]
    assert {line.messages[0].text for line in found} == {"ü"}


GOOD = b'{"role": "user", "content": "x"}\n'


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b'{"role": "user", "content": ', "is not JSON"),
        (b"not json", "is not JSON"),
        (b'{"role": "user"} {"role": "user"}', "is not JSON"),
        (b"\xff\xfe{\x00", "is not UTF-8 (byte 1)"),
        (b'{"role": "user", "content": "caf\xe9"}', "is not UTF-8 (byte 33)"),
        (b'{"a": ' * 100_000, "is not JSON"),
        (b"\xff\xfe{\x00", "is not UTF-8"),
        (b'{"role": "user", "at": ' + b"1" * 5000 + b"}", "is not JSON"),
        (b"[]", "begins a JSON array: one JSON object a line was expected"),
        (b"7", "a JSON object was expected, not int"),
        (b"3", "a JSON object was expected, not int"),
        (b"null", "a JSON object was expected"),
        (b"{}", 'it has no "role": one of system'),
        (b'{"role": null, "content": "x"}', 'it has no "role"'),
        (b'{"role": "user"}', 'it has no "content"'),
        (b'{"role": "user", "content": null}', 'it has no "content"'),
        (b"\x7fELF\x02\x01\x01\x00\xff\xe9", "is no text"),
        (b'{"role": "owner", "content": "x"}', "role 'owner' is not one of"),
        (b'{"role": "user", "content": 7}', '"content" must be text'),
        (b'{"role": "user", "content": [7]}', "a part of the content"),
        (b'{"messages": 7}', '"messages" must be a list'),
        (b'{"messages": [7]}', "a message must be an object"),
        (b'{"role": "user", "tool_calls": 7}', '"tool_calls" must be a list'),
        (b'{"role": "user", "tool_calls": [7]}', "a tool call must be an object"),
        (b'{"role": "user", "content": "x", "timestamp": "noon"}', "'noon' is not a time"),
        (b'{"role": "user", "content": "x", "timestamp": true}', "is not a time"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(raw: bytes, what: str) -> None:
    message = failure(GOOD, b"\n", raw)
    assert message.startswith("line 3")
    assert what in message


def test_an_error_stays_short_however_long_the_line() -> None:
    assert len(failure(b'{"role": "' + b"x" * 1_000_000 + b'"}')) < 300


@pytest.mark.parametrize(
    ("given", "ms"),
    [
        (1_767_603_600, 1_767_603_600_000),
        (1_767_603_600.25, 1_767_603_600_250),
        (1_767_603_600_000, 1_767_603_600_000),
        (1_767_603_600_000_000, 1_767_603_600_000),
        ("1767603600", 1_767_603_600_000),
        ("2026-01-05T09:00:00Z", 1_767_603_600_000),
        ("2026-01-05T09:00:00", 1_767_603_600_000),
        ("2026-01-05 10:00:00+01:00", 1_767_603_600_000),
        (" 2026-01-05 ", 1_767_571_200_000),
        (0, 0),
        (-1, -1000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ],
)
def test_times_in_any_unit(given: object, ms: int) -> None:
    assert parse_timestamp(given) == ms


@pytest.mark.parametrize(
    "given",
    [
        *("", "noon", "nan", "inf", "2026-13-01", "2026-02-30T00:00", "\x00", None, [], {}, True),
        *(float("nan"), float("inf"), -float("inf"), 1e18, 10**400, -(10**25), "9" * 500),
    ],
)
def test_what_is_no_time_is_said_to_be_none(given: object) -> None:
    with pytest.raises(UserError, match="is not a time") as caught:
        parse_timestamp(given)
    assert len(caught.value.message) < 80


@given(json_values | message_like)
def test_any_json_is_a_message_or_a_clear_error(value: object) -> None:
    raw = json.dumps(value).encode()
    try:
        lines(raw)
    except UserError as error:
        assert error.message.startswith("line 1")


@given(st.binary(max_size=200))
def test_any_bytes_are_lines_or_a_clear_error(raw: bytes) -> None:
    try:
        lines(*raw.split(b"\n"))
    except UserError as error:
        assert error.message.startswith("line ")


def test_a_message_alone_is_read() -> None:
    assert parse_message({"role": "user", "content": "x"}) == Utterance(Role.USER, "x")


def test_bytes_that_are_no_text_get_no_hint_of_a_coding() -> None:
    with pytest.raises(UserError) as told:
        lines(b"\x89PNG\r\x1a\x00\x00\xff")
    assert "iconv" not in told.value.hint


def test_an_answer_that_only_calls_needs_no_content() -> None:
    assert one({"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]}).calls
    assert one({"role": "assistant", "content": None}).text == ""


@pytest.mark.parametrize("coding", ["utf-16le", "utf-16be"])
def test_utf_16_without_a_mark_is_named(coding: str) -> None:
    raw = '{"role": "user", "content": "hi"}\n'.encode(coding)
    with pytest.raises(UserError, match="looks like UTF-16") as told:
        list(parse_lines(iter([raw])))
    assert f"iconv -f {coding}" in told.value.hint
