"""Tests a model with one tiny request, and says in a word why it does not work."""

import asyncio
from dataclasses import dataclass, replace
from difflib import get_close_matches

from hermes.clock import Clock, SystemClock
from hermes.errors import HermesError
from hermes.llm.base import ChatMessage, ModelReply, ModelRequest, ModelSettings
from hermes.llm.catalog import open_model, resolve
from hermes.llm.channel import Channel
from hermes.llm.pieces import objects_of, text_of
from hermes.net.faults import EndpointError, Fault
from hermes.types import Role

PROBE_TOKENS = 32
SLOW_S = 20.0


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """How the test went: the reply's time, or the reason there was none and what to do."""

    ok: bool
    model: str
    took_ms: int
    reason: str = ""
    message: str = ""
    hint: str = ""
    offered: tuple[str, ...] = ()


async def probe(
    settings: ModelSettings, *, within_s: float = SLOW_S, clock: Clock | None = None
) -> ProbeResult:
    """Ask the model for one word. Never raises for what is wrong with the endpoint or settings."""
    clock = clock or SystemClock()
    name = f"{settings.provider}/{settings.model}"
    begun_at = clock.now()
    try:
        await _ask(settings, within_s)
    except HermesError as error:
        took_ms = clock.now() - begun_at
        return await _explain(error, settings, ProbeResult(False, name, took_ms))
    return ProbeResult(True, name, clock.now() - begun_at)


async def _ask(settings: ModelSettings, within_s: float) -> ModelReply:
    model = open_model(settings)
    message = ChatMessage(Role.USER, "Reply with the word: ready")
    try:
        return await model.complete(
            ModelRequest((message,), max_tokens=PROBE_TOKENS, deadline_s=within_s)
        )
    finally:
        await model.close()


async def _explain(error: HermesError, settings: ModelSettings, result: ProbeResult) -> ProbeResult:
    reason = str(error.fault) if isinstance(error, EndpointError) else "wrong setting"
    result = replace(result, reason=reason, message=error.message, hint=error.hint)
    if reason != Fault.UNKNOWN_MODEL:
        return result
    offered = await _list_or_nothing(settings)
    near = get_close_matches(settings.model, offered, 3, cutoff=0.4)
    guess = f" Did you mean {', '.join(near)}?" if near else ""
    return replace(result, hint=result.hint + guess, offered=offered)


async def _list_or_nothing(settings: ModelSettings) -> tuple[str, ...]:
    try:
        return await list_models(settings)
    except HermesError:
        # Not every endpoint lists its models; the reason found before stands without the list.
        return ()


async def list_models(settings: ModelSettings, *, within_s: float = SLOW_S) -> tuple[str, ...]:
    """The names of the models an endpoint offers."""
    settings = resolve(replace(settings, model=settings.model or "any"))
    headers = {"anthropic-version": "2023-06-01"} if settings.provider == "anthropic" else {}
    if settings.api_key:
        headers |= {"authorization": f"Bearer {settings.api_key}", "x-api-key": settings.api_key}
    channel = Channel(settings, headers)
    try:
        ends = asyncio.get_running_loop().time() + within_s
        body = await channel.get("/models", ends=ends)
    finally:
        await channel.close()
    names = (text_of(each.get("id")) for each in objects_of(body.get("data")))
    return tuple(sorted(name for name in names if name))
