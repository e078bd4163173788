"""A handler that is made when its first job runs, so that a daemon starts without what it needs."""

from collections.abc import Callable
from functools import cached_property

from hermes.jobs.work import Effect, Handler, Work


class LateHandler:
    def __init__(self, kind: str, limit_s: float, make: Callable[[], Handler]) -> None:
        self.kind = kind
        self.limit_s = limit_s
        self._make = make

    def run(self, work: Work) -> Effect | None:
        return self._handler.run(work)

    @cached_property
    def _handler(self) -> Handler:
        return self._make()
