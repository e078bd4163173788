"""The `reflect` job: draws lessons from a conversation that came to its end and was read."""

from collections.abc import Callable

from hermes.jobs.work import Effect, Work
from hermes.memory.reflect.keeping import Reflector, reflect_session
from hermes.store.base.reflections import REFLECT

KIND = REFLECT


class ReflectHandler:
    """`project` brings the file for people up to date once something was learnt."""

    kind = KIND
    limit_s = 1800.0

    def __init__(self, reflector: Callable[[], Reflector], project: Callable[[], object]) -> None:
        self._reflector = reflector
        self._project = project

    def run(self, work: Work) -> Effect | None:
        if work.store.read(lambda tx: tx.conversations.find_session(work.job.key)) is None:
            return None  # deleted since
        now = work.clock.now()
        keep = reflect_session(work.store, work.job.key, self._reflector(), now)
        if work.commit(keep):
            self._project()
        return None
