"""Who gets in over a real socket: tokens, hosts, origins, types, sizes, times, cookies."""

import json
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from doors import Address, open_doors, turn
from hermes.app import App, open_app
from hermes.app.tokens import Scope, digest_of, tokens_file
from hermes.config.profiles import create_profile
from hermes.server.auth import Failures
from hermes.server.http.gate import SAFE_HEADERS, TYPES
from hermes.server.http.profiles import Profiles

READS_BY_POST = {"/v1/recall", "/v1/search", "/v1/sessions/search", "/v1/backups/{name}/verify"}
OPEN = {"/healthz", "/readyz", "/login", "/logout", "/v1/openapi.json", "/mcp"}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


def test_without_a_token_nothing_is_told(address: Address) -> None:
    for token in ("", "wrong", "hermes.default.wrong", "hermes.nobody.x", "hermes.../.x"):
        answer = address.ask("GET", "/v1/status", token=token)
        assert answer.status == 401
        assert set(answer.json()) == {"error", "message", "hint"}
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert address.ask("GET", f"/v1/status?token={address.token}", token="").status == 401
    basic = {"authorization": f"Basic {address.token}"}
    assert address.raw("GET", "/v1/status", None, basic).status == 401


def test_health_says_that_it_lives_and_nothing_else(address: Address) -> None:
    answer = address.ask("GET", "/healthz", token="")
    assert answer.json() == {"ok": True}


def test_every_route_asks_for_a_token(address: Address) -> None:
    described = address.ask("GET", "/v1/openapi.json", token="").json()
    seen = 0
    for path, methods in described["paths"].items():
        if path in OPEN:
            continue
        for method in methods:
            place = path.replace("{", "").replace("}", "")
            seen += 1
            assert address.ask(method.upper(), place, {}, token="x").status in (401, 429), path
    assert seen > 60


def test_a_token_that_may_read_changes_nothing(address: Address) -> None:
    _, secret = address.app.tokens.create("looker", Scope.READ)
    described = address.ask("GET", "/v1/openapi.json", token="").json()
    for path, methods in described["paths"].items():
        for method in methods:
            if method == "get" or path in READS_BY_POST:
                continue
            place = path.replace("{", "").replace("}", "")
            answer = address.ask(method.upper(), place, {}, token=secret)
            assert answer.status == 403, (method, path, answer.body)
    assert address.ask("GET", "/v1/status", token=secret).status == 200
    assert address.ask("GET", "/v1/profiles", token=secret).status == 403


def test_a_token_that_may_write_owns_nothing(address: Address) -> None:
    _, secret = address.app.tokens.create("writer")
    assert address.ask("POST", "/v1/turns", turn("Hi."), token=secret).status == 201
    for method, path in (
        ("POST", "/v1/erase"),
        ("POST", "/v1/import"),
        ("POST", "/v1/login"),
        ("GET", "/v1/profiles"),
        ("POST", "/v1/backups/latest/restore"),
    ):
        assert address.ask(method, path, {}, token=secret).status == 403, path


def test_the_profile_comes_from_the_token(address: Address) -> None:
    paths = create_profile(address.app.paths.home, "work")
    with open_app(paths, {}) as app:
        _, secret = app.tokens.create("work")
    address.ask("POST", "/v1/turns", turn("A secret of work.", "w"), token=secret)
    address.ask("POST", "/v1/turns", turn("A secret of home.", "h"))
    assert address.ask("GET", "/v1/status", token=secret).json()["profile"] == "work"
    ids = [each["id"] for each in address.ask("GET", "/v1/sessions", token=secret).json()["items"]]
    assert ids == ["w"]
    ids = [each["id"] for each in address.ask("GET", "/v1/sessions").json()["items"]]
    assert ids == ["h"]


def test_the_owner_of_one_profile_learns_nothing_of_another(address: Address) -> None:
    paths = create_profile(address.app.paths.home, "mine")
    with open_app(paths, {}) as app:
        _, secret = app.tokens.create("mine", Scope.OWNER)
    address.ask("POST", "/v1/facts", {"text": "User practises falconry"})
    sure = {"matching": ["falconry"], "prove": True, "confirm": True}
    done = address.ask("POST", "/v1/erase", sure, token=secret)
    assert done.status == 200
    assert done.json()["proof"]["found"] == []
    assert address.ask("GET", "/v1/profiles", token=secret).status == 403
    assert address.ask("DELETE", "/v1/profiles/default", token=secret).status == 403
    assert address.ask("GET", "/v1/facts").json()["items"]


def test_tokens_are_kept_as_hashes_and_taken_back(address: Address) -> None:
    token, secret = address.app.tokens.create("once", Scope.READ)
    file = tokens_file(address.app.paths)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = file.read_text()
    assert secret not in text
    assert secret.rpartition(".")[2] not in text
    assert digest_of(secret) in text
    assert len(secret.rpartition(".")[2]) >= 43  # 256 bits
    assert address.ask("GET", "/v1/status", token=secret).status == 200
    address.app.tokens.revoke(token.id)
    assert address.ask("GET", "/v1/status", token=secret).status == 401


