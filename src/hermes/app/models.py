"""The models a profile is configured with, opened with their books, caps and stand-in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.config.load import read_env
from hermes.config.sections import ModelSettings as Configured
from hermes.config.unset import variable_of
from hermes.errors import HermesError, Unavailable, UserError
from hermes.llm.base import Model, ModelSettings
from hermes.llm.budget import Cap, Charge, Ledger, Spent, fill_prices
from hermes.llm.catalog import get_provider, is_local, needs_key
from hermes.llm.chain import ModelPlan, open_chain
from hermes.llm.retry import Pacing
from hermes.net.backoff import RetryPolicy

if TYPE_CHECKING:
    from hermes.app.root import App

MAIN = "model"
LIGHT = "lightModel"
FALLBACK = "fallbackModel"
NONE = "none"


class QuietLedger:
    """For incognito: the day's cap holds with what was spent before, and nothing is written."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._charges: list[Charge] = []

    def record_charge(self, charge: Charge) -> None:
        self._charges.append(charge)

    def get_spent(self, section: str, since: int, until: int) -> Spent:
        spent = self._ledger.get_spent(section, since, until)
        for charge in self._charges:
            if charge.section == section and since <= charge.at < until:
                spent = spent.plus(charge)
        return spent


def is_configured(configured: Configured) -> bool:
    return configured.provider != NONE


def runs_here(configured: Configured) -> bool:
    """Whether a model is configured that runs on this machine."""
    base_url = configured.base_url or ""
    return is_configured(configured) and is_local(configured.provider, base_url)


def find_lack(app: App) -> HermesError | None:
    """Why no model can be asked at all, and what to do; None where one can be."""
    config = app.config
    if not is_configured(config.model):
        return Unavailable("No model is configured", "`hermes model` sets one up.")
    try:
        settings = find_settings(app, config.model, MAIN)
    except UserError as error:  # its key is in a variable that is not set
        return error
    if settings.api_key or not needs_key(settings) or is_configured(config.fallback_model):
        return None
    provider = get_provider(settings.provider)
    name = settings.key_name or provider.key_name
    where = f"{app.paths.env_file} or into the environment"
    return Unavailable(f"There is no key for {provider.title}", f"Put {name} into {where}.")


def open_main(app: App, *, incognito: bool = False) -> Model | None:
    """The model that answers, with the one that stands in for it; None where none can."""
    config = app.config
    if find_lack(app) is not None:
        return None
    spare = config.fallback_model
    fallback = _plan(app, spare, FALLBACK) if is_configured(spare) else None
    plan = replace(_plan(app, config.model, MAIN), fallback=fallback)
    return _open(app, plan, config.model, incognito=incognito)


def open_light(app: App, *, incognito: bool = False) -> Model | None:
    """The small model that works in the background; None where none is set."""
    configured = app.config.light_model
    if not is_configured(configured):
        return None
    return _open(app, _plan(app, configured, LIGHT), configured, incognito=incognito)


def find_settings(app: App, configured: Configured, section: str) -> ModelSettings:
    """A section of the configuration, with the provider's usual key where it names none.

    That goes to the provider's own address only, never to one that somebody else listens at.
    """
    settings = settings_of(configured, section)
    if settings.api_key or not needs_key(settings):
        return settings
    return replace(settings, api_key=find_variable(app, get_provider(settings.provider).key_name))


def find_variable(app: App, name: str) -> str:
    """What a variable of the environment, or of the home's `.env`, holds; "" for none."""
    return app.environ.get(name) or read_env(app.paths)[0].get(name, "")


def longest_answer(configured: Configured) -> int:
    """No more than a quarter of a window that was set: strict servers refuse what cannot fit."""
    window = configured.context_tokens
    return configured.max_tokens if window is None else min(configured.max_tokens, window // 4)


def settings_of(configured: Configured, section: str) -> ModelSettings:
    """A section of the configuration as an adapter takes it."""
    return ModelSettings(
        provider=configured.provider,
        model=configured.model or "",
        base_url=configured.base_url or "",
        api_key=configured.api_key.get_secret_value() if configured.api_key else "",
        key_name=variable_of(configured.api_key),
        max_tokens=longest_answer(configured),
        temperature=configured.temperature,
        idle_timeout_s=configured.timeout_s,
        prices=fill_prices(configured.input_usd_per_million, configured.output_usd_per_million),
        section=section,
    )


def _open(app: App, plan: ModelPlan, configured: Configured, *, incognito: bool) -> Model:
    ledger: Ledger = app.spending.ledger
    if incognito:
        ledger = QuietLedger(ledger)
    pacing = Pacing(RetryPolicy(attempts=configured.max_retries + 1))
    return open_chain(plan, ledger, pacing)


def _plan(app: App, configured: Configured, section: str) -> ModelPlan:
    """A section with its own cap."""
    return ModelPlan(find_settings(app, configured, section), Cap(configured.daily_budget_usd))
