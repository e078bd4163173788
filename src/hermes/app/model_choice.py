"""What can be done with models: see who offers them, test one, make it the one in use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.agent.window import window_of
from hermes.app.models import (
    FALLBACK,
    LIGHT,
    MAIN,
    find_settings,
    find_variable,
    is_configured,
)
from hermes.config.save import Change, save_changes
from hermes.config.unset import UnsetSecret, variable_of
from hermes.errors import UserError
from hermes.llm.base import ModelSettings
from hermes.llm.catalog import PROVIDERS, Provider, get_provider, is_local, needs_key
from hermes.llm.probe import ProbeResult, list_models, probe

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.config.sections import ModelSettings as ModelSection

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")


@dataclass(frozen=True, slots=True)
class Offer:
    """A provider, where it is reached and by what key, and whether that is at hand.

    Of the one in use that is what is configured; no `key_name`: it needs none.
    """

    provider: Provider
    base_url: str
    key_name: str
    has_key: bool
    is_used: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A model to use: who offers it, its name, where, and the name of the variable with its key.

    `section` says as what: the one that answers, the small one, or the one that stands in.
    """

    provider: str
    model: str
    base_url: str = ""
    key_name: str = ""
    section: str = MAIN

    def __post_init__(self) -> None:
        if self.key_name and not _VARIABLE.fullmatch(self.key_name):
            # It is not repeated: it may well be the key.
            raise UserError(
                "--key is the name of a variable, not the key itself.",
                "Put MY_KEY=… into .env of the home, and say --key MY_KEY.",
            )


class ModelActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def list_offers(self) -> list[Offer]:
        """Every provider Hermes knows by name."""
        used = self._app.config.model.provider
        return [
            self._offer_used(each)
            if each.name == used
            else Offer(each, each.base_url, each.key_name, self.has_key(each.key_name))
            for each in PROVIDERS.values()
        ]

    def _offer_used(self, provider: Provider) -> Offer:
        configured = self._app.config.model
        base_url = configured.base_url or provider.base_url
        if configured.api_key is None:
            settings = ModelSettings(provider.name, configured.model or "", base_url)
            key_name = provider.key_name if needs_key(settings) else ""
            return Offer(provider, base_url, key_name, self.has_key(key_name), is_used=True)
        has_key = not isinstance(configured.api_key, UnsetSecret)
        key_name = variable_of(configured.api_key) or f"{MAIN}.apiKey"
        return Offer(provider, base_url, key_name, has_key, is_used=True)

    def current(self, section: str = MAIN) -> ModelSettings | None:
        """The model in use, None where none is."""
        configured = self._configured(section)
        if not is_configured(configured):
            return None
        return find_settings(self._app, configured, section)

    def is_uncapped(self, choice: Choice) -> bool:
        """Whether a choice may cost money, and no daily cap would stop it."""
        is_free = is_local(choice.provider, choice.base_url)
        return not is_free and self._configured(choice.section).daily_budget_usd is None

    def guess_window(self, choice: Choice) -> int:
        """How many tokens a choice is taken to read at once where nobody set it."""
        here = is_local(choice.provider, choice.base_url)
        return window_of(choice.model, None, is_local=here)

    def has_window(self, section: str) -> bool:
        return self._configured(section).context_tokens is not None

    def _configured(self, section: str) -> ModelSection:
        config = self._app.config
        by_name = {MAIN: config.model, LIGHT: config.light_model, FALLBACK: config.fallback_model}
        return by_name[section]

    def settings_for(self, choice: Choice) -> ModelSettings:
        """What a choice means, its key filled in."""
        key_name = self.key_name(choice)
        return ModelSettings(
            provider=choice.provider,
            model=choice.model,
            base_url=choice.base_url,
            api_key=self._variable(key_name) if key_name else "",
            key_name=key_name,
            section=choice.section,
        )

    def key_name(self, choice: Choice) -> str:
        """The variable with the key of a choice: the one it names, or the provider's usual one.

        That is for the provider's own address only: whoever listens at another gets no key that
        was not named for them.
        """
        provider = get_provider(choice.provider)
        is_own = needs_key(ModelSettings(choice.provider, choice.model, choice.base_url))
        return choice.key_name or (provider.key_name if is_own else "")

    def find_unsent(self, choice: Choice) -> str:
        """The provider's usual variable, where it is set but not for the address of a choice."""
        usual = get_provider(choice.provider).key_name
        return "" if self.key_name(choice) or not self.has_key(usual) else usual

    async def list_models(self, choice: Choice) -> tuple[str, ...]:
        """The models an endpoint offers; of the provider in use, by the settings in use."""
        # The settings of another are not looked at: its key may be missing.
        is_used = self._configured(MAIN).provider == choice.provider and not choice.base_url
        if is_used and (used := self.current()) is not None:
            return await list_models(used)
        return await list_models(self.settings_for(choice))

    async def test(self, settings: ModelSettings) -> ProbeResult:
        """Ask for one word; the reason if it fails."""
        return await probe(settings, clock=self._app.clock)

    def save(self, choice: Choice) -> tuple[str, ...]:
        """Make a model the one in use, by the settings file; a key is referred to by its name.

        Gives the settings that were taken out: they told of the model before it.
        """
        if not choice.model:
            raise UserError("Which model?", "Name it: hermes model set PROVIDER MODEL.")
        key_name = self.key_name(choice)
        values = {
            "provider": choice.provider,
            "model": choice.model,
            "baseUrl": choice.base_url or "null",
            "apiKey": f"${{{key_name}}}" if key_name and self.has_key(key_name) else "null",
        }
        gone = self._list_outdated(choice)
        values |= dict.fromkeys(gone, "null")
        changes = tuple(Change(f"{choice.section}.{key}", text) for key, text in values.items())
        save_changes(self._app.paths, self._app.environ, changes)
        return tuple(f"{choice.section}.{key}" for key in gone)

    def _list_outdated(self, choice: Choice) -> list[str]:
        """What is set of a model in use that says nothing of another: its window and its prices."""
        used = self._configured(choice.section)
        if (used.provider, used.model) == (choice.provider, choice.model):
            return []
        told = {
            "contextTokens": used.context_tokens,
            "inputUsdPerMillion": used.input_usd_per_million,
            "outputUsdPerMillion": used.output_usd_per_million,
        }
        return [key for key, value in told.items() if value is not None]

    def has_key(self, name: str) -> bool:
        """Whether a variable holds a key."""
        return bool(name and self._variable(name))

    def _variable(self, name: str) -> str:
        return find_variable(self._app, name)
