"""What is kept of a call's arguments: no secret, however JSON writes it, and else every byte."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.guard.kept import kept_arguments

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
SECRETS = {
    "after a line's end": (f"# keys\n{TOKEN}\n", TOKEN),
    "after a tab": (f"x\t{TOKEN}\n", TOKEN),
    "quoted": ('x\npassword = "hunter2xyzQ9"\n', "hunter2xyzQ9"),
    "assigned": ("x\nDB_PASSWORD=hunter2xyzQ9\n", "hunter2xyzQ9"),
    "a card": ("x\n4111 1111 1111 1111\n", "1111 1111"),
    "in a URL": ("x\npostgres://me:s3cr3tPass99@db.example.com/app\n", "s3cr3tPass99"),
}
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab \n\"'\\é", max_size=8),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("xyz", max_size=3), inner),
    max_leaves=8,
)


@pytest.mark.parametrize("case", SECRETS)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_secret_inside_a_string_is_cut_out(case: str, ascii_only: bool) -> None:
    text, secret = SECRETS[case]
    written = json.dumps({"path": "é", "content": [{"text": text}]}, ensure_ascii=ascii_only)
    kept = kept_arguments(written)
    assert secret not in kept
    assert "[redacted:" in json.loads(kept)["content"][0]["text"]
    assert json.loads(kept)["path"] == "é"


@pytest.mark.parametrize("case", SECRETS)
def test_so_it_is_where_the_call_was_cut_off(case: str) -> None:
    text, secret = SECRETS[case]
    assert secret not in kept_arguments(json.dumps({"path": "f", "content": text})[:-1])


def test_a_name_tells_what_stands_behind_it() -> None:
    written = json.dumps({"password": "hunter2xyzQ9", "args": ["--password", "hunter2xyzQ9"]})
    assert json.loads(kept_arguments(written)) == {
        "password": "[redacted:password]",
        "args": ["--password", "[redacted:password]"],
    }
    assert json.loads(kept_arguments('{"to": {"card": 4111111111111111}, "n": 4111}')) == {
        "to": {"card": "[redacted:card-number]"},
        "n": 4111,
    }


def test_a_name_may_be_the_secret_and_may_come_twice() -> None:
    assert TOKEN not in kept_arguments(json.dumps({TOKEN: 1}))
    assert TOKEN not in kept_arguments(f'{{"a": "x {TOKEN}", "a": "y"}}')


def test_letters_written_as_numbers_are_read() -> None:
    kept = kept_arguments('{"a": "p\\u0061ssword: hunter2xyzQ9"}')
    assert "hunter2" not in kept


def test_what_is_nested_beyond_reading_is_text() -> None:
    deep = "[" * 100_000 + TOKEN + "]" * 100_000
    assert TOKEN not in kept_arguments(deep)


@given(values)
def test_without_a_secret_every_byte_stays(value: object) -> None:
    written = json.dumps({"n": value}, indent=1)
    assert kept_arguments(written) == written
