"""Cuts Markdown that is still being written into blocks that are complete.

A complete block is shown once and for all; only the last one, still growing, is drawn again.
"""

import re

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")

LONGEST = 8_000  # characters of a block that is drawn again and again
LONGEST_FENCE = 20  # marks; more of them are no fence that is written again
LONGEST_LANGUAGE = 30


def take_blocks(text: str) -> tuple[list[str], str]:
    """The blocks that are complete, and what is still open.

    One that grows beyond all measure is taken piece by piece, its code in a fence each.
    """
    blocks: list[str] = []
    rest = text
    while (end := _block_end(rest)) is not None:
        if block := rest[:end].strip("\n"):
            blocks.append(block)
        rest = rest[end:].lstrip("\n")
    while len(rest) > LONGEST:
        block, rest = _cut(rest)
        blocks.append(block)
    return blocks, rest


def _cut(text: str) -> tuple[str, str]:
    """The first part of an open block and the rest, cut at a line's end or between words.

    The rest is always shorter than the text: what is written again of a fence is short.
    """
    fence = _FENCE.match(text)
    if fence is None or len(fence[1]) > LONGEST_FENCE:
        place = _cut_place(text, 0)
        return text[:place], text[place:].lstrip("\n")
    line_end = text.find("\n", fence.end(), LONGEST)
    place = _cut_place(text, line_end + 1)
    language = text[fence.end() : max(line_end, 0)].strip()
    opening = fence[0] + (language if len(language) <= LONGEST_LANGUAGE else "")
    return f"{text[:place]}\n{fence[1]}", opening + "\n" + text[place:].removeprefix("\n")


def _cut_place(text: str, after: int) -> int:
    """Where to cut, in the second half of what may be drawn, and not before `after`."""
    start = max(after, LONGEST // 2)
    found = text.rfind("\n", start, LONGEST)
    if found < 0:
        found = text.rfind(" ", start, LONGEST)
    return LONGEST if found < 0 else found


def _block_end(text: str) -> int | None:
    """Where the first block ends: at a blank line outside code, or after a block of code."""
    place = 0
    while True:
        blank = _BLANK.search(text, place)
        fence = _FENCE.search(text, place)
        if fence is None or (blank is not None and blank.start() < fence.start()):
            return blank.end() if blank else None
        closing = _closing(text, fence)
        if closing is None:
            return None
        place = closing


def _closing(text: str, fence: re.Match[str]) -> int | None:
    """Where the line ends that closes a block of code."""
    mark = fence[1]
    pattern = re.compile(rf"^ {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*(?:\n|\Z)", re.MULTILINE)
    start = text.find("\n", fence.end())
    found = pattern.search(text, start + 1) if start >= 0 else None
    return found.end() if found else None
