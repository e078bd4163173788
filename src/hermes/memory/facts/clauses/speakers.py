"""Who says "I" in a chat of several people: told by name, and never as the user unless it is them.

A chat with one speaker is the user's own, whatever they are called. Of several at most one is the
user, known by the name they gave; what the others say of themselves is about them. What "we" do
stays with the user's team: it is their chat.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.types import Message, Role

_OWNER = re.compile(r"\b(?:[Tt]he user|User)\b(?!'s team\b)")


class Speakers:
    """Who speaks in a chat; `owners` are the names by which the user is known."""

    def __init__(self, messages: Iterable[Message], owners: Sequence[str] = ()) -> None:
        named = {each.speaker.casefold() for each in messages if each.role is Role.USER}
        self._are_several = len(named - {""}) > 1
        self._owners = {name.casefold() for name in owners}
        self._owners |= {name.split()[0] for name in self._owners if name.strip()}

    def other(self, message: Message) -> str:
        """The name of whoever says this, if they are not the user."""
        own = not self._are_several or message.speaker.casefold() in self._owners
        return "" if own else message.speaker


def tell_of(speaker: str, candidate: Candidate) -> Candidate:
    """The candidate about its speaker; as it is where that is the user, or it is of no person."""
    text = name_in(speaker, candidate.text) if speaker else candidate.text
    if text == candidate.text:
        return candidate
    subject = speaker if candidate.subject == USER else candidate.subject
    return replace(candidate, text=text, subject=subject)


def name_in(speaker: str, text: str) -> str:
    """A statement about the user, about this speaker instead."""
    return _OWNER.sub(lambda _: speaker, text)
