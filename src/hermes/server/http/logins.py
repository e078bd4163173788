"""Logging a browser in: a nonce that works once becomes a cookie, and a cookie a caller.

All of it lives in the daemon's memory, as digests: a restart logs everyone out.
"""

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from hermes.app.tokens import digest_of
from hermes.server.auth import Caller

NONCE_S = 60.0
SESSION_S = 12 * 3600.0
MOST_NONCES = 100
MOST_SESSIONS = 1_000


@dataclass(frozen=True, slots=True)
class Login:
    """A browser that is logged in; `csrf` proves that a form came from one of our pages."""

    caller: Caller
    csrf: str
    until_s: float


class Logins:
    """The nonces that wait and the browsers that are in."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._nonces: dict[str, tuple[Caller, float]] = {}
        self._sessions: dict[str, Login] = {}

    def invite(self, caller: Caller) -> str:
        """A nonce that lets a browser in as `caller`, once and soon."""
        nonce = secrets.token_urlsafe(32)
        self._nonces[digest_of(nonce)] = (caller, self._now_s() + NONCE_S)
        while len(self._nonces) > MOST_NONCES:
            self._nonces.pop(next(iter(self._nonces)))
        return nonce

    def enter(self, nonce: str) -> str | None:
        """The cookie for a nonce, which is used up; None if it was, or is too old."""
        caller, until_s = self._nonces.pop(digest_of(nonce), (None, 0.0))
        if caller is None or until_s < self._now_s():
            return None
        cookie = secrets.token_urlsafe(32)
        until_s = self._now_s() + SESSION_S
        self._sessions[digest_of(cookie)] = Login(caller, secrets.token_urlsafe(32), until_s)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.pop(next(iter(self._sessions)))
        return cookie

    def find(self, cookie: str) -> Login | None:
        """The login of a cookie, which lasts on from now."""
        digest = digest_of(cookie)
        login = self._sessions.get(digest)
        if login is None or login.until_s < self._now_s():
            self._sessions.pop(digest, None)
            return None
        login = replace(login, until_s=self._now_s() + SESSION_S)
        self._sessions[digest] = login
        return login

    def leave(self, cookie: str) -> None:
        self._sessions.pop(digest_of(cookie), None)


def is_csrf(login: Login, shown: str) -> bool:
    return hmac.compare_digest(login.csrf.encode(), shown.encode("utf-8", "surrogatepass"))
