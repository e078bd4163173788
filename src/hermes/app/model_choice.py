"""What can be done with models: see who offers them, test one, make it the one in use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.app.models import LIGHT, MAIN, is_configured, settings_of
from hermes.config.load import read_env
from hermes.config.save import Change, save_changes
from hermes.errors import UserError
from hermes.llm.base import ModelSettings
from hermes.llm.catalog import PROVIDERS, Provider, get_provider
from hermes.llm.probe import ProbeResult, list_models, probe

if TYPE_CHECKING:
    from hermes.app.root import App


@dataclass(frozen=True, slots=True)
class Offer:
    """A provider, and whether a key for it is at hand."""

    provider: Provider
    has_key: bool
    is_used: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A model to use: who offers it, its name, where, and the name of the variable with its key."""

    provider: str
    model: str
    base_url: str = ""
    key_name: str = ""
    light: bool = False

    @property
    def section(self) -> str:
        return LIGHT if self.light else MAIN


class ModelActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def list_offers(self) -> list[Offer]:
        """Every provider Hermes knows by name."""
        used = self._app.config.model.provider
        return [
            Offer(each, self._has_key(each.key_name), each.name == used)
            for each in PROVIDERS.values()
        ]

    def current(self, *, light: bool = False) -> ModelSettings | None:
        """The model in use, None where none is."""
        section, configured = (
            (LIGHT, self._app.config.light_model) if light else (MAIN, self._app.config.model)
        )
        return settings_of(configured, section) if is_configured(configured) else None

    def settings_for(self, choice: Choice) -> ModelSettings:
        """What a choice means, its key filled in."""
        provider = get_provider(choice.provider)
        key_name = choice.key_name or provider.key_name
        return ModelSettings(
            provider=choice.provider,
            model=choice.model,
            base_url=choice.base_url,
            api_key=self._variable(key_name) if key_name else "",
            section=choice.section,
        )

    async def list_models(self, choice: Choice) -> tuple[str, ...]:
        """The models an endpoint offers."""
        return await list_models(self.settings_for(choice))

    async def test(self, settings: ModelSettings) -> ProbeResult:
        """Ask for one word; the reason if it fails."""
        return await probe(settings, clock=self._app.clock)

    def save(self, choice: Choice) -> None:
        """Make a model the one in use, by the settings file; a key is referred to by its name."""
        if not choice.model:
            raise UserError("Which model?", "Name it: hermes model set PROVIDER MODEL.")
        key_name = choice.key_name or get_provider(choice.provider).key_name
        values = {
            "provider": choice.provider,
            "model": choice.model,
            "baseUrl": choice.base_url or "null",
            "apiKey": f"${{{key_name}}}" if key_name and self._has_key(key_name) else "null",
        }
        changes = tuple(Change(f"{choice.section}.{key}", text) for key, text in values.items())
        save_changes(self._app.paths, self._app.environ, changes)

    def _has_key(self, name: str) -> bool:
        return bool(name and self._variable(name))

    def _variable(self, name: str) -> str:
        return self._app.environ.get(name) or read_env(self._app.paths)[0].get(name, "")
