"""`hermes memory` where the model it would ask cannot be had, or is another than before."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import Hermes
from hermes.clock import SystemClock
from hermes.config.paths import Home
from hermes.config.running import lock_file, pid_file
from hermes.testing import Fail, Received, ScriptedServer, Step

SAID = "The printer is out of paper once more."
EMBEDS = "openai/text-embedding-3-small"  # its length is told by who is asked


@pytest.fixture
def told(hermes: Hermes) -> Hermes:
    """The program, with one fact in its memory."""
    assert hermes("memory", "fact", "add", SAID).code == 0
    return hermes


@pytest.mark.parametrize("command", ["recall", "search"])
def test_a_key_that_is_not_set_leaves_words(told: Hermes, command: str) -> None:
    told("config", "set", "memory.embeddings.provider", "openai")
    told("config", "set", "memory.embeddings.apiKey", "${VK}")
    outcome = told("memory", command, "printer paper")
    assert outcome.code == 0
    assert SAID in outcome.out
    assert "went by text only: the embedder failed" in outcome.err
    assert "memory.embeddings.apiKey uses ${VK}, which is not set" in outcome.err


def test_the_block_for_a_model_says_beside_it_what_it_went_by(told: Hermes) -> None:
    told("config", "set", "memory.embeddings.provider", "none")
    outcome = told("memory", "recall", "printer paper", "--context")
    assert SAID in outcome.out
    assert "went by text only: no embedder is configured" in outcome.err
    assert "went by" not in outcome.out
    nothing = told("memory", "recall", "zebra", "--context")
    assert (nothing.out, "went by" in nothing.err) == ("", True)


@pytest.mark.parametrize("name", ["facts", "fact", " Facts"])
def test_a_type_is_asked_for_by_its_name(told: Hermes, name: str) -> None:
    assert SAID in told("memory", "search", "printer paper", "--type", name).out
    assert SAID not in told("memory", "search", "printer paper", "--type", "episodes").out


def test_only_types_that_are_kept_are_offered(told: Hermes) -> None:
    outcome = told("memory", "search", "printer", "--type", "skills")
    assert outcome.code == 2
    assert "'skills' is not one of episodes, facts, reflections" in outcome.err
    assert "skill" not in told("memory", "search", "--help").out


def test_a_rerankers_key_that_is_not_set_leaves_the_order(told: Hermes) -> None:
    told("config", "set", "memory.embeddings.provider", "none")
    told("config", "set", "memory.reranker.baseUrl", "http://127.0.0.1:9/v1")
    told("config", "set", "memory.reranker.apiKey", "${VK}")
    outcome = told("memory", "recall", "printer paper", "--json")
    shape = json.loads(outcome.out)
    assert shape["items"][0]["text"] == SAID
    assert "memory.reranker.apiKey uses ${VK}" in shape["trace"]["reason"]


@pytest.mark.parametrize(
    ("settings", "told_why"),
    [
        ({"apiKey": "${VK}"}, "memory.embeddings.apiKey uses ${VK}, which is not set"),
        ({}, "OpenAI embedding model text-embedding-3-small at https://api.openai.com/v1: no key"),
    ],
)
def test_a_model_that_cannot_be_had_is_told_where_the_one_before_answers(
    told: Hermes, settings: dict[str, str], told_why: str, tmp_path: Path
) -> None:
    tell_of_boxes(told, tmp_path, 2)
    assert told("memory", "reindex").code == 0
    told("config", "set", "memory.embeddings.provider", "openai")
    for name, value in settings.items():
        told("config", "set", f"memory.embeddings.{name}", value)
    tell_of_boxes(told, tmp_path, 3)
    trace = json.loads(told("memory", "recall", "which shelf", "--json").out)["trace"]
    assert trace["went_by"] == "vectors + text"
    assert trace["reason"].startswith("answered by the vectors of local/e5-small-int8/384; ")
    assert told_why in trace["reason"]
    assert "messages have no vector yet" in trace["reason"]
    assert "; meanwhile recall uses those of local/e5-small-int8/384" in line_of(told, "embeddings")


def test_what_waits_for_a_vector_is_told_by_memory_status(told: Hermes) -> None:
    waits = "Backlog: 1 text waits for a vector (`hermes status`)"
    assert waits in told("memory", "status").out.splitlines()
    assert waits in told("memory", "status", "--verbose").out.splitlines()
    assert json.loads(told("memory", "status", "--json").out)["backlog"] == 1
    assert told("memory", "reindex").code == 0
    assert "Backlog" not in told("memory", "status").out
    assert "Backlog" not in told("memory", "status", "--verbose").out


def test_json_holds_the_block_with_and_without_context(told: Hermes) -> None:
    told("config", "set", "memory.embeddings.provider", "none")
    plain = told("memory", "recall", "printer paper", "--json", "--context")
    assert SAID in json.loads(plain.out)["context"]
    assert "--json holds it as well" in " ".join(told("memory", "recall", "--help").out.split())


def test_what_needs_the_key_still_asks_for_it(told: Hermes) -> None:
    told("config", "set", "memory.embeddings.provider", "openai")
    told("config", "set", "memory.embeddings.apiKey", "${VK}")
    outcome = told("memory", "reindex")
    assert outcome.code == 2
    assert "uses ${VK}, which is not set" in outcome.err
    assert told("memory", "extract").code == 0, "rules need no key"


@contextmanager
def daemon_of(home: Home, started_at: int) -> Iterator[None]:
    """What a daemon leaves on disk while it lives."""
    paths = home.profile("default")
    with lock_file(paths).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        pid_file(paths).write_text(f"{os.getpid()} {started_at}\n")
        yield


def tell_of_boxes(hermes: Hermes, folder: Path, count: int) -> None:
    """Import a conversation of so many messages."""
    said = [{"role": "user", "content": f"Box {n} is on shelf {n}."} for n in range(count)]
    file = folder / "boxes.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in said))
    assert hermes("sessions", "import", str(file)).code == 0


def line_of(hermes: Hermes, name: str) -> str:
    return next(line for line in hermes("status").out.splitlines() if line.startswith(name))


@pytest.mark.parametrize(("key", "value"), [("model", "m-two"), ("dimensions", "16")])
def test_a_change_of_model_is_a_backlog(told: Hermes, home: Home, key: str, value: str) -> None:
    with ScriptedServer(dimensions=8) as server:
        told("config", "set", "memory.embeddings.provider", "openai")
        told("config", "set", "memory.embeddings.baseUrl", server.base_url)
        told("config", "set", "memory.embeddings.model", "m-one")
        assert told("memory", "reindex").code == 0
        assert json.loads(told("status", "--json").out)["backlog"] == 0
        told("config", "set", f"memory.embeddings.{key}", value)
        assert json.loads(told("status", "--json").out)["backlog"] == 1
        asked = len(server.requests)
        todo = "0 % done, 1 text waits for a vector: `hermes start`, or `hermes memory reindex`"
        assert todo in line_of(told, "embeddings")
        now = SystemClock().now()
        with daemon_of(home, now + 60_000):
            assert "for a vector, which the daemon makes" in line_of(told, "embeddings")
        with daemon_of(home, now - 60_000):
            assert "`hermes restart`, or `hermes memory" in line_of(told, "embeddings")
            assert "settings were changed since: `hermes restart`" in line_of(told, "daemon")
        assert len(server.requests) == asked, "status asks nobody"
        assert told("memory", "reindex").code == 0
    assert json.loads(told("status", "--json").out)["backlog"] == 0


def test_how_far_vectors_have_come(told: Hermes, tmp_path: Path) -> None:
    with ScriptedServer() as server:
        told("config", "set", "memory.embeddings.provider", "openai")
        told("config", "set", "memory.embeddings.baseUrl", server.base_url)
        assert told("memory", "reindex").code == 0
        assert line_of(told, "embeddings").split() == ["embeddings", EMBEDS]
        told("memory", "fact", "add", "User's bicycle is green.")
        assert f"{EMBEDS}; 50 % done, 1 text waits for a vector:" in line_of(told, "embeddings")
        assert json.loads(told("status", "--json").out)["embedded"] == 0.5
        tell_of_boxes(told, tmp_path, 199)
        assert "; 0 % done, 200 texts wait for a vector:" in line_of(told, "embeddings")
        assert told("memory", "reindex").code == 0
        told("memory", "fact", "add", "User's car is red.")
        assert "; 99 % done, 1 text waits for a vector:" in line_of(told, "embeddings")
        assert told("memory", "reindex").code == 0
    assert json.loads(told("status", "--json").out)["embedded"] == 1.0


@pytest.mark.parametrize(("most", "sizes"), [(3, [3, 3, 3, 1]), (5, [5, 5]), (100, [10])])
def test_a_request_holds_as_many_texts_as_is_set(
    told: Hermes, tmp_path: Path, most: int, sizes: list[int]
) -> None:
    tell_of_boxes(told, tmp_path, 9)
    with ScriptedServer(dimensions=8) as server:
        told("config", "set", "memory.embeddings.provider", "openai")
        told("config", "set", "memory.embeddings.baseUrl", server.base_url)
        told("config", "set", "memory.embeddings.dimensions", "8")  # or it is asked for first
        told("config", "set", "memory.embeddings.batchSize", str(most))
        assert told("memory", "reindex").code == 0
        asked = [len(each.body["input"]) for each in server.requests]  # type: ignore[arg-type]
    assert asked == sizes


def test_a_text_the_model_refuses_is_told_everywhere(told: Hermes, tmp_path: Path) -> None:
    refuses = [True]

    def answer(received: Received) -> Step | None:
        texts: list[str] = received.body["input"]  # type: ignore[assignment]
        is_bad = any(text.endswith("Box 7 is on shelf 7.") for text in texts)
        return Fail(400, "invalid input") if is_bad and refuses else None

    tell_of_boxes(told, tmp_path, 20)
    with ScriptedServer(answer) as server:
        told("config", "set", "memory.embeddings.provider", "openai")
        told("config", "set", "memory.embeddings.baseUrl", server.base_url)
        outcome = told("memory", "reindex", "--json")
        assert outcome.code == 1
        # the message, and that it is what the fact was read from
        assert (json.loads(outcome.out)["vectors"], json.loads(outcome.out)["refused"]) == (20, 1)
        assert "gave 1 text no vector; of one: OpenAI" in outcome.err
        assert "request rejected (invalid input)" in outcome.err
        assert "gave 1 text no vector: `hermes memory" in line_of(told, "embeddings")
        assert json.loads(told("status", "--json").out)["refused"] == 1
        assert "gave 1 text no vector" in told("doctor").out
        refuses.clear()
        assert told("memory", "reindex").code == 0
        assert "no vector" not in told("doctor").out
    assert line_of(told, "embeddings").split() == ["embeddings", EMBEDS]


def went_by(hermes: Hermes) -> tuple[str, str]:
    trace = json.loads(hermes("memory", "search", "printer paper", "--json").out)["trace"]
    return trace["went_by"], trace["reason"]


@pytest.mark.parametrize(("key", "value"), [("model", "m-two"), ("dimensions", "16")])
def test_the_old_vectors_serve_until_the_new_are_made(told: Hermes, key: str, value: str) -> None:
    with ScriptedServer(dimensions=8) as server:
        told("config", "set", "memory.embeddings.provider", "openai")
        told("config", "set", "memory.embeddings.baseUrl", server.base_url)
        told("config", "set", "memory.embeddings.model", "m-one")
        assert told("memory", "reindex").code == 0
        told("config", "set", f"memory.embeddings.{key}", value)
        rung, reason = went_by(told)
        assert rung == "vectors + text"
        assert reason.startswith("answered by the vectors of openai/m-one/8; openai/")
        assert "has made none yet" in reason
        assert server.requests[-1].body["model"] == "m-one"
        assert told("memory", "reindex").code == 0
        assert went_by(told) == ("vectors + text", "")
    wanted = {"model": "m-one", key: int(value) if value.isdigit() else value}
    assert wanted.items() <= server.requests[-1].body.items()


def test_vectors_of_a_service_that_is_no_longer_configured_are_said_to_be_so(
    told: Hermes, home: Home
) -> None:
    with ScriptedServer(dimensions=8) as server:
        told("config", "set", "memory.embeddings.provider", "openai")
        told("config", "set", "memory.embeddings.baseUrl", server.base_url)
        assert told("memory", "reindex").code == 0
    told("config", "set", "memory.embeddings.provider", "local")
    with daemon_of(home, SystemClock().now()):  # which makes the new ones
        rung, reason = went_by(told)
    assert rung == "text only"
    assert "text-embedding-3-small/8" in reason
    assert "until reindexing ends" in reason


def test_a_server_that_gives_vectors_of_another_length_is_told_by_doctor(told: Hermes) -> None:
    with ScriptedServer(dimensions=8) as server:
        told("config", "set", "memory.embeddings.provider", "openai")
        told("config", "set", "memory.embeddings.baseUrl", server.base_url)
        assert told("memory", "reindex").code == 0
        assert "those in use" not in told("doctor").out
        server.dimensions = 9
        rung, reason = went_by(told)
        assert rung == "text only"
        assert "until reindexing ends (`hermes memory reindex`)" in reason
        assert "those in use are of openai/text-embedding-3-small/8, not of" in told("doctor").out
        assert told("memory", "reindex").code == 0
        assert "those in use" not in told("doctor").out


@pytest.mark.parametrize("command", ["recall", "search"])
def test_what_was_told_in_the_line_before_is_found_by_its_meaning(
    hermes: Hermes, command: str
) -> None:
    for said in ("Mira Voss is our structural checker", "Nick Berg supplies the steel"):
        assert hermes("memory", "fact", "add", said).code == 0
        assert hermes("memory", "fact", "add", f"{said} now").code == 0
    shape = json.loads(hermes("memory", command, "what does Mira Voss check", "--json").out)
    assert shape["trace"]["went_by"] == "vectors + text"
    assert "Mira Voss" in shape["items"][0]["text"]
    assert json.loads(hermes("status", "--json").out)["backlog"] == 0


def test_the_bundled_model_serves_until_a_services_vectors_are_made(told: Hermes) -> None:
    assert told("memory", "reindex").code == 0
    told("config", "set", "memory.embeddings.provider", "openai")
    told("config", "set", "memory.embeddings.apiKey", "${VK}")
    rung, reason = went_by(told)
    assert rung == "vectors + text"
    assert reason.startswith("answered by the vectors of local/e5-small-int8/384; ")


def test_an_edit_without_anything_to_change_is_an_error(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon")
    outcome = hermes("memory", "fact", "edit", "1")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Nothing was given to change." in outcome.err
    assert "hermes memory fact edit 1" in outcome.err


def test_facts_about_different_things_are_merged_only_with_yes(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User's timezone is Europe/Berlin")
    hermes("memory", "fact", "add", "User has two kids")
    refused = hermes("memory", "fact", "merge", "1", "2")
    assert (refused.code, refused.out) == (1, "")
    assert "hermes memory fact merge fact:001 fact:002 --yes" in refused.err
    assert hermes("memory", "fact", "merge", "1", "2", "--yes").code == 0


def test_two_values_of_one_attribute_are_merged_only_with_yes(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User has a cat called Miso")
    hermes("memory", "fact", "add", "User has a cat called Bean")
    refused = hermes("memory", "fact", "merge", "1", "2")
    assert (refused.code, refused.out) == (1, "")
    assert "Bean" in hermes("memory", "fact", "list").out
    assert hermes("memory", "fact", "merge", "1", "2", "--yes").code == 0


def test_what_is_over_says_so_and_needs_no_beginning(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Madrid", "--until", "2023-01-01")
    assert "holds      until 2023-01-01" in hermes("memory", "fact", "show", "1").out
    assert "[until 2023-01-01" in hermes("memory", "fact", "list", "--all").out
    times = ("--since", "2024-01-01", "--until", "2023-01-01")
    refused = hermes("memory", "fact", "add", "User lives in Porto", *times)
    assert (refused.code, refused.out) == (2, "")
    assert "end before it began" in refused.err


def test_restoring_the_newer_of_two_says_how_to_settle_it(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon")
    hermes("memory", "fact", "add", "User lives in Porto")
    hermes("memory", "fact", "delete", "2", "--yes")
    hermes("memory", "fact", "restore", "1")
    outcome = hermes("memory", "fact", "restore", "2")
    assert "fact:002 and fact:001 cannot both hold" in outcome.err
    assert "hermes memory fact delete fact:001" in outcome.err
    assert "1 contradiction:" in hermes("user", "show").out


def test_facts_of_an_import_are_said_to_wait(hermes: Hermes, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    line = json.dumps({"role": "user", "content": "I live in Bristol."})
    file.write_text(line + "\n")
    taken = hermes("sessions", "import", str(file))
    assert "facts come by `hermes memory extract`; those about you wait" in taken.err
    read = hermes("memory", "extract")
    assert "1 fact about you waits for your word" in read.err
    assert "`hermes memory approve --all`" in read.err
    assert "about you" not in hermes("memory", "extract").err


def test_a_file_that_tells_no_time_is_of_when_it_was_written(
    hermes: Hermes, tmp_path: Path
) -> None:
    file = tmp_path / "said.jsonl"
    file.write_text(json.dumps({"role": "user", "content": "I live in Bristol."}) + "\n")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    hermes("sessions", "import", str(file))
    [session] = json.loads(hermes("sessions", "list", "--json").out)
    assert session["started_at"].startswith("2023-11-14")


def test_a_search_for_what_was_never_said_says_so(hermes: Hermes, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    line = json.dumps({"role": "user", "content": "Why not take the early train?"})
    file.write_text(line + "\n")
    hermes("sessions", "import", str(file))
    found = hermes("sessions", "search", "why not MongoDB")
    assert found.out == ""
    assert "nothing found with MongoDB" in found.err
