"""A notebook's text as notes, each with its place, so that a change touches nothing else.

A note is a Markdown bullet or a paragraph, with the fenced code in it; a file that separates its
entries by lines of `§`, as other agents write it, is read and kept that way. Headings, blank lines
and comments are the person's and stay as they are. What Hermes projects into USER.md stands between
two marker lines.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SECTION = re.compile(r"^§[ \t]*$", re.M)
_BULLET = re.compile(r"[-*+] ")
_SILENT = re.compile(r"\s*$|#|<!--|-{3,}\s*$|\*{3,}\s*$")
BLOCK = re.compile(
    r"^<!-- hermes:user-model(?P<marks>[^\n>]*) -->\n(?P<body>(?:(?!<!-- /hermes -->)[^\n]*\n)*)"
    r"<!-- /hermes -->(?:\n|\Z)",
    re.M,
)
_FENCE = re.compile(r"(?P<mark>[ \t]*(?:`{3,}|~{3,}))(?P<of>[^`]*)$")
_ESCAPED = re.compile(r"^\\(?=\\*(?:§[ \t]*$|<!-- /?hermes))", re.M)
_TO_ESCAPE = re.compile(r"^(?=\\*(?:§[ \t]*$|<!-- /?hermes))", re.M)


@dataclass(frozen=True, slots=True)
class Note:
    """One entry, and the stretch of the file it takes."""

    id: str
    text: str
    start: int
    end: int


def note_id(text: str) -> str:
    """A name made from the words, the same wherever and whenever the note is read."""
    return f"n-{hashlib.sha256(text.strip().encode()).hexdigest()[:6]}"


def parse_notes(text: str) -> tuple[Note, ...]:
    """The notes people and the agent wrote, without what is projected."""
    block = BLOCK.search(text)
    gap = block.span() if block else (len(text), len(text))
    read = _sections if is_sectioned(text) else _bullets
    notes = [*read(text, 0, gap[0]), *read(text, gap[1], len(text))]
    return tuple(notes)


def visible_text(text: str) -> str:
    """The page as a model sees it: without Hermes' marker lines."""
    shown = BLOCK.sub(lambda found: found["body"], text)
    return re.sub(r"\n{3,}", "\n\n", shown).strip()


def is_sectioned(text: str) -> bool:
    return _SECTION.search(BLOCK.sub("", text)) is not None


def render_note(content: str, *, sectioned: bool) -> str:
    """A note as it stands in the file; markers inside it cannot be taken for the file's own."""
    if sectioned:
        return _TO_ESCAPE.sub(r"\\", content)
    first, *rest = content.split("\n")
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)])


def _sections(text: str, start: int, end: int) -> Iterator[Note]:
    place = start
    for cut in [*_SECTION.finditer(text, start, end), None]:
        stop = cut.start() if cut else end
        raw = text[place:stop]
        body = raw.strip()
        if body:
            at = place + raw.index(body)
            content = _ESCAPED.sub("", body)
            yield Note(note_id(content), content, at, at + len(body))
        place = cut.end() if cut else end


def _bullets(text: str, start: int, end: int) -> Iterator[Note]:
    lines = list(_lines(text, start, end))
    index = 0
    while index < len(lines):
        at, line = lines[index]
        index += 1
        if _SILENT.match(line):
            continue
        is_bullet = _BULLET.match(line) is not None
        last = index = index if is_bullet else _after_code(lines, index - 1)
        while index < len(lines) and _goes_on(lines, index, is_bullet=is_bullet):
            index = index + 1 if is_bullet else _after_code(lines, index)
            if lines[index - 1][1].strip():
                last = index
        index = last
        until = lines[last - 1][0] + len(lines[last - 1][1])
        content = _content(text[at:until], is_bullet=is_bullet)
        if content:
            yield Note(note_id(content), content, at, until)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    place = start
    for line in text[start:end].split("\n"):
        yield place, line
        place += len(line) + 1


def _after_code(lines: list[tuple[int, str]], index: int) -> int:
    """The line after this one, or after the code that it opens; what is never closed is no code.

    Inside a bullet code is indented as all of it is, and needs no looking for.
    """
    opened = _FENCE.match(lines[index][1])
    if opened is None:
        return index + 1
    for place in range(index + 1, len(lines)):
        closed = _FENCE.match(lines[place][1])
        if closed and closed["mark"].startswith(opened["mark"]) and not closed["of"].strip():
            return place + 1
    return index + 1


def _goes_on(lines: list[tuple[int, str]], index: int, *, is_bullet: bool) -> bool:
    """A bullet goes on in indented lines, a paragraph until a blank line or a bullet after it."""
    line = lines[index][1]
    if is_bullet:
        return not line.strip() or line.startswith(("  ", "\t"))
    return not _SILENT.match(line) and not _BULLET.match(line)


def _content(raw: str, *, is_bullet: bool) -> str:
    if not is_bullet:
        return raw.strip()
    first, *rest = raw[2:].split("\n")
    return "\n".join([first, *(re.sub(r"^(?: {2}|\t)", "", line) for line in rest)]).strip()
