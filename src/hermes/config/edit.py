"""Changes to the text of a config file that leave everything else in it as it was.

Pure: text in, text out. Comments, order, indentation and line ends belong to the person; a change
is a few insertions or one removal at known positions, checked afterwards by reading the result.
"""

import re
from dataclasses import dataclass

from hermes.config.text import (
    BOM,
    Document,
    Json,
    Member,
    Node,
    Path,
    parse_document,
    render_value,
)
from hermes.errors import Corrupt, NotFound, UserError

REST_OF_LINE = re.compile(r"(?:[ \t]|/\*(?:(?!\*/)[^\r\n])*\*/)*(?://[^\r\n]*)?(?=\r|\n|\Z)")
UNIT = "  "


@dataclass(frozen=True, slots=True)
class Splice:
    """Put `text` in place of what stands between `start` and `end`."""

    start: int
    end: int
    text: str


def set_value(document: Document, path: Path, value: Json) -> Document:
    """The document with `path` set; sections that are missing are made."""
    expected = _with(document.to_json(), path, value)
    if document.root is None:
        text = _apply(document.text, [_new_root(document.text, path, value)])
    else:
        text = _apply(document.text, _set(document, document.root, path, value))
    return _checked(text, document.source, expected)


def unset_value(document: Document, path: Path) -> Document:
    """The document without `path`; a section that becomes empty stays."""
    parent = document.root.find(path[:-1]) if document.root else None
    member = parent.member(path[-1]) if parent else None
    if parent is None or member is None:
        raise NotFound(
            f"{'.'.join(path)} is not set in {document.source}",
            "`hermes config list` shows where each value comes from.",
        )
    expected = _without(document.to_json(), path)
    text = _apply(document.text, _unset(document.text, parent, member))
    return _checked(text, document.source, expected)


def _set(document: Document, root: Node, path: Path, value: Json) -> list[Splice]:
    node, depth = root, 0
    while (member := node.member(path[depth])) is not None:
        node, depth = member.node, depth + 1
        if depth == len(path):
            return [Splice(node.start, node.end, render_value(value))]
        if node.members is None:
            raise UserError(
                f"{document.source}:{document.line_of(path[:depth])}: "
                f"{'.'.join(path[:depth])} holds a value, not a section",
                f"Remove it first: hermes config unset {'.'.join(path[:depth])}",
            )
    return _insert(document.text, node, path[depth:], value)


def _insert(text: str, parent: Node, path: Path, value: Json) -> list[Splice]:
    """A new member at the end of an object."""
    members = parent.members or ()
    if not members:
        return [_insert_first(text, parent, path, value)]
    last = members[-1]
    end = last.comma + 1 if last.comma >= 0 else last.node.end
    comma = [] if last.comma >= 0 else [Splice(end, end, ",")]
    if not _has_newline(text[parent.start : members[0].start]):
        return [*comma, Splice(end, end, " " + _member(path, value, "", ""))]
    indent = _indent_at(text, members[0].start)
    rest = REST_OF_LINE.match(text, end)
    place = rest.end() if rest else end
    tail = "," if last.comma >= 0 else ""
    line = _newline(text) + indent + _member(path, value, indent, _newline(text)) + tail
    return [*comma, Splice(place, place, line)]


def _insert_first(text: str, parent: Node, path: Path, value: Json) -> Splice:
    """A member into an object that holds none, after whatever comments it holds."""
    if _is_one_line(text, parent):
        return Splice(parent.start + 1, parent.start + 1, _member(path, value, "", ""))
    outer = _indent_at(text, parent.start)
    indent = outer + _unit(text)
    content = text[parent.start + 1 : parent.end - 1]
    place = parent.start + 1 + len(content.rstrip())
    newline = _newline(text)
    closing = "" if _has_newline(text[place : parent.end]) else newline + outer
    member = newline + indent + _member(path, value, indent, newline)
    return Splice(place, place, member + closing)


