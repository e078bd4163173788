"""A second opinion over HTTP: any server that speaks `/rerank`.

Cohere, Jina, vLLM, llama.cpp and LiteLLM take `documents` and answer with `results`; Voyage names
those `data`; text-embeddings-inference takes `texts` and answers with a bare list. What a server
takes is learnt from its first answer. It is asked once: recall does not wait for a second try, and
where it waited in vain twice it does not ask for a while.
"""

import json
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hermes.clock import SystemClock
from hermes.net.breaker import Breaker, new_waiting_breaker
from hermes.net.client import ClientOptions, breaks_named, open_client, read_body
from hermes.net.faults import Endpoint, EndpointError, Fault, build_error

if TYPE_CHECKING:
    import httpx2

SECTION = "memory.reranker"
TEXT_CHARS = 4_000
REPLY_BYTES = 2**20
_REFUSES_DOCUMENTS = frozenset({Fault.REJECTED})


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    base_url: str
    model: str = ""
    api_key: str = field(default="", repr=False)
    timeout_s: float = 10.0


class HttpReranker:
    """Scores texts against a task; safe to share between threads."""

    def __init__(self, options: RerankerOptions, breaker: Breaker | None = None) -> None:
        self._options = options
        self._breaker = breaker or new_waiting_breaker(SystemClock())
        self._endpoint = Endpoint(
            url=options.base_url.rstrip("/").removesuffix("/rerank"),
            subject=f"reranker {options.model}".strip(),
            setting=SECTION,
            secret=options.api_key.strip(),
        )
        self._lock = threading.Lock()
        self._client: httpx2.Client | None = None
        self._takes = "documents"

    def score(self, task: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the task, from 0 to 1; any failure is an `EndpointError`."""
        self._breaker.require_closed(self._endpoint.subject)
        try:
            scores = self._score(task, [text[:TEXT_CHARS] for text in texts])
        except EndpointError as error:
            self._breaker.note_slow(error)
            raise
        self._breaker.note_success()
        return scores

    def _score(self, task: str, cut: list[str]) -> list[float]:
        try:
            reply = self._ask(task, cut, self._takes)
        except EndpointError as error:
            if error.fault not in _REFUSES_DOCUMENTS or self._takes == "texts":
                raise
            reply = self._ask(task, cut, "texts")
            self._takes = "texts"
        return self._scores(reply, len(cut))

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _ask(self, task: str, texts: list[str], takes: str) -> object:
        body: dict[str, object] = {"query": task, takes: texts}
        if takes == "documents":
            body |= {"top_n": len(texts)}
        if self._options.model:
            body["model"] = self._options.model
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        url = f"{self._endpoint.url}/rerank"
        headers = {"content-type": "application/json"}
        with (
            breaks_named(self._endpoint),
            self._open().stream("POST", url, content=content, headers=headers) as response,
        ):
            raw = read_body(response, REPLY_BYTES, self._endpoint)
        try:
            reply: object = json.loads(raw)
        except (ValueError, RecursionError):
            raise build_error(Fault.GARBLED, self._endpoint, "no JSON") from None
        return reply

    def _scores(self, reply: object, count: int) -> list[float]:
        rows = reply
        if isinstance(reply, dict):
            rows = reply.get("results", reply.get("data"))
        found: dict[int, float] = {}
        for row in rows if isinstance(rows, list) else ():
            index, score = _read_row(row)
            if 0 <= index < count and math.isfinite(score):
                found[index] = score
        if len(found) != count:
            raise build_error(Fault.GARBLED, self._endpoint, f"not a score for each of {count}")
        return _between_0_and_1([found[place] for place in range(count)])

    def _open(self) -> "httpx2.Client":
        with self._lock:
            if self._client is None:
                key = self._endpoint.secret
                headers = {"authorization": f"Bearer {key}"} if key else {}
                options = ClientOptions(idle_s=self._options.timeout_s, headers=headers)
                self._client = open_client(self._endpoint, options)
            return self._client


def _read_row(row: object) -> tuple[int, float]:
    """A row's number and score; a number below 0 where it is no such row."""
    if not isinstance(row, dict):
        return -1, 0.0
    index, score = row.get("index"), row.get("relevance_score", row.get("score"))
    if not isinstance(index, int) or not isinstance(score, int | float):
        return -1, 0.0
    return index, float(score)


def _between_0_and_1(scores: list[float]) -> list[float]:
    """The scores as they are, or, where a model gives its bare logits, as probabilities."""
    if all(0 <= score <= 1 for score in scores):
        return scores
    return [1 / (1 + math.exp(-max(-30.0, min(30.0, score)))) for score in scores]
