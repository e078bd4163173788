"""The system's keyring, through the optional `keyring` package, as three calls and one error."""

import importlib
from typing import Protocol

from hermes.errors import Unavailable


class Keyring(Protocol):
    """The part of the `keyring` package that is used."""

    def get_password(self, service: str, username: str, /) -> str | None: ...
    def set_password(self, service: str, username: str, password: str, /) -> None: ...
    def delete_password(self, service: str, username: str, /) -> None: ...


class SystemKeyring:
    """The keyring of the account Hermes runs as; the package is loaded only when this is made."""

    def __init__(self) -> None:
        try:
            self._ring: Keyring = importlib.import_module("keyring")
            self._failure: type[Exception] = importlib.import_module("keyring.errors").KeyringError
        except ModuleNotFoundError as error:
            raise Unavailable(
                "memory.encryption is keyring, and the keyring package is not installed.",
                "Run: pip install keyring. Or set memory.encryption to keyfile.",
            ) from error

    def get_password(self, service: str, username: str, /) -> str | None:
        try:
            return self._ring.get_password(service, username)
        except self._failure as error:
            raise _locked(error) from error

    def set_password(self, service: str, username: str, password: str, /) -> None:
        try:
            self._ring.set_password(service, username, password)
        except self._failure as error:
            raise _locked(error) from error

    def delete_password(self, service: str, username: str, /) -> None:
        try:
            self._ring.delete_password(service, username)
        except self._failure as error:
            raise _locked(error) from error


def _locked(error: Exception) -> Unavailable:
    return Unavailable(
        f"The system's keyring did not answer: {error}.",
        "Unlock it, or set memory.encryption to keyfile on machines without one.",
    )
