"""Questions in a terminal: answered by what is typed at them, and by nothing typed before."""

import asyncio
import io
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from chatting import model_flags
from hermes.agent.approval import Answer
from hermes.agent.events import CallBegan, CallEnded, End, Outcome
from hermes.cli.chat.asking import AskInTerminal
from hermes.cli.chat.rich_screen import RichScreen
from hermes.testing import Call, Received, Say, ScriptedServer, Step
from hermes.tools.base import Question, ToolResult
from hermes.types import ToolCall
from terminal import Terminal

PATIENCE_S = 20
RM = Question("terminal", "rm -rf build", rule="r")
LONG = "a line of a long paste\n" * 200


class Typist:
    """Types an answer whenever a question is shown."""

    def __init__(self, pipe: PipeInput, *answers: str) -> None:
        self._pipe = pipe
        self._answers = list(answers)

    def make(self) -> PromptSession[str]:
        session: PromptSession[str] = PromptSession(input=self._pipe, output=DummyOutput())
        is_shown = False

        def answer(app: object) -> None:
            nonlocal is_shown
            if not is_shown:
                is_shown = True
                self._pipe.send_text(self._answers.pop(0))

        session.app.after_render += answer
        return session


async def read_next(pipe: PipeInput) -> str:
    """What the next prompt takes for a message."""
    session: PromptSession[str] = PromptSession(input=pipe, output=DummyOutput())
    return await asyncio.wait_for(session.prompt_async(), PATIENCE_S)


def chat_with(server: ScriptedServer, home: Path) -> list[str]:
    """The command line of a chat with a scripted model."""
    settings = model_flags(server) | {"memory.embeddings.provider": "none"}
    flags = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    return [sys.executable, "-m", "hermes", "--home", str(home), *flags, "chat"]


def told_last(received: Received) -> str:
    """The last message of a request."""
    messages = received.body["messages"]
    assert isinstance(messages, list)
    return str(messages[-1]["content"])


async def ask(pipe: PipeInput, *answers: str, questions: int = 1) -> list[Answer]:
    asking = AskInTerminal(make=Typist(pipe, *answers).make)
    return [await asyncio.wait_for(asking.ask(RM), PATIENCE_S) for _ in range(questions)]


@pytest.mark.parametrize(
    ("typed", "rule", "answer"),
    [
        ("y", "r", Answer.ONCE),
        ("a", "r", Answer.ALWAYS),
        ("a", "", Answer.ONCE),
        ("n", "r", Answer.DENY),
        ("", "r", Answer.DENY),
    ],
)
def test_anything_but_yes_is_no(typed: str, rule: str, answer: Answer) -> None:
    with create_pipe_input() as pipe:
        asking = AskInTerminal(make=Typist(pipe, typed + "\r").make)
        assert asyncio.run(asking.ask(replace(RM, rule=rule))) is answer


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("y\n", ["y"]),
        ("y\nand then this\n", ["y", "and then this"]),
        (f"\x1b[200~{LONG}\x1b[201~\ny\n", [LONG, "y"]),
    ],
)
def test_what_was_typed_before_a_question_is_said_after_it(before: str, said: list[str]) -> None:
    async def go(pipe: PipeInput) -> tuple[list[Answer], list[str]]:
        pipe.send_text(before)
        answers = await ask(pipe, "n\r", "a\rlater\r", questions=2)
        return answers, [await read_next(pipe) for _ in [*said, "later"]]

    with create_pipe_input() as pipe:
        answers, heard = asyncio.run(go(pipe))
    assert answers == [Answer.DENY, Answer.ALWAYS]
    assert heard == [*said, "later"]


@pytest.mark.parametrize(
    ("typed", "after", "said"),
    [
        ("y\r", "not?\r", "why not?"),  # was it to be the answer, or the end of the line?
        ("not do it directly\r", "", "why not do it directly"),
        ("\r", "", "why "),
    ],
)
def test_the_end_of_a_line_that_was_begun_before_a_question_is_no_answer(
    typed: str, after: str, said: str
) -> None:
    async def go(pipe: PipeInput) -> tuple[list[Answer], str]:
        pipe.send_text("why ")
        answers = await ask(pipe, typed, "n\r")
        pipe.send_text(after)
        return answers, await read_next(pipe)

    with create_pipe_input() as pipe:
        assert asyncio.run(go(pipe)) == ([Answer.DENY], said)


