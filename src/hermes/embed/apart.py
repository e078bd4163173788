"""Telling a text that a model refuses from a model that cannot be had.

An endpoint answers for all texts of a request or for none: one that it chokes on would keep the
others from their vectors, and everything after them. Such a request is halved until that text
stands alone. Where even a plain text is refused it is no text's fault, and the error is raised.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.embed.base import PLAIN, Embedder
from hermes.net.faults import EndpointError, Fault

if TYPE_CHECKING:
    from hermes.embed.base import Vectors

# What may come of one text; a key, an address, a limit or a silent server is another matter.
_OF_TEXTS = frozenset({Fault.REJECTED, Fault.TOO_LONG, Fault.GARBLED, Fault.NO_DIRECTION})


@dataclass(frozen=True, slots=True)
class Answer:
    """A row for each text, none for those that were refused; `refusal` is what was said of one."""

    rows: "list[Vectors | None]"
    refusal: EndpointError | None = None


def embed_each(embedder: Embedder, texts: Sequence[str]) -> Answer:
    """The vectors of those passages that the model takes."""
    try:
        return Answer(list(embedder.embed_passages(texts)))
    except EndpointError as error:
        if not _is_of_texts(error):
            raise
        _expect_plain(embedder, error)
        return _halves(embedder, texts, error)


def _halves(embedder: Embedder, texts: Sequence[str], error: EndpointError) -> Answer:
    if len(texts) == 1:
        return Answer([None], error)
    middle = len(texts) // 2
    first, second = (_apart(embedder, half) for half in (texts[:middle], texts[middle:]))
    return Answer(first.rows + second.rows, second.refusal or first.refusal)


def _apart(embedder: Embedder, texts: Sequence[str]) -> Answer:
    try:
        return Answer(list(embedder.embed_passages(texts)))
    except EndpointError as error:
        if not _is_of_texts(error):
            raise
        return _halves(embedder, texts, error)


def _expect_plain(embedder: Embedder, error: EndpointError) -> None:
    """Raise the error unless a text that nothing is wrong with has a vector."""
    try:
        embedder.embed_passages([PLAIN])
    except EndpointError as other:
        raise (error if _is_of_texts(other) else other) from None


def _is_of_texts(error: EndpointError) -> bool:
    return error.fault in _OF_TEXTS
