"""Extraction by a light model over a real socket: whole replies become facts, the rest waits."""

import json
from collections.abc import Iterator

import pytest

from conftest import Hermes, Outcome
from hermes.app import open_app
from hermes.config.paths import Home
from hermes.testing import Fail, Refuse, Say, ScriptedServer, Truncate
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


def say(home: Home, *sessions: str) -> None:
    said = Utterance(Role.USER, "morning! I live in Utrecht these days")
    with open_app(home.profile("default"), {}) as app:
        for name in sessions or ("s1",):
            app.conversations.record([Turn(NewSession(id=name), (said,))])


def asking(server: ScriptedServer) -> list[str]:
    settings = {
        "lightModel.provider": "openai",
        "lightModel.model": "light",
        "lightModel.baseUrl": server.base_url,
        "lightModel.apiKey": "k",
        "lightModel.maxRetries": "0",
    }
    return [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]


def extract(hermes: Hermes, server: ScriptedServer, *options: str) -> Outcome:
    return hermes(*asking(server), "memory", "extract", *options)


def bench(hermes: Hermes, server: ScriptedServer) -> Outcome:
    return hermes(*asking(server), "bench", "facts", "--half", "change", "--light-model")


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


def test_a_conversation_that_cannot_be_read_keeps_no_other_from_it(
    hermes: Hermes, home: Home, server: ScriptedServer
) -> None:
    say(home, "s1", "s2", "s3")
    nothing = Say(json.dumps({"facts": []}))
    server.add(nothing, Say("I would rather not."), Say(json.dumps({"facts": [FACT]})))
    done = extract(hermes, server)
    assert done.code == 1
    assert "User lives in Utrecht" in done.out
    assert "2 messages of 2 conversations read, 1 fact learnt" in done.err
    told = [line for line in done.err.splitlines() if "not read" in line]
    assert told == ["1 conversation not read, to be read again: s2"]
    assert "did not answer in JSON" in done.err
    server.add(nothing)
    again = extract(hermes, server, "--json")
    assert again.code == 0
    (read,) = json.loads(again.out)
    assert (read["session_id"], read["problem"]) == ("s2", None)


def test_of_one_that_was_asked_for_the_failure_is_told(
    hermes: Hermes, home: Home, server: ScriptedServer
) -> None:
    say(home)
    server.add(Refuse())
    done = extract(hermes, server, "--session", "s1")
    assert (done.code, done.out) == (1, "") and "declined to answer" in done.err


def test_a_model_that_does_not_answer_is_not_asked_for_every_conversation(
    hermes: Hermes, home: Home, server: ScriptedServer
) -> None:
    say(home, *(f"s{number:02}" for number in range(12)))
    server.add(*[Fail(500)] * 12)
    done = extract(hermes, server, "--json")
    assert done.code == 1
    problems = {item["session_id"]: item["problem"] for item in json.loads(done.out)}
    assert len(problems) == 12 and all("it failed" in problem for problem in problems.values())
    assert len(server.requests) == 3
    assert "12 conversations not read" in (told := extract(hermes, server).err)
    assert "s09 and 2 more" in told


def test_the_benchmark_asks_the_light_model(hermes: Hermes, server: ScriptedServer) -> None:
    """One chat is answered with a fact that its labels ask for, the others with none."""
    told = {
        **FACT,
        "quote": "I live in Tartu",
        "text": "User lives in Tartu",
        "value": "Tartu",
        "entities": ["Tartu"],
    }
    nothing = Say(json.dumps({"facts": []}))
    server.add(*[nothing] * 10, Say(json.dumps({"facts": [told]})), *[nothing] * 17)
    done = bench(hermes, server)
    assert done.code == 0, done.err
    assert "extractor model: 28 chats, 56 messages, 1 facts" in done.out
    assert "| precision | 1.000 |" in done.out
    assert len(server.requests) == 28


def test_the_benchmark_without_a_light_model_says_how_to_set_one(hermes: Hermes) -> None:
    refused = hermes("bench", "facts", "--light-model")
    assert refused.code == 2
    assert "No light model is configured." in refused.err and "lightModel.provider" in refused.err