def test_what_is_typed_on_after_that_line_is_no_answer_either() -> None:
    async def go(pipe: PipeInput) -> tuple[list[Answer], list[str]]:
        pipe.send_text("librar")
        answers = await ask(pipe, "y of mine\ry\r", "a\r")
        return answers, [await read_next(pipe) for _ in range(2)]

    with create_pipe_input() as pipe:
        assert asyncio.run(go(pipe)) == ([Answer.ALWAYS], ["library of mine", "y"])


def test_a_paste_answers_no_question() -> None:
    async def go(pipe: PipeInput) -> tuple[list[Answer], str]:
        answers = await ask(pipe, "\x1b[200~yes\nof course\x1b[201~\r")
        pipe.send_text("\r")
        return answers, await read_next(pipe)

    with create_pipe_input() as pipe:
        assert asyncio.run(go(pipe)) == ([Answer.DENY], "yes\nof course")


def test_who_stops_at_a_question_is_not_asked_the_ones_that_wait(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def go(pipe: PipeInput) -> list[Answer]:
        asking = AskInTerminal(make=Typist(pipe, "\x03").make)
        return [*await asyncio.gather(asking.ask(RM), asking.ask(RM))]

    with create_pipe_input() as pipe:
        assert asyncio.run(go(pipe)) == [Answer.STOP, Answer.STOP]
    assert capsys.readouterr().out.count("terminal wants to") == 1


def test_nothing_is_drawn_over_an_open_question() -> None:
    """Two calls side by side ask: each is asked in turn, and no line comes in between."""
    file = io.StringIO()
    screen = RichScreen(Console(file=file, width=80, force_terminal=False))
    drawn: list[str] = []

    async def go(pipe: PipeInput) -> None:
        typist = Typist(pipe, "y\r", "y\r")

        def make() -> PromptSession[str]:
            drawn.append(file.getvalue())
            session = typist.make()
            session.app.after_render += lambda app: drawn.append(file.getvalue())
            return session

        asking = AskInTerminal(screen.asking, make)

        async def fetch(name: str) -> None:
            call = ToolCall(name, f"fetch_{name}", "{}")
            screen.on_event(CallBegan(call))
            await asking.ask(RM)
            screen.on_event(CallEnded(call, ToolResult("fetched")))

        await asyncio.gather(fetch("a"), fetch("b"))

    with create_pipe_input() as pipe:
        asyncio.run(go(pipe))
    screen.end_turn(Outcome(End.DONE, "x", steps=1))
    shown = drawn[0], drawn[-1]
    assert set(drawn) == set(shown), "something was drawn while a question was open"
    assert "fetch_b" not in shown[0]
    assert "fetch_b" in shown[1]
    assert file.getvalue().count("fetched") == 2


def test_in_a_terminal_an_old_yes_runs_no_command(tmp_path: Path) -> None:
    """`y` is typed while the model thinks, which then wants to remove a folder."""
    (tmp_path / "build").mkdir()
    call = Call((ToolCall("1", "terminal", '{"command": "rm -rf build"}'),))
    steps: Iterator[Step] = iter([call, Say("It stays."), Say("Yes what?")])
    with ExitStack() as closing:

        def think(received: Received) -> Step:
            if len(server.requests) == 1:
                terminal.type("y\r")
            return next(steps)

        server = closing.enter_context(ScriptedServer(think))
        terminal = closing.enter_context(Terminal(tmp_path, chat_with(server, tmp_path / "home")))
        terminal.type_after("❯", "clean up\r")
        terminal.type_after("Allow?", "n\r")
        terminal.type_after("Yes what?", "/quit\r")
        assert terminal.wait() == 0
    assert (tmp_path / "build").is_dir()
    assert [told_last(each) for each in server.requests][-1].endswith("y")
