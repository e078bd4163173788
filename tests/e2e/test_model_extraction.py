"""Extraction by a light model over a real socket: whole replies become facts, the rest waits."""

import json
from collections.abc import Iterator

import pytest

from conftest import Hermes, Outcome
from hermes.app import open_app
from hermes.config.paths import Home
from hermes.testing import Refuse, Say, ScriptedServer, Truncate
from hermes.types import NewSession, Role, Turn, Utterance

FACT = {
    "message": 0,
    "quote": "I live in Utrecht",
    "text": "User lives in Utrecht",
    "kind": "identity",
    "subject": "user",
    "attribute": "location",
    "value": "Utrecht",
    "entities": ["Utrecht"],
    "confidence": "high",
    "single": True,
    "correction": False,
    "replaces": "",
    "date": "",
}
INVENTED = {**FACT, "quote": "I live in Paris", "text": "User lives in Paris", "value": "Paris"}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def say(home: Home) -> None:
    said = Utterance(Role.USER, "morning! I live in Utrecht these days")
    with open_app(home.profile("default"), {}) as app:
        app.conversations.record([Turn(NewSession(id="s1"), (said,))])


def extract(hermes: Hermes, server: ScriptedServer) -> Outcome:
    settings = {
        "lightModel.provider": "openai",
        "lightModel.model": "light",
        "lightModel.baseUrl": server.base_url,
        "lightModel.apiKey": "k",
        "lightModel.maxRetries": "0",
    }
    flags = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    return hermes(*flags, "memory", "extract")


def test_a_whole_reply_becomes_facts_and_an_invented_quote_none(
    hermes: Hermes, home: Home, server: ScriptedServer
) -> None:
    say(home)
    server.add(Say(json.dumps({"facts": [INVENTED, FACT]})))
    done = extract(hermes, server)
    assert done.code == 0, done.err
    assert done.out.strip() == "[fact:001] User lives in Utrecht (confidence: high)"
    assert "1 refused" in done.err
    shown = json.loads(hermes("memory", "fact", "show", "1", "--json").out)
    assert (shown["extractor"], shown["sources"][0]["quote"]) == ("model", "I live in Utrecht")
    assert len(server.requests) == 1
    assert extract(hermes, server).code == 0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "step",
    [
        Truncate(json.dumps({"facts": [FACT]})),
        Refuse(),
        Say("I would rather not."),
        Say(json.dumps({"facts": [FACT, {"text": "half"}]})),
    ],
    ids=["cut off", "refused", "prose", "malformed"],
)
def test_anything_less_leaves_the_session_queued(
    hermes: Hermes, home: Home, server: ScriptedServer, step: Truncate | Refuse | Say
) -> None:
    say(home)
    server.add(*[step] * 8)
    assert extract(hermes, server).code == 1
    assert hermes("memory", "facts", "list", "--all").out == ""
    assert "1 fact learnt" in hermes("memory", "extract").err
