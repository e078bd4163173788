"""Replies that must be JSON: whole, or an error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import Unavailable
from hermes.llm.base import ModelReply
from hermes.llm.structured import is_strict, parse_json_object, parse_json_reply

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(json_values, st.sampled_from(["{}", " {}\n", "```json\n{}\n```", "Here:\n```\n{}\n```"]))
def test_json_is_read_bare_or_fenced(value: object, frame: str) -> None:
    text = frame.replace("{}", json.dumps(value))
    assert parse_json_reply(ModelReply(text)) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I think so.",
        '{"a": 1',
        '{"a": 1} and more',
        "```json\n{}\n``` and then some",
        "[" * 9**5,
    ],
)
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(Unavailable, match="did not answer in JSON"):
        parse_json_reply(ModelReply(text, model="m"))


def test_an_object_is_an_object() -> None:
    assert parse_json_object(ModelReply('{"a": 1}')) == {"a": 1}
    with pytest.raises(Unavailable, match="another shape"):
        parse_json_object(ModelReply("[1]"))


def test_strictness_is_looked_for_all_the_way_down() -> None:
    leaf = {"type": "object", "properties": {"x": {}}, "required": ["x"]}
    closed = {**leaf, "additionalProperties": False}
    outer = {
        "type": "object",
        "properties": {"list": {"type": "array", "items": closed}},
        "required": ["list"],
        "additionalProperties": False,
    }
    assert is_strict(outer)
    assert not is_strict(leaf)
    assert not is_strict({**outer, "$defs": {"deep": leaf}})
    assert not is_strict({**outer, "required": []})
