"""Reading for facts without bringing back what was erased: its source may still be there."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from hermes.memory.erase.tombs import Graveyard
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.extraction import Reader, Reading
from hermes.store.base import Store, Tx
from hermes.types import Message

REFUSED = "It was erased, and is not learnt again from what was said before that."


class BarringReader:
    """Another reader's findings, without those that were erased after they were said.

    `graveyard` is asked after the other has read: a model may take minutes to reply.
    """

    def __init__(self, reader: Reader, store: Store, graveyard: Callable[[Tx], Graveyard]) -> None:
        self._reader = reader
        self._store = store
        self._graveyard = graveyard
        self.name = reader.name

    def read(self, messages: Sequence[Message], context: Sequence[Message]) -> Reading:
        found = self._reader.read(messages, context)
        if not found.candidates:
            return found
        by_id = {message.id: message for message in messages}

        def look(tx: Tx) -> list[Candidate]:
            yard = self._graveyard(tx)
            banks = _banks(tx, messages) if yard else {}
            return [
                each
                for each in found.candidates
                if not _was_erased(yard, each, by_id.get(each.message_id or 0), banks)
            ]

        kept = self._store.read(look)
        refused = [REFUSED] * (len(found.candidates) - len(kept))
        return replace(found, candidates=tuple(kept), refused=(*found.refused, *refused))


def _banks(tx: Tx, messages: Sequence[Message]) -> dict[str, str]:
    names = {message.session_id for message in messages}
    sessions = [tx.conversations.find_session(name) for name in sorted(names)]
    return {session.id: session.bank for session in sessions if session is not None}


def _was_erased(
    yard: Graveyard, found: Candidate, message: Message | None, banks: dict[str, str]
) -> bool:
    if not yard or message is None or message.session_id not in banks:
        return False
    bank, claim = banks[message.session_id], (found.subject, found.attribute, found.value)
    if yard.has_fact(bank, found.text, claim, at=message.at):
        return True
    return yard.has_words([found.text, *claim], at=message.at)
