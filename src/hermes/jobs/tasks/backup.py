"""The `backup` job: a verified copy of the profile, as often as the settings say."""

from collections.abc import Callable

from hermes.jobs.work import Effect, Work
from hermes.store.base.jobs import Progress

KIND = "backup"

Make = Callable[[Callable[[str], None]], object]
"""Makes a backup and tells how far it is; what it leaves behind when interrupted is its matter."""


class BackupHandler:
    kind = KIND
    limit_s = 6 * 3600.0

    def __init__(self, make: Make) -> None:
        self._make = make

    def run(self, work: Work) -> Effect | None:
        steps = 0

        def say(text: str) -> None:
            nonlocal steps
            steps += 1
            work.show(Progress(steps, text=text))

        self._make(say)
        return None
