"""The server itself: where it listens, how it ends, TLS, changes as they happen."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest

from doors import Address, open_doors, turn
from hermes.app import open_app
from hermes.app.tokens import Scope
from hermes.config.model import Config
from hermes.config.paths import Home
from hermes.config.running import address_file
from hermes.config.sections import ServerSettings
from hermes.errors import Conflict, UserError
from hermes.server.auth import Caller
from hermes.server.http.gate import may_take_long
from hermes.server.http.listen import bind, is_loopback
from hermes.server.http.logins import NONCE_S, SESSION_S, Logins
from hermes.server.http.patience import HEAD_BYTES
from hermes.server.http.serve import DRAIN_S, serving

OWNER = Caller("default", Scope.OWNER, "local")


def config(**settings: object) -> Config:
    return Config(server=ServerSettings.model_validate(settings))


@pytest.mark.parametrize("host", ["198.51.100.7", "::", "192.0.2.1", "memory.example"])
def test_a_public_place_needs_tls(host: str) -> None:
    with pytest.raises(UserError, match="without encryption"):
        bind(config(host=host))


@pytest.mark.parametrize(("host", "so"), [("127.0.0.1", True), ("::1", True), ("localhost", True)])
def test_this_machine_is_no_public_place(host: str, so: bool) -> None:
    assert is_loopback(host) is so


def test_a_taken_port_is_passed_over_unless_it_was_chosen() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Conflict, match="taken"):
            bind(config(port=port))
    first, second = bind(config()), bind(config())
    assert first.getsockname() != second.getsockname()
    first.close()
    second.close()


def test_the_address_is_told_while_it_serves(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home") as address:
        file = address_file(address.app.paths)
        told = json.loads(file.read_text())
        assert (told["url"], told["here"]) == (address.url, address.url)
        assert ("taken" in told) == (urlsplit(address.url).port != 8765)
        assert file.stat().st_mode & 0o777 == 0o600
    assert not file.exists()


def test_changes_come_as_they_happen_and_end_with_the_server(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home") as address:
        stream = address.connect()
        stream.request("GET", "/v1/changes", headers={"authorization": f"Bearer {address.token}"})
        answer = stream.getresponse()
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.readline() == b"event: hello\n"
        began = json.loads(answer.readline().removeprefix(b"data: "))["seq"]
        answer.readline()
        address.ask("POST", "/v1/turns", turn("Something new."))
        assert answer.readline().startswith(b"id: ")
        assert answer.readline() == b"event: change\n"
        change = json.loads(answer.readline().removeprefix(b"data: "))
        assert change["seq"] > began
        assert change["kind"]
        latest = address.ask("GET", "/v1/changes/latest").json()["seq"]
        assert latest >= change["seq"]
        again = read_change(address, f"/v1/changes?since={began}")
        assert again == change
        missed = read_change(address, f"/v1/changes?since={latest}", {"last-event-id": str(began)})
        assert missed == change
        stopping = time.monotonic()
    assert time.monotonic() - stopping < DRAIN_S  # which it would wait for what does not end
    rest = answer.read()
    assert b"error" not in rest
    stream.close()


def read_change(
    address: Address, path: str, headers: Mapping[str, str] = MappingProxyType({})
) -> object:
    stream = address.connect()
    stream.request("GET", path, headers={"authorization": f"Bearer {address.token}", **headers})
    answer = stream.getresponse()
    try:
        while not (line := answer.readline()).startswith(b'data: {"seq"') or b"kind" not in line:
            assert line
        return json.loads(line.removeprefix(b"data: "))
    finally:
        stream.close()


def test_what_runs_is_answered_before_the_end(tmp_path: Path) -> None:
    """A request under way when the server is told to stop gets its answer."""
    statuses: list[int] = []
    begun = threading.Event()

    def slow() -> dict[str, bool]:
        begun.set()
        time.sleep(0.3)
        return {"done": True}

    with open_doors(tmp_path / "home") as address:
        address.api.add_api_route("/v1/slow", slow)
        asking = threading.Thread(
            target=lambda: statuses.append(address.ask("GET", "/v1/slow").status)
        )
        asking.start()
        assert begun.wait(60)
    asking.join()
    assert statuses == [200]


def test_logins_end_in_time() -> None:
    now = [0.0]
    logins = Logins(lambda: now[0])
    late = logins.invite(OWNER)
    now[0] += NONCE_S + 1
    assert logins.enter(late) is None
    cookie = logins.enter(logins.invite(OWNER))
    assert cookie is not None
    now[0] += SESSION_S - 1
    assert logins.find(cookie) is not None  # and lasts on from here
    now[0] += SESSION_S - 1
    assert logins.find(cookie) is not None
    now[0] += SESSION_S + 1
    assert logins.find(cookie) is None
    assert logins.find("other") is None


def test_a_head_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    """Slow and silent connections are closed; those that ask, and rest between, are not."""
    paths = Home(tmp_path.resolve()).profile("default")
    with open_app(paths, {}, flags={"memory.embeddings.provider": "none"}) as app:
        with serving(app, head_s=0.4) as url:
            place = place_of(url)
            with socket.create_connection(place, timeout=30) as silent:
                assert silent.recv(100).startswith(b"HTTP/1.1 408")
            with socket.create_connection(place, timeout=30) as slow:
                assert drip(
                    slow, b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "
                ).startswith(b"HTTP/1.1 408")
        with serving(app, head_s=1.5) as url:
            patient = http.client.HTTPConnection(*place_of(url), timeout=30)
            for rest_s in (2, 0):  # longer than a head may take: a rest is no head
                patient.request("GET", "/healthz")
                assert patient.getresponse().read() == b'{"ok":true}'
                time.sleep(rest_s)
            patient.close()


def place_of(url: str) -> tuple[str, int]:
    where = urlsplit(url)
    return where.hostname or "", where.port or 0


def test_a_head_is_only_so_long(tmp_path: Path) -> None:
    paths = Home(tmp_path.resolve()).profile("default")
    with open_app(paths, {}, flags={"memory.embeddings.provider": "none"}) as app:
        with serving(app) as url:
            place = place_of(url)
            with socket.create_connection(place, timeout=30) as endless:
                endless.sendall(b"GET /healthz HTTP/1.1\r\nx-long: ")
                assert flood(endless).startswith(b"HTTP/1.1 431")
            for size, status in ((HEAD_BYTES - 1_000, 200), (HEAD_BYTES, 431)):  # in one piece
                whole = http.client.HTTPConnection(*place, timeout=30)
                whole.request("GET", "/healthz", headers={"x-long": "a" * size})
                assert whole.getresponse().status == status
                whole.close()


def drip(wire: socket.socket, start: bytes) -> bytes:
    """What is answered to a head that comes byte by byte."""
    wire.sendall(start)
    wire.settimeout(0.02)
    for _ in range(500):
        try:
            return wire.recv(100)
        except ConnectionResetError:  # closed while our byte was on its way
            return b"HTTP/1.1 408 (reset)"
        except TimeoutError:
            with suppress(BrokenPipeError, ConnectionResetError):
                wire.sendall(b"a")
    return b""


def flood(wire: socket.socket) -> bytes:
    wire.settimeout(10)
    try:
        for _ in range(100):
            wire.sendall(b"a" * 4096)
    except OSError:
        pass
    try:
        return wire.recv(100)
    except ConnectionResetError:
        return b"HTTP/1.1 431 (reset)"


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    """Also where an answer may take long: nobody has shown a token yet."""
    settings = {"server.requestTimeoutS": "1"}
    with open_doors(tmp_path / "home", settings) as address:
        where = urlsplit(address.url)
        for path in ("/v1/erase", "/v1/import", "/v1/facts"):
            with socket.create_connection((where.hostname or "", where.port), timeout=30) as slow:
                head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n"
                shown = f"content-type: application/json\r\nauthorization: Bearer {address.token}"
                slow.sendall(f"{head}{shown}\r\n\r\n{{".encode())
                assert slow.recv(100)[9:12] in (b"408", b"503"), path


def test_a_conversation_may_take_long_to_be_sent_and_no_other_answer_of_it() -> None:
    for path in ("/v1/export", "/v1/sessions/trip/export", "/v1/sessions/a/b/export"):
        assert may_take_long(path), path
    for path in ("/v1/sessions/trip", "/v1/sessions/trip/messages", "/v1/facts", "/x/export"):
        assert not may_take_long(path), path
