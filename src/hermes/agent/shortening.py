"""Makes room within one turn: what its tools brought is shortened, the oldest first.

The newest results stay whole as long as the window has room for them: the model did not read them
yet. The store keeps every result as it came.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from hermes.agent.thread import MESSAGE_TOKENS, Line, Thread, make_line
from hermes.llm.base import ChatMessage
from hermes.memory.recall.tokens import count_tokens
from hermes.types import Role, ToolCall

EXCERPT_TOKENS = 150  # of an older result, or of a long argument
LEAST_TOKENS = 50  # of a newest one, however small the window
NOTE_TOKENS = 100  # what it takes to say that something is missing
LEFT_OUT = "[left out to make room"
DROPPED = "[Earlier steps of this task are left out to make room; `session_search` finds them.]"


def shorten_results(thread: Thread, asked: int, room: int, most: int) -> int:
    """Shorten what tools brought until the thread takes `room` tokens.

    Where it is beyond `most` then, nothing is left of older results, then of the oldest steps after
    line `asked`; what is new comes last. Gives how many messages it were.
    """
    count = _shorten_older(thread, EXCERPT_TOKENS, room)
    count += _shorten_older(thread, 0, most)
    count += _drop_steps(thread, asked, most)
    return count + _shorten_newest(thread, most)


def _shorten_older(thread: Thread, limit: int, room: int) -> int:
    names, count, tokens = _names(thread), 0, thread.tokens
    for place in _oldest_first(thread.lines[: _newest(thread.lines)]):
        if tokens <= room:
            break
        saved = _put(thread, place, _shorter(thread.lines[place], names, limit))
        count, tokens = count + (saved > 0), tokens - saved
    return count


def _drop_steps(thread: Thread, asked: int, most: int) -> int:
    """Leave out the oldest steps of the turn while what is new takes less than half of the room."""
    lines, tokens = thread.lines, thread.tokens
    newest = _newest(lines)
    if tokens <= most or sum(line.tokens for line in lines[newest:]) > most // 2:
        return 0
    gone: set[int] = set()
    for step, following in pairwise(n for n in range(asked, newest) if lines[n].message.calls):
        results = takewhile(lambda n: lines[n].message.role is Role.TOOL, range(step + 1, newest))
        dropped = [step, *results]
        gone.update(dropped)
        tokens -= sum(lines[n].tokens for n in dropped)
        first = _tell_dropped(lines[following])
        if tokens + first.tokens - lines[following].tokens <= most:
            break
    if gone:
        lines[following] = first
        thread.lines = [line for n, line in enumerate(lines) if n not in gone]
    return len(gone)


def _tell_dropped(line: Line) -> Line:
    """The first step that stays, with a word that there were others."""
    if line.message.text.startswith(DROPPED):
        return line
    return _remade(line, replace(line.message, text=f"{DROPPED}\n{line.message.text}".strip()))


def _shorten_newest(thread: Thread, most: int) -> int:
    beyond = thread.tokens - most
    places = range(_newest(thread.lines), len(thread.lines))
    if beyond <= 0:
        return 0
    names = _names(thread)
    limit = _even_limit([thread.lines[place].tokens for place in places], beyond)
    shorter = [_shorter(thread.lines[place], names, limit) for place in places]
    return sum(_put(thread, place, each) > 0 for place, each in zip(places, shorter, strict=True))


def _names(thread: Thread) -> dict[str, str]:
    return {call.id: call.name for line in thread.lines for call in line.message.calls}


def _newest(lines: Sequence[Line]) -> int:
    """Where the results begin that the model has not read yet."""
    place = len(lines)
    while place and lines[place - 1].message.role is Role.TOOL:
        place -= 1
    return place


def _oldest_first(lines: Sequence[Line]) -> Iterator[int]:
    """What tools gave back before what they were given: that is the agent's own words."""
    yield from (n for n, line in enumerate(lines) if line.message.role is Role.TOOL)
    yield from (n for n, line in enumerate(lines) if line.message.calls)


def _put(thread: Thread, place: int, message: ChatMessage) -> int:
    """Put a message in the place of a longer one; how many tokens that saves."""
    shorter = _remade(thread.lines[place], message)
    saved = thread.lines[place].tokens - shorter.tokens
    if saved <= 0:
        return 0
    thread.lines[place] = shorter
    return saved


def _remade(line: Line, message: ChatMessage) -> Line:
    made = make_line(message, id=line.id, trust=line.trust, at=line.at)
    return replace(made, injected=line.injected)


def _shorter(line: Line, names: dict[str, str], limit: int) -> ChatMessage:
    message = line.message
    if message.role is Role.TOOL:
        name = names.get(message.call_id, "the tool")
        return replace(message, text=_cut(message.text, limit, _how_to_read(name)))
    return replace(message, calls=tuple(_shorter_call(call, limit) for call in message.calls))


def _how_to_read(name: str) -> str:
    return (
        f"call {name} again for just what you need of it where that does no harm, or find it by "
        "`session_search`"
    )


def _shorter_call(call: ToolCall, limit: int) -> ToolCall:
    """A call whose long arguments are shortened; they stay an object, as models insist on it."""
    try:
        given = json.loads(call.arguments)
    except ValueError:
        return call
    if not isinstance(given, dict):
        return call
    told = "it was given in full"
    cut = {k: _cut(v, limit, told) if isinstance(v, str) else v for k, v in given.items()}
    return replace(call, arguments=json.dumps(cut, ensure_ascii=False))


def _cut(text: str, limit: int, told: str) -> str:
    """The two ends of a text within `limit` tokens, and what is told of its middle.

    One that was cut so before, or is not much longer, stays as it is.
    """
    tokens = count_tokens(text)
    if not limit:
        bare = f"{LEFT_OUT}: {told}]"
        return bare if count_tokens(bare) < tokens else text
    if tokens <= limit + NOTE_TOKENS:
        return text
    half = len(text) * limit // tokens // 2
    while half and count_tokens(text[:half] + text[len(text) - half :]) > limit:
        half = half * 3 // 4
    note = f"[… {len(text) - 2 * half:,} characters are shortened away to make room: {told} …]"
    return f"{text[:half]}\n{note}\n{text[len(text) - half :]}"


def _even_limit(sizes: Sequence[int], beyond: int) -> int:
    """How long each may be at most, so that all together are shorter by `beyond`."""
    left = sum(sizes) - beyond
    for n, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - n)
        if size > share:
            return max(LEAST_TOKENS, share - NOTE_TOKENS - MESSAGE_TOKENS)
        left -= size
    return max(sizes, default=LEAST_TOKENS)
