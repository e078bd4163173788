"""Telling a text that a model refuses from a model that cannot be had.

An endpoint answers for all texts of a request or for none: one that it chokes on would keep the
others from their vectors, and everything after them. Such a request is halved until that text
stands alone. Where a plain text is refused just then it is no text's fault, and the error is
raised; so it is where most texts are refused, which is a matter of the model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from hermes.embed.base import PLAIN, Embedder, EmbedsOnce
from hermes.net.faults import EndpointError

if TYPE_CHECKING:
    from hermes.embed.base import Vectors

HANDFUL = 8  # texts that may be refused however few were asked for
Passages = Sequence[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """A row for each passage of each text, None for texts that were refused, of whatever passage;
    `refusal` is what was said of one.
    """

    rows: "list[list[Vectors] | None]"
    refusal: EndpointError | None = None


def embed_each(embedder: Embedder, texts: Sequence[Passages]) -> Answer:
    """The vectors of those texts, each given as its passages, that the model takes."""
    return _Search(embedder, len(texts)).embed(texts)


class _Search:
    """The search for the texts among so many that the model refuses."""

    def __init__(self, embedder: Embedder, count: int) -> None:
        self._embedder = embedder
        self._count = count
        self._refused = 0

    def embed(self, texts: Sequence[Passages], *, is_half: bool = False) -> Answer:
        try:
            return Answer(self._ask(texts, is_half=is_half))
        except EndpointError as error:
            if not error.is_of_texts:
                raise
            if len(texts) == 1:
                return self._refuse(error)
            if not is_half:
                self._expect_plain(error)
        middle = len(texts) // 2
        first, second = (
            self.embed(each, is_half=True) for each in (texts[:middle], texts[middle:])
        )
        return Answer(first.rows + second.rows, second.refusal or first.refusal)

    def _ask(self, texts: Sequence[Passages], *, is_half: bool) -> "list[list[Vectors] | None]":
        passages = [each for text in texts for each in text]
        if is_half and isinstance(self._embedder, EmbedsOnce):
            rows = iter(self._embedder.embed_once(passages))
        else:
            rows = iter(self._embedder.embed_passages(passages))
        return [list(islice(rows, len(text))) for text in texts]

    def _refuse(self, error: EndpointError) -> Answer:
        """What is put away is not tried again by itself: the server must be well at this moment."""
        self._expect_plain(error)
        self._refused += 1
        if self._refused > max(HANDFUL, self._count // 2):
            told = f"most texts are refused, {self._refused} of {self._count} so far"
            raise type(error)(
                f"{error.message}: {told}", error.hint, fault=error.fault, said=error.said
            )
        return Answer([None], error)

    def _expect_plain(self, error: EndpointError) -> None:
        """Raise the error unless a text that nothing is wrong with has a vector."""
        try:
            self._embedder.embed_passages([PLAIN])
        except EndpointError as other:
            raise (error if other.is_of_texts else other) from None
