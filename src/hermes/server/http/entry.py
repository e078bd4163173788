"""How a request becomes a caller: by its token, or by the cookie of a browser that is logged in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from starlette.requests import HTTPConnection

from hermes.app import App
from hermes.app.tokens import Scope
from hermes.errors import HermesError, Refused, UserError
from hermes.server.auth import Caller, Callers, Failures
from hermes.server.http.crossing import Crossing
from hermes.server.http.logins import Login, Logins, is_csrf
from hermes.server.http.profiles import Profiles

T = TypeVar("T")
COOKIE = "hermes"
TLS_COOKIE = "__Host-hermes"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CSRF_HEADER = "x-csrf-token"
_TOO_LITTLE = {
    Scope.WRITE: ("This token is read-only.", "Make another with `hermes token create`."),
    Scope.OWNER: (
        "This token is not an owner's.",
        "Make one with `hermes token create --owner`, or use run/token.",
    ),
}


class NotLoggedIn(HermesError):
    """Nobody the daemon knows."""

    http_status = 401


class TooMany(HermesError):
    """Too many wrong tokens from one place; `wait_s` says how long to rest."""

    http_status = 429

    def __init__(self, wait_s: float) -> None:
        super().__init__("Too many wrong tokens came from your address.", "Wait, then try again.")
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Door:
    """What a route works with: the App of the caller's profile, and the way to call it."""

    app: App
    caller: Caller
    crossing: Crossing

    async def call(self, work: Callable[[], T]) -> T:
        """What blocking `work` returns, off the event loop."""
        return await self.crossing.call(work)


@dataclass(frozen=True, slots=True)
class Entry:
    """Everything that decides who comes in."""

    profiles: Profiles
    callers: Callers
    logins: Logins
    failures: Failures
    crossing: Crossing
    cookie: str = COOKIE

    async def admit(self, request: HTTPConnection, wanted: Scope) -> Door:
        """The door of whoever asks; NotLoggedIn, or Refused if they may not do this."""
        caller = self.identify(request)
        if not caller.scope.covers(wanted):
            raise Refused(*_TOO_LITTLE[wanted])
        return Door(await self.open(caller.profile), caller, self.crossing)

    async def open(self, profile: str) -> App:
        """The App of a profile; one that must be opened first keeps no other request waiting."""
        app = self.profiles.find(profile)
        if app is None:
            app = await self.crossing.call(lambda: self.profiles.get(profile))
        return app

    def identify(self, request: HTTPConnection) -> Caller:
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and secret:
            caller = self.callers.identify(secret.strip())
            if caller is not None:
                return caller
            raise self.reject(request)
        login = self.find_login(request)
        if login is None:
            raise NotLoggedIn(
                "This needs a token.",
                "Send `Authorization: Bearer …`: see `hermes token create`, or `hermes open`.",
            )
        if request.scope["method"] not in SAFE_METHODS:
            check_csrf(login, request.headers.get(CSRF_HEADER, ""))
        return login.caller

    def find_login(self, request: HTTPConnection) -> Login | None:
        """The login of a browser, by its cookie, which ends with the token it was made by."""
        cookie = request.cookies.get(self.cookie, "")
        login = self.logins.find(cookie) if cookie else None
        if login is not None and not self.callers.knows(login.caller):
            self.logins.leave(cookie)
            return None
        return login

    def reject(self, request: HTTPConnection) -> HermesError:
        """What a wrong token or nonce is answered with; the failure is counted."""
        wait_s = self.failures.count(request.client.host if request.client else "")
        if wait_s:
            return TooMany(wait_s)
        return NotLoggedIn("This token is not known.", "See `hermes token list`.")


def check_csrf(login: Login, shown: str) -> None:
    if not is_csrf(login, shown):
        raise Refused("This request does not prove that it comes from our page.", "Reload it.")


def bad_form(what: str) -> UserError:
    return UserError(what, "Send a form of our own pages, or JSON.")
