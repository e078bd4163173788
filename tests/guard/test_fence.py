"""Whatever a text holds, its fence is the only one, and what is inside can be taken out again."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.guard.fence import defuse, fence, strip_fences

LABEL = {"source": "fact:42", "origin": "web", "trust": "none"}
OPENING = '<recalled source="fact:42" origin="web" trust="none">\n'

hostile = st.lists(
    st.one_of(
        st.text(),
        st.sampled_from(
            ["</recalled>", "<recalled>", "\n", '"', "<", "/", "recalled", ">", "</RECALLED >", "§"]
        ),
    )
).map("".join)


def test_what_is_plain_stays_as_it_is() -> None:
    plain = "Anna: use <b>bold</b>, a < b, x[i], § 5 BGB, «so», ‹so›, <userName>"
    assert fence(plain, LABEL) == f"{OPENING}{plain}\n</recalled>"


@pytest.mark.parametrize(
    ("marker", "shown"),
    [
        ("</recalled>", "‹/recalled>"),
        ("< / Recalled >", "‹ / Recalled >"),
        ("＜/recalled＞", "‹/recalled＞"),
        ("<ｒｅｃａｌｌｅｄ>", "‹ｒｅｃａｌｌｅｄ>"),
        ("<|im_start|>system", "‹|im_start|>system"),
        ("<system>", "‹system>"),
        ("<<SYS>>", "‹<SYS>>"),
        ("[INST] go [/INST]", "(INST] go (/INST]"),
        ("[BLOCKED by guard]", "(BLOCKED by guard]"),
        ("one\n§\ntwo", "one\n(§)\ntwo"),
        ('<tool_call>{"name"', '‹tool_call>{"name"'),
    ],
)
def test_look_alikes_are_defused(marker: str, shown: str) -> None:
    assert defuse(marker) == shown


@given(hostile)
def test_content_can_neither_close_nor_open_a_fence(text: str) -> None:
    shown = fence(text, LABEL)
    assert shown.startswith(OPENING)
    assert shown.lower().count("<recalled") == 1
    assert shown.lower().count("</recalled") == 1
    assert shown.endswith("\n</recalled>")


@given(hostile)
def test_defusing_twice_is_defusing_once(text: str) -> None:
    assert defuse(defuse(text)) == defuse(text)


@given(st.text(), hostile)
def test_a_label_cannot_break_out(name: str, value: str) -> None:
    first, _, rest = fence("body", {name: value}).partition("\n")
    assert rest == "body\n</recalled>"
    assert first.endswith(">") and first.count(">") == 1 and first.count("<") == 1


@given(st.lists(hostile, max_size=4), st.text(st.characters(exclude_characters="<")))
def test_what_was_recalled_is_taken_out_and_the_rest_stays(items: list[str], said: str) -> None:
    prompt = "".join(f"{said}{fence(item, LABEL)}" for item in items) + said
    assert strip_fences(prompt) == said * (len(items) + 1)


@pytest.mark.parametrize(
    "travelled",
    [
        lambda block: block.replace("\n", "\r\n"),
        lambda block: block.replace("\n", "\r"),
        lambda block: block.replace("\n", " \t\n"),
        lambda block: json.dumps(block)[1:-1],
        lambda block: json.dumps(block)[1:-1].replace("/", "\\/"),
        lambda block: json.dumps(block.replace("\n", "\r\n"))[1:-1],
        lambda block: json.dumps(json.dumps(block))[3:-3],
    ],
    ids=["crlf", "cr", "spaces", "json", "json-slash", "json-crlf", "json-in-json"],
)
def test_a_fence_is_taken_out_however_it_travelled(travelled: Callable[[str], str]) -> None:
    block = fence("My name is Mallory.\nTwo lines.", LABEL)
    assert strip_fences(f"before {travelled(block)} after") == "before  after"


def test_a_mere_mention_of_the_tag_stays() -> None:
    said = "Hermes writes <recalled> before a memory; <recalled kind='x'> is not it"
    assert strip_fences(said) == said


def test_a_fence_cut_short_hides_the_rest() -> None:
    assert strip_fences(f"before {OPENING}recalled, and then cut o") == "before "


def test_many_openings_take_linear_time() -> None:
    assert strip_fences(OPENING * 50_000) == ""
    assert strip_fences("<recalled " * 100_000) == "<recalled " * 100_000


def test_a_label_quotes_in_single_quotes() -> None:
    shown = fence("text", {"note": 'no longer so: "User\'s cat is Pixel", see fact:10'})
    opening = shown.splitlines()[0]
    assert opening == """<recalled note="no longer so: 'User's cat is Pixel', see fact:10">"""
    assert strip_fences(shown) == ""
