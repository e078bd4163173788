"""Opening the embedder the settings name."""

from hermes.app.adapters import load_adapter
from hermes.config.model import EmbeddingSettings
from hermes.embed.base import Embedder, EmbedderOptions

NONE = "none"
# Anthropic has no embedding endpoint of its own and points to Voyage.
_MEANT = {"anthropic": "voyage"}


def open_embedder(settings: EmbeddingSettings) -> Embedder | None:
    """The embedder, or None where the person wants text only."""
    if settings.provider == NONE:
        return None
    provider = _MEANT.get(settings.provider, settings.provider)
    opener = load_adapter("hermes.embedders", provider)
    options = EmbedderOptions(
        provider=provider,
        model=settings.model or "",
        dimensions=settings.dimensions,
        batch_size=settings.batch_size,
        base_url=settings.base_url or "",
        api_key=settings.api_key.get_secret_value() if settings.api_key else "",
        timeout_s=settings.timeout_s,
    )
    embedder: Embedder = opener(options)
    return embedder
