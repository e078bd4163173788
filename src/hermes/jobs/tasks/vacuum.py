"""The `vacuum` job: gives space back and keeps the text index quick, without holding writers up."""

from hermes.jobs.work import Effect, Work
from hermes.store.base import Tx
from hermes.store.base.jobs import Progress
from hermes.store.base.tidying import Tidied, Watch
from hermes.types import EventKind

KIND = "vacuum"


class VacuumHandler:
    kind = KIND
    limit_s = 6 * 3600.0

    def run(self, work: Work) -> Effect | None:
        steps = 0

        def on_step(text: str) -> None:
            nonlocal steps
            steps += 1
            work.show(Progress(steps, text=text))

        tidied = work.store.tidy(Watch(work.is_stopped, on_step))
        work.check()
        now = work.clock.now()
        return lambda tx: _note(tx, tidied, now)


def _note(tx: Tx, tidied: Tidied, now: int) -> None:
    before, after = tidied.before_bytes, tidied.after_bytes
    summary = f"Gave space back: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after"
    details = {"before_bytes": before, "after_bytes": after, "freed_pages": tidied.freed_pages}
    tx.events.add(EventKind.MEMORY, summary, at=now, details=details)
