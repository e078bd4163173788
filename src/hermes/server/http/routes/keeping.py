"""Carrying and forgetting: export, import, backups, erasure, compression."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Path, Query
from starlette.requests import Request
from starlette.responses import StreamingResponse

from hermes.app.compress import run_shape, summary_shape
from hermes.app.keep_shapes import (
    backup_shape,
    check_shape,
    erased_shape,
    plan_shape,
    report_shape,
    restored_shape,
)
from hermes.app.shapes import imported_shape
from hermes.errors import UserError
from hermes.memory.backup.restore import Restored
from hermes.memory.erase.reset import ResetTarget
from hermes.memory.importing import Import
from hermes.memory.portable.writing import Sink
from hermes.server.http.bodies import spooled
from hermes.server.http.entry import Door
from hermes.server.http.gate import TYPES
from hermes.server.http.routes.paging import Hundred
from hermes.server.http.routes.ways import InBank, Json, Owning, Reading, Writing, new_router
from hermes.server.http.streaming import render_lines, stream_out
from hermes.server.http.visits import Sessions
from hermes.types import NewSession, Origin
from hermes.wire import talk as talk_wire
from hermes.wire import work as wire
from hermes.wire.base import Listed

carrying = new_router("export and import")
backups = new_router("backups")
forgetting = new_router("erase and compact")

NDJSON = "application/x-ndjson"
BackupId = Annotated[
    str,
    Path(
        max_length=120,
        pattern=r"^[A-Za-z0-9-]+(\.[A-Za-z0-9]+)*$",
        examples=["latest", "hermes-20260105T090000000Z.tar.age"],
    ),
]


def _takes(path: str) -> dict[str, object]:
    """The file a route takes, for its description."""
    kinds = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in TYPES[path]}
    return {"requestBody": {"required": True, "content": kinds}}


@carrying.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def export(door: Reading, bank: InBank = "") -> StreamingResponse:
    """Everything that is remembered, as one JSON document (docs/export.md), as it is read."""

    def write(sink: Sink) -> None:
        door.app.portable.export(sink, bank=bank)

    return StreamingResponse(stream_out(write), media_type="application/json")


@carrying.post("/import", response_model=wire.Imported, openapi_extra=_takes("/v1/import"))
async def import_memory(
    door: Owning,
    request: Request,
    dry_run: bool = False,
    untrusted: Annotated[bool, Query(description="Trust nothing in it.")] = False,
) -> Json:
    """Bring in what `export` gave, plain or packed (gzip, zstd): all of it or nothing."""
    portable = door.app.portable
    async with spooled(request, door) as file:
        report = await door.call(
            lambda: portable.import_from(file, is_dry=dry_run, is_untrusted=untrusted)
        )
    return report_shape(report)


@carrying.get(
    "/sessions/{session_id:path}/export",
    response_class=StreamingResponse,
    responses={200: {"content": {NDJSON: {"schema": {"type": "string"}}}}},
)
async def export_session(
    door: Reading, session_id: Annotated[str, Path(min_length=1, max_length=200)]
) -> StreamingResponse:
    """A conversation as OpenAI-style messages, one a line."""
    talk = door.app.conversations
    await door.call(lambda: talk.get_session(session_id))
    lines = stream_out(lambda sink: render_lines(sink, talk.export(session_id)))
    return StreamingResponse(lines, media_type=NDJSON)


@carrying.post(
    "/sessions/import",
    response_model=talk_wire.Taken,
    openapi_extra=_takes("/v1/sessions/import"),
)
async def import_sessions(
    door: Writing,
    request: Request,
    *,
    session: Annotated[str, Query(max_length=200)] = "",
    bank: Annotated[str, Query(max_length=200)] = "",
    platform: Annotated[str, Query(max_length=200)] = "import",
    title: Annotated[str, Query(max_length=10_000)] = "",
) -> Json:
    """Take in conversations: OpenAI-style messages, one JSON object a line."""
    wanted = Import(
        NewSession(id=session, bank=bank, platform=platform, title=title), Origin.IMPORT
    )
    async with spooled(request, door) as file:

        def take() -> Json:
            with file.open("rb") as stream:
                kept = door.app.conversations.import_stream(stream, "the upload", wanted)
            return imported_shape("upload", kept)

        return await door.call(take)


@backups.get("/backups", response_model=Listed[wire.Backup])
async def list_backups(door: Reading) -> Json:
    """The backups there are, newest first."""
    found = await door.call(door.app.backups.list)
    return {"items": [backup_shape(each) for each in found]}


@backups.post("/backups", response_model=wire.MadeBackup, status_code=201)
async def make_backup(door: Writing) -> Json:
    """Make a backup and prove it by restoring it into a scratch folder."""
    made, gone = await door.call(door.app.backups.make)
    return backup_shape(made) | {"removed": [old.name for old in gone]}


@backups.post("/backups/{name}/verify", response_model=wire.BackupCheck)
async def verify_backup(door: Reading, name: BackupId) -> Json:
    """Restore a backup into a scratch folder and check all of it."""

    def verify() -> Json:
        found = door.app.backups.get(name)
        return check_shape(found.name, door.app.backups.verify(found.name))

    return await door.call(verify)


@backups.post("/backups/{name}/restore", response_model=wire.Restored)
async def restore_backup(door: Owning, name: BackupId, request: Request) -> Json:
    """Put a backup in the place of what is there, which is moved aside.

    Other requests wait meanwhile and go on with what was restored; `/v1/backups/restore/undo` takes
    it back.
    """
    return await _replace(door, request, lambda: door.app.backups.restore(name))


@backups.post("/backups/restore/undo", response_model=wire.Restored)
async def undo_restore(door: Owning, request: Request) -> Json:
    """Put back what the last restore moved aside, which takes its place there."""
    return await _replace(door, request, door.app.backups.undo_restore)


@backups.post("/backups/prune", response_model=wire.Pruned)
async def prune_backups(door: Owning) -> Json:
    """Delete the earlier states that restores moved aside; there is no way back to them then."""
    return {"deleted": await door.call(door.app.backups.drop_replaced)}


async def _replace(door: Door, request: Request, work: Callable[[], Restored]) -> Json:
    sessions: Sessions = request.app.state.sessions
    return restored_shape(await sessions.replace(door.app, work))


@backups.delete("/backups/{name}", response_model=wire.Backup)
async def remove_backup(door: Owning, name: BackupId) -> Json:
    """Delete a backup, for example one that still holds what was erased."""
    return backup_shape(await door.call(lambda: door.app.backups.remove(name)))


@forgetting.post("/erase", response_model=wire.Erased)
async def erase(door: Owning, sent: wire.EraseTask) -> Json:
    """Erase for good, everywhere; without `confirm` the plan is answered and nothing erased."""
    if not sent.targets and not sent.matching:
        raise UserError("Nothing was said to be erased.", "Give `targets` or `matching`.")
    return await door.call(lambda: _erase(door, sent))


def _erase(door: Door, sent: wire.EraseTask) -> Json:
    erasing = door.app.erasing
    plan = erasing.plan(sent.targets, sent.matching)
    if not sent.confirm:
        return plan_shape(plan)
    erased = erasing.erase(plan)
    proof = erasing.prove(erased.sought, own_only=True) if sent.prove else None
    return erased_shape(plan, erased, proof)


@forgetting.post("/reset", response_model=wire.ResetDone)
async def reset(door: Owning, sent: wire.ResetTask) -> Json:
    """Empty a part of memory, or all of it, after a backup that brings it back."""
    backup, removed = await door.call(lambda: door.app.erasing.reset(ResetTarget(sent.target)))
    return {"backup": backup.name, "removed": dict(removed)}


@forgetting.post("/reindex", response_model=wire.Reindexed)
async def reindex(door: Writing) -> Json:
    """Give a vector to everything that has none in the space of the configured model."""

    def work() -> Json:
        memory = door.app.memory
        indexed = memory.reindex(lambda _: None)
        return {
            "indexed": indexed,
            "backlog": memory.backlog(),
            "refused": memory.count_refused(),
        }

    return await door.call(work)


@forgetting.post("/compact", response_model=wire.CompactRun)
async def compact(door: Writing, sent: wire.CompactTask) -> Json:
    """Compress old episodes into summaries, or say what would be compressed."""
    old = door.app.compressing
    run = await door.call(lambda: old.run(dry_run=sent.dry_run, trust_clock=sent.trust_clock))
    return run_shape(run)


@forgetting.get("/summaries", response_model=Listed[wire.Summary])
async def list_summaries(door: Reading, pages: Hundred) -> Json:
    """The summaries there are, newest first."""
    found = await door.call(lambda: door.app.compressing.list(pages.reach))
    return pages.render(found, summary_shape)


@forgetting.post("/compact/undo", response_model=Listed[wire.Summary])
async def undo_compact(door: Writing, sent: wire.UndoCompact) -> Json:
    """Put raw episodes back: of the last run, or of the summaries named."""
    found = await door.call(lambda: door.app.compressing.undo(sent.ids))
    return {"items": [summary_shape(each) for each in found]}
