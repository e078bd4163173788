"""The variables a command gets: the person's own, without what looks like a secret."""

import re
from collections.abc import Mapping

_SECRET = re.compile(
    r"(?:^|_)(?:KEYS?|PAT|DSN|AUTH|PWD)(?:_|$)|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL"
    r"|APIKEY|DATABASE_URL|DB_URL",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"://[^/\s@]+@")
_HARMLESS = frozenset({"SSH_AUTH_SOCK", "PWD", "OLDPWD"})


def public_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """`environ` without secrets and Hermes' own settings."""
    return {
        name: value
        for name, value in environ.items()
        if name in _HARMLESS or not (is_secret(name) or _LOGIN.search(value))
    }


def is_secret(name: str) -> bool:
    """Whether a variable of this name should not be shown to a command by default."""
    return name.startswith("HERMES_") or _SECRET.search(name) is not None
