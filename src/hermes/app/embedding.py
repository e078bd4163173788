"""Opening the embedder the settings name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.app.adapters import load_adapter
from hermes.app.placeholders import KeylessEmbedder
from hermes.config.model import EmbeddingSettings
from hermes.embed.base import NONE, Embedder, EmbedderOptions, Space, expected_space
from hermes.errors import HermesError, UserError

if TYPE_CHECKING:
    from hermes.app.root import App

LOCAL = "local"
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
        timeout_s=settings.timeout_s,
    )
    try:
        key = settings.api_key.get_secret_value() if settings.api_key else ""
    except UserError as missing:
        return KeylessEmbedder(opener(options), missing)
    embedder: Embedder = opener(replace(options, api_key=key))
    return embedder


def find_space(app: App) -> Space | None:
    """The space that vectors are to be made in; None where that cannot be told."""
    try:
        embedder = app.embedder
        return Space(NONE, "", 0) if embedder is None else expected_space(embedder)
    except HermesError:  # whoever makes vectors says why there are none
        return None


def open_former(app: App, space: Space) -> Embedder | None:
    """The embedder of another space than the configured one's, where the settings lead to it."""
    settings = _settings_of(app, space)
    former = None if settings is None else open_embedder(settings)
    if former is not None and not expected_space(former).fits(space):
        former.close()
        return None
    return former


def _settings_of(app: App, space: Space) -> EmbeddingSettings | None:
    configured = app.config.memory.embeddings
    if space.provider == LOCAL:
        return EmbeddingSettings()
    present = find_space(app)
    if present is None or present.provider != space.provider:
        return None
    # A length is asked for only where that is what was changed: not every model can be asked.
    dimensions = space.dimensions if space.model == present.model else None
    return configured.model_copy(update={"model": space.model, "dimensions": dimensions})
