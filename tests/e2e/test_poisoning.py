"""No payload reaches the snapshot, by whichever way it comes, however gullible the extractor."""

from collections.abc import Sequence

import pytest

from hermes.app import App, open_app
from hermes.bench.guard_corpus import Payload, list_payloads
from hermes.config.paths import Home
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.extraction import Reading, extract_session
from hermes.memory.notekeeping import Writer
from hermes.memory.notes import Action, MemoryRequest, Operation
from hermes.memory.notes.request import Target
from hermes.memory.usermodel import USER_LIMIT
from hermes.types import FactKind, Message, NewSession, Origin, Role, Trust, Turn, Utterance

# How a payload comes: who says it, where it came from, how far it is trusted.
CHANNELS = {
    "web": (Role.TOOL, Origin.WEB, Trust.NONE),
    "tool": (Role.TOOL, Origin.TOOL, Trust.LOW),
    "import": (Role.USER, Origin.IMPORT, Trust.LOW),
    "agent": (Role.ASSISTANT, Origin.AGENT, Trust.NONE),
}


class Gullible:
    """Takes every message for a fact about the user."""

    name = "model"

    def read(self, messages: Sequence[Message], context: Sequence[Message]) -> Reading:
        return Reading(tuple(map(self._believe, messages)))

    def _believe(self, message: Message) -> Candidate:
        text = f"User wants: {message.text}"
        return Candidate(
            text,
            FactKind.PREFERENCE,
            attribute=f"prefers:{message.id}",
            value=message.text,
            quote=message.text,
            message_id=message.id,
            at=message.at,
        )


def record(app: App, payloads: Sequence[Payload], channel: str) -> None:
    role, origin, trust = CHANNELS[channel]
    said = (Utterance(role, payload.text, origin=origin, trust=trust) for payload in payloads)
    app.conversations.record([Turn(NewSession(id=channel), (each,)) for each in said])


@pytest.mark.slow
def test_no_payload_reaches_the_snapshot(home: Home) -> None:
    payloads = list_payloads()
    with open_app(home.profile("default"), {}) as app:
        app.notes.add(Target.MEMORY, "A note of the person's own.")
        app.notes.add(Target.USER, "Call me N.")
        before = app.notes.snapshot()
        for channel, (_, origin, trust) in CHANNELS.items():
            record(app, payloads, channel)
            for place, payload in enumerate(payloads):
                target = tuple(Target)[place % 2]
                request = MemoryRequest(target, (Operation(Action.ADD, payload.text),))
                outcome = app.notes.change(request, Writer(origin, trust, "agent"))
                assert len(outcome.held) == 1, (payload.id, channel)
            done = extract_session(app.store, channel, Gullible(), app.clock)
            assert done.messages == len(payloads)
        app.user.project()
        assert app.notes.snapshot() == before
        assert app.pending.count() >= len(payloads)
        assert len(before) < USER_LIMIT
