"""Leaving a chat that still loads: at once, and with everything kept that was."""

import subprocess
import sys
from pathlib import Path

import pytest

from chatting import open_home
from hermes.types import NewSession, Role, Turn, Utterance

PATIENCE_S = 60  # the chat loads for ten minutes
SLOW = """
import asyncio, sys, time
from functools import cached_property
from pathlib import Path

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from hermes.app.agent import AgentActions
from hermes.app.root import App
from hermes.cli.chat.room import Opening
from hermes.cli.chat.terminal import talk
from hermes.clock import SystemClock
from hermes.config.load import load_config
from hermes.config.paths import Home, ensure_layout

home, typed, resume = sys.argv[1:]

class SlowAgent(AgentActions):
    def warm(self):
        time.sleep(600)

class Slow(App):
    agent = cached_property(SlowAgent)

paths = Home(Path(home)).profile("default")
ensure_layout(paths)
config = load_config(paths, {}, {"memory.embeddings.provider": "none"})
with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
    pipe.send_text(typed)
    with Slow(paths, config, {}, SystemClock()) as app:
        asyncio.run(talk(app, Opening(resume=resume)))
"""


def leave(home: Path, typed: str, resume: str = "") -> None:
    argv = [sys.executable, "-c", SLOW, str(home.resolve()), typed, resume]
    done = subprocess.run(argv, capture_output=True, timeout=PATIENCE_S, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("typed", ["/quit\r", "/q\r", "\x04"])
def test_who_leaves_at_once_does_not_wait_for_what_loads(tmp_path: Path, typed: str) -> None:
    leave(tmp_path / "home", typed)


def test_a_conversation_that_was_resumed_is_ended_before(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with open_home(home) as app:
        said = Turn(NewSession("s1", platform="cli"), (Utterance(Role.USER, "I live in Lisbon."),))
        app.conversations.record([said])
    leave(home, "/quit\r", "s1")
    with open_home(home) as app:
        assert app.conversations.get_session("s1").ended_at is not None
        assert [fact.text for fact in app.facts.list()] == ["User lives in Lisbon"]
