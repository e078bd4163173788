"""kill -9 of the daemon while clients record over REST: what was acknowledged is there."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hermes.app import open_app
from hermes.config.paths import Home, ProfilePaths
from hermes.config.running import address_file, token_file
from hermes.memory.sessions import SearchOptions

ROUNDS = 3
CLIENTS = 8
ENOUGH = 60
WAIT_S = 60.0


@pytest.mark.slow
def test_nothing_acknowledged_over_rest_is_lost(tmp_path: Path) -> None:
    paths = Home((tmp_path / "home").resolve()).profile("default")
    acknowledged: set[str] = set()
    for number in range(ROUNDS):
        acknowledged |= record_until_killed(paths, number)
    assert len(acknowledged) >= ROUNDS * ENOUGH
    with open_app(paths, {}) as app:
        sessions = app.conversations.list_sessions()
        kept = {
            message.text
            for session in sessions
            for message in app.conversations.list_messages(session.id, after_id=0, limit=10**6)
        }
        assert acknowledged - kept == set()
        assert all(finding.level != "failed" for finding in app.store.check())
        assert app.conversations.search("turn", SearchOptions(limit=1)).hits


def record_until_killed(paths: ProfilePaths, number: int) -> set[str]:
    """The texts that were acknowledged before the daemon was killed under load."""
    process = start(paths)
    done: set[str] = set()
    clients = [
        threading.Thread(target=record, args=(paths, f"{number}-{n}", done)) for n in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    until(lambda: len(done) >= ENOUGH)
    process.send_signal(signal.SIGKILL)
    for client in clients:
        client.join(WAIT_S)
    process.wait()
    address_file(paths).unlink(missing_ok=True)
    return done


def record(paths: ProfilePaths, name: str, done: set[str]) -> None:
    where = urlsplit(json.loads(address_file(paths).read_text())["url"])
    token = token_file(paths).read_text().strip()
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=WAIT_S)
    with closing(connection) as wire:
        for n in range(100_000):
            text = f"turn {name} number {n}"
            body = {"session": {"id": name}, "messages": [{"role": "user", "content": text}]}
            try:
                wire.request("POST", "/v1/turns", json.dumps(body).encode(), headers)
                answer = wire.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                return
            assert answer.status == 201
            done.add(text)


def start(paths: ProfilePaths) -> "subprocess.Popen[bytes]":
    environ = {k: v for k, v in os.environ.items() if not k.startswith("HERMES_")}
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "hermes", "--home", str(paths.home.root)),
            *("--set", "memory.embeddings.provider=none", "start", "--foreground"),
        ],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: address_file(paths).exists() and token_file(paths).exists())
    return process


def until(is_so: Callable[[], bool]) -> None:
    give_up_s = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < give_up_s
        time.sleep(0.02)
