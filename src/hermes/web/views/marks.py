"""Texts in pieces, some of them marked: what a template prints with or without a highlight."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hermes.memory.facts.quotes import locate
from hermes.memory.snippet import Snippet


class Piece(NamedTuple):
    text: str
    is_marked: bool = False


def mark_spans(text: str | Snippet, spans: Iterable[tuple[int, int]] = ()) -> list[Piece]:
    """The text cut at the spans, which are marked; what overlaps or lies outside is left out."""
    if isinstance(text, Snippet):
        return mark_spans(text.text, text.highlights)
    pieces: list[Piece] = []
    place = 0
    for start, end in sorted(spans):
        if place <= start < end <= len(text):
            pieces += [Piece(text[place:start]), Piece(text[start:end], is_marked=True)]
            place = end
    return [piece for piece in (*pieces, Piece(text[place:])) if piece.text]


def mark_quotes(text: str, quotes: Sequence[str]) -> list[Piece]:
    """The text with every quote that stands in it marked."""
    found = (locate(quote, text) for quote in quotes)
    return mark_spans(text, [place for place in found if place is not None])
