"""What the dashboard gets: who is logged in, a checked form, and the crossing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qsl

from starlette.requests import Request

from hermes.app import App
from hermes.app.tokens import Scope
from hermes.errors import Refused
from hermes.server.http.changes import Feeds
from hermes.server.http.entry import CSRF_HEADER, Entry, NotLoggedIn, bad_form, check_csrf
from hermes.server.http.standstill import Standstill

T = TypeVar("T")
MOST_FIELDS = 1_000
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a person who is logged in."""

    app: App
    profile: str
    may_write: bool
    csrf: str


class Sessions:
    """The pages' way in; see docs/rest.md for how a browser gets its cookie."""

    def __init__(self, entry: Entry, standstill: Standstill, feeds: Feeds) -> None:
        self._entry = entry
        self._standstill = standstill
        self._feeds = feeds

    async def enter(self, request: Request) -> Visit:
        """Who is here; NotLoggedIn if nobody is."""
        login = self._entry.find_login(request)
        if login is None:
            raise NotLoggedIn("You are not logged in.", "Run `hermes open`.")
        return Visit(
            app=await self._entry.open(login.caller.profile),
            profile=login.caller.profile,
            may_write=login.caller.scope.covers(Scope.WRITE),
            csrf=login.csrf,
        )

    async def form(self, request: Request, *, to_write: bool = True) -> dict[str, str]:
        """The fields of a form that one of our pages sent, by someone who may write."""
        login = self._entry.find_login(request)
        if login is None:
            raise NotLoggedIn("You are not logged in.", "Run `hermes open`.")
        fields = _fields(request.headers.get("content-type", ""), await request.body())
        check_csrf(login, request.headers.get(CSRF_HEADER) or fields.get("csrf", ""))
        if to_write and not login.caller.scope.covers(Scope.WRITE):
            raise Refused("You are logged in to look only.", "Run `hermes open`.")
        return {name: text for name, text in fields.items() if name != "csrf"}

    async def replace(self, app: App, work: Callable[[], T]) -> T:
        done = await self._standstill.replace(app, work)
        await self._feeds.forget(app)
        return done

    async def call(self, work: Callable[[], T]) -> T:
        return await self._entry.crossing.call(work)


def _fields(content_type: str, body: bytes) -> dict[str, str]:
    kind = content_type.partition(";")[0].strip().lower()
    if not body:
        return {}
    if kind == JSON:
        return _json_fields(body)
    if kind != FORM:
        raise bad_form(f"A form cannot be {kind or 'of no type'}.")
    try:
        text = body.decode("utf-8")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise bad_form(f"This form cannot be read: {error}") from error
    return dict(pairs)


def _json_fields(body: bytes) -> dict[str, str]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise bad_form("This form is not JSON.") from error
    if not isinstance(found, dict):
        raise bad_form("A form is a JSON object.")
    return {key: item if isinstance(item, str) else json.dumps(item) for key, item in found.items()}
