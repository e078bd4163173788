"""Telling a text that a model refuses from a model that cannot be had.

An endpoint answers for all texts of a request or for none: one that it chokes on would keep the
others from their vectors, and everything after them. Such a request is halved until that text
stands alone. Where even a plain text is refused it is no text's fault, and the error is raised.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.embed.base import PLAIN, Embedder
from hermes.net.faults import EndpointError

if TYPE_CHECKING:
    from hermes.embed.base import Vectors


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
        if not error.is_of_texts:
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
        if not error.is_of_texts:
            raise
        return _halves(embedder, texts, error)


def _expect_plain(embedder: Embedder, error: EndpointError) -> None:
    """Raise the error unless a text that nothing is wrong with has a vector."""
    try:
        embedder.embed_passages([PLAIN])
    except EndpointError as other:
        raise (error if other.is_of_texts else other) from None
