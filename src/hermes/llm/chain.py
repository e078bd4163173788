"""Opens a model with everything around it: meter, retries, breaker, fallback."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

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
    told = tell_apart(plan.settings, plan.fallback.settings)
    return FallbackModel(main, open_chain(plan.fallback, ledger, pacing), told)


def tell_apart(main: ModelSettings, spare: ModelSettings) -> tuple[str, str]:
    """What the spare and the main model are called: by where they are, where names are the same."""
    both = (spare, main)
    names = [f"{each.provider}/{each.model}" for each in both]
    if names[0] != names[1]:
        return names[0], names[1]
    urls = [urlsplit(each.base_url) for each in both]
    places = [url.netloc.rpartition("@")[2] for url in urls]
    if places[0] == places[1]:
        places = [place + url.path for place, url in zip(places, urls, strict=True)]
    return f"{names[0]} at {places[0]}", f"{names[1]} at {places[1]}"


def _open_guarded(settings: ModelSettings, cap: Cap, ledger: Ledger, pacing: Pacing) -> Model:
    """Metered inside, retried outside: every attempt is checked, and paid for if it cost."""
    costs_nothing = settings.prices is None and is_local(settings.provider, settings.base_url)
    prices = FREE if costs_nothing else settings.prices
    tariff = Tariff(settings.section, prices, cap, settings.max_tokens)
    metered = MeteredModel(open_model(settings), ledger, tariff, pacing.clock)
    return RetryingModel(metered, pacing, deadline_s=settings.deadline_s)
