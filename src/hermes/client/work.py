"""The log, jobs, backups and forgetting, through the client."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from hermes.client.transport import Fields, Transport, as_shape, compose, escape
from hermes.types import EventKind
from hermes.wire import work as wire
from hermes.wire.base import Listed

CHUNK = 1 << 18


class Events:
    """The log of what was done."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        since: str = "",
        before: str = "",
        before_id: int | None = None,
        kind: EventKind | str | None = None,
        limit: int = 50,
    ) -> Listed[wire.Event]:
        """Newest first; `before_id`, the last line of a page, asks for the next one."""
        return self._transport.get(
            Listed[wire.Event],
            "/v1/events",
            since=since,
            before=before,
            before_id=before_id,
            kind=kind,
            limit=limit,
        )

    def record(
        self,
        kind: EventKind | str,
        summary: str,
        *,
        ref: str = "",
        details: Mapping[str, JsonValue] | None = None,
    ) -> wire.Event:
        body = compose(
            wire.NewEvent, kind=kind, summary=summary, ref=ref, details=dict(details or {})
        )
        return self._transport.post(wire.Event, "/v1/events", body)

    def verify(self) -> wire.Verdict:
        return self._transport.get(wire.Verdict, "/v1/events/verify")


class Jobs:
    """Work in the background."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self, *, kind: str = "", state: str = "", limit: int = 50, offset: int = 0
    ) -> Listed[wire.Job]:
        return self._transport.get(
            Listed[wire.Job], "/v1/jobs", kind=kind, state=state, limit=limit, offset=offset
        )

    def ask(self, *kinds: str) -> Listed[wire.Job]:
        """Have background work done now, due or not."""
        body = compose(wire.JobsWanted, kinds=list(kinds))
        return self._transport.post(Listed[wire.Job], "/v1/jobs", body)

    def spending(self, since: str = "", *, by: Literal["day", "model"] = "day") -> wire.Spending:
        """What calls to models cost."""
        return self._transport.get(wire.Spending, "/v1/spending", since=since, by=by)

    def get(self, job_id: int) -> wire.Job:
        return self._transport.get(wire.Job, f"/v1/jobs/{job_id}")

    def retry(self, job_id: int) -> wire.Job:
        return self._transport.post(wire.Job, f"/v1/jobs/{job_id}/retry")

    def cancel(self, job_id: int) -> wire.Job:
        return self._transport.post(wire.Job, f"/v1/jobs/{job_id}/cancel")


class Backups:
    """Encrypted copies of the store."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> Listed[wire.Backup]:
        return self._transport.get(Listed[wire.Backup], "/v1/backups")

    def make(self) -> wire.MadeBackup:
        return self._transport.post(wire.MadeBackup, "/v1/backups")

    def verify(self, name: str = "latest") -> wire.BackupCheck:
        return self._transport.post(wire.BackupCheck, f"/v1/backups/{escape(name)}/verify")

    def restore(self, name: str = "latest") -> wire.Restored:
        return self._transport.post(wire.Restored, f"/v1/backups/{escape(name)}/restore")

    def undo_restore(self) -> wire.Restored:
        return self._transport.post(wire.Restored, "/v1/backups/restore/undo")

    def prune(self) -> wire.Pruned:
        """Delete the earlier states that restores moved aside."""
        return self._transport.post(wire.Pruned, "/v1/backups/prune")

    def remove(self, name: str) -> wire.Backup:
        return self._transport.ask(wire.Backup, "DELETE", f"/v1/backups/{escape(name)}")


class Keeping:
    """Carrying a memory, compressing it, and forgetting for good."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def export(self, bank: str = "") -> Iterator[bytes]:
        """All of the memory as one JSON document, piece by piece."""
        with self._transport.stream("/v1/export", bank=bank) as answer:
            yield from answer.iter_bytes()

    def export_to(self, file: Path, bank: str = "") -> int:
        """Write an export into a file; how many bytes."""
        with file.open("wb") as stream:
            return sum(stream.write(chunk) for chunk in self.export(bank))

    def import_from(
        self, file: Path, *, dry_run: bool = False, untrusted: bool = False
    ) -> wire.Imported:
        """Bring in what `export` gave: all of it or nothing."""
        with file.open("rb") as stream:
            chunks = iter(lambda: stream.read(CHUNK), b"")
            return self._transport.send(
                wire.Imported, "/v1/import", chunks, dry_run=dry_run, untrusted=untrusted
            )

    def erase(self, task: wire.EraseTask | Fields) -> wire.Erased:
        """Erase for good what the task names; without `confirm` only the plan is answered."""
        return self._transport.post(wire.Erased, "/v1/erase", as_shape(wire.EraseTask, task))

    def reset(self, target: wire.Emptied) -> wire.ResetDone:
        """Empty a part of memory, after a backup that brings it back."""
        body = compose(wire.ResetTask, target=target, confirm=True)
        return self._transport.post(wire.ResetDone, "/v1/reset", body)

    def reindex(self) -> wire.Reindexed:
        return self._transport.post(wire.Reindexed, "/v1/reindex")

    def compact(self, *, dry_run: bool = False) -> wire.CompactRun:
        body = compose(wire.CompactTask, dry_run=dry_run)
        return self._transport.post(wire.CompactRun, "/v1/compact", body)

    def undo_compact(self, ids: Sequence[int] = ()) -> Listed[wire.Summary]:
        body = compose(wire.UndoCompact, ids=list(ids))
        return self._transport.post(Listed[wire.Summary], "/v1/compact/undo", body)

    def summaries(self, limit: int = 100, offset: int = 0) -> Listed[wire.Summary]:
        shape = Listed[wire.Summary]
        return self._transport.get(shape, "/v1/summaries", limit=limit, offset=offset)


class Profiles:
    """The profiles of the home; only its owner's token may see them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def own(self) -> wire.Profile:
        return self._transport.get(wire.Profile, "/v1/profile")

    def list(self) -> Listed[wire.Profile]:
        return self._transport.get(Listed[wire.Profile], "/v1/profiles")

    def create(self, name: str) -> wire.Profile:
        return self._transport.post(
            wire.Profile, "/v1/profiles", compose(wire.NewProfile, name=name)
        )

    def deleted(self) -> Listed[wire.Trashed]:
        """Those that were put away and can be brought back."""
        return self._transport.get(Listed[wire.Trashed], "/v1/profiles/deleted")

    def delete(self, name: str) -> wire.Trashed:
        return self._transport.ask(wire.Trashed, "DELETE", f"/v1/profiles/{escape(name)}")

    def restore(self, name: str) -> wire.Profile:
        return self._transport.post(wire.Profile, f"/v1/profiles/{escape(name)}/restore")
