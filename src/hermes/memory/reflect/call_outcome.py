"""How a call ended, as the agent that made it knows: kept with the call's result.

It is a word in a fixed form, chosen by Hermes and never by what a tool gave back.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes.memory.payloads import OWN
from hermes.store.base import Tx
from hermes.types import Message, Payload, Role

OUTCOME = f"{OWN}outcome+json"
_FAULT = re.compile(
    r"(exit -?\d{1,3}|not allowed|timed out|wrong arguments|unknown tool|interrupted)?"
)


@dataclass(frozen=True, slots=True)
class Told:
    """Whether a call failed, and by what: `exit 3`, `not allowed`, `wrong arguments`."""

    failed: bool
    fault: str = ""


def pack_told(told: Told) -> Payload:
    value = {"failed": told.failed, "fault": told.fault}
    return Payload(OUTCOME, json.dumps(value).encode())


def find_told(payloads: Sequence[Payload]) -> Told | None:
    """What is told among payloads; what cannot be read tells nothing."""
    for payload in payloads:
        if payload.media_type == OUTCOME:
            match _parse(payload.content):
                case {"failed": bool(failed), "fault": str(fault)}:
                    return Told(failed, fault if _FAULT.fullmatch(fault) else "")
    return None


def read_told(tx: Tx, messages: Sequence[Message]) -> dict[int, Told]:
    """What is told of the results among messages, by their numbers."""
    found: dict[int, Told] = {}
    for message in messages:
        if message.role is Role.TOOL and message.payload_count:
            told = find_told(tx.conversations.list_payloads(message.id))
            if told is not None:
                found[message.id] = told
    return found


def _parse(content: bytes) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return None
