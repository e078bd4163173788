"""The doors of the real program: tokens handed out, the dashboard opened, MCP installed."""

import contextlib
import http.client
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from real_program import Program

from hermes.config.paths import Home
from hermes.config.running import find_daemon, token_file


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    found = Program((tmp_path / "home").resolve(), {"HOME": str(tmp_path)})
    yield found
    running = find_daemon(Home(found.home).profile("default"))
    if running is not None and running.pid:
        with contextlib.suppress(ProcessLookupError):  # it was about to end
            os.kill(running.pid, signal.SIGKILL)


def get(url: str, token: str = "") -> tuple[int, dict[str, str], bytes]:
    return ask("GET", url, token)


def ask(method: str, url: str, token: str) -> tuple[int, dict[str, str], bytes]:
    where = urlsplit(url)
    wire = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    wire.request(method, f"{where.path}?{where.query}", headers=headers)
    answer = wire.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    wire.close()
    return found


def test_tokens_are_made_listed_and_revoked(program: Program) -> None:
    made = program.json("token", "create", "my agent", "--read-only")
    assert made["token"].startswith("hermes.default.")
    assert program.run("token", "create", "--read-only", "--owner").returncode == 2
    plain = program.ok("token", "create").strip()
    listed = program.json("token", "list")
    assert [each["scope"] for each in listed] == ["read", "write"]
    assert "token" not in listed[0]
    assert plain not in program.ok("token", "list")
    assert program.run("token", "revoke", made["id"]).returncode == 2  # nobody was asked
    program.ok("token", "revoke", made["id"], "--yes")
    assert len(program.json("token", "list")) == 1
    assert program.run("token", "revoke", "nope", "--yes").returncode == 1


def test_open_starts_the_daemon_and_lets_a_browser_in(program: Program) -> None:
    link = program.ok("open", "--print").strip().splitlines()[-1]
    status, headers, _ = get(link)
    assert status == 303
    assert "HttpOnly" in headers["set-cookie"]
    assert get(link)[0] == 401
    url = program.json("status")["daemon"]["url"]
    assert link.startswith(url)
    token = token_file(Home(program.home).profile("default"))
    assert token.stat().st_mode & 0o777 == 0o600
    status, _, body = get(f"{url}/v1/status", token.read_text().strip())
    assert status == 200
    assert json.loads(body)["daemon"]["pid"] == program.json("status")["daemon"]["pid"]
    program.ok("backup", "now")
    shown = token.read_text().strip()
    program.ok("memory", "fact", "add", "User rows on Sundays")
    assert ask("POST", f"{url}/v1/backups/latest/restore", shown)[0] == 200
    assert program.json("memory", "facts", "list") == []  # and the same daemon goes on
    assert ask("POST", f"{url}/v1/backups/restore/undo", shown)[0] == 200
    assert len(program.json("memory", "facts", "list")) == 1
    assert json.loads(get(f"{url}/v1/status", shown)[2])["daemon"]["running"]
    program.ok("stop")
    assert program.json("status")["daemon"]["url"] is None


def test_a_public_place_without_tls_is_refused(program: Program) -> None:
    done = program.run("--set", "server.host=192.0.2.1", "start")
    assert done.returncode == 2
    assert "tlsCert" in done.stderr


def test_help_of_the_doors_loads_no_server(program: Program) -> None:
    for command in ("token", "mcp"):
        assert "Usage" in program.ok(command, "--help")
