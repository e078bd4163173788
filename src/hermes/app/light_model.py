"""Asking the light model from synchronous code: the one place where the two meet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hermes.app.models import LIGHT, find_settings
from hermes.llm.base import Model, ModelReply, ModelRequest
from hermes.llm.budget import Cap
from hermes.llm.chain import ModelPlan, open_chain
from hermes.llm.retry import Pacing
from hermes.net.backoff import RetryPolicy

if TYPE_CHECKING:
    from hermes.app.root import App


class LightModel:
    """Waits for the light model's reply; for threads that run no event loop.

    What it costs goes into the store's books, so that a day's cap holds over every part that
    asks and every process.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._configured = app.config.light_model
        self._ledger = app.spending.ledger

    def ask(self, request: ModelRequest) -> ModelReply:
        configured = self._configured
        plan = ModelPlan(
            find_settings(self._app, configured, LIGHT), Cap(configured.daily_budget_usd)
        )
        pacing = Pacing(RetryPolicy(attempts=configured.max_retries + 1))
        return asyncio.run(_ask_once(open_chain(plan, self._ledger, pacing), request))


async def _ask_once(model: Model, request: ModelRequest) -> ModelReply:
    try:
        return await model.complete(request)
    finally:
        await model.close()
