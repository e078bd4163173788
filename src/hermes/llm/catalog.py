"""The providers Hermes knows by name: which adapter speaks to them, where, and with which key."""

from dataclasses import dataclass, replace
from difflib import get_close_matches

from hermes.errors import NotFound, UserError
from hermes.llm.base import Model, ModelSettings
from hermes.net.client import is_loopback
from hermes.net.faults import Endpoint


@dataclass(frozen=True, slots=True)
class Provider:
    """A service, or a server on this machine, that offers models."""

    name: str
    title: str
    base_url: str
    adapter: str = "openai"
    key_name: str = ""
    model_hint: str = ""


PROVIDERS = {
    p.name: p
    for p in (
        Provider("openai", "OpenAI", "https://api.openai.com/v1", key_name="OPENAI_API_KEY"),
        Provider(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com/v1",
            adapter="anthropic",
            key_name="ANTHROPIC_API_KEY",
        ),
        Provider(
            "openrouter",
            "OpenRouter",
            "https://openrouter.ai/api/v1",
            key_name="OPENROUTER_API_KEY",
        ),
        Provider(
            "nous", "Nous", "https://inference-api.nousresearch.com/v1", key_name="NOUS_API_KEY"
        ),
        Provider(
            "ollama",
            "Ollama",
            "http://localhost:11434/v1",
            model_hint="Fetch it with `ollama pull {model}`.",
        ),
        Provider("vllm", "vLLM", "http://localhost:8000/v1"),
        Provider("lmstudio", "LM Studio", "http://localhost:1234/v1"),
        Provider("llamacpp", "llama.cpp", "http://localhost:8080/v1"),
    )
}


def get_provider(name: str) -> Provider:
    if found := PROVIDERS.get(name):
        return found
    near = get_close_matches(name, PROVIDERS, 1, cutoff=0.7)
    guess = f"Did you mean {near[0]}? " if near else ""
    known = ", ".join(PROVIDERS)
    raise UserError(f"There is no model provider {name!r}.", f"{guess}Known: {known}.")


def resolve(settings: ModelSettings) -> ModelSettings:
    """The settings with the provider's address filled in, and the path every server expects."""
    provider = get_provider(settings.provider)
    url = (settings.base_url or provider.base_url).strip().rstrip("/")
    bare = url.partition("://")[2]
    if bare and "/" not in bare:
        url += "/v1"
    if not settings.model:
        raise UserError(
            f"No model is named for {provider.title}.",
            f"Set {settings.section}.model, or run `hermes model`.",
        )
    return replace(settings, base_url=url, api_key=settings.api_key.strip())


def open_model(settings: ModelSettings) -> Model:
    """The model a provider's adapter opens; adapters, ours and others', are entry points."""
    # Reading what is installed is slow to import, and of no use before a model is wanted.
    from importlib.metadata import entry_points  # noqa: PLC0415

    found = tuple(entry_points(group="hermes.models", name=settings.provider))
    if not found:
        adapter = get_provider(settings.provider).adapter
        found = tuple(entry_points(group="hermes.models", name=adapter))
    if not found:
        raise NotFound("The adapters of Hermes are not registered.", "Install Hermes again.")
    model: Model = found[0].load()(settings)
    return model


def needs_key(settings: ModelSettings) -> bool:
    """Whether the endpoint is a service that lets nobody in without a key."""
    provider = get_provider(settings.provider)
    url = settings.base_url or provider.base_url
    return bool(provider.key_name) and url.rstrip("/") == provider.base_url and not is_loopback(url)


def is_local(provider: str, base_url: str = "") -> bool:
    """Whether a model runs on this machine, where a token costs nothing."""
    return is_loopback(base_url or get_provider(provider).base_url)


def describe_endpoint(settings: ModelSettings) -> Endpoint:
    """The endpoint in the words its errors will use."""
    provider = get_provider(settings.provider)
    is_theirs = settings.base_url == provider.base_url
    return Endpoint(
        url=settings.base_url,
        subject=f"{provider.title if is_theirs else 'The'} model {settings.model}",
        setting=settings.section,
        # The usual variable is read for the provider's own address only.
        key_name=settings.key_name or (provider.key_name if is_theirs else ""),
        model_hint=provider.model_hint.format(model=settings.model),
        secret=settings.api_key,
    )
