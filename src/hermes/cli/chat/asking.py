"""Asks the person before something is done that could harm, in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import typer
from prompt_toolkit import PromptSession

from hermes.agent.approval import Answer
from hermes.cli.chat.tty import mark_pastes
from hermes.cli.chat.typeahead import kept_for_later
from hermes.cli.render import clean
from hermes.tools.base import Question

KEYS = {"y": Answer.ONCE, "yes": Answer.ONCE, "a": Answer.ALWAYS, "always": Answer.ALWAYS}
ANSWERS = frozenset({*KEYS, "n", "no"})
AGAIN = "You were typing as this came up, and that waits. Now your answer:"


class AskInTerminal:
    """One question at a time; anything but yes is no, and Ctrl-C stops the answer too.

    Only a line that is begun once the question is shown answers it, and `asking` keeps all else
    from being shown until then.
    """

    def __init__(
        self,
        asking: Callable[[], AbstractContextManager[None]] = nullcontext,
        make: Callable[[], PromptSession[str]] = PromptSession,
    ) -> None:
        self._asking = asking
        self._make = make
        self._turn = asyncio.Lock()
        self._stops = 0

    async def ask(self, question: Question) -> Answer:
        stops = self._stops
        async with self._turn:
            if self._stops > stops:
                return Answer.STOP  # said at the question before, while this one waited
            with self._asking():
                answer = await self._answer(question)
            self._stops += answer is Answer.STOP
            return answer

    async def _answer(self, question: Question) -> Answer:
        _show(question)
        always = f", [a]lways ({clean(question.rule)})" if question.rule else ""
        try:
            told = await self._read(f"Allow? [y]es once{always}, [N]o: ")
        except KeyboardInterrupt:
            return Answer.STOP
        except EOFError:
            return Answer.DENY
        answer = KEYS.get(told.strip().lower(), Answer.DENY)
        return Answer.ONCE if answer is Answer.ALWAYS and not question.rule else answer

    async def _read(self, prompt: str) -> str:
        session = self._make()
        with kept_for_later(session.input) as ahead:
            is_begun = ahead.is_begun
            try:
                told = await session.prompt_async(prompt, key_bindings=ahead.keys)
                if not is_begun:
                    return told
                if told.strip().lower() not in ANSWERS:
                    ahead.end_line(told)
                ahead.take_in()
                typer.echo(typer.style(AGAIN, dim=True))
                return await self._make().prompt_async(prompt, key_bindings=ahead.keys)
            finally:
                mark_pastes(on=True)


def _show(question: Question) -> None:
    typer.echo(typer.style(f"{question.tool} wants to: {clean(question.action)}", bold=True))
    for line in (question.reason, *question.details.splitlines()):
        if line:
            typer.echo(typer.style(f"  {clean(line)}", dim=True))
