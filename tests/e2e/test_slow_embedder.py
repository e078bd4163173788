"""A server that takes a question and never answers: recall goes by words, and the program ends."""

import time
from pathlib import Path

import pytest
from real_program import Program, message

from hermes.testing import Hang, ScriptedServer

PATIENCE_S = 25.0  # of a busy machine; the request itself is let go on for 30 seconds


@pytest.mark.parametrize("deadline", [(), ("--set", "memory.retrieval.deadlineMs=300")])
def test_a_server_that_never_answers_holds_nothing_up(
    tmp_path: Path, deadline: tuple[str, ...]
) -> None:
    program = Program(tmp_path / "home")
    program.ok(
        "sessions", "import", "-", stdin=message("user", "The printer is out of paper once more.")
    )
    with ScriptedServer(lambda _: Hang()) as server:
        program.ok("config", "set", "memory.embeddings.provider", "openai")
        program.ok("config", "set", "memory.embeddings.baseUrl", server.base_url)
        start = time.monotonic()
        done = program.run(*deadline, "memory", "recall", "printer paper")
        took_s = time.monotonic() - start
        asked = len(server.requests)
    assert done.returncode == 0, done.stderr
    assert "out of paper" in done.stdout
    assert "went by text only" in done.stderr
    assert took_s < PATIENCE_S
    assert asked <= 1
