"""A server on a real socket, for tests of REST, the client, MCP and the dashboard."""

import http.client
import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI

from hermes.app import App, open_app
from hermes.clock import Clock
from hermes.config.paths import Home, ProfilePaths
from hermes.config.running import token_file
from hermes.server.daemon import ensure_token
from hermes.server.http.api import create_api
from hermes.server.http.serve import serving

WAIT_S = 60


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Address:
    """A server, and a token that owns its profile."""

    url: str
    token: str = field(repr=False)
    app: App = field(repr=False)
    api: FastAPI = field(repr=False)
    context: ssl.SSLContext | None = field(default=None, repr=False)

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request on a connection of its own; `body` goes as JSON, bytes go as they are."""
        shown = self.token if token is None else token
        sent: dict[str, str] = {"authorization": f"Bearer {shown}"} if shown else {}
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if content is not None:
            sent["content-type"] = "application/json"
        return self.raw(method, path, content, {**sent, **(headers or {})})

    def raw(
        self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        connection = self.connect()
        try:
            connection.request(method, path, content, {k: v for k, v in headers.items() if v})
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read())
        finally:
            connection.close()

    def connect(self) -> http.client.HTTPConnection:
        where = urlsplit(self.url)
        if where.scheme == "https":
            return http.client.HTTPSConnection(
                where.hostname or "", where.port, timeout=WAIT_S, context=self.context
            )
        return http.client.HTTPConnection(where.hostname or "", where.port, timeout=WAIT_S)

    def login(self) -> str:
        """The Cookie header of a browser that followed the link of `hermes open`."""
        link = urlsplit(self.ask("POST", "/v1/login").json()["url"])
        answer = self.raw("GET", f"{link.path}?{link.query}", None, {})
        assert answer.status == 303, answer.body
        return answer.headers["set-cookie"].partition(";")[0]


@contextmanager
def open_doors(
    home: Path, settings: Mapping[str, str] | None = None, *, clock: Clock | None = None
) -> Iterator[Address]:
    """A server of the default profile below `home`, in this process, on a free port."""
    paths = Home(home.resolve()).profile("default")
    flags = {"memory.embeddings.provider": "none", **(settings or {})}
    with open_app(paths, {}, flags=flags, clock=clock) as app:
        ensure_token(token_file(paths))
        api = create_api(app)
        with serving(app, api=api) as url:
            yield Address(url, token_of(paths), app, api)


def token_of(paths: ProfilePaths) -> str:
    return token_file(paths).read_text("ascii").strip()


def turn(text: str, session: str = "", **more: object) -> dict[str, object]:
    """A turn as it is sent."""
    said = [{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}]
    return {"session": {"id": session}, "messages": said, **more}
