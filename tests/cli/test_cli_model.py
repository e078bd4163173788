"""`hermes model`: a bad choice is asked again, keys are named, lists are of the endpoint in use."""

import asyncio
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from conftest import Hermes
from hermes.app import App, open_app
from hermes.app.model_choice import Choice
from hermes.app.models import FALLBACK, find_settings
from hermes.cli.model import _choose, _pick, _show
from hermes.config.paths import Home
from hermes.errors import UserError
from hermes.llm.catalog import get_provider
from hermes.testing import Say, ScriptedServer

OPENAI = {"model.provider": "openai", "model.model": "m"}
ENVIRON = {"OPENAI_API_KEY": "sk-of-openai"}


def opened(home: Path, **flags: str) -> App:
    flags = {"memory.embeddings.provider": "none"} | {
        k.replace("_", "."): v for k, v in flags.items()
    }
    return open_app(Home(home.resolve()).profile("default"), ENVIRON, flags=flags)


def choose(typed: str, *names: str, is_open: bool = False) -> str:
    asking = typer.Typer()

    @asking.command()
    def ask() -> None:
        typer.echo("chose " + _choose("Which", list(names), is_open=is_open))

    return CliRunner().invoke(asking, input=typed).stdout


def test_a_bad_choice_is_asked_again() -> None:
    shown = choose("99\nnope\n2\n", "one", "two")
    assert shown.count("There is no ") == 2
    assert "chose two" in shown
    assert "chose gpt-x" in choose("7\ngpt-x\n", "a", "b", is_open=True)


def test_a_model_without_its_key_is_shown_as_such_so_that_another_can_be_picked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = {"model_provider": "openai", "model_model": "m", "model_apiKey": "${MINE}"}
    with opened(tmp_path, **flags) as app:
        _show(app)
    told = capsys.readouterr().out
    assert "model.apiKey uses ${MINE}, which is not set." in told
    assert "fallbackModel: none" in told


@pytest.mark.parametrize("given", ["sk-proj-abc123", "my key", "a-b"])
def test_a_key_given_as_a_name_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(UserError) as caught:
        Choice("openai", "m", key_name=given)
    assert given not in caught.value.message + caught.value.hint


def test_the_usual_key_goes_to_the_provider_itself_only(tmp_path: Path) -> None:
    with opened(tmp_path, **OPENAI) as app:
        assert find_settings(app, app.config.model, "model").api_key == "sk-of-openai"
    with opened(tmp_path, **OPENAI, **{"model.baseUrl": "http://lan.example/v1"}) as app:
        assert find_settings(app, app.config.model, "model").api_key == ""


def test_a_model_is_set_at_another_address_without_the_usual_key(
    tmp_path: Path, hermes: Hermes
) -> None:
    where = ("--base-url",)
    with ScriptedServer(lambda received: Say("Yes.")) as server:
        asked = ("openai", "gpt-x", *where, server.base_url)
        done = [
            hermes("model", "set", *asked, **ENVIRON),
            hermes("model", "test", *asked, **ENVIRON),
            hermes("model", "list", "openai", *where, server.base_url, **ENVIRON),
            hermes("model", "set", *asked, "--key", "MINE", **ENVIRON, MINE="sk-mine"),
        ]
        sent = [each.headers.get("authorization", "") for each in server.requests]
    assert [each.code for each in done] == [0, 0, 0, 0]
    assert sent == ["", "", "", "Bearer sk-mine"]
    assert "OPENAI_API_KEY goes to https://api.openai.com/v1 only" in done[0].err
    assert "OPENAI_API_KEY" not in done[3].err


def test_models_are_listed_of_the_endpoint_in_use(tmp_path: Path) -> None:
    with ScriptedServer([], models=("small", "large")) as server:
        with opened(tmp_path, **OPENAI, **{"model.baseUrl": server.base_url}) as app:
            found = asyncio.run(app.models.list_models(Choice("openai", "")))
    assert found == ("large", "small")


