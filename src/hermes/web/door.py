"""What the dashboard needs of its server: who is there, their form, a thread to work on.

The server is above the dashboard and is never imported: it hands in something of this shape.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from starlette.requests import Request

from hermes.app import App

T = TypeVar("T")


class Visit(Protocol):
    """Who is logged in, for one request."""

    @property
    def app(self) -> App: ...
    @property
    def profile(self) -> str: ...
    @property
    def may_write(self) -> bool: ...
    @property
    def csrf(self) -> str:
        """What every form must carry."""


class Sessions(Protocol):
    async def enter(self, request: Request) -> Visit:
        """Who asks; a HermesError for whoever is not logged in."""

    async def form(self, request: Request) -> dict[str, str]:
        """The fields of a form, once it is known to be ours and from someone who may write."""

    async def replace(self, app: App, work: Callable[[], T]) -> T:
        """Run what replaces the store of an App, while nobody else uses it."""

    async def call(self, work: Callable[[], T]) -> T:
        """Run blocking work where it holds nobody up."""
