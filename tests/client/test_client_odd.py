"""The client where something is odd, asked or answered: always a HermesError, in one line."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from doors import open_doors
from hermes.client import Client
from hermes.client.client import find_address, find_token
from hermes.config.paths import Home
from hermes.config.running import address_file, token_file
from hermes.errors import HermesError, NotFound, Unavailable, UserError


@contextmanager
def answering(status: str, body: bytes, *, told_length: int | None = None) -> Iterator[str]:
    """A server that answers every request with the same bytes; its address."""
    length = len(body) if told_length is None else told_length
    head = f"HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"

    def serve() -> None:
        while True:
            try:
                wire, _ = listening.accept()
            except OSError:
                return
            with wire:
                wire.recv(65_536)
                wire.sendall(head.encode() + body)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


ANSWERS = [
    ("200 OK", b"<html>A portal: please log in</html>"),
    ("200 OK", b"[]"),
    ("200 OK", b"null"),
    ("200 OK", b'{"items": 7}'),
    ("200 OK", b"\xff\xfe"),
    ("200 OK", b""),
    ("204 No Content", b""),
    ("302 Found", b""),
    ("404 Not Found", b"no such page"),
    ("422 Unprocessable", b'{"detail": []}'),
    ("500 Oops", b"Traceback"),
    ("502 Bad Gateway", b"<html>nginx</html>"),
    ("599 Odd", b'{"error": "Odd", "message": "Odd", "hint": ""}'),
]


@pytest.mark.parametrize(("status", "body"), ANSWERS)
def test_odd_answers(status: str, body: bytes) -> None:
    calls: list[Callable[[Client], object]] = [
        lambda client: client.status(),
        lambda client: client.facts.list(),
        lambda client: client.facts.add("User rows"),
        lambda client: client.recall("Row"),
        lambda client: client.keeping.undo_compact(),
    ]
    with answering(status, body) as url, Client(url, "t") as client:
        for call in calls:
            with pytest.raises(HermesError) as caught:
                call(client)
            assert caught.value.message
            assert "\n" not in caught.value.message, "one line, as everywhere"
            assert "pydantic" not in caught.value.message


def test_an_answer_that_is_cut_short() -> None:
    with answering("200 OK", b'{"items": [', told_length=400) as url, Client(url, "t") as client:
        with pytest.raises(Unavailable, match="does not answer"):
            client.facts.list()
        with pytest.raises(Unavailable):
            list(client.keeping.export())


def test_changes_that_are_none() -> None:
    line = b'event: change\ndata: {"kind": "facts", "seq": "many"}\n\n'
    with answering("200 OK", line) as url, Client(url, "t") as client:
        with pytest.raises(Unavailable, match="StoreChange"):
            next(client.changes())


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.recall("Row", budget_tokens=1),
        lambda client: client.recall(None),
        lambda client: client.search("Row", types=["dream"]),
        lambda client: client.sessions.record({"messages": []}),
        lambda client: client.sessions.record("We paddle."),
        lambda client: client.sessions.record({"messages": [{"role": "bard", "content": "x"}]}),
        lambda client: client.facts.add({"text": "x", "mood": "glad"}),
        lambda client: client.facts.list(kind="dream"),
        lambda client: client.facts.get(""),
        lambda client: client.events.record("dream", "x"),
        lambda client: client.events.list(kind="dream"),
        lambda client: client.notes.read("diary"),
        lambda client: client.jobs.ask(),
    ],
)
def test_odd_questions(tmp_path: Path, call: Callable[[Client], object]) -> None:
    with open_doors(tmp_path / "home") as address:
        with Client.local(address.app.paths) as client, pytest.raises(UserError) as caught:
            call(client)
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_words_do_for_choices(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home") as address, Client.local(address.app.paths) as client:
        said = [{"role": "user", "content": "We paddle."}]
        assert client.sessions.record({"session": {"id": "trip"}, "messages": said}).message_ids
        assert client.facts.add({"text": "User prefers tea", "kind": "preference"}).fact
        assert len(client.facts.list(kind="preference").items) == 1
        assert client.facts.list(kind="deadline").items == []
        assert client.events.record("decision", "Tea it is").id
        assert client.events.list(kind="decision").items


@pytest.mark.parametrize(
    ("url", "token"), [("http://[", "t"), ("http://127.0.0.1:1", "ü\n"), ("", "t"), ("no", "t")]
)
def test_odd_addresses(url: str, token: str) -> None:
    with pytest.raises(HermesError), Client(url, token) as client:
        client.status()


def test_a_client_that_is_closed() -> None:
    client = Client("http://127.0.0.1:1", "t")
    client.close()
    with pytest.raises(UserError, match="closed"):
        client.status()


@pytest.mark.parametrize("text", ["", "[]", "{}", '"http"', "null", "{"])
def test_odd_files_of_a_daemon(tmp_path: Path, text: str) -> None:
    paths = Home(tmp_path).profile("default")
    paths.run.mkdir(parents=True)
    address_file(paths).write_text(text)
    token_file(paths).write_bytes(b"\xff")
    with pytest.raises(NotFound, match="No daemon"):
        find_address(paths)
    with pytest.raises(NotFound, match="no token"):
        find_token(paths)
