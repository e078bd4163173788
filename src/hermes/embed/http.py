"""Embedders behind HTTP: any OpenAI-compatible endpoint, Ollama, Voyage.

One embedder does the sending, checking and retrying; a `Dialect` says how each API words it.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hermes.clock import SystemClock
from hermes.embed.base import PLAIN, Embedder, EmbedderOptions, Space
from hermes.embed.dialects import OLLAMA, OPENAI, VOYAGE, Dialect, Purpose
from hermes.errors import UserError
from hermes.net.backoff import RetryPolicy, next_delay_s
from hermes.net.breaker import Breaker, new_waiting_breaker
from hermes.net.client import CONNECT_S, ClientOptions, breaks_named, open_client, read_body
from hermes.net.faults import Endpoint, EndpointError, Fault, build_error
from hermes.net.read import parse_object

if TYPE_CHECKING:
    import httpx2
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

SECTION = "memory.embeddings"
# No text has more tokens than bytes; services take about 300,000 tokens in a request.
REQUEST_BYTES = 300_000
TEXT_BYTES = 24_000
SHORTEST_BYTES = 1_000
NUMBER_BYTES = 32
LONGEST_VECTOR = 8_192
# A question is waited for, and asked again only of who answered; what is stored can wait.
QUERY_RETRY = RetryPolicy(attempts=2, first_s=0.2, longest_s=1.0, patience_s=2.0)
QUERY_S = 5.0
PASSAGE_RETRY = RetryPolicy()


@dataclass(frozen=True, slots=True)
class Pauses:
    """By whose sleep, dice and fuse an embedder waits."""

    sleep: Callable[[float], None] = time.sleep
    roll: Callable[[], float] = secrets.SystemRandom().random
    breaker: Breaker = field(default_factory=lambda: Breaker(SystemClock()))
    of_questions: Breaker = field(default_factory=lambda: new_waiting_breaker(SystemClock()))


def open_openai(options: EmbedderOptions, pauses: Pauses | None = None) -> Embedder:
    return HttpEmbedder(options, OPENAI, pauses or Pauses())


def open_ollama(options: EmbedderOptions, pauses: Pauses | None = None) -> Embedder:
    return HttpEmbedder(options, OLLAMA, pauses or Pauses())


def open_voyage(options: EmbedderOptions, pauses: Pauses | None = None) -> Embedder:
    return HttpEmbedder(options, VOYAGE, pauses or Pauses())


class HttpEmbedder:
    """An `Embedder` over one endpoint."""

    def __init__(self, options: EmbedderOptions, dialect: Dialect, pauses: Pauses) -> None:
        self._options = options
        self._dialect = dialect
        self._pauses = pauses
        self._model = options.model or dialect.usual_model
        self._key = options.api_key.strip()
        self._endpoint = Endpoint(
            url=dialect.address(options.base_url),
            subject=f"{dialect.title} embedding model {self._model}",
            setting=SECTION,
            key_name=dialect.key_name,
            secret=self._key,
        )
        self._client: httpx2.Client | None = None
        self._dimensions = options.dimensions
        self._trouble = ""
        self._lock = threading.Lock()

    @property
    def space(self) -> Space:
        if self._dimensions is None:
            self.embed_passages([PLAIN])
        return self.expected_space

    @property
    def expected_space(self) -> Space:
        return Space(self._dialect.provider, self._model, self._dimensions or 0)

    @property
    def trouble(self) -> str:
        if self._lacks_key:
            return build_error(Fault.NO_KEY, self._endpoint).message
        return self._trouble

    @property
    def batch_size(self) -> int:
        return self._options.batch_size

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, Purpose.QUERY)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, Purpose.PASSAGE)

    def embed_once(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, Purpose.PASSAGE, is_well=True)

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _embed(self, texts: Sequence[str], purpose: Purpose, *, is_well: bool = False) -> "Vectors":
        import numpy as np  # noqa: PLC0415 - heavy, and of no use before the first vector

        if not texts:
            return np.empty((0, self.space.dimensions), dtype=np.float32)
        told = [self._dialect.word(text, self._model, purpose) for text in texts]
        batches = _batches(told, self._options.batch_size)
        return np.concatenate(
            [self._embed_batch(each, purpose, is_well=is_well) for each in batches]
        )

    def _embed_batch(self, texts: list[str], purpose: Purpose, *, is_well: bool) -> "Vectors":
        """One request, with shorter texts if the endpoint finds them too long."""
        longest = TEXT_BYTES
        while True:
            cut = [_cut(text, longest) for text in texts]
            try:
                return self._check(self._ask(cut, purpose, is_well=is_well), len(cut))
            except EndpointError as error:
                longest = _shorter(cut, longest)
                if error.fault is not Fault.TOO_LONG or longest < SHORTEST_BYTES:
                    raise

    def _ask(self, texts: list[str], purpose: Purpose, *, is_well: bool) -> object:
        """Send one request, again where that may help; of a server that is well a garbled reply is
        an answer.
        """
        policy = QUERY_RETRY if purpose is Purpose.QUERY else PASSAGE_RETRY
        pauses, attempt = self._pauses, 1
        is_waited_for = purpose is Purpose.QUERY
        while True:
            pauses.breaker.require_closed(self._endpoint.subject)
            if is_waited_for:
                pauses.of_questions.require_closed(self._endpoint.subject)
            try:
                answer = self._send(texts, purpose)
            except EndpointError as error:
                if is_well and error.fault is Fault.GARBLED:
                    raise
                pauses.breaker.note_failure(error)
                if is_waited_for:
                    pauses.of_questions.note_slow(error)
                self._trouble = "" if error.is_of_texts else error.message
                delay_s = next_delay_s(policy, error, attempt=attempt, roll=pauses.roll())
                is_given_up = is_waited_for and error.fault is Fault.SLOW
                if delay_s is None or is_given_up:
                    raise
                pauses.sleep(delay_s)
                attempt += 1
            else:
                pauses.breaker.note_success()
                if is_waited_for:
                    pauses.of_questions.note_success()
                self._trouble = ""
                return answer

    @property
    def _lacks_key(self) -> bool:
        return not self._key and self._dialect.needs_key(self._endpoint.url)

    def _send(self, texts: list[str], purpose: Purpose) -> object:
        if self._lacks_key:
            raise build_error(Fault.NO_KEY, self._endpoint)
        body = self._dialect.render(texts, self._model, self._options.dimensions, purpose)
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        limit = 2**20 + len(texts) * (self._dimensions or LONGEST_VECTOR) * NUMBER_BYTES
        url = self._endpoint.url + self._dialect.path
        headers = {"content-type": "application/json"}
        asked = self._open().stream(
            "POST", url, content=content, headers=headers, timeout=self._timeouts(purpose)
        )
        with breaks_named(self._endpoint), asked as response:
            raw = read_body(response, limit, self._endpoint)
        return self._dialect.parse(parse_object(raw, self._endpoint))

    def _timeouts(self, purpose: Purpose) -> tuple[float, float, float, float]:
        """How long to wait for a connection, for what comes, for what goes, and for a turn."""
        is_query = purpose is Purpose.QUERY
        longest_s = min(QUERY_S, self._options.timeout_s) if is_query else self._options.timeout_s
        return (min(CONNECT_S, longest_s), longest_s, longest_s, longest_s)

    def _check(self, rows: object, count: int) -> "Vectors":
        """The rows as unit vectors, if they are what was asked for."""
        import numpy as np  # noqa: PLC0415 - heavy, and of no use before the first vector

        try:
            with np.errstate(all="ignore"):
                vectors = np.asarray(rows, dtype=np.float32)
                lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
        except (ValueError, TypeError, OverflowError, np.exceptions.AxisError):
            raise build_error(Fault.GARBLED, self._endpoint, "vectors that are none") from None
        if vectors.ndim != 2 or len(vectors) != count:
            said = f"not one vector for each of {count} texts"
            raise build_error(Fault.GARBLED, self._endpoint, said)
        self._check_dimensions(vectors.shape[1])
        if not np.isfinite(lengths).all() or not lengths.all():
            raise build_error(Fault.NO_DIRECTION, self._endpoint, "NaN or zeros")
        unit: Vectors = vectors / lengths
        return unit

    def _check_dimensions(self, found: int) -> None:
        with self._lock:
            if self._dimensions is None and found > 0:
                self._dimensions = found
        if found != self._dimensions:
            self._trouble = (
                f"{self._endpoint.subject} gives vectors of {found} numbers,"
                f" not of {self._dimensions}."
            )
            raise UserError(
                self._trouble,
                f"Set {SECTION}.dimensions to {found}, then run `hermes memory reindex`.",
            )

    def _open(self) -> "httpx2.Client":
        with self._lock:
            if self._client is None:
                headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
                options = ClientOptions(idle_s=self._options.timeout_s, headers=headers)
                self._client = open_client(self._endpoint, options)
            return self._client


def _cut(text: str, longest: int) -> str:
    """The text as UTF-8 of at most so many bytes, never in the middle of a character."""
    raw = text.encode("utf-8", "replace")
    return raw[:longest].decode("utf-8", "ignore")


def _shorter(texts: list[str], longest: int) -> int:
    """The next length, of halves of it, that cuts any of the texts."""
    most = max(len(text.encode("utf-8", "replace")) for text in texts)
    while longest >= max(most, 1):
        longest //= 2
    return longest


def _batches(texts: list[str], most: int) -> Iterator[list[str]]:
    """Runs of texts that fit into a request, by number and by length."""
    batch: list[str] = []
    size = 0
    for text in texts:
        length = min(len(text.encode("utf-8", "replace")), TEXT_BYTES)
        if batch and (len(batch) >= most or size + length > REQUEST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
