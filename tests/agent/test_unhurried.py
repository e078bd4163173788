"""What is said is kept, whenever the turn is interrupted."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from talking import opened, talk_with, texts_of

from hermes.agent.events import End, Outcome
from hermes.agent.parts import Parts
from hermes.agent.prompt import PrefixParts
from hermes.app import App
from hermes.app.agent_desk import AppDesk, AppJournal
from hermes.memory.recall.answer import Recall
from hermes.types import Role, Session

PATIENCE_S = 60
SAID = "Remember: the launch is on 4 May"


class Gate:
    """Says when something has begun, and holds it up until it may go on."""

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self.may_go_on = threading.Event()

    def pass_through(self) -> None:
        self.has_begun.set()
        self.may_go_on.wait(PATIENCE_S)


def hold_look(app: App, parts: Parts, gate: Gate) -> Parts:
    """Held up while the store is asked whether the conversation went on elsewhere."""

    class Held(AppJournal):
        def find_session(self, session_id: str) -> Session | None:
            gate.pass_through()
            return super().find_session(session_id)

    return replace(parts, journal=Held(app))


def hold_prefix(app: App, parts: Parts, gate: Gate) -> Parts:
    def gather(bank: str) -> PrefixParts:
        gate.pass_through()
        return parts.prefix(bank)

    return replace(parts, prefix=gather)


def hold_recall(app: App, parts: Parts, gate: Gate) -> Parts:
    class Held(AppDesk):
        def recall(self, task: str, *, bank: str, budget_tokens: int | None = None) -> Recall:
            gate.pass_through()
            return super().recall(task, bank=bank, budget_tokens=budget_tokens)

    return replace(parts, desk=Held(app))


@pytest.mark.parametrize("hold", [hold_look, hold_prefix, hold_recall])
def test_an_interrupt_before_a_message_is_kept_waits_for_that(
    tmp_path: Path, hold: Callable[[App, Parts, Gate], Parts]
) -> None:
    gate = Gate()

    async def interrupt() -> Outcome:
        saying = asyncio.create_task(talk.chat.say(SAID))
        await asyncio.to_thread(gate.has_begun.wait, PATIENCE_S)
        saying.cancel()
        gate.may_go_on.set()
        return await saying

    with opened(tmp_path) as app:
        talk = talk_with(app, ["Noted."])
        talk.chat.parts = hold(app, talk.chat.parts, gate)
        outcome = asyncio.run(interrupt())
        assert outcome.end is End.INTERRUPTED
        assert texts_of(app, talk.chat.thread.id, Role.USER) == [SAID]
        assert texts_of(app, talk.chat.thread.id, Role.ASSISTANT) == ["[interrupted]"]
        assert talk.model.requests == []


def test_an_interrupt_does_not_wait_for_recall(tmp_path: Path) -> None:
    gate = Gate()

    async def interrupt() -> End:
        saying = asyncio.create_task(talk.chat.say(SAID))
        await asyncio.to_thread(gate.has_begun.wait, PATIENCE_S)
        saying.cancel()
        try:
            return (await saying).end
        finally:
            gate.may_go_on.set()

    with opened(tmp_path) as app:
        talk = talk_with(app, ["Noted."])
        talk.chat.parts = hold_recall(app, talk.chat.parts, gate)
        assert asyncio.run(interrupt()) is End.INTERRUPTED
        assert texts_of(app, talk.chat.thread.id, Role.USER) == [SAID]
