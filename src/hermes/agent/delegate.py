"""A task given to a sub-agent: a session of its own, no way to write to memory, one answer back.

What it is told are the agent's words, not the person's, so nothing is learnt of the person from it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.agent.calls import Stop
from hermes.agent.events import CallBegan, Event, OnEvent, Progress
from hermes.agent.keeping import Asked
from hermes.agent.keepsakes import Branch
from hermes.agent.parts import Parts
from hermes.agent.prompt import PrefixParts
from hermes.agent.thread import Thread
from hermes.clock import new_session_id
from hermes.interrupts import unhurried
from hermes.tools.base import AnyTool, Delegate, Delegated
from hermes.types import Origin

if TYPE_CHECKING:
    from hermes.agent.loop import Agent

NAME = "delegate"
PLATFORM = "delegate"
STEPS = 30
BRIEF = """\
# This task
You are a sub-agent: another agent gave you this one task. Nobody can answer questions. Do what \
you can and end with a short, complete report of what you found or did, with file names and \
sources. You cannot write to memory."""


def delegate_to(
    parts: Parts,
    thread: Thread,
    make: "Callable[[Parts], Agent]",
    on_event: OnEvent,
    *,
    stop: Stop,
) -> Delegate:
    """What gives a task away, for the tools of a thread; a stop said there stops this turn, too."""

    async def delegate(task: str, background: str) -> Delegated:
        below = Thread(
            new_session_id(parts.clock.now()),
            thread.bank,
            branch=Branch(thread.id, 0),
            platform=PLATFORM,
            identity=thread.identity,
        )
        agent = make(_narrowed(parts))
        said = f"{background}\n\n{task}".strip()
        asked = Asked(said, origin=Origin.AGENT, trust=thread.trust)
        outcome = await agent.turn(below, asked, _as_progress(on_event), stop=stop)
        await unhurried(lambda: parts.journal.seal(below.id))
        text = outcome.text or (outcome.error.message if outcome.error else "")
        return Delegated(below.id, text, below.trust, failed=not outcome.ok)

    return delegate


def _narrowed(parts: Parts) -> Parts:
    def is_unwanted(tool: AnyTool) -> bool:
        return tool.writes_memory or tool.name == NAME

    options = replace(parts.options, max_steps=min(STEPS, parts.options.max_steps))
    compactor = replace(parts.compactor, extract=lambda _: ())
    return replace(
        parts,
        toolbox=parts.toolbox.without(is_unwanted),
        prefix=lambda bank: PrefixParts(place=parts.prefix(bank).place, extra=BRIEF),
        options=options,
        compactor=compactor,
    )


def _as_progress(on_event: OnEvent) -> OnEvent:
    """A sub-agent's doings as lines of progress of the call that started it."""

    def tell(event: Event) -> None:
        if isinstance(event, CallBegan):
            on_event(Progress(f"sub-agent: {event.call.name}"))

    return tell
