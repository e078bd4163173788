"""One conversation in two programs at once: each goes on from what was said in the other."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from real_program import HERMES, Program

from hermes.testing import Received, Say, ScriptedServer

PATIENCE_S = 60.0
ELSEWHERE = "This conversation went on elsewhere"


class Terminal:
    """A chat that is told something line by line."""

    def __init__(self, process: "subprocess.Popen[str]", server: ScriptedServer) -> None:
        assert process.stdin is not None
        self._stdin: IO[str] = process.stdin
        self._server = server
        self._process = process

    def say(self, text: str) -> Received:
        """What the model is given for a message."""
        self._stdin.write(f"{text}\n")
        self._stdin.flush()
        give_up_at = time.monotonic() + PATIENCE_S
        while not any(text in str(each.body["messages"]) for each in self._server.requests):
            assert time.monotonic() < give_up_at, "the message never came"
            time.sleep(0.02)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == f"Heard: {text}\n"
        return self._server.requests[-1]

    def leave(self) -> str:
        """What was told besides answers."""
        return self._process.communicate(timeout=PATIENCE_S)[1]


@contextmanager
def chatting(program: Program, server: ScriptedServer, *argv: str) -> Iterator[Terminal]:
    with subprocess.Popen(
        [HERMES, "chat", *argv],
        env=program.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Terminal(process, server)
        finally:
            process.kill()


def said(received: Received) -> list[str]:
    """What was said, by whom in turn."""
    messages = received.body["messages"]
    assert isinstance(messages, list)
    return [m["content"].rpartition("The person's message:\n")[2] for m in messages[1:]]


def answer(received: Received) -> Say:
    return Say(f"Heard: {said(received)[-1]}")


def test_each_terminal_goes_on_from_what_was_said_in_the_other(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    with ScriptedServer(answer) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "small"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
        )
        with chatting(program, server) as first:
            first.say("apples")
            [session] = program.json("sessions", "list")
            with chatting(program, server, "--resume", session["id"]) as second:
                second.say("pears")
                told = said(first.say("plums"))
                assert told == ["apples", "Heard: apples", "pears", "Heard: pears", "plums"]
                told = said(second.say("figs"))
                assert told[4:] == ["plums", "Heard: plums", "figs"]
                assert ELSEWHERE in second.leave()
            assert ELSEWHERE in first.leave()
        [session] = program.json("sessions", "list")
        assert session["messages"] == 8
