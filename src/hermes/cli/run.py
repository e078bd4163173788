"""`hermes run "task"`: one task, done by the agent, and its answer."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hermes.cli.chat.images import load_image
from hermes.cli.chat.room import Opening, Room, told_lack
from hermes.cli.chat.screen import Unattended
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import print_json
from hermes.errors import UserError

if TYPE_CHECKING:
    from hermes.agent.events import Event, Outcome
    from hermes.app import App

Task = Annotated[str, typer.Argument(help="What is to be done; `-` reads it from stdin.")]
Resume = Annotated[
    str, typer.Option("--resume", metavar="ID", help="In this conversation, or in the `last` one.")
]
Incognito = Annotated[bool, typer.Option("--incognito", help="Keep nothing of what is said.")]
InBank = Annotated[str, typer.Option("--bank", metavar="NAME", help="The bank to work in.")]
Image = Annotated[
    list[Path] | None, typer.Option("--image", metavar="PATH", help="A picture to send along.")
]
Yolo = Annotated[bool, typer.Option("--yolo", help="Ask nothing that /rollback can take back.")]

NOT_ALLOWED = "not allowed"  # what the agent says of a call that was denied


@dataclass(frozen=True, slots=True)
class Wanted:
    text: str
    images: tuple[Path, ...] = ()
    as_json: bool = False


def run(
    task: Task,
    resume: Resume = "",
    image: Image = None,
    bank: InBank = "",
    incognito: Incognito = False,
    yolo: Yolo = False,
    as_json: AsJson = False,
) -> int:
    """Have the agent do one task; the exit code is 1 if it could not.

    That is so, too, where no model is configured, and where something it tried was not allowed.
    """
    text = sys.stdin.read() if task == "-" else task
    if not text.strip():
        raise UserError("There is no task.", 'Say it: hermes run "what is to be done".')
    opening = Opening(resume=resume, incognito=incognito, bank=bank, yolo=yolo)
    with opened() as app:
        is_done = asyncio.run(_run(app, opening, Wanted(text, tuple(image or ()), as_json)))
    return 0 if is_done else 1


async def _run(app: "App", opening: Opening, wanted: Wanted) -> bool:
    """Whether the task was done: by a model, to its end, with nothing refused on the way."""
    from hermes.agent.approval import DenyAll  # noqa: PLC0415 - brings the agent
    from hermes.cli.chat.asking import AskInTerminal  # noqa: PLC0415

    screen = _Silent() if wanted.as_json else _Watched()
    is_watched = sys.stdin.isatty() and sys.stderr.isatty() and not wanted.as_json
    room = Room(app, opening, AskInTerminal() if is_watched else DenyAll(), screen)
    await room.open()
    lack = app.agent.lack
    if lack and not wanted.as_json:
        typer.echo(told_lack(lack), err=True)
    room.images += [load_image(str(path)) for path in wanted.images]
    outcome = await room.say(wanted.text)
    if wanted.as_json:
        print_json(_shape(outcome))
    sys.stdout.flush()
    await room.leave()
    return outcome.ok and lack is None and not screen.was_refused


class _Watched(Unattended):
    """Plain lines; remembers whether something was not allowed."""

    was_refused = False

    def on_event(self, event: "Event") -> None:
        result = getattr(event, "result", None)  # of a call that ended
        self.was_refused |= result is not None and result.fault == NOT_ALLOWED
        self._show(event)

    def _show(self, event: "Event") -> None:
        super().on_event(event)


class _Silent(_Watched):
    """For programs: the answer comes as one JSON document."""

    def _show(self, event: "Event") -> None:
        """What happens meanwhile is in the answer."""

    def end_turn(self, outcome: "Outcome") -> None:
        """As is how it ended."""

    def _aside(self, text: str) -> None:
        """Nobody reads it."""


def _shape(outcome: "Outcome") -> dict[str, object]:
    usage, error = outcome.usage, outcome.error
    return {
        "session_id": outcome.session_id,
        "end": outcome.end.value,
        "text": outcome.text,
        "model": outcome.model,
        "stood_in": outcome.stood_in,
        "steps": outcome.steps,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "estimated": usage.estimated,
        },
        "remembered": [
            {"text": each.text, "ref": each.ref, "held": each.held} for each in outcome.receipts
        ],
        "error": {"message": error.message, "hint": error.hint} if error else None,
    }
