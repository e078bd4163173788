"""`hermes sessions show --prefix`: what the model got before a conversation, as it got it."""

import json
from pathlib import Path

from chatting import model_flags
from conftest import Hermes
from hermes.testing import Say, ScriptedServer


def test_the_prefix_is_shown_as_the_model_got_it(hermes: Hermes) -> None:
    hermes("memory", "notes", "add", "Prefers tea in the afternoon.")
    with ScriptedServer(lambda received: Say("Hello.")) as server:
        settings = model_flags(server).items()
        flags = [word for key, value in settings for word in ("--set", f"{key}={value}")]
        assert hermes(*flags, "run", "good morning").code == 0
        messages = server.requests[0].body["messages"]
    assert isinstance(messages, list)
    told = json.loads(hermes("sessions", "show", "--prefix", "--json").out)
    assert "Prefers tea" in told["prefix"]
    assert told["prefix"] == messages[0]["content"]
    assert hermes("sessions", "show", told["session"], "--prefix").out.strip() == told["prefix"]


def test_a_conversation_from_elsewhere_has_none(hermes: Hermes, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    file.write_text('{"role": "user", "content": "I live in Lisbon."}\n')
    hermes("sessions", "import", str(file), "--session", "s1")
    done = hermes("sessions", "show", "s1", "--prefix")
    assert done.code != 0
    assert "s1 has no prefix" in done.err
