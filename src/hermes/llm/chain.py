"""Opens a model with everything around it: meter, retries, breaker, fallback."""

from dataclasses import dataclass, replace

from hermes.llm.base import Model, ModelSettings
from hermes.llm.budget import FREE, NO_CAP, Cap, Ledger
from hermes.llm.catalog import is_local, open_model
from hermes.llm.meter import MeteredModel, Tariff
from hermes.llm.retry import FallbackModel, Pacing, RetryingModel

UNHEARD_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A model as configured: its settings, what it may cost, and the plan of its stand-in."""

    settings: ModelSettings
    cap: Cap = NO_CAP
    fallback: "ModelPlan | None" = None


def open_chain(plan: ModelPlan, ledger: Ledger, pacing: Pacing | None = None) -> Model:
    """The model a plan describes, ready for use."""
    pacing = pacing or Pacing()
    if plan.fallback is None:
        return _open_guarded(plan.settings, plan.cap, ledger, pacing)
    # Who waits for a server that is not there, while another could answer, waits for nothing.
    soon = replace(pacing, policy=replace(pacing.policy, unheard_attempts=UNHEARD_ATTEMPTS))
    main = _open_guarded(plan.settings, plan.cap, ledger, soon)
    return FallbackModel(main, open_chain(plan.fallback, ledger, pacing))


def _open_guarded(settings: ModelSettings, cap: Cap, ledger: Ledger, pacing: Pacing) -> Model:
    """Metered inside, retried outside: every attempt is checked, and paid for if it cost."""
    costs_nothing = settings.prices is None and is_local(settings.provider, settings.base_url)
    prices = FREE if costs_nothing else settings.prices
    tariff = Tariff(settings.section, prices, cap, settings.max_tokens)
    metered = MeteredModel(open_model(settings), ledger, tariff, pacing.clock)
    return RetryingModel(metered, pacing, deadline_s=settings.deadline_s)
