"""Edits that change what was asked and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.config.edit import set_value, unset_value
from hermes.config.text import Json, Path, list_comments, parse_document, render_value
from hermes.errors import NotFound, UserError

keys = st.sampled_from(["a", "b", "memory", "ключ", "x y", "</key>", 'q"'])
scalars: st.SearchStrategy[Json] = (
    st.none() | st.booleans() | st.integers(-99, 99) | st.sampled_from(["", "//", "/*x*/", "é\n"])
)
values: st.SearchStrategy[Json] = scalars | st.lists(scalars, max_size=2)
paths = st.lists(keys, min_size=1, max_size=3).map(tuple)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A valid text with comments and odd spacing in every gap."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))

    def gap() -> str:
        pieces = [" ", "\t", newline, f'// c, {{ "a": 1{newline}', "/* {, */", f"/*{newline}*/"]
        return "".join(draw(st.lists(st.sampled_from(pieces), max_size=2)))

    def value(depth: int) -> str:
        nests = draw(st.booleans())
        return obj(depth + 1) if depth < 3 and nests else render_value(draw(values))

    def obj(depth: int) -> str:
        names = draw(st.lists(keys, max_size=3, unique=True))
        members = [
            f"{gap()}{render_value(name)}{gap()}:{gap()}{value(depth)}{gap()}" for name in names
        ]
        ends_in_comma = draw(st.booleans())
        trailing = "," + gap() if members and ends_in_comma else ""
        return "{" + ",".join(members) + trailing + gap() + "}"

    bom = draw(st.sampled_from(["", "\ufeff"]))
    return bom + gap() + (obj(0) if draw(st.integers(0, 9)) else "") + gap()


def is_insertion(old: str, new: str) -> bool:
    """Whether `new` is `old` with one piece put in."""
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
    return len(new) >= len(old) and new.endswith(old[head:])


def is_insertion_after_comma(old: str, new: str) -> bool:
    """Whether `new` is `old` with a comma put in and, after it, one piece."""
    return any(
        new[i] == "," and new[:i] == old[:i] and is_insertion(old, new[:i] + new[i + 1 :])
        for i in range(len(new))
    )


@settings(max_examples=200)
@given(documents(), paths, values)
def test_set_changes_one_value_and_not_one_other_byte(text: str, path: Path, value: Json) -> None:
    document = parse_document(text, "c.json")
    found = document.root.find(path) if document.root else None
    try:
        edited = set_value(document, path, value)
    except UserError as error:
        assert "holds a value, not a section" in error.message
        return
    assert edited.root is not None
    node = edited.root.find(path)
    assert node is not None and node.to_json() == value
    if found is not None:
        assert edited.text == text[: found.start] + render_value(value) + text[found.end :]
    else:
        assert list_comments(edited.text) == list_comments(text)
        assert is_insertion(text, edited.text) or is_insertion_after_comma(text, edited.text)


@settings(max_examples=200)
@given(documents(), paths)
def test_unset_removes_one_value_and_no_comment_outside_it(text: str, path: Path) -> None:
    document = parse_document(text, "c.json")
    found = document.root.find(path) if document.root else None
    if found is None:
        with pytest.raises(NotFound):
            unset_value(document, path)
        return
    edited = unset_value(document, path)
    assert edited.root is not None and edited.root.find(path) is None
    parent = document.root.find(path[:-1]) if document.root else None
    member = parent.member(path[-1]) if parent else None
    assert member is not None
    assert list_comments(edited.text) == list_comments(
        text[: member.start] + '"": 0' + text[found.end :]
    )


@settings(max_examples=200)
@given(documents(), paths, values)
def test_set_then_unset_gives_the_values_back(text: str, path: Path, value: Json) -> None:
    document = parse_document(text, "c.json")
    if document.root is None or document.root.find(path[:-1]) is None or document.root.find(path):
        return
    parent = document.root.find(path[:-1])
    if parent is None or parent.members is None:
        return
    back = unset_value(set_value(document, path, value), path)
    assert back.to_json() == document.to_json()


def set_text(text: str, key: str, value: Json) -> str:
    return set_value(parse_document(text, "c.json"), tuple(key.split(".")), value).text


SPEC = """{
  "memory": {
    "backend": "sqlite",
    "vacuumSchedule": "weekly",   // auto-vacuum to reclaim space
    "walMode": true               // write-ahead logging
  }
}
"""


def test_a_new_key_stands_below_the_last_with_its_indentation() -> None:
    assert set_text(SPEC, "memory.poolSize", 9) == SPEC.replace(
        '"walMode": true               // write-ahead logging\n',
        '"walMode": true,               // write-ahead logging\n    "poolSize": 9\n',
    )


def test_a_new_section_is_made_with_the_lines_of_the_file() -> None:
    text = SPEC.replace("\n", "\r\n")
    edited = set_text(text, "memory.retrieval.semanticTopK", 7)
    assert '\r\n    "retrieval": {\r\n      "semanticTopK": 7\r\n    }\r\n  }\r\n}' in edited
    assert "\n" not in edited.replace("\r\n", "")


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        ("", '{\n  "a": 1\n}\n'),
        ("// mine", '// mine\n{\n  "a": 1\n}\n'),
        ("{}", '{\n  "a": 1\n}'),
        ('{"b": 2}', '{"b": 2, "a": 1}'),
        ('{"b": 2,}', '{"b": 2, "a": 1}'),
        ('{\n\t"b": 2,\n}\n', '{\n\t"b": 2,\n\t"a": 1,\n}\n'),
        ("{ // note\n}", '{ // note\n  "a": 1\n}'),
        ('{"b": 2 // two\n}', '{"b": 2, "a": 1 // two\n}'),
        ('{ "a" /* x */ : /* y */ 0 }', '{ "a" /* x */ : /* y */ 1 }'),
    ],
)
def test_set_in_files_of_every_style(text: str, edited: str) -> None:
    assert set_text(text, "a", 1) == edited


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        ('{"a": 1}', "{}"),
        ('{"a": 1, "b": 2}', '{"b": 2}'),
        ('{"b": 2, "a": 1}', '{"b": 2}'),
        ('{\n  "b": 2,\n  "a": {\n    "c": 1\n  }\n}\n', '{\n  "b": 2\n}\n'),
        ('{\n  "a": 1, // one\n  "b": 2\n}', '{\n  // one\n  "b": 2\n}'),
        ('{\n  "b": 2, // two\n  "a": 1\n}', '{\n  "b": 2 // two\n}'),
        ('{\n  "a": 1 /* x */,\n  "b": 2\n}', '{\n  /* x */\n  "b": 2\n}'),
    ],
)
def test_unset_in_files_of_every_style(text: str, edited: str) -> None:
    assert unset_value(parse_document(text, "c.json"), ("a",)).text == edited
