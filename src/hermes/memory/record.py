"""Recording: what a turn must be before it is kept.

Text is cleaned of what cannot be seen, secrets are cut out, payloads are set aside, times are
checked, and origin and trust are set here, by who brought the text, never by what it says.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes.clock import DAY_MS, EARLIEST_AT, render_time
from hermes.errors import UserError
from hermes.guard.origin import trust_of
from hermes.guard.redact import redact
from hermes.guard.text import clean
from hermes.memory.payloads import take_payloads
from hermes.store.base import Store
from hermes.types import Origin, Recorded, Role, ToolCall, Turn, Utterance

MAX_MESSAGE_CHARS = 8_000_000
MAX_INDEXED_TOOL_CHARS = 20_000
MAX_FUTURE_MS = DAY_MS
ORIGIN_OF_ROLE = {
    Role.SYSTEM: Origin.AGENT,
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.AGENT,
    Role.TOOL: Origin.TOOL,
}


def record_turns(store: Store, turns: Sequence[Turn], now: int) -> list[Recorded]:
    """Keep turns, all or none; on return they are on disk."""
    return record_prepared(store, [prepare_turn(turn, now) for turn in turns], now)


def record_prepared(store: Store, turns: Sequence[Turn], now: int) -> list[Recorded]:
    """Keep turns whose messages went through `prepare_message` before."""
    return store.write(lambda tx: tx.conversations.record(turns, now))


def prepare_turn(turn: Turn, now: int) -> Turn:
    """The turn as it may be kept; UserError if it may not."""
    if not turn.messages:
        raise UserError("A turn needs at least one message.", "Give the messages exchanged.")
    messages = tuple([prepare_message(said, now) for said in turn.messages])
    return Turn(turn.session, messages, turn.task, turn.key, turn.continues)


def prepare_message(said: Utterance, now: int) -> Utterance:
    if said.at is not None:
        check_time(said.at, now)
    text, payloads = take_payloads(said.text)
    if len(text) > MAX_MESSAGE_CHARS:
        raise UserError(
            f"A message has {len(text):,} characters; at most {MAX_MESSAGE_CHARS:,} are kept.",
            "Attach large content as a payload, or split it.",
        )
    text = redact(clean(text).text).text
    origin = said.origin or ORIGIN_OF_ROLE[said.role]
    searchable = None
    if said.role is Role.TOOL and len(text) > MAX_INDEXED_TOOL_CHARS:
        searchable = text[:MAX_INDEXED_TOOL_CHARS]
    return Utterance(  # by position: this runs for every message, and names double its cost
        said.role,
        text,
        said.at,
        clean(said.speaker).text if said.speaker else "",
        _redacted(said.calls) if said.calls else (),
        said.call_id,
        origin,
        min(said.trust, trust_of(origin)),
        said.payloads + payloads,
        searchable,
    )


def _redacted(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    return tuple(replace(call, arguments=redact(call.arguments).text) for call in calls)


def check_time(at: int, now: int) -> None:
    """UserError for a time that no conversation can have had."""
    if EARLIEST_AT <= at <= now + MAX_FUTURE_MS:
        return
    shown = render_time(at) if abs(at) < 250_000_000_000_000 else f"{at} ms"
    raise UserError(
        f"The time {shown} is not between 1900 and now.",
        "Give seconds or milliseconds since 1970, or ISO 8601 such as 2026-01-05T09:00:00Z.",
    )
