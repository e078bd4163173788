"""Reads replies of Anthropic's Messages API, whole or streamed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hermes.llm.base import (
    CallDelta,
    CallStarted,
    Finish,
    ModelEvent,
    ModelReply,
    ModelRequest,
    TextDelta,
    Thought,
    ThoughtDelta,
    Usage,
)
from hermes.llm.channel import Json
from hermes.llm.pieces import (
    arguments_of,
    check_calls,
    count_of,
    estimate_usage,
    object_of,
    objects_of,
    settle_calls,
    text_of,
)
from hermes.types import ToolCall

_FINISH = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "tool_use": Finish.TOOLS,
    "refusal": Finish.REFUSAL,
}


def parse_reply(body: Json, request: ModelRequest, model: str) -> ModelReply:
    """A reply sent whole; `ValueError` if there is no content in it."""
    if not isinstance(body.get("content"), list):
        raise ValueError("no content in the reply")
    blocks = [_Block.read(block) for block in objects_of(body["content"])]
    usage = object_of(body.get("usage"))
    return _settle(blocks, str(body.get("stop_reason") or "end_turn"), usage, request, model)


@dataclass
class _Block:
    """A block of the reply, being written."""

    kind: str
    texts: list[str] = field(default_factory=list)
    id: str = ""
    name: str = ""
    signatures: list[str] = field(default_factory=list)
    sealed: str = ""

    @classmethod
    def read(cls, block: Json) -> "_Block":
        kind = text_of(block.get("type"))
        arguments = block.get("input")
        text = text_of(block.get("text")) or text_of(block.get("thinking"))
        if kind == "tool_use":
            text = arguments_of(arguments) if arguments else ""
        return cls(
            kind=kind,
            texts=[text],
            id=text_of(block.get("id")),
            name=text_of(block.get("name")),
            signatures=[text_of(block.get("signature"))],
            sealed=text_of(block.get("data")),
        )

    @property
    def text(self) -> str:
        return "".join(self.texts)


class ReplyAssembler:
    """Puts the events of one streamed reply together."""

    def __init__(self, request: ModelRequest, model: str) -> None:
        self._request = request
        self._model = model
        self._blocks: dict[int, _Block] = {}
        self._usage: dict[str, object] = {}
        self._stop_reason = ""
        self._calls = 0
        self.size = 0

    def feed(self, piece: Json) -> Iterator[ModelEvent]:
        match piece.get("type"):
            case "message_start":
                self._usage |= object_of(object_of(piece.get("message")).get("usage"))
            case "content_block_start":
                yield from self._start(piece)
            case "content_block_delta":
                yield from self._extend(piece)
            case "message_delta":
                self._usage |= object_of(piece.get("usage"))
                delta = object_of(piece.get("delta"))
                self._stop_reason = text_of(delta.get("stop_reason")) or self._stop_reason
            case None:
                raise ValueError("an event of the stream has no type")

    def finish(self) -> ModelReply | None:
        if not self._stop_reason:
            return None
        blocks = list(self._blocks.values())
        return _settle(blocks, self._stop_reason, self._usage, self._request, self._model)

    def _start(self, piece: Json) -> Iterator[ModelEvent]:
        block = _Block.read(object_of(piece.get("content_block")))
        self._blocks[_place(piece)] = block
        self._calls += block.kind == "tool_use"
        check_calls(self._calls)
        if block.kind == "tool_use" and not _is_answer(block, self._request):
            yield CallStarted(block.name)
        elif block.kind == "text" and block.text:
            yield TextDelta(block.text)

    def _extend(self, piece: Json) -> Iterator[ModelEvent]:
        block = self._blocks.get(_place(piece))
        if block is None:
            raise ValueError("the stream continues a block it never began")
        delta = object_of(piece.get("delta"))
        text = text_of(delta.get("text") or delta.get("thinking") or delta.get("partial_json"))
        block.texts.append(text)
        block.signatures.append(text_of(delta.get("signature")))
        self.size += len(text)
        if text and (block.kind == "text" or _is_answer(block, self._request)):
            yield TextDelta(text)
        elif text and block.kind == "thinking":
            yield ThoughtDelta(text)
        elif text and block.kind == "tool_use":
            yield CallDelta(text)


def _place(piece: Json) -> int:
    index = piece.get("index")
    if not isinstance(index, int):
        raise ValueError("a block of the stream has no number")
    return index


def _is_answer(block: _Block, request: ModelRequest) -> bool:
    """Whether a call is no call but the answer, asked for in the shape of one."""
    wanted = request.json_schema
    return block.kind == "tool_use" and wanted is not None and block.name == wanted.name


def _settle(
    blocks: list[_Block], stop_reason: str, usage: Json, request: ModelRequest, model: str
) -> ModelReply:
    finish = _FINISH.get(stop_reason, Finish.OTHER)
    answers = [b.text for b in blocks if _is_answer(b, request)]
    texts = answers or [b.text for b in blocks if b.kind == "text"]
    asked = [b for b in blocks if b.kind == "tool_use" and not _is_answer(b, request)]
    calls = settle_calls([ToolCall(b.id, b.name, b.text) for b in asked], finish)
    if finish is Finish.TOOLS and not calls:
        finish = Finish.STOP
    return ModelReply(
        text="".join(texts),
        calls=calls,
        finish=finish,
        usage=_read_usage(usage) or estimate_usage(request, sum(len(b.text) for b in blocks)),
        model=model,
        thoughts=tuple(_thoughts(blocks)),
    )


def _thoughts(blocks: list[_Block]) -> Iterator[Thought]:
    for block in blocks:
        if block.kind == "thinking":
            yield Thought(block.text, signature="".join(block.signatures))
        elif block.kind == "redacted_thinking":
            yield Thought(sealed=block.sealed)


def _read_usage(usage: Json) -> Usage | None:
    if not usage:
        return None
    cached = count_of(usage.get("cache_read_input_tokens"))
    written = count_of(usage.get("cache_creation_input_tokens"))
    return Usage(
        input_tokens=count_of(usage.get("input_tokens")) + cached + written,
        output_tokens=count_of(usage.get("output_tokens")),
        cached_tokens=cached,
        cache_write_tokens=written,
    )
