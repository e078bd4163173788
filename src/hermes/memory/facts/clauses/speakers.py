"""Who says "I" in a chat of several people: told by name, and never as the user unless it is them.

A chat with one speaker is the user's own, whatever they are called. Of several at most one is the
user, known by the name they gave; what the others say of themselves is about them. What "we" do
stays with the user's team: it is their chat.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hermes.guard.text import clean
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.candidate import USER, Candidate
from hermes.types import Message, Role

MOST_NAME = 80  # characters: whoever names themselves writes into every fact about them
_OWNER = re.compile(r"\b(?:[Tt]he user|User)\b(?!'s team\b)(?P<next>(?:'s)?(?:\s+\w+)?)")
_THE_USER = {alias_key(USER), alias_key("the user")}


class Speakers:
    """Who speaks in a chat; `owners` are the names by which the user is known."""

    def __init__(self, messages: Iterable[Message], owners: Sequence[str] = ()) -> None:
        named = {_name(each).casefold() for each in messages if each.role is Role.USER}
        self._are_several = len(named - {""}) > 1
        self._owners = {name.casefold() for name in owners}
        self._owners |= {name.split()[0] for name in self._owners if name.strip()}

    def other(self, message: Message) -> str:
        """The name of whoever says this, if they are not the user.

        Nobody becomes the user by calling themselves so.
        """
        name = _name(message)
        if not self._are_several or name.casefold() in self._owners:
            return ""
        return f"someone called {name}" if alias_key(name) in _THE_USER else name


def _name(message: Message) -> str:
    """A speaker's name in one line that can be seen."""
    return " ".join(clean(message.speaker).text.split())[:MOST_NAME].rstrip()


def tell_of(speaker: str, candidate: Candidate) -> Candidate:
    """The candidate about its speaker; as it is where that is the user, or it is of no person."""
    text = name_in(speaker, candidate.text, candidate.quote) if speaker else candidate.text
    if text == candidate.text:
        return candidate
    is_users = alias_key(candidate.subject) in _THE_USER
    names = tuple(dict.fromkeys((speaker, *candidate.entities)))
    subject = speaker if is_users else candidate.subject
    return replace(candidate, text=text, subject=subject, entities=names)


def is_own_name(candidate: Candidate, speaker: str) -> bool:
    """ "I'm Tom", said by Tom: whoever is told by name has one."""
    named = candidate.attribute == "name" and candidate.subject == speaker
    return named and candidate.value.casefold() == speaker.casefold()


def name_in(speaker: str, text: str, quote: str) -> str:
    """A statement about the user, about this speaker instead.

    Users that the quote speaks of are others: "User Experience", "the user manual".
    """
    said = quote.casefold()

    def name(found: re.Match[str]) -> str:
        return found[0] if found[0].casefold() in said else speaker + found["next"]

    return _OWNER.sub(name, text)
