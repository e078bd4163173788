"""What can be done with jobs: see, retry and cancel them, and work off what is due.

Here is the list of everything that runs in the background. A new kind of job is a handler in
`handlers`, and what asks for it: a line in `periodic`, a chore in `chores`, or whoever adds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hermes.app.chores import VerifyLog
from hermes.app.embedding import find_space, open_former
from hermes.app.owners import command_owner, daemon_owner, is_gone
from hermes.errors import NotFound, UserError
from hermes.jobs.cron import Cron, Periodic
from hermes.jobs.deferral import LateHandler
from hermes.jobs.housekeeping import Prune
from hermes.jobs.tasks import backup, vacuum
from hermes.jobs.tasks.backup import BackupHandler
from hermes.jobs.tasks.extract import ExtractHandler, ExtractWatch
from hermes.jobs.tasks.index import IndexHandler, IndexWatch
from hermes.jobs.tasks.reflect_watch import ReflectWatch
from hermes.jobs.tasks.vacuum import VacuumHandler
from hermes.jobs.work import Effect, Handler, Terms
from hermes.jobs.worker import Chore, Ended, Worker, WorkerOptions
from hermes.store.base.jobs import Job, JobFilter, JobState
from hermes.store.base.reflections import REFLECT
from hermes.store.base.summaries import COMPRESS
from hermes.types import Message, Session

if TYPE_CHECKING:
    from hermes.app.root import App


class JobActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def handlers(self) -> list[Handler]:
        return [
            IndexHandler(lambda: self._app.embedder, partial(open_former, self._app)),
            ExtractHandler(self._extract, self._project_user),
            BackupHandler(lambda say: self._app.backups.make(say=say)),
            LateHandler(COMPRESS, 6 * 3600.0, self._compress_handler),
            LateHandler(REFLECT, 1800.0, self._reflect_handler),
            VacuumHandler(),
        ]

    def periodic(self) -> list[Periodic]:
        config = self._app.config
        return [
            Periodic(vacuum.KIND, config.memory.vacuum_schedule),
            Periodic(COMPRESS, "daily"),
            Periodic(backup.KIND, config.backups.schedule if config.backups.enabled else "never"),
        ]

    def chores(self) -> list[Chore]:
        watches: list[Chore] = [Cron(self.periodic()), ExtractWatch(), ReflectWatch(), Prune()]
        if self._app.config.memory.embeddings.provider != "none":
            watches.append(IndexWatch(lambda: find_space(self._app)))
        return watches

    def daemon_worker(self) -> Worker:
        """The worker of the daemon. Only one may be made at a time: what an earlier one held is
        taken back at once.
        """
        owner = daemon_owner()
        now = self._app.clock.now()
        self._app.store.write(lambda tx: tx.jobs.release_owner(owner, now=now))
        chores = [*self.chores(), VerifyLog(self._app)]
        return self._make(WorkerOptions(Terms(owner)), chores)

    def run_due(
        self, kinds: Sequence[str] = (), on_end: Callable[[Ended], None] = lambda _: None
    ) -> None:
        """Ask for `kinds` now, and work off everything that is due."""
        self.ask(kinds)
        self._take_back_all()
        terms = Terms(command_owner())
        options = WorkerOptions(terms, poll_s=0.05, on_end=on_end)
        self._make(options, self.chores()).run(until_idle=True)

    def get(self, number: int) -> Job:
        job = self._app.store.read(lambda tx: tx.jobs.find(number))
        if job is None:
            raise NotFound(f"There is no job {number}.", "See `hermes jobs list`.")
        return self._seen(job)

    def retry(self, number: int) -> Job:
        """Make a job due at once, with all its attempts."""
        self._take_back(number)
        now = self._app.clock.now()
        self._app.store.write(lambda tx: tx.jobs.retry(number, now=now))
        return self.get(number)

    def cancel(self, number: int) -> Job:
        """Keep a job from running; one that runs is asked to stop at its next step."""
        self._take_back(number)
        now = self._app.clock.now()
        self._app.store.write(lambda tx: tx.jobs.cancel(number, now=now))
        return self.get(number)

    def count(self) -> dict[str, dict[JobState, int]]:
        return self._app.store.read(lambda tx: tx.jobs.count())

    def count_of(self, wanted: JobFilter) -> int:
        """How many jobs there are of what is wanted."""
        kinds = self.count()
        chosen = [kinds.get(wanted.kind, {})] if wanted.kind else kinds.values()
        states = wanted.states or tuple(JobState)
        return sum(counted.get(state, 0) for counted in chosen for state in states)

    def list(self, wanted: JobFilter, limit: int = 50) -> list[Job]:
        """Unfinished ones first."""
        found = self._app.store.read(lambda tx: tx.jobs.list(wanted, limit))
        return [self._seen(job) for job in found]

    def _seen(self, job: Job) -> Job:
        """The job, marked if it counts as running and its worker is gone."""
        if job.state is not JobState.RUNNING:
            return job
        over = job.leased_until_at is not None and job.leased_until_at <= self._app.clock.now()
        return replace(job, lapsed=over or is_gone(job.owner, self._app.paths))

    def _take_back_all(self) -> None:
        running = self.list(JobFilter(states=(JobState.RUNNING,)), 1_000)
        gone = {job.owner for job in running if job.lapsed}
        now = self._app.clock.now()
        if gone:
            self._app.store.write(lambda tx: [tx.jobs.release_owner(o, now=now) for o in gone])

    def _take_back(self, number: int) -> None:
        """Make a job due that a worker held which is gone."""
        job = self.get(number)
        if job.lapsed:
            now = self._app.clock.now()
            self._app.store.write(lambda tx: tx.jobs.release_owner(job.owner, now=now))

    def _extract(self, session: Session, messages: Sequence[Message]) -> Effect:
        # The rules of extraction are many patterns: they are loaded with the first session read.
        from hermes.memory.facts.extraction import effect_for  # noqa: PLC0415

        app = self._app
        return effect_for(app.store, app.facts.reader(session.bank), app.clock)(session, messages)

    def _compress_handler(self) -> Handler:
        return self._app.compressing.handler()

    def _reflect_handler(self) -> Handler:
        return self._app.reflections.handler()

    def _project_user(self) -> None:
        """What was learnt of the person goes into the file that shows it."""
        self._app.user.project()

    def _make(self, options: WorkerOptions, chores: Sequence[Chore]) -> Worker:
        app = self._app
        return Worker(app.store, app.clock, self.handlers(), chores, options)

    def ask(self, kinds: Sequence[str]) -> Sequence[Job]:
        """Have jobs of these kinds done now, due or not."""
        known = sorted(handler.kind for handler in self.handlers())
        for kind in kinds:
            if kind not in known:
                raise UserError(f"There is no job called {kind!r}.", f"Known: {', '.join(known)}.")
        now = self._app.clock.now()
        added = self._app.store.write(lambda tx: [tx.jobs.add(kind, now=now) for kind in kinds])
        return [self.get(number) for number in added]
