"""`hermes chat`: talk with the agent, in a terminal or through a pipe."""

import asyncio
import sys
from typing import Annotated

import typer

from hermes.cli.chat.room import LAST, Opening
from hermes.cli.chat.tty import marked_pastes
from hermes.cli.opening import opened

Session = Annotated[str, typer.Argument(metavar="[ID]", help="The conversation to resume.")]
Resume = Annotated[
    bool, typer.Option("--resume", "-r", help="Go on with a conversation: ID, or the last one.")
]
Incognito = Annotated[bool, typer.Option("--incognito", help="Keep nothing of what is said.")]
InBank = Annotated[str, typer.Option("--bank", metavar="NAME", help="The bank to talk in.")]


def chat(
    session: Session = "",
    resume: Resume = False,
    incognito: Incognito = False,
    bank: InBank = "",
) -> None:
    """Talk with an agent that remembers. /help inside shows what it understands."""
    wanted = session or (LAST if resume else "")
    opening = Opening(resume=wanted, incognito=incognito, bank=bank)
    # The line editor takes a fifth of a second to import, and a pipe needs none.
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        from hermes.cli.chat.plain import talk as talk_plainly  # noqa: PLC0415

        with opened() as app:
            asyncio.run(talk_plainly(app, opening))
        return
    with marked_pastes():
        from hermes.cli.chat.terminal import talk  # noqa: PLC0415

        with opened() as app:
            asyncio.run(talk(app, opening))
