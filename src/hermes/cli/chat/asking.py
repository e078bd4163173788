"""Asks the person before something is done that could harm, in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import typer
from prompt_toolkit import PromptSession

from hermes.agent.approve import Answer
from hermes.cli.render import clean
from hermes.tools.base import Question

KEYS = {"y": Answer.ONCE, "yes": Answer.ONCE, "a": Answer.ALWAYS, "always": Answer.ALWAYS}


class AskInTerminal:
    """One question at a time; anything but yes is no, and Ctrl-C stops the answer too."""

    def __init__(
        self,
        pause: Callable[[], None] = lambda: None,
        make: Callable[[], PromptSession[str]] = PromptSession,
    ) -> None:
        self._pause = pause
        self._make = make
        self._turn = asyncio.Lock()

    async def ask(self, question: Question) -> Answer:
        async with self._turn:
            self._pause()
            _show(question)
            always = f", [a]lways ({clean(question.rule)})" if question.rule else ""
            try:
                told = await self._make().prompt_async(f"Allow? [y]es once{always}, [N]o: ")
            except KeyboardInterrupt:
                return Answer.STOP
            except EOFError:
                return Answer.DENY
            answer = KEYS.get(told.strip().lower(), Answer.DENY)
            return Answer.ONCE if answer is Answer.ALWAYS and not question.rule else answer


def _show(question: Question) -> None:
    typer.echo(typer.style(f"{question.tool} wants to: {clean(question.action)}", bold=True))
    for line in (question.reason, *question.details.splitlines()):
        if line:
            typer.echo(typer.style(f"  {clean(line)}", dim=True))
