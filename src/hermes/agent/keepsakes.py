"""What the agent keeps with a conversation so that it can go on: as payloads of its messages.

The frozen prefix and a branch's beginning lie on the first message, the summary of what left the
window on the message that came after it. They are no prose: nothing searches or recalls them, and
they go when their message goes.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from hermes.memory.payloads import KEEPSAKES, OWN
from hermes.types import Payload, Trust

PREFIX, SUMMARY = KEEPSAKES
BRANCH = f"{OWN}branch+json"


@dataclass(frozen=True, slots=True)
class Summary:
    """What was said up to a message, in few words; `trust` is the lowest of what it was made of."""

    upto: int
    text: str
    trust: Trust = Trust.MEDIUM


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a conversation left another: after message `upto` of it. 0: before its first."""

    session_id: str
    upto: int


def pack_prefix(prefix: str) -> Payload:
    return Payload(PREFIX, prefix.encode())


def pack_summary(summary: Summary) -> Payload:
    value = {"upto": summary.upto, "text": summary.text, "trust": int(summary.trust)}
    return Payload(SUMMARY, json.dumps(value, ensure_ascii=False).encode())


def pack_branch(branch: Branch) -> Payload:
    value = {"session": branch.session_id, "upto": branch.upto}
    return Payload(BRANCH, json.dumps(value, ensure_ascii=False).encode())


def find_prefix(payloads: Sequence[Payload]) -> str:
    found = _find(payloads, PREFIX)
    return found.decode("utf-8", "replace") if found else ""


def find_summary(payloads: Sequence[Payload]) -> Summary | None:
    """The summary among payloads; one that cannot be read is as good as none."""
    found = _read(payloads, SUMMARY)
    match found:
        case {"upto": int(upto), "text": str(text), "trust": int(trust)}:
            return Summary(upto, text, Trust(min(max(trust, 0), Trust.HIGH)))
    return None


def find_branch(payloads: Sequence[Payload]) -> Branch | None:
    match _read(payloads, BRANCH):
        case {"session": str(session_id), "upto": int(upto)}:
            return Branch(session_id, upto)
    return None


def images_among(payloads: Sequence[Payload]) -> tuple[Payload, ...]:
    return tuple(each for each in payloads if each.media_type.startswith("image/"))


def _read(payloads: Sequence[Payload], media_type: str) -> object:
    found = _find(payloads, media_type)
    try:
        return json.loads(found) if found else None
    except ValueError:
        return None


def _find(payloads: Sequence[Payload], media_type: str) -> bytes:
    return next((p.content for p in payloads if p.media_type == media_type), b"")
