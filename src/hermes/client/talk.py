"""Conversations through the client."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hermes.client.transport import Fields, Transport, as_shape, compose, escape
from hermes.types import Role
from hermes.wire import talk as wire
from hermes.wire.base import Listed

CHUNK = 1 << 18


class Sessions:
    """Record, search, read and put away conversations."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def record(self, turn: wire.NewTurn | Fields) -> wire.Receipt:
        """Keep one turn; on return it is on disk."""
        body = as_shape(wire.NewTurn, turn)
        return self._transport.post(wire.Receipt, "/v1/turns", body)

    def record_all(self, turns: Sequence[wire.NewTurn | Fields]) -> list[wire.Receipt]:
        """Keep several turns, all or none."""
        body = compose(wire.NewTurns, turns=list(turns))
        return self._transport.post(wire.Receipts, "/v1/turns/batch", body).receipts

    def list(
        self,
        *,
        bank: str = "",
        before: str = "",
        before_id: str = "",
        before_last_at: str = "",
        deleted: bool = False,
        limit: int = 20,
    ) -> Listed[wire.Preview]:
        """Newest first; `before_id`, the last of a page, asks for the next one, with its `last_at`
        as `before_last_at` also if it was spoken in since.
        """
        return self._transport.get(
            Listed[wire.Preview],
            "/v1/sessions",
            bank=bank,
            before=before,
            before_id=before_id,
            before_last_at=before_last_at,
            deleted=deleted,
            limit=limit,
        )

    def search(
        self, query: str, *, bank: str = "", limit: int = 5, roles: Iterable[Role | str] = ()
    ) -> wire.SessionSearch:
        body = compose(wire.SessionQuestion, query=query, bank=bank, limit=limit, roles=list(roles))
        return self._transport.post(wire.SessionSearch, "/v1/sessions/search", body)

    def get(self, session_id: str) -> wire.Session:
        return self._transport.get(wire.Session, f"/v1/sessions/{escape(session_id)}")

    def messages(self, session_id: str, *, after_id: int = 0, limit: int = 100) -> wire.Scroll:
        path = f"/v1/sessions/{escape(session_id)}/messages"
        return self._transport.get(wire.Scroll, path, after_id=after_id, limit=limit)

    def around(self, message_id: int, *, before: int = 5, after: int = 5) -> wire.Scroll:
        path = f"/v1/messages/{message_id}/around"
        return self._transport.get(wire.Scroll, path, before=before, after=after)

    def payloads(self, message_id: int) -> Listed[wire.Payload]:
        path = f"/v1/messages/{message_id}/payloads"
        return self._transport.get(Listed[wire.Payload], path)

    def end(self, session_id: str) -> wire.Session:
        return self._transport.post(wire.Session, f"/v1/sessions/{escape(session_id)}/end")

    def retitle(self, session_id: str, title: str) -> wire.Session:
        path, body = f"/v1/sessions/{escape(session_id)}", compose(wire.Retitle, title=title)
        return self._transport.ask(wire.Session, "PATCH", path, body=body)

    def delete(self, session_id: str) -> wire.Session:
        path = f"/v1/sessions/{escape(session_id)}"
        return self._transport.ask(wire.Session, "DELETE", path)

    def restore(self, session_id: str) -> wire.Session:
        return self._transport.post(wire.Session, f"/v1/sessions/{escape(session_id)}/restore")

    def export(self, session_id: str) -> Iterator[str]:
        """A conversation as lines of JSON."""
        with self._transport.stream(f"/v1/sessions/{escape(session_id)}/export") as answer:
            yield from answer.iter_lines()

    def import_lines(
        self, lines: Iterable[bytes], *, session: str = "", bank: str = "", title: str = ""
    ) -> wire.Taken:
        """Take in OpenAI-style messages, one JSON object a line."""
        path = "/v1/sessions/import"
        chunks = iter(lines)
        return self._transport.send(
            wire.Taken, path, chunks, session=session, bank=bank, title=title
        )

    def import_file(self, file: Path, *, session: str = "", bank: str = "") -> wire.Taken:
        with file.open("rb") as stream:
            chunks = iter(lambda: stream.read(CHUNK), b"")
            return self.import_lines(chunks, session=session, bank=bank)

    def banks(self) -> Listed[wire.Bank]:
        return self._transport.get(Listed[wire.Bank], "/v1/banks")

    def bank(self, name: str) -> wire.Bank:
        return self._transport.get(wire.Bank, f"/v1/banks/{escape(name)}")

    def create_bank(self, name: str, description: str = "") -> wire.Bank:
        body = compose(wire.NewBank, name=name, description=description)
        return self._transport.post(wire.Bank, "/v1/banks", body)
