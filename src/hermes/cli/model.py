"""`hermes model`: see which model is in use, list, test and set one."""

import asyncio
import sys
from typing import Annotated

import typer

from hermes.app import App
from hermes.app.model_choice import Choice
from hermes.app.models import FALLBACK, LIGHT, MAIN
from hermes.cli.opening import opened, opened_settings
from hermes.cli.options import AsJson
from hermes.cli.render import aside, clean, print_json, print_table
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
Fallback = Annotated[
    bool, typer.Option("--fallback", help="The model that answers where the first cannot.")
]
Untested = Annotated[bool, typer.Option("--untested", help="Set it even if it does not answer.")]
SHOWN = 60
WINDOW = "model.contextTokens"
ROOMY = 16_384  # tokens: in a smaller window older turns are soon put into few words
WITHOUT = {
    MAIN: "answers come from memory alone",
    LIGHT: "facts and summaries are made by rules",
    FALLBACK: "nobody answers where the model cannot",
}


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
                    "url": o.base_url,
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
            o.base_url,
            _key_told(o.key_name, has_key=o.has_key),
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
    fallback: Fallback = False,
    as_json: AsJson = False,
) -> int:
    """Ask the model in use, or the one named, for one word; say why it fails if it does."""
    section = _section(light=light, fallback=fallback)
    with opened() as hermes:
        settings = hermes.models.current(section)
        if provider:
            choice = Choice(provider, model, base_url, key, section)
            _tell_unsent(hermes, choice)
            settings = hermes.models.settings_for(choice)
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
    fallback: Fallback = False,
    untested: Untested = False,
) -> None:
    """Test a model, and make it the one in use."""
    section = _section(light=light, fallback=fallback)
    choice = Choice(provider, model, base_url, key, section)
    with opened() as hermes:
        _test_and_save(hermes, choice, untested=untested)


def _section(*, light: bool, fallback: bool) -> str:
    if light and fallback:
        raise UserError("--light and --fallback are two models.", "Set one after the other.")
    return LIGHT if light else FALLBACK if fallback else MAIN


def _tell_unsent(hermes: App, choice: Choice) -> None:
    """That a key which is there is not sent: the address is not its provider's own."""
    if name := hermes.models.find_unsent(choice):
        own = PROVIDERS[choice.provider].base_url
        aside(
            f"{name} goes to {own} only and was not sent; `--key NAME` names one for this address"
        )


def _test_and_save(hermes: App, choice: Choice, *, untested: bool) -> None:
    _tell_unsent(hermes, choice)
    if not untested:
        result = asyncio.run(hermes.models.test(hermes.models.settings_for(choice)))
        _print_result(result)
        if not result.ok:
            raise Unavailable("The settings were not changed.", "--untested sets it all the same.")
    gone = hermes.models.save(choice)
    typer.echo(f"{choice.section} is now {clean(choice.provider)}/{clean(choice.model)}")
    if gone:
        aside(f"no longer set, as it told of the model before: {', '.join(gone)}")
    if choice.section == MAIN and (WINDOW in gone or not hermes.models.has_window(MAIN)):
        _tell_window(hermes, choice)
    if hermes.models.is_uncapped(choice):
        cap = f"hermes config set {choice.section}.dailyBudgetUsd 5"
        aside(f"no daily cap is set: `{cap}` stops it at $5 a day")


def _tell_window(hermes: App, choice: Choice) -> None:
    """How much the model is taken to read at once, as nobody said so."""
    window = hermes.models.guess_window(choice)
    told = f"its window is taken to be {window:,} tokens; `hermes config set {WINDOW} N` sets it"
    aside(told + (", and start the server with as much" if window < ROOMY else ""))


def _show(hermes: App) -> None:
    for section, without in WITHOUT.items():
        typer.echo(f"{section}: {_told_section(hermes, section) or f'none ({without})'}")
    typer.echo("`hermes model list` shows providers, `hermes model set` chooses.", err=True)


def _told_section(hermes: App, section: str) -> str:
    """The model of a section, or what is wrong with it: who sees this can choose another."""
    try:
        settings = hermes.models.current(section)
    except HermesError as error:
        return clean(f"{error.message.rstrip('.')}. {error.hint}")
    return _told(settings) if settings else ""


def _told(settings: ModelSettings) -> str:
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
    if has_key:
        return f"{name} is set"
    return f"set {name}" if "." in name else f"set {name} in .env"


def _pick(hermes: App) -> None:
    """Provider, model, test, save: by number or by name."""
    _show(hermes)
    offers = hermes.models.list_offers()
    for number, offer in enumerate(offers, 1):
        told = _key_told(offer.key_name, has_key=offer.has_key)
        typer.echo(f"{number:>3}  {offer.provider.title:<12} {told}")
    provider = _choose("Provider (number or name)", list(PROVIDERS), is_open=False)
    url = typer.prompt("Address", default=PROVIDERS[provider].base_url)
    base_url = "" if url == PROVIDERS[provider].base_url else url
    key_name = _key(hermes, Choice(provider, "", base_url))
    names = _names(hermes, Choice(provider, "", base_url, key_name))
    for number, name in enumerate(names[:SHOWN], 1):
        typer.echo(f"{number:>3}  {clean(name)}")
    model = _choose("Model (number or name)", list(names), is_open=True)
    _test_and_save(hermes, Choice(provider, model, base_url, key_name), untested=False)


def _key(hermes: App, choice: Choice) -> str:
    """The name of the variable with the key, asked for until it holds one; "" for the usual one.

    The key itself is never typed here: it would stand on the screen.
    """
    usual = hermes.models.key_name(choice)
    if usual and hermes.models.has_key(usual):
        return ""
    env = hermes.paths.env_file
    if usual:
        typer.echo(f"{PROVIDERS[choice.provider].title} needs a key: put {usual}=… into {env}.")
    elif not PROVIDERS[choice.provider].key_name:
        return ""
    while name := _ask_key_name(usual):
        if hermes.models.has_key(name):
            return "" if name == usual else name
        typer.echo(f"{name} is not set yet: put {name}=… into {env}, then go on.")
    return ""


def _ask_key_name(usual: str) -> str:
    """A name, "" where no key is wanted; what is none is asked for again, and not repeated."""
    while True:
        question = "Variable that holds the key" + ("" if usual else " (Enter: it needs none)")
        name = str(typer.prompt(question, default=usual, show_default=bool(usual))).strip()
        try:
            return Choice("", "", key_name=name).key_name
        except UserError as error:
            typer.echo(f"{error.message} {error.hint}")


def _names(hermes: App, choice: Choice) -> tuple[str, ...]:
    try:
        return asyncio.run(hermes.models.list_models(choice))
    except HermesError as error:
        # A list is a convenience: without it the name can still be typed.
        typer.echo(f"its models cannot be listed: {error.message}", err=True)
        return ()


def _choose(question: str, names: list[str], *, is_open: bool) -> str:
    """One of the names, by number or as it is; others too where it is open. Asks until it is."""
    while True:
        text = str(typer.prompt(question)).strip()
        if text.isdecimal() and 0 < int(text) <= len(names):
            return names[int(text) - 1]
        if text in names or (text and is_open and not (names and text.isdecimal())):
            return text
        typer.echo(f"There is no {clean(text)}: give a number from 1 to {len(names)}, or a name.")
