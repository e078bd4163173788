"""Recording: what a turn must be before it is kept.

Text is cleaned of what cannot be seen, secrets are cut out, payloads are set aside, times are
checked, and origin and trust are set here, by who brought the text, never by what it says.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hermes.clock import DAY_MS, EARLIEST_AT, render_time
from hermes.errors import UserError
from hermes.guard.kept import kept_arguments, kept_text
from hermes.guard.ordinary import is_ordinary
from hermes.guard.origin import ORIGIN_OF_ROLE, trust_of
from hermes.guard.redact import NUMBERING, redact
from hermes.guard.text import clean
from hermes.memory.payloads import MIN_ENCODED_CHARS, OWN, take_payloads
from hermes.store.base import Recording, Store
from hermes.types import NewSession, Payload, Recorded, ToolCall, Turn, Utterance

MAX_MESSAGE_CHARS = 8_000_000
MAX_ID_CHARS = 200
MAX_FUTURE_MS = DAY_MS
_YEAR_1_AT, _YEAR_9999_AT = -62_135_596_800_000, 253_402_300_799_000  # what a date can show
_TOLD = ("platform", "identity", "title", "task", "parent_id")
_NOTHING_TOLD = tuple(getattr(NewSession(), name) for name in _TOLD)


def record_turns(
    store: Store, turns: Sequence[Turn], now: int, *, keep_secrets: bool = False
) -> list[Recorded]:
    """Keep turns, all or none; on return they are on disk."""
    prepared = [prepare_turn(turn, now, keep_secrets=keep_secrets) for turn in turns]
    return record_prepared(store, prepared, now)


def record_prepared(store: Store, turns: Sequence[Turn], now: int) -> list[Recorded]:
    """Keep turns whose messages went through `prepare_message` before."""
    return store.write(Recording(turns, now))


def prepare_turn(turn: Turn, now: int, *, keep_secrets: bool = False) -> Turn:
    """The turn as it may be kept; UserError if it may not.

    With `keep_secrets` its messages keep them; what is told of the turn beside them does not.
    """
    if not turn.messages:
        raise UserError("A turn needs at least one message.", "Give the messages exchanged.")
    messages = tuple(
        [prepare_message(said, now, keep_secrets=keep_secrets) for said in turn.messages]
    )
    session = prepare_session(turn.session, now)
    task = kept_text(turn.task) if turn.task else ""
    return Turn(session, messages, task, turn.key, turn.continues)


def prepare_session(new: NewSession, now: int) -> NewSession:
    """The session as it may be kept: its id as given, what is said of it cleaned like a message."""
    check_session_id(new.id)
    if new.started_at is not None:
        check_time(new.started_at, now)
    said = (new.platform, new.identity, new.title, new.task, new.parent_id)
    if said == _NOTHING_TOLD or is_ordinary("\n".join(said)):
        return new
    told: dict[str, Any] = dict(zip(_TOLD, map(kept_text, said), strict=True))
    return replace(new, **told)


def check_session_id(session_id: str) -> None:
    """UserError for an id that could not be shown, typed or kept."""
    is_plain = session_id.isascii() and session_id.isprintable()
    if len(session_id) > MAX_ID_CHARS or not (is_plain or not clean(session_id).removed):
        raise UserError(
            f"A session cannot be called {session_id[:40]!a}.",
            f"Use at most {MAX_ID_CHARS} characters, all of them visible.",
        )
    if not is_ordinary(session_id) and redact(session_id, keep=NUMBERING).findings:
        raise UserError(
            "A session cannot be called by a secret: its name is kept and shown as it is.",
            "Name it by anything else.",
        )


def prepare_message(said: Utterance, now: int, *, keep_secrets: bool = False) -> Utterance:
    """The message as it may be kept. It runs for every message: plain steps, few calls."""
    if said.at is not None and not EARLIEST_AT <= said.at <= now + MAX_FUTURE_MS:
        check_time(said.at, now)
    is_short = len(said.text) < MIN_ENCODED_CHARS and "base64," not in said.text
    if is_short and _is_bare(said) and is_ordinary(said.text):
        return said  # its origin and trust follow from its role, as every store knows
    return _prepared(said, keep_secrets=keep_secrets)


def _is_bare(said: Utterance) -> bool:
    """Whether a message is a role and a text, and nothing else."""
    return not (said.speaker or said.calls or said.call_id or said.origin or said.payloads)


def _prepared(said: Utterance, *, keep_secrets: bool) -> Utterance:
    text, taken = take_payloads(said.text)
    if len(text) > MAX_MESSAGE_CHARS:
        raise UserError(
            f"A message has {len(text):,} characters; at most {MAX_MESSAGE_CHARS:,} are kept.",
            "Attach large content as a payload, or split it.",
        )
    origin = said.origin or ORIGIN_OF_ROLE[said.role]
    return Utterance(  # by position: names double its cost
        said.role,
        clean(text).text if keep_secrets else kept_text(text),
        said.at,
        kept_text(said.speaker) if said.speaker else "",
        _kept_calls(said.calls, keep_secrets=keep_secrets) if said.calls else (),
        kept_text(said.call_id) if said.call_id else "",
        origin,
        min(said.trust, trust_of(origin)),
        said.payloads + taken if keep_secrets else tuple(map(_kept_payload, said.payloads + taken)),
    )


def _kept_payload(payload: Payload) -> Payload:
    """A payload without secrets if it is text, whatever it is said to be; others as they are."""
    if payload.media_type.startswith(OWN) or b"\0" in payload.content:
        return payload
    try:
        text = payload.content.decode("utf-8")
    except UnicodeDecodeError:
        return payload
    kept = text if is_ordinary(text) else redact(text).text
    return payload if kept == text else replace(payload, content=kept.encode("utf-8"))


def _kept_calls(calls: tuple[ToolCall, ...], *, keep_secrets: bool) -> tuple[ToolCall, ...]:
    kept = _seen if keep_secrets else kept_arguments
    return tuple(
        ToolCall(kept_text(call.id), kept_text(call.name), kept(call.arguments)) for call in calls
    )


def _seen(text: str) -> str:
    return clean(text).text


def check_time(at: int, now: int) -> None:
    """UserError for a time that no conversation can have had."""
    if EARLIEST_AT <= at <= now + MAX_FUTURE_MS:
        return
    shown = render_time(at) if _YEAR_1_AT <= at <= _YEAR_9999_AT else f"{at} ms"
    raise UserError(
        f"The time {shown} is not between 1900 and now.",
        "Give seconds or milliseconds since 1970, or ISO 8601 such as 2026-01-05T09:00:00Z.",
    )
