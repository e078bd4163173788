"""`hermes model`: see which model is in use, list, test and set one."""

import asyncio
import sys
from typing import Annotated

import typer

from hermes.app import App
from hermes.app.model_choice import Choice
from hermes.cli.opening import opened, opened_settings
from hermes.cli.options import AsJson
from hermes.cli.render import clean, print_json, print_table
from hermes.errors import HermesError, Unavailable, UserError
from hermes.llm.base import ModelSettings
from hermes.llm.catalog import PROVIDERS
from hermes.llm.probe import ProbeResult

app = typer.Typer(
    help="See, list, test and set the model that answers.", invoke_without_command=True
)

ProviderName = Annotated[str, typer.Argument(metavar="PROVIDER", help="Who offers it.")]
ModelName = Annotated[str, typer.Argument(metavar="MODEL", help="Its name, as they spell it.")]
BaseUrl = Annotated[str, typer.Option("--base-url", metavar="URL", help="Where the endpoint is.")]
KeyName = Annotated[
    str, typer.Option("--key", metavar="NAME", help="The variable that holds the key.")
]
Light = Annotated[bool, typer.Option("--light", help="The small model for the background.")]
Untested = Annotated[bool, typer.Option("--untested", help="Set it even if it does not answer.")]
SHOWN = 60


@app.callback()
def model(ctx: typer.Context) -> None:
    """In a terminal, pick a model step by step; else show which one is in use."""
    if ctx.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        with opened() as hermes:
            _pick(hermes)
    else:
        with opened_settings() as hermes:
            _show(hermes)


@app.command("list")
def list_known(
    provider: ProviderName = "", base_url: BaseUrl = "", as_json: AsJson = False
) -> None:
    """List the providers Hermes knows or, with PROVIDER, the models that one offers."""
    with opened_settings() as hermes:
        if provider:
            choice = Choice(provider, "", base_url)
            names = asyncio.run(hermes.models.list_models(choice))
            print_json(list(names)) if as_json else typer.echo("\n".join(map(clean, names)))
            return
        offers = hermes.models.list_offers()
    if as_json:
        print_json(
            [
                {
                    "name": o.provider.name,
                    "url": o.provider.base_url,
                    "has_key": o.has_key,
                    "used": o.is_used,
                }
                for o in offers
            ]
        )
        return
    rows = [
        (
            ("* " if o.is_used else "  ") + o.provider.name,
            o.provider.title,
            o.provider.base_url,
            _key_told(o.provider.key_name, has_key=o.has_key),
        )
        for o in offers
    ]
    print_table(("provider", "title", "address", "key"), rows)


@app.command("test")
def test(
    provider: ProviderName = "",
    model: ModelName = "",
    base_url: BaseUrl = "",
    key: KeyName = "",
    light: Light = False,
    as_json: AsJson = False,
) -> int:
    """Ask the model in use, or the one named, for one word; say why it fails if it does."""
    with opened() as hermes:
        settings = hermes.models.current(light=light)
        if provider:
            settings = hermes.models.settings_for(Choice(provider, model, base_url, key, light))
        if settings is None:
            raise UserError("No model is configured.", "Set one: hermes model set PROVIDER MODEL.")
        result = asyncio.run(hermes.models.test(settings))
    if as_json:
        print_json(result)
    else:
        _print_result(result)
    return 0 if result.ok else 1


@app.command("set")
def set_model(
    provider: ProviderName,
    model: ModelName,
    base_url: BaseUrl = "",
    key: KeyName = "",
    light: Light = False,
    untested: Untested = False,
) -> None:
    """Test a model, and make it the one in use."""
    choice = Choice(provider, model, base_url, key, light)
    with opened() as hermes:
        _test_and_save(hermes, choice, untested=untested)


def _test_and_save(hermes: App, choice: Choice, *, untested: bool) -> None:
    if not untested:
        result = asyncio.run(hermes.models.test(hermes.models.settings_for(choice)))
        _print_result(result)
        if not result.ok:
            raise Unavailable("The settings were not changed.", "--untested sets it all the same.")
    hermes.models.save(choice)
    typer.echo(f"{choice.section} is now {clean(choice.provider)}/{clean(choice.model)}")


def _show(hermes: App) -> None:
    for light, title in ((False, "model"), (True, "lightModel")):
        settings = hermes.models.current(light=light)
        typer.echo(f"{title}: {_told(settings)}")
    typer.echo("`hermes model list` shows providers, `hermes model set` chooses.", err=True)


def _told(settings: ModelSettings | None) -> str:
    if settings is None:
        return "none (answers come from memory alone)"
    where = f" at {settings.base_url}" if settings.base_url else ""
    return f"{settings.provider}/{settings.model}{where}"


def _print_result(result: ProbeResult) -> None:
    if result.ok:
        typer.echo(f"{clean(result.model)} answers, in {result.took_ms / 1000:.1f} s")
        return
    typer.echo(f"{clean(result.model)} does not answer: {result.reason}", err=True)
    typer.echo(clean(result.message), err=True)
    if result.hint:
        typer.echo(f"hint: {clean(result.hint)}", err=True)


def _key_told(name: str, *, has_key: bool) -> str:
    if not name:
        return "needs none"
    return f"{name} is set" if has_key else f"set {name} in .env"


def _pick(hermes: App) -> None:
    """Provider, model, test, save: by number or by name."""
    _show(hermes)
    offers = hermes.models.list_offers()
    for number, offer in enumerate(offers, 1):
        told = _key_told(offer.provider.key_name, has_key=offer.has_key)
        typer.echo(f"{number:>3}  {offer.provider.title:<12} {told}")
    provider = _chosen(typer.prompt("Provider (number or name)"), list(PROVIDERS))
    url = typer.prompt("Address", default=PROVIDERS[provider].base_url)
    base_url = "" if url == PROVIDERS[provider].base_url else url
    names = _names(hermes, Choice(provider, "", base_url))
    for number, name in enumerate(names[:SHOWN], 1):
        typer.echo(f"{number:>3}  {clean(name)}")
    model = _chosen(typer.prompt("Model (number or name)"), list(names))
    _test_and_save(hermes, Choice(provider, model, base_url), untested=False)


def _names(hermes: App, choice: Choice) -> tuple[str, ...]:
    try:
        return asyncio.run(hermes.models.list_models(choice))
    except HermesError as error:
        # A list is a convenience: without it the name can still be typed.
        typer.echo(f"its models cannot be listed: {error.message}", err=True)
        return ()


def _chosen(text: str, names: list[str]) -> str:
    text = text.strip()
    if text.isdecimal() and 0 < int(text) <= len(names):
        return names[int(text) - 1]
    return text