def test_a_model_that_stands_in_is_set_by_its_section(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.models.save(Choice("ollama", "spare", section=FALLBACK))
    with opened(tmp_path) as app:
        current = app.models.current(FALLBACK)
        assert current is not None
        assert current.model == "spare"
        assert app.models.current() is None


def test_only_a_likely_name_is_guessed() -> None:
    with pytest.raises(UserError) as caught:
        get_provider("nope")
    assert "Did you mean" not in caught.value.hint


def test_what_costs_money_without_a_cap_is_known(tmp_path: Path) -> None:
    paid, free = Choice("openai", "m"), Choice("ollama", "m")
    with opened(tmp_path) as app:
        assert app.models.is_uncapped(paid)
        assert not app.models.is_uncapped(free)
        assert not app.models.is_uncapped(Choice("openai", "m", "http://127.0.0.1:9/v1"))
    with opened(tmp_path, model_dailyBudgetUsd="5") as app:
        assert not app.models.is_uncapped(paid)
        assert app.models.is_uncapped(Choice("openai", "m", section=FALLBACK))


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({}, ("https://api.openai.com/v1", "OPENAI_API_KEY", True)),
        ({"model.baseUrl": "http://127.0.0.1:9/v1"}, ("http://127.0.0.1:9/v1", "", False)),
        ({"model.apiKey": "${MINE}"}, ("https://api.openai.com/v1", "model.apiKey", False)),
        (
            {"model.apiKey": "${OPENAI_API_KEY}"},
            ("https://api.openai.com/v1", "OPENAI_API_KEY", True),
        ),
        ({"model.apiKey": "sk-plain"}, ("https://api.openai.com/v1", "model.apiKey", True)),
    ],
)
def test_the_provider_in_use_is_listed_as_it_is_configured(
    tmp_path: Path, flags: dict[str, str], told: tuple[str, str, bool]
) -> None:
    with opened(tmp_path, **OPENAI, **flags) as app:
        [used] = [offer for offer in app.models.list_offers() if offer.is_used]
    assert (used.base_url, used.key_name, used.has_key) == told


def test_another_model_does_not_inherit_a_window_and_prices(tmp_path: Path) -> None:
    told = {"model_contextTokens": "8192", "model_inputUsdPerMillion": "3"}
    used = {"model_provider": "ollama", "model_model": "hermes3"}
    with opened(tmp_path, **used, **told) as app:
        assert app.models.save(Choice("ollama", "hermes3")) == ()
        gone = app.models.save(Choice("anthropic", "claude-x"))
    assert gone == ("model.contextTokens", "model.inputUsdPerMillion")
    with opened(tmp_path) as app:
        assert app.config.model.model == "claude-x"
        assert app.config.model.context_tokens is None


def test_models_are_listed_while_the_key_of_another_provider_is_missing(tmp_path: Path) -> None:
    flags = {"model_provider": "openai", "model_model": "m", "model_apiKey": "${MINE}"}
    with ScriptedServer(models=("hermes3",)) as server, opened(tmp_path, **flags) as app:
        listed = asyncio.run(app.models.list_models(Choice("ollama", "", server.base_url)))
    assert listed == ("hermes3",)


def test_no_longer_an_answer_is_asked_for_than_a_small_window_has_room_for(tmp_path: Path) -> None:
    used = {"model_provider": "vllm", "model_model": "m"}
    for window, longest in ((None, 4_096), ("8192", 2_048), ("128000", 4_096)):
        told = {"model_contextTokens": window} if window else {}
        with opened(tmp_path, **used, **told) as app:
            settings = app.models.current()
            assert settings is not None
            assert settings.max_tokens == longest


def pick(home: Path, typed: str, environ: dict[str, str]) -> str:
    """What the step-by-step choice shows."""
    asking = typer.Typer()

    @asking.command()
    def ask() -> None:
        paths = Home(home.resolve()).profile("default")
        with open_app(paths, environ, flags={"memory.embeddings.provider": "none"}) as app:
            _pick(app)

    return CliRunner().invoke(asking, input=typed).output


def test_a_key_is_asked_for_by_its_name_before_a_model_is_tested(tmp_path: Path) -> None:
    typed = "openai\n{url}\nsk-proj-abc123\nNONE_YET\nMINE\nm\n"
    with ScriptedServer(lambda received: Say("Yes."), api_key="sk-mine") as server:
        shown = pick(tmp_path, typed.format(url=server.base_url), {"MINE": "sk-mine"})
    assert "--key is the name of a variable" in shown
    assert "NONE_YET is not set yet" in shown
    assert "model is now openai/m" in shown
    with opened(tmp_path) as app:
        assert "sk-mine" not in app.paths.config_file.read_text()
        assert "${MINE}" in app.paths.config_file.read_text()


def test_where_the_usual_key_goes_is_told_before_it_is_missed(tmp_path: Path) -> None:
    shown = pick(tmp_path, "anthropic\n\n", {})
    assert f"put ANTHROPIC_API_KEY=… into {tmp_path.resolve()}" in shown
    assert "Variable that holds the key [ANTHROPIC_API_KEY]" in shown


def test_setting_a_model_says_which_window_is_assumed(hermes: Hermes) -> None:
    asked = ("model", "set", "openai", "m", "--untested", "--base-url")
    here = hermes(*asked, "http://127.0.0.1:9/v1").err
    assert "its window is taken to be 8,192 tokens" in here
    assert "hermes config set model.contextTokens N" in here
    hermes("config", "set", "model.contextTokens", "32768")
    assert "its window" not in hermes(*asked, "http://127.0.0.1:9/v1").err
    other = hermes(
        "model", "set", "openai", "n", "--untested", "--base-url", "http://127.0.0.1:9/v1"
    )
    assert "its window is taken to be 8,192 tokens" in other.err
