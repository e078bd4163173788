"""`hermes run`: its exit code says whether the task was done."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Hermes
from hermes.testing import Call, Say, ScriptedServer, Step
from hermes.types import ToolCall


def test_no_model_is_not_done(hermes: Hermes) -> None:
    outcome = hermes("run", "What is my cat called?")
    assert outcome.code == 1
    assert "No model is configured" in outcome.err
    told = json.loads(hermes("run", "What is my cat called?", "--json").out)
    assert told["end"] == "from memory alone"
    assert "No model is configured" in told["error"]["message"]


@pytest.mark.parametrize("setting", ["ask", "deny"])
def test_what_was_not_allowed_is_not_done(
    hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = ToolCall("1", "terminal", '{"command": "rm -rf build"}')
    replies: Iterator[Step] = iter([Call((wanted,)), Say("I could not.")])
    with ScriptedServer(lambda _: next(replies, Say("Done."))) as server:
        flags = settings(server.base_url, f"terminal.approval={setting}")
        outcome = hermes(*flags, "run", "clean up")
        assert outcome.code == 1, outcome.err
        assert hermes(*flags, "run", "say hello").code == 0


def settings(url: str, *more: str) -> list[str]:
    pairs = ("model.provider=openai", "model.model=m", f"model.baseUrl={url}", *more)
    return [word for pair in pairs for word in ("--set", pair)]
