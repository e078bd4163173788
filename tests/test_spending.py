"""The cap on a day's spending holds over every part of Hermes, and every process."""

import asyncio
import json
import subprocess
import sys

import pytest

from hermes.app.light_model import LightModel
from hermes.app.models import MAIN, open_main, settings_of
from hermes.app.root import App, open_app
from hermes.clock import HOUR_MS, FixedClock
from hermes.config.paths import ProfilePaths
from hermes.config.sections import ModelSettings as Configured
from hermes.errors import Refused, UserError
from hermes.llm.base import ChatMessage, ModelRequest, Usage
from hermes.llm.budget import ASSUMED, Charge, Spent, price
from hermes.testing import Fail, Say, ScriptedServer
from hermes.types import Role

HELLO = ModelRequest((ChatMessage(Role.USER, "hello"),), max_tokens=10)
USAGE = Usage(input_tokens=100, output_tokens=20, cached_tokens=40)
OTHER_PROCESS = """
import sys
from hermes.app.root import open_app
from hermes.clock import SystemClock
from hermes.config.paths import Home
from pathlib import Path
from hermes.llm.base import Usage
from hermes.llm.budget import Charge
with open_app(Home(Path(sys.argv[1])).profile("default"), {}) as app:
    charge = Charge(app.clock.now(), "lightModel", "openai/m", Usage(100, 20), 5.0)
    app.spending.ledger.record_charge(charge)
"""


@pytest.fixture
def app(paths: ProfilePaths, clock: FixedClock) -> App:
    return open_app(paths, {}, clock=clock)


def spend(app: App, usd: float, *, role: str = "lightModel", model: str = "m") -> None:
    charge = Charge(app.clock.now(), role, model, USAGE, usd)
    app.spending.ledger.record_charge(charge)


def test_a_day_is_summed_in_all_and_by_role(app: App, clock: FixedClock) -> None:
    spend(app, 0.5)
    spend(app, 0.25, role="model")
    clock.advance(24 * HOUR_MS)
    spend(app, 1.0)
    assert app.spending.spent("2026-01-05") == Spent(2, 200, 40, 80, 0.75)
    assert app.spending.spent("2026-01-05", role="model") == Spent(1, 100, 20, 40, 0.25)
    assert app.spending.spent().usd == 1.0
    assert app.spending.spent("2025-01-05") == Spent()
    app.close()


def test_models_are_summed_since_a_day_the_dearest_first(app: App, clock: FixedClock) -> None:
    spend(app, 0.5, model="cheap")
    spend(app, 2.0, model="dear")
    clock.advance(24 * HOUR_MS)
    spend(app, 0.5, model="cheap")
    sums = [(line.model, line.usd, line.calls) for line in app.spending.by_model()]
    assert sums == [("dear", 2.0, 1), ("cheap", 1.0, 2)]
    recent = [(line.model, line.day) for line in app.spending.by_model("2026-01-06")]
    assert recent == [("cheap", "2026-01-06")]
    assert [line.day for line in app.spending.by_day(until="2026-01-05")] == ["2026-01-05"] * 2
    app.close()


def test_what_is_no_day_is_said_to_be_none(app: App) -> None:
    with pytest.raises(UserError, match="'yesterday' is no day"):
        app.spending.by_model("yesterday")
    app.close()


def test_the_books_outlive_the_process(paths: ProfilePaths, clock: FixedClock) -> None:
    with open_app(paths, {}, clock=clock) as app:
        spend(app, 0.5)
    with open_app(paths, {}, clock=clock) as app:
        assert app.spending.spent().usd == 0.5


def test_only_the_model_that_works_unasked_has_a_cap_of_its_own(paths: ProfilePaths) -> None:
    flags = {f"{role}.provider": "openai" for role in ("model", "lightModel", "fallbackModel")}
    with open_app(paths, {}, flags=flags) as app:
        caps = {cap.role: cap.cap_usd for cap in app.spending.caps()}
        assert caps == {"model": None, "lightModel": 5.0, "fallbackModel": None}


def test_what_another_process_spent_stops_this_one(paths: ProfilePaths) -> None:
    with ScriptedServer([Say("hi")] * 3) as server:
        paths.config_file.write_text(
            json.dumps(
                {
                    "lightModel": {
                        "provider": "openai",
                        "model": "m",
                        "baseUrl": server.url,
                        "dailyBudgetUsd": 4.0,
                        "inputUsdPerMillion": 1.0,
                        "outputUsdPerMillion": 1.0,
                    }
                }
            )
        )
        with open_app(paths, {}) as app:
            assert LightModel(app).ask(HELLO).text
            assert app.spending.spent().calls == 1
            argv = [sys.executable, "-c", OTHER_PROCESS, str(paths.home.root)]
            subprocess.run(argv, check=True, timeout=60)
            with pytest.raises(Refused, match="budget of lightModel is used up"):
                LightModel(app).ask(HELLO)
            assert app.spending.spent().calls == 2


def test_the_model_that_stands_in_is_capped_by_its_own_setting(paths: ProfilePaths) -> None:
    with ScriptedServer([Fail(402)] * 2) as poor, ScriptedServer([Say("hi")]) as server:
        flags = {
            "model.provider": "openai",
            "model.model": "m",
            "model.baseUrl": poor.url,
            "model.dailyBudgetUsd": "100",
            "fallbackModel.provider": "openai",
            "fallbackModel.model": "f",
            "fallbackModel.baseUrl": server.url,
            "fallbackModel.dailyBudgetUsd": "0.5",
            "fallbackModel.inputUsdPerMillion": "1000",
            "fallbackModel.outputUsdPerMillion": "1000",
        }

        async def ask_twice(app: App) -> None:
            model = open_main(app)
            assert model is not None
            assert (await model.complete(HELLO)).text == "hi"
            spend(app, 1.0, role="fallbackModel")
            with pytest.raises(Refused, match="budget of fallbackModel is used up"):
                await model.complete(HELLO)
            await model.close()

        with open_app(paths, {}, flags=flags) as app:
            asyncio.run(ask_twice(app))
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"input_usd_per_million": 3.0}, (3.0 + ASSUMED.output_usd, True)),
        ({"output_usd_per_million": 2.0}, (ASSUMED.input_usd + 2.0, True)),
        ({"input_usd_per_million": 3.0, "output_usd_per_million": 2.0}, (5.0, False)),
    ],
)
def test_half_a_price_makes_nothing_free(
    told: dict[str, float], expected: tuple[float, bool]
) -> None:
    settings = settings_of(Configured(provider="openai", **told), MAIN)  # type: ignore[arg-type]
    assert price(Usage(1_000_000, 1_000_000), settings.prices) == expected
