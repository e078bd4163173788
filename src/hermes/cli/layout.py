"""Text laid out for a terminal: cut, wrapped and put in columns by the room letters really take."""

import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import typer

from hermes.cli.render import HIDDEN, clean, print_table

NARROWEST = 40
NARROWEST_COLUMN = 8
WIDEST = 100
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60"
)
_WORD = re.compile(rf"[{_WIDE}]\s*|[^\s{_WIDE}]+\s*|\s+")
Spans = Sequence[tuple[int, int]]


def screen_width() -> int:
    """How wide to write: the terminal's width within reason, 80 where there is none."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def count_cells(text: str) -> int:
    """How many columns a terminal needs for `text`."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    if unicodedata.combining(char) or char in "\u200b\u200c\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def tame(text: str) -> str:
    """`text` without what could steer a terminal, letter for letter, so that places stay."""
    return _CONTROL.sub(" ", HIDDEN.sub(" ", text))


def fit(text: str, width: int) -> str:
    """`text` on one line, cut with … where it would be wider than `width`."""
    line = clean(text)
    if count_cells(line) <= width:
        return line
    return line[: _reach(line, width - 1)].rstrip() + "…"


def _reach(text: str, width: int) -> int:
    """How many characters of `text` fit into `width` columns."""
    taken = 0
    for place, char in enumerate(text):
        taken += _cells(char)
        if taken > width:
            return place
    return len(text)


def pad(text: str, width: int) -> str:
    return text + " " * (width - count_cells(text))


def wrap(text: str, width: int) -> list[tuple[int, int]]:
    """Where each line of `text` begins and ends, none wider than `width`; never empty.

    Each character is measured once or twice, however long the text and its words are.
    """
    lines: list[tuple[int, int]] = []
    start = end = taken = 0
    for word in _WORD.finditer(text):
        shown = word[0].rstrip()
        cells = count_cells(shown)
        if end > start and taken + cells > width:
            lines.append((start, end))
            start, taken = word.start(), 0
        end = word.end()
        if taken + cells > width:
            cuts = [start, *(start + place for place in _cuts(shown, width))]
            lines += pairwise(cuts)
            cells = count_cells(text[cuts[-1] : start + len(shown)])
            start = cuts[-1]
        taken += cells + count_cells(word[0][len(shown) :])
    return [*lines, (start, end)]


def _cuts(word: str, width: int) -> Iterator[int]:
    """Where to cut a word that is wider than a line."""
    taken = 0
    for place, char in enumerate(word):
        cells = _cells(char)
        taken += cells
        if taken > width and place:
            yield place
            taken = cells


def hang(text: str, indent: int) -> str:
    """`text` in lines that fit the terminal, all but the first indented; in a pipe as it is."""
    return hang_within(text, indent, screen_width()) if sys.stdout.isatty() else text


def hang_within(text: str, indent: int, width: int) -> str:
    """`text` in lines of at most `width`, all but the first indented."""
    if count_cells(text) <= width:
        return text
    lines = [text[start:end].rstrip() for start, end in wrap(text, width - indent)]
    return ("\n" + " " * indent).join(lines)


def embolden(text: str, start: int, end: int, marks: Spans) -> str:
    """A piece of `text` with what lies in `marks` in bold."""
    pieces: list[str] = []
    at = start
    for mark_start, mark_end in marks:
        low, high = max(mark_start, at), min(mark_end, end)
        if low < high:
            pieces += [text[at:low], typer.style(text[low:high], bold=True)]
            at = high
    return "".join(pieces) + text[at:end].rstrip()


def dim(text: str) -> str:
    return typer.style(text, dim=True)


def print_columns(columns: Sequence[str], rows: Iterable[Sequence[object]], wide: int) -> None:
    """A table on a terminal that fits it by cutting column `wide`; tabs and all of it elsewhere."""
    cells = [[clean(str(cell)) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        print_table(columns, cells)
        return
    lines = [[name.upper() for name in columns], *cells]
    widths = [max(count_cells(line[n]) for line in lines) for n in range(len(columns))]
    room = shutil.get_terminal_size((80, 24)).columns - 2 * (len(columns) - 1)
    widths[wide] = min(widths[wide], max(12, room - sum(widths) + widths[wide]))
    while sum(widths) > room and (widest := max(widths)) > NARROWEST_COLUMN:
        widths[widths.index(widest)] -= 1  # the others give way only when that was not enough
    for n, line in enumerate(lines):
        shown = [_cell(cell, width) for cell, width in zip(line, widths, strict=True)]
        text = "  ".join(shown).rstrip()
        typer.echo(dim(text) if n == 0 else text)


def _cell(text: str, width: int) -> str:
    """Numbers stand at the right of their column, all else at the left."""
    shown = fit(text, width)
    return shown.rjust(width) if text.isdecimal() else pad(shown, width)
