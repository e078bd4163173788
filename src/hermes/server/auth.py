"""Who calls: a token becomes a caller with a profile and a scope, or nobody.

Tokens are files of the profiles; here they are read, remembered until the file changes, and
compared in constant time. Nothing here knows HTTP.
"""

import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hermes.app.tokens import (
    Scope,
    Token,
    digest_of,
    load_tokens,
    match_digest,
    profile_of,
    tokens_file,
)
from hermes.config.paths import NAME, Home, ProfilePaths
from hermes.config.profiles import has_profile
from hermes.config.running import token_file

MOST_ADDRESSES = 10_000
LOCAL = "local"  # the id of no token: those are hexadecimal


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: which profile is theirs, and what they may do with it."""

    profile: str
    scope: Scope
    name: str


class Callers:
    """Everyone who may call the daemon of `paths`: its own token, and those of each profile."""

    def __init__(self, paths: ProfilePaths, configured: str | None = None) -> None:
        self._paths = paths
        self._configured = digest_of(configured) if configured else ""
        self._files: dict[Path, tuple[tuple[int, int, int], list[Token]]] = {}

    def identify(self, secret: str) -> Caller | None:
        """Whose token this is; None if it is nobody's."""
        digest, profile = digest_of(secret), profile_of(secret)
        if profile is None:
            return self._own(digest)
        if not _is_there(self._paths.home, profile):
            return None
        found = None
        for token in self._tokens(self._paths.home.profile(profile)):
            if match_digest(digest, token.digest):
                found = Caller(profile, token.scope, token.id)
        return found

    def knows(self, caller: Caller) -> bool:
        """Whether the token that made a caller still opens as much; the daemon's own does."""
        if caller.name == LOCAL:
            return True
        if not _is_there(self._paths.home, caller.profile):
            return False
        tokens = self._tokens(self._paths.home.profile(caller.profile))
        return any((token.id, token.scope) == (caller.name, caller.scope) for token in tokens)

    def _own(self, digest: str) -> Caller | None:
        matches = [match_digest(digest, known) for known in (self._configured, self._local())]
        if any(matches):
            return Caller(self._paths.name, Scope.OWNER, LOCAL)
        return None

    def _local(self) -> str:
        """The digest of the token in `run/`: whoever can read that file is the owner."""
        found = self._read(token_file(self._paths), _load_own)
        return found[0].digest if found else ""

    def _tokens(self, paths: ProfilePaths) -> list[Token]:
        return self._read(tokens_file(paths), load_tokens)

    def _read(self, file: Path, load: Callable[[Path], list[Token]]) -> list[Token]:
        """What a file holds, read anew only when it has changed."""
        try:
            seen = os.stat(file)
        except FileNotFoundError:
            return []
        mark = (seen.st_mtime_ns, seen.st_size, seen.st_ino)
        known = self._files.get(file)
        if known is None or known[0] != mark:
            known = (mark, load(file))
            self._files[file] = known
        return known[1]


def _load_own(file: Path) -> list[Token]:
    digest = digest_of(file.read_text("ascii", errors="replace").strip())
    return [Token(LOCAL, Scope.OWNER, "", 0, digest)]


def _is_there(home: Home, profile: str) -> bool:
    return NAME.fullmatch(profile) is not None and has_profile(home, profile)


class Failures:
    """How often each address showed a wrong token lately: a bucket that fills up again.

    A right token is never turned away: whoever shares the machine must not be able to lock it.
    """

    def __init__(self, most: int = 10, per_s: float = 60.0) -> None:
        self._most = most
        self._rate = most / per_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def count(self, address: str, now_s: float | None = None) -> float:
        """Note a failure; how many seconds to wait, 0 while there were few."""
        now = time.monotonic() if now_s is None else now_s
        left, at = self._left.pop(address, (float(self._most), now))
        left = min(self._most, left + (now - at) * self._rate) - 1
        self._left[address] = (max(left, 0.0), now)
        while len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if left >= 0 else -left / self._rate
