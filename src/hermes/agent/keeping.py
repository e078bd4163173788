"""Keeps a conversation as it grows: in the journal first, then in the thread the model reads.

Both get the same words, without secrets: what a model is sent again is what is on disk.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.agent.calls import Done
from hermes.agent.journal import Journal
from hermes.agent.keepsakes import pack_branch, pack_prefix, pack_summary
from hermes.agent.thread import Thread, make_line
from hermes.clock import Clock
from hermes.guard.kept import kept_arguments, kept_text
from hermes.guard.origin import inherit, trust_of
from hermes.interrupts import unhurried
from hermes.llm.base import ChatMessage, ModelReply
from hermes.memory.record import prepare_message
from hermes.memory.reflect.call_outcome import Told, pack_told
from hermes.types import (
    NewSession,
    Origin,
    Payload,
    Recorded,
    Role,
    ToolCall,
    Trust,
    Turn,
    Utterance,
)

TITLE_CHARS = 72


@dataclass(frozen=True, slots=True)
class Asked:
    """What a turn begins with: a message of the person, or of an agent that gave a task away."""

    text: str
    images: tuple[Payload, ...] = ()
    origin: Origin = Origin.USER
    trust: Trust = Trust.HIGH


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps one thread; every method returns once what it was given is on disk."""

    journal: Journal
    clock: Clock
    thread: Thread

    async def keep_asked(self, asked: Asked) -> int:
        """Keep the message a turn begins with; its place among the lines."""
        trust = min(asked.trust, trust_of(asked.origin))
        told = Utterance(
            Role.USER,
            asked.text,
            origin=asked.origin,
            trust=trust,
            payloads=(*asked.images, *_keepsakes(self.thread)),
        )
        said = prepare_message(told, self.clock.now())
        message = ChatMessage(Role.USER, said.text, images=asked.images)
        await self._keep((said,), [message], title=_title(said.text))
        return len(self.thread.lines) - 1

    async def keep_calls(self, reply: ModelReply, trust: Trust) -> None:
        """Keep what the model said and asks for, before it is done: whatever then happens to the
        program, it is known that it was begun."""
        said = reply.as_message()
        calls = tuple(_without_secrets(call) for call in said.calls)
        said = replace(said, text=kept_text(said.text), calls=calls)
        await self._keep([_spoken(said.text, said.calls, trust)], [said])

    async def keep_results(self, done: Sequence[Done]) -> None:
        """Keep what the calls came to."""
        await self._keep([_result(each) for each in done], [_shown(each) for each in done])

    async def keep_said(self, text: str, trust: Trust) -> None:
        """Keep the last words of a turn."""
        said = kept_text(text)
        await self._keep([_spoken(said, (), trust)], [ChatMessage(Role.ASSISTANT, said)])

    async def _keep(
        self, said: Sequence[Utterance], messages: Sequence[ChatMessage], *, title: str = ""
    ) -> None:
        thread, now = self.thread, self.clock.now()
        session = _session(thread, title)
        continues = said[0].role is not Role.USER
        key = f"agent:{thread.id}:{secrets.token_hex(8)}"
        turn = Turn(session, tuple(said), key=key, continues=continues)

        def take_in(receipt: Recorded) -> None:
            thread.is_kept = True
            thread.seen = (thread.seen[0] + len(said), receipt.message_ids[-1])
            if not continues:
                thread.unsaved_summary = False
                thread.heard += 1
            for utterance, message, number in zip(said, messages, receipt.message_ids, strict=True):
                thread.lines.append(make_line(message, id=number, trust=utterance.trust, at=now))

        await unhurried(lambda: self.journal.record(turn), take_in)


def keep_branch(journal: Journal, thread: Thread) -> None:
    """Keep a branch in which nothing was said yet: a message without words, never recalled."""
    branch = thread.branch
    if branch is None:
        return
    parent = journal.find_session(branch.session_id)
    name = parent.title if parent is not None and parent.title else branch.session_id
    mark = Utterance(Role.SYSTEM, "", payloads=_keepsakes(thread))
    key = f"agent:{thread.id}:branch"
    receipt = journal.record(Turn(_session(thread, f"Branch of: {name}"), (mark,), key=key))
    thread.is_kept, thread.unsaved_summary = True, False
    thread.seen = (1, receipt.message_ids[-1])


def _session(thread: Thread, title: str) -> NewSession:
    return NewSession(
        id=thread.id,
        bank=thread.bank,
        platform=thread.platform,
        identity=thread.identity,
        title="" if thread.is_kept else title,
        parent_id=thread.branch.session_id if thread.branch else "",
    )


def _keepsakes(thread: Thread) -> tuple[Payload, ...]:
    """What a conversation needs to be gone on with, kept beside what is said in it."""
    kept: list[Payload] = []
    if not thread.is_kept:
        kept.append(pack_prefix(thread.prefix))
        if thread.branch is not None:
            kept.append(pack_branch(thread.branch))
    if thread.unsaved_summary and thread.summary is not None:
        kept.append(pack_summary(thread.summary))
    return tuple(kept)


def _spoken(text: str, calls: tuple[ToolCall, ...], trust: Trust) -> Utterance:
    return Utterance(Role.ASSISTANT, text, calls=calls, trust=inherit(Origin.AGENT, [trust]))


def _without_secrets(call: ToolCall) -> ToolCall:
    return replace(call, arguments=kept_arguments(call.arguments))


def _result(done: Done) -> Utterance:
    result = done.result
    text = result.text if result.kept is None else result.kept
    return Utterance(
        Role.TOOL,
        text,
        call_id=done.call.id,
        origin=done.origin,
        trust=done.trust,
        payloads=(pack_told(Told(result.failed, result.fault)),),
    )


def _shown(done: Done) -> ChatMessage:
    result = done.result
    return ChatMessage(Role.TOOL, result.text, call_id=done.call.id, failed=result.failed)


def _title(text: str) -> str:
    """The first line of what was said, to know a conversation by."""
    line = next((each.strip() for each in text.splitlines() if each.strip()), "")
    if len(line) <= TITLE_CHARS:
        return line
    return line[:TITLE_CHARS].rsplit(" ", 1)[0] + "…"
