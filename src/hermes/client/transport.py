"""Requests and answers: a token goes out, a shape or an error of ours comes back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from hermes.errors import Conflict, HermesError, NotFound, Refused, Unavailable, UserError
from hermes.wire.base import Problem

if TYPE_CHECKING:
    import httpx2

Shaped = TypeVar("Shaped", bound=BaseModel)
Value = str | int | bool | Sequence[str] | None
_KINDS: dict[int, type[HermesError]] = {
    400: UserError,
    401: Refused,
    403: Refused,
    404: NotFound,
    409: Conflict,
    413: UserError,
    415: UserError,
    421: Refused,
    422: UserError,
    429: Refused,
    503: Unavailable,
}


class Transport:
    """One server and one token; connections are kept and used again."""

    def __init__(
        self, url: str, token: str, *, timeout_s: float = 120.0, ca_file: str | None = None
    ) -> None:
        import httpx2  # noqa: PLC0415 - a seventh of a second to import

        self._client = httpx2.Client(
            base_url=url,
            headers={"authorization": f"Bearer {token}"},
            timeout=httpx2.Timeout(timeout_s, connect=10.0),
            verify=httpx2.create_ssl_context(ca_file) if ca_file else True,
            trust_env=False,
        )
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
        if answer.status_code >= 400:
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
            if answer.status_code >= 400:
                raise parse_failure(answer.status_code, answer.read())
            yield answer

    def close(self) -> None:
        self._client.close()

    @contextmanager
    def _calling(self) -> Iterator[None]:
        try:
            yield
        except self._broken as error:
            where = self._client.base_url
            hint = "Start the daemon with `hermes start`, and see `hermes status`."
            raise Unavailable(f"{where} does not answer: {error}", hint) from error


def parse_answer(shape: type[Shaped], status: int, content: bytes) -> Shaped:
    if status >= 400:
        raise parse_failure(status, content)
    try:
        return shape.model_validate_json(content)
    except ValidationError as error:
        hint = "Client and server may be of different versions."
        raise Unavailable(f"The answer is no {shape.__name__}: {error}", hint) from error


def parse_failure(status: int, content: bytes) -> HermesError:
    """An error the server told of, as the kind it was."""
    try:
        told = Problem.model_validate_json(content)
    except ValidationError:
        return Unavailable(f"The server answered {status}.", "See the daemon's log.")
    return _KINDS.get(status, HermesError)(told.message, told.hint)


def escape(name: str) -> str:
    """A name as a part of a path."""
    return quote(name, safe="")


def _given(query: Mapping[str, Value]) -> dict[str, str | int | bool | Sequence[str]]:
    return {key: value for key, value in query.items() if value not in (None, "")}
