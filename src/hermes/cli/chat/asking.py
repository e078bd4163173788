"""Asks the person before something is done that could harm, in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import typer

from hermes.agent.approve import Answer
from hermes.cli.render import clean
from hermes.tools.base import Question

KEYS = {"y": Answer.ONCE, "yes": Answer.ONCE, "a": Answer.ALWAYS, "always": Answer.ALWAYS}


class AskInTerminal:
    """One question at a time; anything but yes is no."""

    def __init__(self, pause: Callable[[], None] = lambda: None) -> None:
        self._pause = pause
        self._turn = asyncio.Lock()

    async def ask(self, question: Question) -> Answer:
        async with self._turn:
            self._pause()
            typer.echo(
                typer.style(f"{question.tool} wants to: {clean(question.action)}", bold=True)
            )
            for line in (question.reason, *question.details.splitlines()):
                if line:
                    typer.echo(typer.style(f"  {clean(line)}", dim=True))
            always = f", [a]lways ({clean(question.rule)})" if question.rule else ""
            told = f"Allow? [y]es once{always}, [N]o: "
            answer = await asyncio.to_thread(_read, told)
            return KEYS.get(answer.strip().lower(), Answer.DENY)


def _read(told: str) -> str:
    typer.echo(told, nl=False)
    try:
        return input()
    except EOFError:
        return ""
