"""Three-way merge of text: what a person changed since stays, what Hermes changed goes."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

MAX_LINES = 5_000


@dataclass(frozen=True, slots=True)
class _Edit:
    """Lines `start` to `end` of the base are replaced by `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]

    @property
    def is_in_place(self) -> bool:
        """As many lines as before: nobody can be in doubt where what follows belongs."""
        return self.start < self.end and len(self.lines) == self.end - self.start


def merge(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """`mine` with the change from `base` to `theirs` made in it; None where the two collide."""
    if mine in (base, theirs):
        return theirs
    texts = [_lines(content) for content in (base, mine, theirs)]
    if any(text is None or len(text) > MAX_LINES for text in texts):
        return None
    base_lines, my_lines, their_lines = (text or [] for text in texts)
    merged = _merge_lines(base_lines, my_lines, their_lines)
    return None if merged is None else "".join(merged).encode()


def _lines(content: bytes) -> list[str] | None:
    try:
        return content.decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        return None


def _merge_lines(base: list[str], mine: list[str], theirs: list[str]) -> list[str] | None:
    edits = sorted({*_edits(base, mine), *_edits(base, theirs)}, key=lambda e: (e.start, e.end))
    for before, after in pairwise(edits):
        if _collide(before, after):
            return None
    merged, at = [], 0
    for edit in edits:
        merged += base[at : edit.start]
        merged += edit.lines
        at = edit.end
    return merged + base[at:]


def _collide(before: _Edit, after: _Edit) -> bool:
    """Whether two edits meet. Neighbours do not, where each only puts lines in place of lines."""
    if after.start > before.end:
        return False
    return after.start < before.end or not (before.is_in_place and after.is_in_place)


def _edits(base: list[str], changed: list[str]) -> Iterator[_Edit]:
    matcher = SequenceMatcher(None, base, changed, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            yield _Edit(start, end, tuple(changed[new_start:new_end]))
