"""Finds in a shell line what quotes, substitutions, here-documents and comments make of its signs.

What only looks like an expansion, being quoted, is told from what is one: private characters stand
for the former. A substitution is one character, and its text is kept beside. Knows no commands.
"""

import re
from dataclasses import dataclass, field

QUOTED = {"$": "\ue000", "*": "\ue001", "?": "\ue002", "[": "\ue003", "~": "\ue004", "{": "\ue005"}
_SIGNS = dict(zip(";&|()<>}\n", map(chr, range(0xE006, 0xE00F)), strict=True))
"""Signs that part commands; with nothing else between their quotes they are words."""
MARKED = QUOTED | _SIGNS
UNKNOWN = "\ue010"
"""Stands for text that nothing is known of; it may hold slashes."""
NAMES = "\ue011"
"""Stands for a name, or several, of what is there already."""
_FIRST_GIVEN = 0xE080
_FIRST_INNER = 0xE100
_MOST_INNER = 2_000
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
_LITERAL = str.maketrans(QUOTED)
_WORD = str.maketrans(MARKED)
_PLAIN = str.maketrans({mark: sign for sign, mark in MARKED.items()})
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?!$-]")
_BRACED = re.compile(r"\$\{([A-Za-z_]\w*|[0-9@*#?!$-])\}")
_NUMBER = re.compile(r"\(\(([\w\s+*/%<>=-]*)\)\)")
_DELIMITER = re.compile(r"<<(-?)[ \t]*(['\"\\]?)([\w.-]+)\2")
_ONLY_SIGNS = re.compile(r'"[;&|()<>}\n]+"')
_DEEPEST = 12
_WORD_BREAKS = frozenset(" \t\n;&|()<>")


@dataclass(slots=True)
class Scanned:
    """A line with marks in it, the texts its substitutions run, and what here-documents hold."""

    text: str
    inner: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    is_clear: bool = True
    files: frozenset[int] = frozenset()
    """The substitutions that stand for a file: `<(…)`."""

    def plain(self, word: str) -> str:
        """A word of the marked text as it was written, without its quotes."""
        shown = re.sub("[\ue080-\uf8ff]", lambda mark: self._written(mark[0]), word)
        return _BRACED.sub(r"$\1", shown.translate(_PLAIN).replace(UNKNOWN, "$"))

    def _written(self, mark: str) -> str:
        if ord(mark) >= _FIRST_INNER:
            return f"$({self.inner[ord(mark) - _FIRST_INNER]})"
        return "".join(self.given[ord(mark) - _FIRST_GIVEN :][:1])


def scan(line: str) -> Scanned:
    """Mark a line; `ValueError` where its quotes do not end."""
    if _PRIVATE.search(line):
        raise ValueError("it holds characters that have no meaning of their own")
    scanner = _Scanner(line.replace("\r", "\n"))
    scanner.run()
    text, files = "".join(scanner.out), frozenset(scanner.files)
    return Scanned(text, scanner.inner, scanner.given, scanner.is_clear, files)


def inner_number(mark: str) -> int | None:
    """Which substitution a character stands for; None for any other."""
    return ord(mark) - _FIRST_INNER if ord(mark) >= _FIRST_INNER and _PRIVATE.match(mark) else None


