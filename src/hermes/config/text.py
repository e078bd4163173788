"""JSON with comments, as a tree that knows where in the text each piece stands.

`//` and `/* */` comments and a comma after the last item are allowed; the rest is strict JSON, and
a key written twice is an error. The positions let an edit leave everything else untouched.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from hermes.errors import UserError

Scalar: TypeAlias = str | int | float | bool | None
Json: TypeAlias = "Scalar | list[Json] | dict[str, Json]"
Path: TypeAlias = tuple[str, ...]

MAX_DEPTH = 64
MAX_DIGITS = 400
BOM = "\ufeff"

TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<comment>//[^\r\n]*|/\*(?s:.*?)\*/)
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")
      | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])
      | (?P<word>true|false|null)(?!\w)
      | (?P<mark>[{}\[\],:])""",
    re.VERBOSE,
)
WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its span in the text; `end` is just after its last character."""

    start: int
    end: int
    value: Scalar = None
    members: "tuple[Member, ...] | None" = None
    items: "tuple[Node, ...] | None" = None

    def find(self, path: Path) -> "Node | None":
        """The node at `path` below this one."""
        node = self
        for key in path:
            member = node.member(key)
            if member is None:
                return None
            node = member.node
        return node

    def member(self, key: str) -> "Member | None":
        return next((m for m in self.members or () if m.key == key), None)

    def to_json(self) -> Json:
        if self.members is not None:
            return {member.key: member.node.to_json() for member in self.members}
        if self.items is not None:
            return [item.to_json() for item in self.items]
        return self.value


@dataclass(frozen=True, slots=True)
class Member:
    """One `"key": value` of an object; `comma` is where the comma after it stands, or -1."""

    key: str
    start: int
    node: Node
    comma: int


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text; `root` is None where the text holds nothing but space and comments."""

    text: str
    source: str
    root: Node | None

    def to_json(self) -> Json:
        return {} if self.root is None else self.root.to_json()

    def line_of(self, path: Path) -> int:
        """The line on which the key `path` (or the nearest thing above it) stands."""
        node, offset = self.root, 0
        for key in path:
            member = node.member(key) if node is not None else None
            if member is None:
                break
            node, offset = member.node, member.start
        return line_number(self.text, offset)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    start: int
    end: int


def line_number(text: str, offset: int) -> int:
    """Lines as editors count them: `\\r\\n`, `\\n` and a lone `\\r` each end one."""
    before = text[:offset]
    return 1 + before.count("\n") + len(re.findall(r"\r(?!\n)", before))


def list_comments(text: str) -> list[str]:
    """The comments of a text, in order."""
    tokens = _scan(text, "text")
    return [text[t.start : t.end] for t in tokens if t.kind == "comment"]


def parse_document(text: str, source: str) -> Document:
    """Read a text; `source` names it in errors."""
    parser = _Parser(text, source)
    return Document(text, source, parser.parse_root())


def render_value(value: Json) -> str:
    """A value as it is written into a config file."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _scan(text: str, source: str) -> Iterator[Token]:
    position = 1 if text.startswith(BOM) else 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise _broken(text, source, position, _what_is_wrong(text, position))
        yield Token(match.lastgroup, match.start(), match.end())
        position = match.end()


def _what_is_wrong(text: str, position: int) -> str:
    rest = text[position : position + 20]
    if rest.startswith('"'):
        return "this string is not closed, or holds a control character or a wrong escape"
    if rest.startswith("/*"):
        return "this comment is not closed"
    if rest.startswith("'"):
        return "strings are written with double quotes"
    if rest.startswith("#"):
        return "a comment begins with //"
    word = re.match(r"[\w.+-]+", rest)
    return f"{(word.group() if word else rest[0])!r} is not JSON"


def _broken(text: str, source: str, offset: int, what: str) -> UserError:
    line = line_number(text, offset)
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return UserError(
        f"{source}:{line}:{offset - start + 1}: {what}",
        "Mend that line; `hermes config edit` checks the file before it replaces it.",
    )


class _Parser:
    """Recursive descent over the tokens that carry meaning."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.tokens = (t for t in _scan(text, source) if t.kind not in ("space", "comment"))
        self.token = next(self.tokens, None)

    def parse_root(self) -> Node | None:
        if self.token is None:
            return None
        root = self.parse_value(depth=0)
        if self.token is not None:
            raise self.fail("nothing may follow the closing brace")
        if root.members is None:
            raise _broken(
                self.text, self.source, root.start, "the file must hold one object: { … }"
            )
        return root

    def parse_value(self, depth: int) -> Node:
        token = self.token
        if depth > MAX_DEPTH:
            raise self.fail(f"more than {MAX_DEPTH} levels of nesting")
        if token is None:
            raise self.fail("the file ends where a value should stand")
        if self.at("{"):
            return self.parse_object(depth)
        if self.at("["):
            return self.parse_array(depth)
        if token.kind == "mark":
            raise self.fail("a value is missing here")
        value = self.scalar(token)
        self.advance()
        return Node(token.start, token.end, value)

    def parse_object(self, depth: int) -> Node:
        start = self.take("{").start
        members: dict[str, Member] = {}
        while not self.at("}"):
            member = self.parse_member(depth)
            if member.key in members:
                first = line_number(self.text, members[member.key].start)
                what = f"{member.key!r} is written twice; it stands on line {first} already"
                raise _broken(self.text, self.source, member.start, what)
            members[member.key] = member
        return Node(start, self.take("}").end, members=tuple(members.values()))

    def parse_member(self, depth: int) -> Member:
        token = self.token
        if token is None or token.kind != "string":
            raise self.fail("a key in double quotes is missing here")
        key = self.scalar(token)
        self.advance()
        self.take(":")
        node = self.parse_value(depth + 1)
        return Member(str(key), token.start, node, self.take_comma("}"))

    def parse_array(self, depth: int) -> Node:
        start = self.take("[").start
        items: list[Node] = []
        while not self.at("]"):
            items.append(self.parse_value(depth + 1))
            self.take_comma("]")
        return Node(start, self.take("]").end, items=tuple(items))

    def take_comma(self, closing: str) -> int:
        """Step over the comma after an item and say where it stood; the last needs none."""
        if self.at(closing):
            return -1
        return self.take(",", f"a comma or {closing!r} is missing here").start

    def scalar(self, token: Token) -> Scalar:
        raw = self.text[token.start : token.end]
        if token.kind == "word":
            return WORDS[raw]
        if token.kind == "number" and len(raw) > MAX_DIGITS:
            raise self.fail("this number is too long")
        value: Scalar = json.loads(raw)
        if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            raise self.fail("this string holds half of a character (a lone surrogate)")
        if value in (float("inf"), float("-inf")):
            raise self.fail("this number is too large")
        return value

    def at(self, mark: str) -> bool:
        token = self.token
        return token is not None and token.kind == "mark" and self.text[token.start] == mark

    def take(self, mark: str, otherwise: str = "") -> Token:
        token = self.token
        if token is None or not self.at(mark):
            raise self.fail(otherwise or f"{mark!r} is missing here")
        self.advance()
        return token

    def advance(self) -> None:
        self.token = next(self.tokens, None)

    def fail(self, what: str) -> UserError:
        offset = self.token.start if self.token else len(self.text.rstrip())
        return _broken(self.text, self.source, offset, what)
