"""The reader of JSON with comments: what it takes, what it refuses, and where it says so."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.config.text import Json, list_comments, parse_document
from hermes.errors import UserError

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=8)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=6), values, max_size=4)


def read(text: str) -> Json:
    return parse_document(text, "c.json").to_json()


@given(objects, st.booleans(), st.sampled_from([None, 2]))
def test_reads_whatever_the_standard_library_writes(
    value: dict[str, Json], ascii_only: bool, indent: int | None
) -> None:
    assert read(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) == value


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        parse_document(text, "c.json")
    except UserError as error:
        assert error.message.startswith("c.json:")
        assert error.hint


@given(st.text(st.sampled_from('{}[]",:/*\\ \n\r1-.eEtrue'), max_size=30))
def test_accepts_no_more_than_json_and_comments(text: str) -> None:
    try:
        value = read(text)
    except UserError:
        return
    if "/" not in text and text.strip() and ",}" not in "".join(text.split()):
        if ",]" not in "".join(text.split()):
            assert json.loads(text) == value


def test_comments_trailing_commas_bom_and_crlf() -> None:
    text = '\ufeff// a\r\n{ /* b\r\n*/ "k": [1, 2,], // c\r\n}\r\n// d'
    assert read(text) == {"k": [1, 2]}
    assert list_comments(text) == ["// a", "/* b\r\n*/", "// c", "// d"]


@pytest.mark.parametrize("text", ["", " \n", "// only\n", "/* x */", "\ufeff"])
def test_a_file_without_an_object_is_empty(text: str) -> None:
    assert read(text) == {}


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('{"a": 1\n "b": 2}', "c.json:2:2", "comma"),
        ('{"a": 1,\n\n"a": 2}', "c.json:3:1", "written twice; it stands on line 1"),
        ('{"a": tru}', "c.json:1:7", "'tru' is not JSON"),
        ("{'a': 1}", "c.json:1:2", "double quotes"),
        ("{a: 1}", "c.json:1:2", "'a' is not JSON"),
        ('{"a": "b\nc"}', "c.json:1:7", "not closed"),
        ('{"a": 1} {', "c.json:1:10", "nothing may follow"),
        ('{"a": 1', "c.json:1:8", "comma or '}'"),
        ('{"a":', "c.json:1:6", "a value should stand"),
        ("[1]", "c.json:1:1", "one object"),
        ('{"a": 01}', "c.json:1:7", "not JSON"),
        ('{"a": NaN}', "c.json:1:7", "'NaN'"),
        ('{"a": 1e999}', "c.json:1:7", "too large"),
        ('{"a": "\\ud800"}', "c.json:1:7", "lone surrogate"),
        ('{\r\n"a": 1,\r\n# x\r\n}', "c.json:3:1", "begins with //"),
        ('{"a": 1 /* }', "c.json:1:9", "comment is not closed"),
        ('{"a": , }', "c.json:1:7", "a value is missing"),
        ("{,}", "c.json:1:2", "key in double quotes"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_column(text: str, place: str, words: str) -> None:
    with pytest.raises(UserError) as caught:
        read(text)
    assert caught.value.message.startswith(place + ": ")
    assert words in caught.value.message


def test_deep_nesting_and_long_numbers_are_refused_not_crashed_on() -> None:
    for text in ('{"a":' + "[" * 100_000, '{"a":' * 100_000, '{"a": ' + "9" * 10_000 + "}"):
        with pytest.raises(UserError):
            read(text)


def test_a_megabyte_is_read_in_a_moment() -> None:
    value = {f"key{i}": {"text": "x" * 40, "n": i} for i in range(14_000)}
    text = json.dumps(value, indent=2)
    assert len(text) > 1_000_000
    started = time.process_time()
    assert read(text) == value
    assert time.process_time() - started < 10
