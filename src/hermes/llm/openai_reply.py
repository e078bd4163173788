"""Reads chat completions, whole or streamed, from servers that agree only roughly on them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

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
    Brackets,
    arguments_of,
    check_calls,
    cost_of,
    count_of,
    estimate_usage,
    object_of,
    objects_of,
    settle_calls,
    text_of,
)
from hermes.net.read import find_sentence
from hermes.types import ToolCall

_FINISH = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "length": Finish.LENGTH,
    "tool_calls": Finish.TOOLS,
    "function_call": Finish.TOOLS,
    "content_filter": Finish.REFUSAL,
}


def parse_reply(body: Json, request: ModelRequest, model: str) -> ModelReply:
    """A reply sent whole; `ValueError` if there is no message in it."""
    choice = next(objects_of(body.get("choices")), None)
    if choice is None or not isinstance(choice.get("message"), dict):
        raise ValueError("no message in the reply")
    draft = _Draft(request, model)
    message = object_of(choice["message"])
    draft.add_text(text_of(message.get("content")))
    draft.add_thought(text_of(message.get("reasoning_content") or message.get("reasoning")))
    draft.add_refusal(text_of(message.get("refusal")))
    for call in objects_of(message.get("tool_calls")):
        draft.calls.append(_Call.read(call))
    draft.finish = str(choice.get("finish_reason") or "stop")
    draft.read_usage(body)
    return draft.settle()


class ReplyAssembler:
    """Puts the deltas of one streamed reply together."""

    def __init__(self, request: ModelRequest, model: str) -> None:
        self._draft = _Draft(request, model)

    @property
    def size(self) -> int:
        return self._draft.size

    def feed(self, piece: Json) -> Iterator[ModelEvent]:
        self._draft.read_usage(piece)
        choice = next(objects_of(piece.get("choices")), None)
        if choice is None:
            if "choices" not in piece and "usage" not in piece:
                raise ValueError("no choices in a piece of the stream")
            return
        if choice.get("error"):
            raise ValueError(find_sentence(choice["error"]) or "the server broke off")
        yield from self._feed_delta(object_of(choice.get("delta")))
        if reason := choice.get("finish_reason"):
            self._draft.finish = str(reason)

    def finish(self) -> ModelReply | None:
        return self._draft.settle() if self._draft.finish else None

    def _feed_delta(self, delta: Json) -> Iterator[ModelEvent]:
        draft = self._draft
        if thought := text_of(delta.get("reasoning_content") or delta.get("reasoning")):
            draft.add_thought(thought)
            yield ThoughtDelta(thought)
        if text := text_of(delta.get("content")):
            draft.add_text(text)
            yield TextDelta(text)
        draft.add_refusal(text_of(delta.get("refusal")))
        for piece in objects_of(delta.get("tool_calls")):
            call = _Call.read(piece)
            (arguments,) = call.pieces
            if draft.add_call(call) and call.name:
                yield CallStarted(call.name)
            if arguments:
                yield CallDelta(arguments)


@dataclass
class _Call:
    """A call being written."""

    index: object
    id: str
    name: str
    pieces: list[str]
    brackets: Brackets = field(default_factory=Brackets)
    read_pieces: int = 0

    @classmethod
    def read(cls, piece: Json) -> "_Call":
        function = object_of(piece.get("function"))
        return cls(
            index=piece.get("index"),
            id=text_of(piece.get("id")),
            name=text_of(function.get("name")),
            pieces=[arguments_of(function.get("arguments"))],
        )

    def continues(self, earlier: "_Call") -> bool:
        """Whether this is more of the same call: same place, and no new name of its own."""
        same_place = self.index is None or self.index == earlier.index
        same_id = not self.id or not earlier.id or self.id == earlier.id
        begins_anew = self.index is None and bool(self.name) and earlier.is_whole()
        return same_place and same_id and not begins_anew

    def is_whole(self) -> bool:
        """Whether its arguments are complete; no piece is looked at twice."""
        for piece in self.pieces[self.read_pieces :]:
            self.brackets.feed(piece)
        self.read_pieces = len(self.pieces)
        return self.brackets.is_closed

    def extend(self, more: "_Call") -> None:
        self.pieces += more.pieces
        self.id = self.id or more.id
        self.name = self.name or more.name


class _Draft:
    """What is known of a reply so far."""

    def __init__(self, request: ModelRequest, model: str) -> None:
        self._request = request
        self._model = model
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._refusals: list[str] = []
        self.calls: list[_Call] = []
        self.finish = ""
        self.size = 0
        self._usage: Usage | None = None

    def add_text(self, text: str) -> None:
        self._texts.append(text)
        self.size += len(text)

    def add_thought(self, text: str) -> None:
        self._thoughts.append(text)
        self.size += len(text)

    def add_refusal(self, text: str) -> None:
        self._refusals.append(text)
        self.size += len(text)

    def add_call(self, call: _Call) -> bool:
        """Take in a piece of a call; whether it is the first of that call."""
        self.size += sum(map(len, call.pieces))
        earlier = self._find_earlier(call)
        if earlier is not None:
            earlier.extend(call)
            return False
        self.calls.append(call)
        check_calls(len(self.calls))
        return True

    def read_usage(self, body: Json) -> None:
        usage = object_of(body.get("usage"))
        if not usage:
            return
        details = object_of(usage.get("prompt_tokens_details"))
        self._usage = Usage(
            input_tokens=count_of(usage.get("prompt_tokens")),
            output_tokens=count_of(usage.get("completion_tokens")),
            cached_tokens=count_of(
                details.get("cached_tokens") or usage.get("prompt_cache_hit_tokens")
            ),
            cache_write_tokens=count_of(details.get("cache_write_tokens")),
            cost_usd=cost_of(usage.get("cost")),
        )

    def settle(self) -> ModelReply:
        finish = _FINISH.get(self.finish, Finish.OTHER)
        thought = "".join(self._thoughts)
        calls = [ToolCall(c.id, c.name, "".join(c.pieces)) for c in self.calls]
        reply = ModelReply(
            text="".join(self._texts),
            calls=settle_calls(calls, finish),
            finish=finish,
            usage=self._usage or estimate_usage(self._request, self.size),
            model=self._model,
            thoughts=(Thought(thought),) if thought else (),
        )
        if refusal := "".join(self._refusals):
            return replace(reply, text=reply.text or refusal, finish=Finish.REFUSAL)
        if reply.calls and finish in {Finish.STOP, Finish.OTHER}:
            return replace(reply, finish=Finish.TOOLS)
        return reply

    def _find_earlier(self, call: _Call) -> _Call | None:
        return next((c for c in reversed(self.calls) if call.continues(c)), None)
