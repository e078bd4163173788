"""`compact` and `reflections` on the command line."""

import json
import shlex
from collections.abc import Callable

import pytest

from conftest import Hermes
from hermes.app import open_app
from hermes.app.memory_status import read_memory_status, render_memory_status
from hermes.cli.lazy import Entry
from hermes.cli.main import main
from hermes.clock import FixedClock
from hermes.config.paths import Home, ProfilePaths
from hermes.memory.sample import load_sample
from hermes.types import NewSession, Role, ToolCall, Turn, Utterance

COMMANDS = {
    "compact": Entry("hermes.cli.compact:compact", "compact"),
    "erase": Entry("hermes.cli.erase:erase", "erase"),
    "sessions": Entry("hermes.cli.sessions:app", "sessions"),
    "reflections": Entry("hermes.cli.reflections:app", "reflections"),
    "memory": Entry("hermes.cli.memory:app", "memory"),
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(home: Home, paths: ProfilePaths, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line in a home that holds the sample, read for facts, and a failed task."""
    environ = {"HERMES_HOME": str(home.root)}
    flags = {"memory.embeddings.provider": "none"}
    with open_app(paths, environ, flags=flags, clock=FixedClock()) as app:
        app.conversations.record([*load_sample(), _failed_task(app.clock.now())])
        list(app.facts.extract())
        app.reflections.reflect("task")

    def call(*argv: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(argv, environ, COMMANDS)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def _failed_task(now: int) -> Turn:
    said = (
        Utterance(Role.USER, "Implement the parser function", at=now),
        Utterance(Role.ASSISTANT, "", calls=(ToolCall("c", "run_tests", "{}"),), at=now),
        Utterance(Role.TOOL, "ImportError: no module", call_id="c", at=now),
    )
    return Turn(NewSession(id="task"), said)


def test_compacting_and_taking_it_back(run: Run) -> None:
    code, out, _ = run("compact", "--dry-run")
    assert code == 0
    assert "49 summaries" in out.splitlines()[-1]
    assert "ready" in out
    _, out, _ = run("compact", "--json")
    told = json.loads(out)
    assert len(told["summaries"]) == 49
    assert all(each["found"] == each["probes"] for each in told["summaries"])
    _, out, _ = run("compact", "--list", "--json")
    listed = json.loads(out)
    assert len(listed) == 49
    first = listed[0]["id"]
    code, out, _ = run("compact", "--undo", str(first))
    assert "are back as they were" in out
    _, out, _ = run("compact", "--undo", "--json")
    assert len(json.loads(out)) == 48
    code, _, err = run("compact", "--undo")
    assert code == 1
    assert "nothing to put back" in err
    _, out, _ = run("compact")
    assert "49 conversations stay raw until" in out
    _, out, _ = run("memory", "status", "--verbose")
    assert "Last compression: 2" in out  # though nothing of it stands


def test_a_summary_in_a_conversation_is_called_one(run: Run) -> None:
    run("compact")
    summary = json.loads(run("compact", "--list", "--json")[1])[0]
    _, out, _ = run("sessions", "show", summary["session_id"])
    flat = " ".join(out.split())
    told = f"summary {summary['id']} stands for {summary['messages']} messages; until"
    assert flat.count(told) == 1
    assert f"`hermes memory compact --undo {summary['id']}`" in flat
    assert " assistant " not in flat
    run("compact", "--undo", str(summary["id"]))
    _, out, _ = run("sessions", "show", summary["session_id"])
    assert "stands for" not in out
    assert " assistant " in out


def test_ids_without_undo_are_refused(run: Run) -> None:
    code, _, err = run("compact", "7")
    assert code == 2
    assert "--undo" in err


def test_reflections_are_listed_shown_and_deleted(run: Run, paths: ProfilePaths) -> None:
    _, out, _ = run("reflections", "list")
    assert out.startswith("[reflection:001] WARNING coding: run_tests gave ImportError")
    page = paths.reflections_file
    assert "run_tests gave ImportError" in page.read_text("utf-8")
    _, out, _ = run("reflections", "show", "reflection:001", "--json")
    assert json.loads(out)["failures"] == 1
    code, out, _ = run("reflections", "delete", "1", "--yes")
    assert (code, out) == (0, "forgot reflection:1\n")
    assert "run_tests" not in page.read_text("utf-8")
    code, _, err = run("reflections", "show", "1")
    assert code == 1
    assert "reflection:1" in err
    code, _, _ = run("reflections", "show", "x")
    assert code == 2


def test_the_table_of_the_specification(run: Run, home: Home, paths: ProfilePaths) -> None:
    run("compact")
    with open_app(paths, {"HERMES_HOME": str(home.root)}) as app:
        status = read_memory_status(app)
        lines = render_memory_status(status)
    assert lines[0] == "Episodes: 54 (raw: 5, compressed: 49)"
    assert lines[1].startswith("Facts: ")
    assert lines[2] == "Reflections: 1"
    assert lines[3] == "Embeddings: 0 episode + 0 fact vectors"
    assert lines[4].startswith("DB size: ")
    assert lines[5] == "Last vacuum: never"
    assert lines[6].startswith("Last compression: 20")
    assert lines[7].startswith("Backlog: ")
    assert status.last_compression_at is not None


@pytest.mark.parametrize("undone", [False, True])
def test_what_was_compressed_or_put_back_is_erased_from_the_index(run: Run, undone: bool) -> None:
    """Removing the newest words of a message must not bring back those it had before."""
    assert run("compact", "--trust-clock")[0] == 0
    if undone:
        assert run("compact", "--undo")[0] == 0
    code, out, err = run("erase", "--matching", "Miso", "--prove", "--yes")
    assert (code, "found nowhere" in out + err) == (0, True), out + err


def test_a_fact_names_its_session_after_compression(run: Run, hermes: Hermes) -> None:
    told = hermes("memory", "why", "Miso").out
    assert "→ message:" in told
    session = told.split("session ")[1].split(" ")[0]
    assert run("compact", "--trust-clock")[0] == 0
    told = hermes("memory", "why", "Miso").out
    assert f"session {session} “" in told
    assert "compressed since: “" in told


@pytest.mark.parametrize("compressed", [False, True])
def test_erasing_a_fact_says_that_its_message_stays(
    run: Run, hermes: Hermes, compressed: bool
) -> None:
    """And gives the command that erases that too."""
    ref = hermes("memory", "why", "Miso").out.split("]")[0].strip("[")
    if compressed:
        assert run("compact", "--trust-clock")[0] == 0
    _, out, _ = run("erase", ref, "--dry-run")
    assert "stays: what it was read from, “" in out
    command = out.split("hermes memory ")[1].split("\n")[0]
    assert ("message:" in command) is not compressed
    assert run("erase", ref, "--yes")[0] == 0
    code, out, _ = run(*shlex.split(command), "--yes", "--prove")
    assert code == 0
    assert "1 × message" in out
