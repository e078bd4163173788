"""Opens a model with everything around it: meter, retries, breaker, fallback."""

from dataclasses import dataclass

from hermes.llm.base import Model, ModelSettings
from hermes.llm.budget import FREE, NO_CAP, Cap, Ledger
from hermes.llm.catalog import is_local, open_model
from hermes.llm.meter import MeteredModel, Tariff
from hermes.llm.retry import FallbackModel, Pacing, RetryingModel


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A model as configured: its settings, what it may cost, and who stands in for it."""

    settings: ModelSettings
    cap: Cap = NO_CAP
    fallback: ModelSettings | None = None


def open_chain(plan: ModelPlan, ledger: Ledger, pacing: Pacing | None = None) -> Model:
    """The model a plan describes, ready for use."""
    pacing = pacing or Pacing()
    main = _open_guarded(plan.settings, plan.cap, ledger, pacing)
    if plan.fallback is None:
        return main
    return FallbackModel(main, _open_guarded(plan.fallback, plan.cap, ledger, pacing))


def _open_guarded(settings: ModelSettings, cap: Cap, ledger: Ledger, pacing: Pacing) -> Model:
    """Metered inside, retried outside: every attempt is checked, and paid for if it cost."""
    costs_nothing = settings.prices is None and is_local(settings.provider, settings.base_url)
    prices = FREE if costs_nothing else settings.prices
    tariff = Tariff(settings.section, prices, cap, settings.max_tokens)
    metered = MeteredModel(open_model(settings), ledger, tariff, pacing.clock)
    return RetryingModel(metered, pacing, deadline_s=settings.deadline_s)
