"""Requests and answers: a token goes out, a shape or an error of ours comes back.

Whatever is wrong, with what is asked, on the way, or with the answer, is raised as a HermesError:
nobody who calls need know pydantic or the HTTP library.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ValidationError

from hermes.errors import Conflict, HermesError, NotFound, Refused, Unavailable, UserError
from hermes.wire.base import Problem

if TYPE_CHECKING:
    import httpx2

Shaped = TypeVar("Shaped", bound=BaseModel)
Value = str | int | bool | Sequence[str] | None
Fields = Mapping[str, object]
_KINDS: dict[int, type[HermesError]] = {
    400: UserError,
    401: Refused,
    403: Refused,
    404: NotFound,
    408: Unavailable,
    409: Conflict,
    413: UserError,
    415: UserError,
    421: Refused,
    422: UserError,
    429: Refused,
    431: UserError,
    503: Unavailable,
}
_ELSEWHERE = "Is this the address of Hermes, and not of a proxy or another program before it?"


@dataclass(frozen=True, slots=True)
class Route:
    """What a server goes by, where to connect, and the certificate it is known by."""

    url: str
    via: str
    ca_file: str | None = None

    @property
    def name(self) -> str:
        return urlsplit(self.url).hostname or ""

    def context(self) -> ssl.SSLContext | bool:
        """What certificates are checked against: the file alone, if there is one."""
        if self.ca_file is None:
            return True
        try:
            context = ssl.create_default_context(cafile=self.ca_file)
        except OSError as error:
            hint = "Give the server's certificate, or that of whoever signed it, as a PEM file."
            raise UserError(f"{self.ca_file} cannot be used: {error}", hint) from error
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        return context


class Transport:
    """One server and one token; connections are kept and used again."""

    def __init__(self, route: Route, token: str, *, timeout_s: float = 120.0) -> None:
        import httpx2  # noqa: PLC0415 - a seventh of a second to import

        def call_by_name(request: httpx2.Request) -> None:
            request.extensions = {**request.extensions, "sni_hostname": route.name}

        try:
            self._client = httpx2.Client(
                base_url=route.via,
                headers={"authorization": f"Bearer {token}", "host": urlsplit(route.url).netloc},
                timeout=httpx2.Timeout(timeout_s, connect=10.0),
                verify=route.context(),
                trust_env=False,
                event_hooks={"request": [call_by_name]},
            )
        except (httpx2.InvalidURL, ValueError) as error:  # no address, or no token
            hint = "Give an address such as http://127.0.0.1:8765, and a token as it was printed."
            raise UserError(f"This is no server to call: {error}", hint) from error
        self._url = route.url
        self._broken = httpx2.RequestError

    def get(self, shape: type[Shaped], path: str, **query: Value) -> Shaped:
        return self.ask(shape, "GET", path, query=query)

    def post(
        self, shape: type[Shaped], path: str, body: BaseModel | None = None, **query: Value
    ) -> Shaped:
        return self.ask(shape, "POST", path, body=body, query=query)

    def ask(
        self,
        shape: type[Shaped],
        method: str,
        path: str,
        *,
        body: BaseModel | None = None,
        query: Mapping[str, Value] | None = None,
    ) -> Shaped:
        """What the server answers, as a shape; its errors are raised as ours."""
        with self._calling():
            answer = self._client.request(
                method,
                path,
                params=_given(query or {}),
                content=body.model_dump_json(exclude_unset=True).encode() if body else None,
                headers={"content-type": "application/json"} if body else {},
            )
        return parse_answer(shape, answer.status_code, answer.content)

    def text(self, path: str) -> str:
        """An answer that is plain text."""
        with self._calling():
            answer = self._client.get(path)
        if not answer.is_success:
            raise parse_failure(answer.status_code, answer.content)
        return answer.text

    def send(
        self, shape: type[Shaped], path: str, chunks: Iterator[bytes], **query: Value
    ) -> Shaped:
        """Send a long body piece by piece."""
        headers = {"content-type": "application/octet-stream"}
        with self._calling():
            answer = self._client.post(path, params=_given(query), content=chunks, headers=headers)
        return parse_answer(shape, answer.status_code, answer.content)

    @contextmanager
    def stream(self, path: str, **query: Value) -> Iterator[httpx2.Response]:
        """A long answer, to be read piece by piece."""
        params = _given(query)
        with self._calling(), self._client.stream("GET", path, params=params) as answer:
            if not answer.is_success:
                raise parse_failure(answer.status_code, answer.read())
            yield answer

    def close(self) -> None:
        self._client.close()

    @contextmanager
    def _calling(self) -> Iterator[None]:
        if self._client.is_closed:
            raise UserError("This client is closed.", "Make another one: Client(url, token).")
        try:
            yield
        except self._broken as error:
            hint = "Start the daemon with `hermes start`, and see `hermes status`."
            raise Unavailable(f"{self._url} does not answer: {error}", hint) from error


def compose(shape: type[Shaped], **fields: object) -> Shaped:
    """A request of these fields; UserError that names those that do not fit."""
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        hint = "See the example of this call at /api of the server."
        raise UserError(tell_misfits(error), hint) from error


def as_shape(shape: type[Shaped], given: Shaped | Fields) -> Shaped:
    """A request as it was given: as its shape, or as a plain mapping."""
    if isinstance(given, shape):
        return given
    if isinstance(given, Mapping):
        return compose(shape, **given)
    hint = f"Give a {shape.__name__} of hermes.wire, or a dict of its fields."
    raise UserError(f"A {type(given).__name__} is no {shape.__name__}.", hint)


def tell_misfits(error: ValidationError) -> str:
    """What does not fit, field by field, in one line."""
    told = [
        f"{'.'.join(map(str, each['loc'])) or 'it'}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    ]
    return "; ".join(told[:5])


def parse_answer(shape: type[Shaped], status: int, content: bytes) -> Shaped:
    if not 200 <= status < 300:
        raise parse_failure(status, content)
    return parse_shape(shape, content)


def parse_shape(shape: type[Shaped], content: bytes | str) -> Shaped:
    """An answer as the shape it should have; Unavailable if it has another."""
    try:
        return shape.model_validate_json(content)
    except ValidationError as error:
        is_json = all(each["type"] != "json_invalid" for each in error.errors())
        hint = "Client and server may be of different versions." if is_json else _ELSEWHERE
        what = tell_misfits(error)
        raise Unavailable(f"The server's answer is no {shape.__name__}: {what}", hint) from error


def parse_failure(status: int, content: bytes) -> HermesError:
    """An error the server told of, as the kind it was."""
    kind = _KINDS.get(status, Unavailable if status < 400 else HermesError)
    try:
        told = Problem.model_validate_json(content)
    except ValidationError:
        hint = "See the daemon's log." if status in (*_KINDS, 500) else _ELSEWHERE
        return Unavailable(f"The server answered {status}.", hint)
    return kind(told.message, told.hint)


def escape(name: str | int) -> str:
    """A name as a part of a path."""
    if not name:
        raise UserError(f"{name!r} names nothing.", "Give the name or the reference as a text.")
    return quote(str(name), safe="")


def _given(query: Mapping[str, Value]) -> dict[str, str | int | bool | Sequence[str]]:
    return {key: _plain(value) for key, value in query.items() if value not in (None, "")}


def _plain(value: Value) -> str | int | bool | Sequence[str]:
    """A choice by its word, a list as it is, anything else as a text."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str | int | bool):
        return value
    return [str(each) for each in value] if value else []