def _is_one_line(text: str, parent: Node) -> bool:
    """Whether an empty object stands in a file that is all on one line."""
    is_inside = bool(text[: parent.start].strip(BOM + " \t"))
    return (
        is_inside
        and not _has_newline(text.strip())
        and not text[parent.start + 1 : parent.end - 1].strip()
    )


def _new_root(text: str, path: Path, value: Json) -> Splice:
    """A whole object, after the comments of a file that holds nothing else."""
    newline = _newline(text)
    before = newline if text.rstrip("\r\n") == text and text.strip(BOM) else ""
    body = newline + UNIT + _member(path, value, UNIT, newline)
    return Splice(len(text), len(text), f"{before}{{{body}{newline}}}{newline}")


def _member(path: Path, value: Json, indent: str, newline: str) -> str:
    """`"a": { "b": value }`, on lines of its own if there is a newline to use."""
    key = render_value(path[0])
    if len(path) == 1:
        return f"{key}: {render_value(value)}"
    if not newline:
        return f"{key}: {{{_member(path[1:], value, '', '')}}}"
    inner = indent + UNIT
    below = _member(path[1:], value, inner, newline)
    return f"{key}: {{{newline}{inner}{below}{newline}{indent}}}"


def _unset(text: str, parent: Node, member: Member) -> list[Splice]:
    start, end = member.start, member.node.end
    members = parent.members or ()
    index = members.index(member)
    commas = []
    if member.comma >= 0:
        commas = [Splice(member.comma, member.comma + 1, "")]
    elif index > 0:
        before = members[index - 1].comma
        commas = [Splice(before, before + 1, "")]
    if member.comma >= 0 and not text[end : member.comma].strip():
        end, commas = member.comma + 1, []
    return [*commas, _whole_line(text, start, end)]


def _whole_line(text: str, start: int, end: int) -> Splice:
    """Take the line too if nothing else stands on it, else the spaces after what is removed."""
    head = re.compile(r"(?:\r\n|\n|\r)[ \t]*\Z").search(text, 0, start)
    tail = re.compile(r"[ \t]*(?=\r|\n)").match(text, end)
    if head and tail:
        return Splice(head.start(), tail.end(), "")
    if text[end:].lstrip(" \t").startswith("}"):
        return Splice(len(text[:start].rstrip(" \t")), end, "")
    spaces = re.compile(r"[ \t]*").match(text, end)
    return Splice(start, spaces.end() if spaces else end, "")


def _apply(text: str, splices: list[Splice]) -> str:
    """All splices at once; of two at the same place the first in the list comes first."""
    for splice in sorted(splices, key=lambda s: s.start)[::-1]:
        text = text[: splice.start] + splice.text + text[splice.end :]
    return text


def _checked(text: str, source: str, expected: Json) -> Document:
    """The new text, once it has been seen to say what it should."""
    document = parse_document(text, source)
    if document.to_json() != expected:
        raise Corrupt(
            f"changing {source} would have changed more than was asked", "Edit the file by hand."
        )
    return document


def _with(value: Json, path: Path, new: Json) -> Json:
    if not path:
        return new
    below = value if isinstance(value, dict) else {}
    return {**below, path[0]: _with(below.get(path[0]), path[1:], new)}


def _without(value: Json, path: Path) -> Json:
    if not isinstance(value, dict):
        return value
    if len(path) == 1:
        return {key: item for key, item in value.items() if key != path[0]}
    return {k: _without(v, path[1:]) if k == path[0] else v for k, v in value.items()}


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _has_newline(text: str) -> bool:
    return "\n" in text or "\r" in text


def _indent_at(text: str, offset: int) -> str:
    """The spaces the line of `offset` begins with."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    match = re.compile(r"[ \t]*").match(text, start)
    return match.group() if match else ""


def _unit(text: str) -> str:
    """One step of indentation, as the file has it."""
    match = re.search(r"[\r\n]([ \t]+)\"", text)
    return match.group(1) if match else UNIT
