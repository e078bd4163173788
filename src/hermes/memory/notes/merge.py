"""One page of two that were changed apart: nothing that either side wrote is lost.

Pages are compared note by note, not line by line, so that no note is torn. What one side removed
stays away, unless the other has reworded it; a note that both reworded is there in both wordings.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from hermes.memory.notes.page import is_sectioned, parse_notes, render_note
from hermes.memory.notes.projection import Parted, join, part

Pieces = Sequence[str]


def merge_pages(base: str | None, ours: str, theirs: str) -> str:
    """The page with both sides' changes to `base`; without one, with all that either has."""
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    return join(_merge_parts(part(base or ""), part(ours), part(theirs), has_base=base is not None))


def _merge_parts(base: Parted, ours: Parted, theirs: Parted, *, has_base: bool) -> Parted:
    hidden = _resolve(base.hidden, ours.hidden, theirs.hidden)
    shown = tuple(dict.fromkeys(ours.shown or theirs.shown))
    own = _merge_own(base.own if has_base else None, ours.own, theirs.own)
    return Parted(own, shown, tuple(dict.fromkeys(hidden)))


def _merge_own(base: str | None, ours: str, theirs: str) -> str:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if not (ours.strip() and theirs.strip()) and base is None:
        return ours if ours.strip() else theirs
    if is_sectioned(ours) or is_sectioned(theirs):
        texts = [[note.text for note in parse_notes(page)] for page in (base or "", ours, theirs)]
        shown = [render_note(text, sectioned=True) for text in merge_pieces(*texts)]
        return "\n§\n".join(shown) + "\n" if shown else ""
    merged = merge_pieces(*(_pieces(page) for page in (base or "", ours, theirs)))
    return "\n".join(merged).strip("\n") + "\n" if any(merged) else ""


def _pieces(page: str) -> list[str]:
    """The page cut into its notes and, between them, lines."""
    found: list[str] = []
    place = 0
    for note in parse_notes(page):
        between = page[place : note.start]
        found += between.split("\n")[:-1] if between else []
        found.append(page[note.start : note.end])
        place = note.end + 1
    return found + page[place:].split("\n") if place <= len(page) else found


def merge_pieces(base: Pieces, ours: Pieces, theirs: Pieces) -> list[str]:
    """Both sides' changes to `base`; a piece that was moved is there once."""
    room = Counter(ours) | Counter(theirs)
    room.subtract({piece: room[piece] for piece in _removed(base, ours, theirs)})
    kept: list[str] = []
    for piece in _merge_stretches(base, ours, theirs):
        room[piece] -= 1
        if room[piece] >= 0 or not piece:
            kept.append(piece)
    return kept


def _merge_stretches(base: Pieces, ours: Pieces, theirs: Pieces) -> list[str]:
    """Stretch by stretch, between what all three have."""
    merged: list[str] = []
    b = o = t = 0
    for start, size, in_ours, in_theirs in _agreed(base, ours, theirs):
        merged += _resolve(base[b:start], ours[o:in_ours], theirs[t:in_theirs])
        merged += base[start : start + size]
        b, o, t = start + size, in_ours + size, in_theirs + size
    return merged


def _agreed(base: Pieces, ours: Pieces, theirs: Pieces) -> Iterator[tuple[int, int, int, int]]:
    """Stretches of `base` that both sides still have, and where; an empty one at the end."""
    with_ours = SequenceMatcher(None, base, ours, autojunk=False).get_matching_blocks()
    with_theirs = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    for one in with_ours:
        for other in with_theirs:
            start = max(one.a, other.a)
            size = min(one.a + one.size, other.a + other.size) - start
            if size > 0:
                yield start, size, one.b + start - one.a, other.b + start - other.a
    yield len(base), 0, len(ours), len(theirs)


def _resolve(base: Pieces, ours: Pieces, theirs: Pieces) -> Pieces:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    removed = _removed(base, ours, theirs)
    return [piece for piece in _union(ours, theirs) if piece not in removed]


def _removed(base: Pieces, ours: Pieces, theirs: Pieces) -> set[str]:
    return {piece for piece in base if piece not in ours or piece not in theirs}


def _union(ours: Pieces, theirs: Pieces) -> Iterator[str]:
    """All that either has, in order, what both have once."""
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for _, start, stop, first, last in matcher.get_opcodes():
        yield from ours[start:stop]
        yield from (piece for piece in theirs[first:last] if piece not in ours)