class _Scanner:
    """Goes through a text once; one inside parentheses stops at the one that closes them."""

    def __init__(self, text: str, at: int = 0, depth: int = 0) -> None:
        self.text, self.at, self.depth = text, at, depth
        self.out: list[str] = []
        self.inner: list[str] = []
        self.given: list[str] = []
        self.files: set[int] = set()
        self.is_clear = True
        self._open = 0
        self._awaited: list[tuple[str, bool, bool]] = []

    def run(self) -> None:
        if self.depth > _DEEPEST:
            raise ValueError("it is nested too deep")
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == ")" and self.depth and not self._open:
                return
            self._take(sign)
        if self.depth:
            raise ValueError("a parenthesis does not end")

    def _take(self, sign: str) -> None:
        if sign == "\\":
            self._escape()
        elif sign == "'":
            self._single()
        elif sign == '"':
            self._double()
        elif sign in "$`":
            self._expand(sign)
        elif sign in "<>":
            self._redirect(sign)
        elif sign == "#" and self._begins_word():
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        else:
            self._plain(sign)

    def _plain(self, sign: str) -> None:
        self._open += (sign == "(") - (sign == ")")
        self._put(sign, 1)
        if sign == "\n" and self._awaited:
            self._read_documents()

    def _put(self, text: str, taken: int) -> None:
        self.out.append(text)
        self.at += taken

    def _begins_word(self) -> bool:
        return not self.out or self.out[-1] in _WORD_BREAKS  # an escaped blank has two characters

    def _escape(self) -> None:
        sign = self.text[self.at + 1 : self.at + 2]
        if sign == "\n":
            self.at += 2
        else:
            self._put(MARKED.get(sign, "\\" + sign), 2)

    def _single(self) -> None:
        end = self.text.index("'", self.at + 1)
        said = self.text[self.at + 1 : end]
        marked = said.translate(_LITERAL if said.strip("".join(_SIGNS)) else _WORD)
        self._put(f"'{marked}'", end + 1 - self.at)

    def _double(self) -> None:
        if signs := _ONLY_SIGNS.match(self.text, self.at):
            return self._put(signs[0].translate(_WORD), len(signs[0]))
        self._put('"', 1)
        while (sign := self.text[self.at : self.at + 1]) != '"':
            if not sign:
                raise ValueError("a quotation does not end")
            if sign == "\\" and self.text[self.at + 1 : self.at + 2] in ('"', "\\"):
                self._put(self.text[self.at : self.at + 2], 2)
            elif sign == "\\" and self.text[self.at + 1 : self.at + 2] in ("$", "`", "\n"):
                self._escape()
            elif sign in "$`":
                self._expand(sign, quoted=True)
            else:
                self._put(QUOTED.get(sign, sign), 1)
        return self._put('"', 1)

    def _expand(self, sign: str, *, quoted: bool = False) -> None:
        if sign == "`":
            return self._backticks()
        following = self.text[self.at + 1 : self.at + 2]
        if number := _NUMBER.match(self.text, self.at + 1):
            self._put("0", len(number[0]) + 1)
        elif following == "(":
            self._nest(2)
        elif following == "{":
            self._braces()
        elif following in ("'", '"') and following and not quoted:
            self.is_clear = False  # `$'\x72m'`: words that only the shell can spell
            self._put(UNKNOWN, 1)
        elif name := _NAME.match(self.text, self.at + 1):
            self._put("${" + name[0] + "}", len(name[0]) + 1)
        else:
            self._put(QUOTED["$"], 1)

    def _nest(self, opening: int) -> None:
        """A substitution in parentheses, read to where they close."""
        below = _Scanner(self.text, self.at + opening, self.depth + 1)
        below.run()
        self._put_inner(self.text[self.at + opening : below.at], below.at + 1 - self.at)

    def _backticks(self) -> None:
        end = self.at + 1
        while self.text[end : end + 1] != "`":
            if end >= len(self.text):
                raise ValueError("a substitution does not end")
            end += 2 if self.text[end] == "\\" else 1
        self._put_inner(
            re.sub(r"\\([\\`$])", r"\1", self.text[self.at + 1 : end]), end + 1 - self.at
        )

    def _braces(self) -> None:
        end = self.text.index("}", self.at)
        inside = self.text[self.at + 2 : end]
        if _NAME.fullmatch(inside):
            return self._put("${" + inside + "}", end + 1 - self.at)
        self.is_clear &= not re.search(r"[$`'\"{\\]", inside)
        return self._put(UNKNOWN, end + 1 - self.at)

    def _put_inner(self, text: str, taken: int) -> None:
        if len(self.inner) == _MOST_INNER:
            raise ValueError("it has too many substitutions")
        self.inner.append(text)
        self._put(chr(_FIRST_INNER + len(self.inner) - 1), taken)

    def _redirect(self, sign: str) -> None:
        if self.text[self.at + 1 : self.at + 2] == "(":
            self.files.add(len(self.inner))
            return self._nest(2)
        if self.text.startswith("<<<", self.at):
            return self._put("<<<", 3)
        if self.text.startswith("<<", self.at):
            return self._await_document()
        return self._put(sign, 1)

    def _await_document(self) -> None:
        found = _DELIMITER.match(self.text, self.at)
        place = _FIRST_GIVEN + len(self.given) + len(self._awaited)
        if found is None or place >= _FIRST_INNER:
            raise ValueError("a here-document has no end that can be read")
        self._awaited.append((found[3], bool(found[1]), bool(found[2])))
        self._put(f"<<<{chr(place)}", len(found[0]))

    def _read_documents(self) -> None:
        for end, is_indented, is_quoted in self._awaited:
            lines: list[str] = []
            while self.at < len(self.text):
                line, _, _ = self.text[self.at :].partition("\n")
                self.at += len(line) + 1
                if (line.lstrip("\t") if is_indented else line) == end:
                    break
                lines.append(line)
            self.given.append("\n".join(lines))
            if not is_quoted:
                self._read_inside(self.given[-1])
        self._awaited = []

    def _read_inside(self, body: str) -> None:
        """What a here-document runs while it is read: as inside double quotes."""
        below = _Scanner(body, 0, self.depth)
        while below.at < len(body):
            if (sign := body[below.at]) in "$`":
                below._expand(sign, quoted=True)
            else:
                below.at += 2 if sign == "\\" else 1
        self.inner += below.inner
        self.is_clear &= below.is_clear
