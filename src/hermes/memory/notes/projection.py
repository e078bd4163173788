"""The user model's lines inside USER.md, beside the person's notes and never over them.

The opening marker carries a short mark of every line Hermes wrote. A line in the block without a
mark was written by hand and is lifted out, to stay; a mark without a line was deleted or rewritten
by hand, and that line is not written again, until the record has said something else meanwhile.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes.memory.notes.page import BLOCK, is_sectioned, parse_notes, render_note, visible_text

_MARKS = re.compile(r"(?P<shown>[0-9a-f ]*)(?:; hidden (?P<hidden>[0-9a-f ]*))?")


def project(text: str, lines: Sequence[str], *, limit: int, said: Sequence[str] = ()) -> str:
    """The page with as many of the lines, best first, as fit under the cap.

    `said` is what the record says besides, and what notes say already: what of all that is hidden
    stays so, and no other.
    """
    parts = part(text)
    stands = {mark(line) for line in _flat([*lines, *said])}
    own, hidden = parts.own, [each for each in parts.hidden if each in stands]
    known = {note.text for note in parse_notes(own)}
    fresh = [line for line in _flat(lines) if mark(line) not in hidden and line not in known]
    shown = _fitting(own, fresh, limit)
    return _joined(own, shown, hidden)


@dataclass(frozen=True, slots=True)
class Parted:
    """A page taken apart: the person's own part, the lines shown, the marks of those deleted."""

    own: str
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


def part(text: str) -> Parted:
    """A page taken apart; what was written into the block by hand is in the person's part."""
    block = BLOCK.search(text)
    if not block:
        return Parted(text)
    found = _MARKS.match(block["marks"].strip())
    written = (found["shown"] or "").split() if found else []
    hidden = (found["hidden"] or "").split() if found else []
    present = [line.removeprefix("- ").strip() for line in block["body"].split("\n")]
    marked = {mark(line): line for line in present if line}
    own = text[: block.start()] + text[block.end() :]
    for line in (line for each, line in marked.items() if each not in written):
        own = _kept(own, line)
    gone = [each for each in written if each not in marked]
    shown = [line for each, line in marked.items() if each in written]
    return Parted(own, tuple(shown), tuple(dict.fromkeys([*hidden, *gone])))


def join(parts: Parted) -> str:
    return _joined(parts.own, parts.shown, parts.hidden)


def mark(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:6]


def _flat(lines: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip()))


def _kept(own: str, line: str) -> str:
    sectioned = is_sectioned(own)
    shown = render_note(line, sectioned=sectioned)
    joint = "\n§\n" if sectioned else "\n"
    return f"{own.rstrip()}{joint}{shown}\n" if own.strip() else f"{shown}\n"


def _fitting(own: str, lines: Sequence[str], limit: int) -> list[str]:
    """Lines in order while they fit; a long one is passed over for shorter ones after it."""
    room = limit - len(visible_text(own)) - 2
    kept: list[str] = []
    for line in lines:
        cost = len(line) + 3
        if cost <= room:
            kept.append(line)
            room -= cost
    return kept


def _joined(own: str, lines: Sequence[str], hidden: Sequence[str]) -> str:
    if not lines and not hidden:
        return own
    marks = " ".join(mark(line) for line in lines)
    if hidden:
        marks = f"{marks} ; hidden {' '.join(hidden)}".strip()
    body = "".join(f"- {line}\n" for line in lines)
    block = f"<!-- hermes:user-model {marks} -->\n{body}<!-- /hermes -->\n"
    return f"{own.rstrip()}\n\n{block}" if own.strip() else block
