"""The program is killed while a command of its agent runs: the command ends with it, and the
conversation says that it was begun."""

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from real_program import HERMES, Program

from hermes.testing import Call, Say, ScriptedServer
from hermes.types import ToolCall

PATIENCE_S = 60.0


def wait_until(is_so: Callable[[], bool]) -> bool:
    give_up_at = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > give_up_at:
            return False
        time.sleep(0.02)
    return True


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_call_that_was_cut_by_a_kill_is_known_and_runs_no_longer(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    pids = tmp_path / "pids"
    line = f"(trap '' TERM; sleep 600) & echo $! $$ > {pids}; sleep 600; echo woke"
    begun = Call((ToolCall("call1", "terminal", json.dumps({"command": line})),), "I will wait.")
    with ScriptedServer([begun, Say("It was cut off.")]) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "small"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
        )
        with subprocess.Popen(
            [HERMES, "run", "wait for it"],
            cwd=tmp_path,
            env=program.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert wait_until(lambda: pids.exists() and pids.read_text().endswith("\n"))
            process.kill()
        left = [int(pid) for pid in pids.read_text().split()]
        assert wait_until(lambda: not any(map(is_running, left))), "the command outlived us"

        [session] = program.json("sessions", "list")
        resumed = program.run("run", "--resume", session["id"], "what came of it?")
        assert "  interrupted: the outcome is unknown\n" in resumed.stderr
        assert "terminal" in resumed.stderr
        messages = server.requests[-1].body["messages"]
    assert isinstance(messages, list)
    _, asked, called, result, again = messages
    assert "wait for it" in asked["content"]
    assert called["content"] == "I will wait."
    assert [call["id"] for call in called["tool_calls"]] == ["call1"]
    assert (result["role"], result["tool_call_id"]) == ("tool", "call1")
    assert result["content"].startswith("[interrupted: the outcome is unknown")
    assert "what came of it?" in again["content"]
