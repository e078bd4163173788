"""What programs get to see of jobs, events and the daemon, as docs/daemon.md and events.md say."""

from collections.abc import Sequence

from hermes.app.daemon import DaemonStatus
from hermes.app.shapes import Json, dated, time_shape
from hermes.app.spending import Cap
from hermes.memory.events import Verdict
from hermes.memory.facts.reference import same_ref
from hermes.store.base.jobs import Job
from hermes.store.base.spending import SpendingLine
from hermes.types import Event


def job_shape(job: Job) -> Json:
    return {
        "id": job.id,
        "kind": job.kind,
        "key": job.key,
        "state": job.state.value,
        "lapsed": job.lapsed,
        "payload": dict(job.payload),
        "progress": {
            "done": job.progress.done,
            "total": job.progress.total,
            "text": job.progress.text,
        },
        "attempts": job.attempts,
        "max_attempts": job.max_attempts,
        "error": job.error,
        "owner": job.owner,
        "cancelling": job.cancelling,
        "created_at": time_shape(job.created_at),
        "run_at": time_shape(job.run_at),
        "leased_until_at": time_shape(job.leased_until_at),
        "started_at": time_shape(job.started_at),
        "finished_at": time_shape(job.finished_at),
    }


def event_shape(event: Event) -> Json:
    return {
        "id": event.id,
        "at": time_shape(event.at),
        "kind": event.kind,
        "summary": event.summary,
        "details": dated(event.details),
        "ref": same_ref(event.ref),
        "erased_at": time_shape(event.erased_at),
    }


def verdict_shape(verdict: Verdict) -> Json:
    return {
        "sound": verdict.is_sound,
        "events": verdict.head.count,
        "head": verdict.head.hash.hex(),
        "erased": verdict.erased,
        "first_bad": verdict.bad,
        "problem": verdict.problem,
    }


def daemon_shape(status: DaemonStatus) -> Json:
    running = status.running
    return {
        "running": running is not None,
        "pid": running.pid if running else None,
        "started_at": time_shape(running.started_at) if running else None,
        "url": status.url or None,
        "jobs": {
            "unfinished": status.unfinished,
            "lapsed": status.lapsed,
            "dead": status.dead,
            "oldest_at": time_shape(status.oldest_at),
        },
        "last_job": job_shape(status.last) if status.last else None,
    }


def spending_shape(lines: Sequence[SpendingLine], today: Sequence[Cap]) -> Json:
    """What calls to models cost, and how far today's caps are."""
    return {
        "lines": [_line_shape(line) for line in lines],
        "today": [
            {"role": cap.role, "spent_usd": round(cap.spent_usd, 6), "cap_usd": cap.cap_usd}
            for cap in today
        ],
    }


def _line_shape(line: SpendingLine) -> Json:
    return {
        "day": line.day,
        "role": line.role,
        "model": line.model,
        "calls": line.calls,
        "input_tokens": line.input_tokens,
        "cached_tokens": line.cached_tokens,
        "cache_share": round(cache_share(line), 4),
        "output_tokens": line.output_tokens,
        "usd": round(line.usd, 6),
        "guessed": line.guessed,
    }


def cache_share(line: SpendingLine) -> float:
    """How much of what was sent a provider's cache held."""
    return line.cached_tokens / line.input_tokens if line.input_tokens else 0.0
