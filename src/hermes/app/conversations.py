"""What can be done with conversations: record, import, search, scroll, browse, put away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hermes.agent.lineage import END
from hermes.app.lineage import list_whole
from hermes.errors import NotFound
from hermes.guard.kept import kept_text
from hermes.memory.banks import DEFAULT, Belonging, check_bank, choose_bank
from hermes.memory.exporting import export_session
from hermes.memory.importing import (
    Import,
    Imported,
    Readable,
    Source,
    import_stream,
)
from hermes.memory.record import record_turns
from hermes.memory.sessions import (
    Preview,
    Scroll,
    SearchOptions,
    SessionSearch,
    browse_sessions,
    scroll_session,
    search_sessions,
)
from hermes.store.base import SessionFilter, Tx
from hermes.types import Bank, Message, Payload, Recorded, Role, Session, Turn

if TYPE_CHECKING:
    from hermes.app.root import App

PAGE = 500


class ConversationActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def record(self, turns: Sequence[Turn]) -> list[Recorded]:
        """Keep turns; on return they are on disk."""
        for turn in turns:
            check_bank(turn.session.bank or DEFAULT)
        return record_turns(self._app.store, turns, self._app.clock.now())

    def import_stream(
        self, stream: Readable, name: str, wanted: Import, *, began_at: int | None = None
    ) -> Imported:
        """Keep the conversations of OpenAI-style messages, a line each; `name` stands in errors.

        What tells no time of its own was said from `began_at` on, or now.
        """
        check_bank(wanted.session.bank or DEFAULT)
        now = self._app.clock.now()
        source = Source(stream, name, now if began_at is None else min(now, began_at))
        return import_stream(self._app.store, source, wanted, now)

    def export(self, session_id: str) -> Iterator[dict[str, Any]]:
        """Each message of a conversation as OpenAI-style JSON, which `import_stream` reads."""
        return export_session(self._app.store, session_id)

    def bank_for(self, belonging: Belonging) -> str:
        """The bank the configured strategy gives a conversation."""
        return choose_bank(self._app.config.memory.bank_strategy, belonging)

    def search(self, query: str, options: SearchOptions | None = None) -> SessionSearch:
        return search_sessions(self._app.store, query, options or SearchOptions())

    def scroll(
        self, place: str | int, *, bank: str = "", before: int = 5, after: int = 5
    ) -> Scroll:
        return scroll_session(self._app.store, place, bank=bank, before=before, after=after)

    def browse(self, wanted: SessionFilter | None = None, limit: int = 20) -> list[Preview]:
        return browse_sessions(self._app.store, wanted or SessionFilter(), limit)

    def list_sessions(self, wanted: SessionFilter | None = None, limit: int = END) -> list[Session]:
        """Newest activity first."""
        asked = wanted or SessionFilter()
        return self._app.store.read(lambda tx: tx.conversations.list_sessions(asked, limit))

    def get_session(self, session_id: str) -> Session:
        found = self._app.store.read(lambda tx: tx.conversations.find_session(session_id))
        if found is None:
            raise NotFound(f"There is no session {session_id!r}.", "See `hermes sessions list`.")
        return found

    def list_messages(self, session_id: str, *, after_id: int, limit: int) -> list[Message]:
        self.get_session(session_id)
        return self._app.store.read(
            lambda tx: tx.conversations.list_messages(session_id, after_id=after_id, limit=limit)
        )

    def list_whole(self, session: Session, *, after_id: int, limit: int) -> list[Message]:
        """As `list_messages`, and of a branch what was said before it branched off, too."""
        return self._app.store.read(
            lambda tx: list_whole(tx, session, after_id=after_id, limit=limit)
        )

    def count_unread(self, session_id: str) -> int:
        """How many messages the person wrote in a session that were not read for facts yet."""

        def read(tx: Tx) -> int:
            after, found = tx.extractions.upto(session_id), 0
            while page := tx.conversations.list_messages(session_id, after_id=after, limit=PAGE):
                found += sum(message.role is Role.USER for message in page)
                after = page[-1].id
            return found

        return self._app.store.read(read)

    def page(self, session_id: str, *, after_id: int = 0, limit: int = 100) -> Scroll:
        """The messages of a conversation from the start, or from after a message.

        A branch starts with what was said before it branched off.
        """
        session = self.get_session(session_id)
        found = self.list_whole(session, after_id=after_id, limit=limit + 1)
        return Scroll(
            session=session,
            messages=tuple(found[:limit]),
            anchor_id=0,
            has_before=after_id > 0,
            has_after=len(found) > limit,
        )

    def list_payloads(self, message_id: int) -> list[Payload]:
        return self._app.store.read(lambda tx: tx.conversations.list_payloads(message_id))

    def end(self, session_id: str) -> None:
        now = self._app.clock.now()
        self._app.store.write(lambda tx: tx.conversations.end_session(session_id, now))

    def retitle(self, session_id: str, title: str) -> None:
        kept = kept_text(title)
        self._app.store.write(lambda tx: tx.conversations.retitle_session(session_id, kept))

    def delete(self, session_id: str) -> None:
        """Put a session away; `restore` brings it back."""
        self.get_session(session_id)
        now = self._app.clock.now()
        self._app.store.write(lambda tx: tx.conversations.hide_session(session_id, now))

    def restore(self, session_id: str) -> None:
        self._app.store.write(lambda tx: tx.conversations.restore_session(session_id))

    def list_banks(self) -> list[Bank]:
        """Every bank; `default` is there from the start."""
        banks = self._app.store.read(lambda tx: tx.banks.list())
        if any(bank.name == DEFAULT for bank in banks):
            return banks
        return [Bank(DEFAULT, self._app.clock.now()), *banks]

    def get_bank(self, name: str) -> Bank:
        for bank in self.list_banks():
            if bank.name == check_bank(name):
                return bank
        raise NotFound(f"There is no bank {name!r}.", "See `hermes bank list`.")

    def create_bank(self, name: str, description: str = "") -> Bank:
        now = self._app.clock.now()
        bank = Bank(check_bank(name), now, description=kept_text(description))
        self._app.store.write(lambda tx: tx.banks.ensure(bank.name, now))
        if bank.description:
            self._app.store.write(lambda tx: tx.banks.describe(bank.name, bank.description))
        return self.get_bank(name)
