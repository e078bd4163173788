"""Turns a step of a script into bytes on the wire, for each kind of API."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hermes.testing.steps import (
    Answer,
    Call,
    Fail,
    Flood,
    Garbage,
    Hang,
    Html,
    Refuse,
    Say,
    Step,
    Truncate,
)
from hermes.testing.vectors import hash_vector
from hermes.testing.wire import (
    Counts,
    anthropic_events,
    anthropic_reply,
    openai_events,
    openai_reply,
)

JSON = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream"}
PAGE = b"<!DOCTYPE html><html><body><h1>Sign in to the network</h1></body></html>"
FLOOD_PIECE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: `is_whole` false closes the connection before the end."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: dict(JSON))
    pieces: Iterable[bytes] = ()
    is_whole: bool = True
    hangs: bool = False


def render(step: Step, path: str, body: Mapping[str, object], counts: Counts) -> Reply:
    """The reply a step means for a request."""
    streamed = bool(body.get("stream"))
    match step:
        case Say() | Call() | Refuse():
            pieces = _answer_pieces(step, path, body, counts)
            return Reply(headers=EVENTS if streamed else JSON, pieces=pieces)
        case Fail(status, said, headers):
            return Reply(status, {**JSON, **headers}, [_error(path, said)])
        case Hang(text):
            pieces = _beginning(text, path, body, counts) if text and streamed else []
            return Reply(headers=EVENTS if streamed else JSON, pieces=pieces, hangs=True)
        case Truncate(text):
            pieces = _beginning(text, path, body, counts)
            return Reply(headers=EVENTS if streamed else JSON, pieces=pieces, is_whole=False)
        case Garbage(text):
            raw = f"data: {text}\n\n" if streamed else text
            return Reply(headers=EVENTS if streamed else JSON, pieces=[raw.encode()])
        case Html(status):
            return Reply(status, {"content-type": "text/html"}, [PAGE])
        case Flood(size):
            return Reply(headers=EVENTS if streamed else JSON, pieces=_flood(size, path, body))


def _answer_pieces(
    answer: Answer, path: str, body: Mapping[str, object], counts: Counts
) -> list[bytes]:
    model = body.get("model")
    is_anthropic = path.endswith("/messages")
    if not body.get("stream"):
        reply = (anthropic_reply if is_anthropic else openai_reply)(answer, model, counts)
        return [json.dumps(reply).encode()]
    if is_anthropic:
        return [event.encode() for event in anthropic_events(answer, model, counts)]
    has_usage = "stream_options" in body
    events = openai_events(answer, model, counts, has_usage=has_usage)
    return [event.encode() for event in events]


def _beginning(text: str, path: str, body: Mapping[str, object], counts: Counts) -> list[bytes]:
    """A reply without its end."""
    pieces = _answer_pieces(Say(text), path, body, counts)
    if not body.get("stream"):
        return [pieces[0][: len(pieces[0]) // 2]]
    endings = (b'"finish_reason": "stop"', b"[DONE]", b'"usage"', b"content_block_stop")
    is_start = [b"message_start" in p or not any(e in p for e in endings) for p in pieces]
    kept = [p for p, keep in zip(pieces, is_start, strict=True) if keep]
    return [p for p in kept if b"message_stop" not in p]


def _flood(size: int, path: str, body: Mapping[str, object]) -> Iterator[bytes]:
    """A reply that goes on and on, made as it is sent."""
    text = "x" * FLOOD_PIECE
    counts = Counts(1, 0, 1)
    if not body.get("stream"):
        yield b'{"choices": [{"message": {"content": "'
        for _ in range(size // FLOOD_PIECE):
            yield text.encode()
        yield b'"}}]}'
        return
    start = _beginning(text, path, body, counts)
    yield from start[:-1]
    for _ in range(size // FLOOD_PIECE):
        yield start[-1]


def _error(path: str, said: str) -> bytes:
    body: dict[str, object] = {"error": {"message": said, "type": "error"}}
    if path.startswith("/api/"):
        body = {"error": said}
    elif path.endswith("/messages"):
        body["type"] = "error"
    return json.dumps(body).encode()


def list_models(names: tuple[str, ...]) -> Reply:
    listed = [{"id": name, "object": "model"} for name in names]
    return Reply(pieces=[json.dumps({"object": "list", "data": listed}).encode()])


def embed(path: str, body: Mapping[str, object], dimensions: int) -> Reply:
    """Vectors from hashes, out of order where the API numbers them: clients must not rely on it."""
    given = body.get("input")
    texts = [str(text) for text in given] if isinstance(given, list) else [str(given)]
    wanted = body.get("dimensions") or body.get("output_dimension") or dimensions
    size = wanted if isinstance(wanted, int) else dimensions
    salt = f"{body['input_type']}: " if "input_type" in body else ""
    vectors = [hash_vector(salt + text, size) for text in texts]
    answer: dict[str, object] = {"embeddings": vectors}
    if path != "/api/embed":
        numbered = [{"index": i, "embedding": v} for i, v in enumerate(vectors)]
        answer = {"data": numbered[::-1], "usage": {"total_tokens": 1}}
    return Reply(pieces=[json.dumps(answer | {"model": body.get("model")}).encode()])