def test_a_configured_token_opens_too(tmp_path: Path) -> None:
    chosen = "chosen-by-the-person-and-long-enough"
    with open_doors(tmp_path / "home", {"server.token": chosen}) as address:
        assert address.ask("GET", "/v1/status", token=chosen).status == 200
        assert address.ask("GET", "/v1/status").status == 200


def test_wrong_tokens_are_slowed_down_and_right_ones_are_not(address: Address) -> None:
    statuses = [address.ask("GET", "/v1/status", token=f"no{n}").status for n in range(14)]
    assert statuses[:10] == [401] * 10
    assert statuses[-1] == 429
    last = address.ask("GET", "/v1/status", token="no")
    assert int(last.headers["retry-after"]) >= 1
    assert address.ask("GET", "/v1/status").status == 200


def test_failures_are_forgiven_with_time() -> None:
    failures = Failures(most=2, per_s=10.0)
    assert [failures.count("a", now_s=0.0) for _ in range(2)] == [0.0, 0.0]
    assert failures.count("a", now_s=0.0) > 0
    assert failures.count("b", now_s=0.0) == 0.0
    assert failures.count("a", now_s=10.0) == 0.0


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", ""]
)
def test_another_host_is_refused(address: Address, host: str) -> None:
    answer = raw_request(address, f"GET /v1/status HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert answer.startswith((b"HTTP/1.1 421", b"HTTP/1.1 400"))


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:8765"])
def test_our_own_names_are_let_in(address: Address, host: str) -> None:
    assert address.ask("GET", "/v1/status", headers={"host": host}).status == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_probe_may_call_us_by_any_name(address: Address, path: str) -> None:
    asked = address.ask("GET", path, token="", headers={"host": "10.1.2.3:8765"})
    assert (asked.status, asked.json()["ok"]) == (200, True)


def test_a_host_can_be_allowed(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home", {"server.allowedHosts": "memory.example"}) as address:
        assert address.ask("GET", "/v1/status", headers={"host": "memory.example"}).status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1", "x"])
def test_another_origin_is_refused(address: Address, origin: str) -> None:
    for method, path in (("GET", "/v1/status"), ("POST", "/v1/turns"), ("GET", "/healthz")):
        answer = address.ask(method, path, headers={"origin": origin})
        assert answer.status == 403, (method, path)
        assert "access-control-allow-origin" not in answer.headers


def test_a_cross_site_form_is_refused_even_without_an_origin(address: Address) -> None:
    headers = {"sec-fetch-site": "cross-site"}
    assert address.ask("POST", "/v1/turns", turn("x"), headers=headers).status == 403


def test_an_allowed_origin_may_read_the_answer(tmp_path: Path) -> None:
    page = "https://notes.example"
    with open_doors(tmp_path / "home", {"server.allowedOrigins": page}) as address:
        asked = {"origin": page, "access-control-request-method": "POST"}
        preflight = address.raw("OPTIONS", "/v1/turns", None, asked)
        assert preflight.status == 204
        assert preflight.headers["access-control-allow-origin"] == page
        answer = address.ask("GET", "/v1/status", headers={"origin": page})
        assert answer.status == 200
        assert answer.headers["access-control-allow-origin"] == page
        assert address.ask("GET", "/v1/status", headers={"origin": "https://e.x"}).status == 403


def test_our_own_origin_is_let_in(address: Address) -> None:
    assert address.ask("GET", "/v1/status", headers={"origin": address.url}).status == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
def test_a_write_is_json(address: Address, kind: str) -> None:
    body = json.dumps(turn("x")).encode()
    answer = address.ask("POST", "/v1/turns", body, headers={"content-type": kind})
    assert answer.status == 415
    assert address.ask("GET", "/v1/sessions").json()["items"] == []


def test_a_long_body_is_refused_by_its_length(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home", {"server.maxBodyMb": "1"}) as address:
        long = turn("x" * (2 << 20))
        assert address.ask("POST", "/v1/turns", long).status == 413
        head = (
            "POST /v1/turns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {address.token}\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b"40000\r\n" + b" " * 0x40000 + b"\r\n"
        answer = raw_request(address, head.encode() + chunk * 6)
        assert answer.startswith(b"HTTP/1.1 413")


def test_a_request_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with open_doors(tmp_path / "home", {"server.requestTimeoutS": "0.3"}) as address:
        head = (
            "POST /v1/turns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {address.token}\r\nContent-Length: 100\r\n\r\n"
        )
        began = time.monotonic()
        assert raw_request(address, head.encode()).startswith(b"HTTP/1.1 503")
        assert time.monotonic() - began < 10


def test_every_answer_has_safe_headers(address: Address) -> None:
    for path in ("/healthz", "/v1/status", "/v1/nope", "/nope"):
        headers = address.ask("GET", path).headers
        for name in SAFE_HEADERS:
            assert name in headers, (path, name)
        assert "server" not in headers


def test_a_browser_is_let_in_by_a_link_that_works_once(address: Address) -> None:
    told = address.ask("POST", "/v1/login").json()
    link = urlsplit(told["url"])
    assert f"{link.scheme}://{link.netloc}" == address.url
    path = f"{link.path}?{link.query}"
    answer = address.raw("GET", path, None, {})
    assert answer.status == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Path=/" in cookie
    assert address.raw("GET", path, None, {}).status == 401
    shown = {"cookie": cookie.partition(";")[0]}
    assert address.raw("GET", "/v1/status", None, shown).status == 200


def test_a_cookie_writes_only_with_proof_that_it_is_our_page(address: Address) -> None:
    cookie = address.login()
    secret = cookie.partition("=")[2]
    login = address.api.state.entry.logins.find(secret)
    assert login is not None
    body = json.dumps(turn("By the page.")).encode()
    headers = {"cookie": cookie, "content-type": "application/json"}
    assert address.raw("POST", "/v1/turns", body, headers).status == 403
    wrong = {**headers, "x-csrf-token": "wrong"}
    assert address.raw("POST", "/v1/turns", body, wrong).status == 403
    right = {**headers, "x-csrf-token": login.csrf}
    assert address.raw("POST", "/v1/turns", body, right).status == 201
    form = {"cookie": cookie, "content-type": "application/x-www-form-urlencoded"}
    assert address.raw("POST", "/logout", b"csrf=wrong", form).status == 403
    assert address.raw("POST", "/logout", f"csrf={login.csrf}".encode(), form).status == 303
    assert address.raw("GET", "/v1/status", None, {"cookie": cookie}).status == 401


def test_what_goes_wrong_inside_is_not_told(address: Address) -> None:
    tokens_file(address.app.paths).write_text("{broken")
    answer = address.ask("GET", "/v1/status", token="hermes.default.x")
    assert answer.status == 500
    assert str(address.app.paths.root) not in answer.body.decode()
    assert answer.json()["error"] == "Corrupt"


@pytest.mark.parametrize(
    "sent", [b"\x00" * 40 + b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n"]
)
def test_garbage_does_not_stop_the_server(address: Address, sent: bytes) -> None:
    raw_request(address, sent)
    assert address.ask("GET", "/healthz").status == 200


def raw_request(address: Address, sent: bytes) -> bytes:
    """What a server says to bytes that no library would send."""
    where = urlsplit(address.url)
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=30) as wire:
        try:
            wire.sendall(sent)
            wire.shutdown(socket.SHUT_WR) if b"HTTP/1.1" not in sent else None
            return wire.recv(4096)
        except (ConnectionResetError, BrokenPipeError):
            return b""


def test_a_mistake_of_ours_is_a_plain_500(address: Address) -> None:
    async def boom() -> None:
        raise RuntimeError("a secret /etc/path")

    address.api.add_api_route("/v1/boom", boom)
    answer = address.ask("GET", "/v1/boom")
    assert answer.status == 500
    assert set(answer.json()) == {"error", "message", "hint"}
    assert b"secret" not in answer.body
    assert "content-security-policy" in answer.headers


def test_a_cookie_ends_with_the_token_it_was_made_by(address: Address) -> None:
    token, secret = address.app.tokens.create("browser", Scope.OWNER)
    link = urlsplit(address.ask("POST", "/v1/login", token=secret).json()["url"])
    answer = address.raw("GET", f"{link.path}?{link.query}", None, {})
    shown = {"cookie": answer.headers["set-cookie"].partition(";")[0]}
    assert address.raw("GET", "/v1/status", None, shown).status == 200
    address.app.tokens.revoke(token.id)
    assert address.raw("GET", "/v1/status", None, shown).status == 401


def test_a_profile_is_opened_off_the_event_loop(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_app(create_profile(address.app.paths.home, "slow"), {}) as other:
        _, secret = other.tokens.create("writer")
    threads: list[str] = []

    def opened(profiles: Profiles, name: str) -> App:
        threads.append(threading.current_thread().name)
        return profiles.own

    monkeypatch.setattr(Profiles, "_open", opened)
    assert address.ask("GET", "/v1/status", token=secret).status == 200
    assert len(threads) == 1
    assert "worker" in threads[0].lower()
    address.api.state.entry.profiles._others.clear()


@pytest.mark.parametrize("path", sorted(TYPES))
def test_an_import_says_of_what_type_it_is(address: Address, path: str) -> None:
    token = f"Bearer {address.token}"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        sent = {"authorization": token, "content-type": kind}
        answer = address.raw("POST", path, b"{}", sent)
        assert answer.status == 415, kind
        assert all(known in answer.json()["hint"] for known in TYPES[path])
    for kind in TYPES[path]:
        sent = {"authorization": token, "content-type": f"{kind}; charset=utf-8"}
        assert address.raw("POST", path, b"{}", sent).status == 400, kind  # read, and no export
    described = address.ask("GET", "/v1/openapi.json").json()["paths"][path]["post"]
    assert list(described["requestBody"]["content"]) == list(TYPES[path])
