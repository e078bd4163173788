"""Asking the light model from synchronous code: the one place where the two meet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hermes.config.sections import ModelSettings as Configured
from hermes.llm.base import Model, ModelReply, ModelRequest, ModelSettings, Prices
from hermes.llm.budget import Cap
from hermes.llm.chain import ModelPlan, open_chain
from hermes.llm.retry import Pacing
from hermes.net.backoff import RetryPolicy

if TYPE_CHECKING:
    from hermes.app.root import App

SECTION = "lightModel"


class LightModel:
    """Waits for the light model's reply; for threads that run no event loop.

    What it costs goes into the store's books, so that a day's cap holds over every part that
    asks and every process.
    """

    def __init__(self, app: App) -> None:
        self._configured = app.config.light_model
        self._ledger = app.spending.ledger

    def ask(self, request: ModelRequest) -> ModelReply:
        configured = self._configured
        plan = ModelPlan(_settings(configured), Cap(configured.daily_budget_usd))
        pacing = Pacing(RetryPolicy(attempts=configured.max_retries + 1))
        return asyncio.run(_ask_once(open_chain(plan, self._ledger, pacing), request))


async def _ask_once(model: Model, request: ModelRequest) -> ModelReply:
    try:
        return await model.complete(request)
    finally:
        await model.close()


def _settings(configured: Configured) -> ModelSettings:
    prices = None
    if configured.input_usd_per_million is not None:
        prices = Prices(configured.input_usd_per_million, configured.output_usd_per_million or 0.0)
    return ModelSettings(
        provider=configured.provider,
        model=configured.model or "",
        base_url=configured.base_url or "",
        api_key=configured.api_key.get_secret_value() if configured.api_key else "",
        max_tokens=configured.max_tokens,
        temperature=configured.temperature,
        idle_timeout_s=configured.timeout_s,
        prices=prices,
        section=SECTION,
    )
