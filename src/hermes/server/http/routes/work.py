"""The log of events, background jobs, banks and profiles."""

from typing import Annotated, Literal

from fastapi import Path, Query
from starlette.requests import Request

from hermes.app.shapes import bank_shape
from hermes.app.work_shapes import event_shape, job_shape, spending_shape, verdict_shape
from hermes.config.profiles import (
    create_profile,
    delete_profile,
    get_profile,
    list_profiles,
    list_trash,
    restore_profile,
)
from hermes.config.running import find_daemon
from hermes.errors import Conflict, Refused
from hermes.server.http.entry import Door
from hermes.server.http.routes.paging import Fifty
from hermes.server.http.routes.ways import (
    At,
    Json,
    Owning,
    Reading,
    Writing,
    entry_of,
    new_router,
    parse_at,
)
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import JobFilter, JobState
from hermes.types import EventKind
from hermes.wire import talk as talk_wire
from hermes.wire import work as wire
from hermes.wire.base import LARGEST, Listed

log = new_router("log")
jobs = new_router("jobs")
banks = new_router("banks")
profiles = new_router("profiles")

JobId = Annotated[int, Path(ge=1, le=LARGEST, examples=[1])]
BankName = Annotated[str, Path(min_length=1, max_length=200, examples=["default"])]
BeforeEvent = Annotated[
    int | None, Query(ge=1, le=LARGEST, description="Lines written before this one.")
]
ProfileName = Annotated[str, Path(min_length=1, max_length=120, examples=["work"])]


@log.get("/events", response_model=Listed[wire.Event])
async def list_events(
    door: Reading,
    *,
    since: At = None,
    before: At = None,
    before_id: BeforeEvent = None,
    kind: Annotated[list[EventKind] | None, Query(max_length=5)] = None,
    ref: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=10_000)] = 50,
) -> Json:
    """What was done, newest first; `before_id`, the last line of a page, asks for the next one."""
    kinds = tuple(each.value for each in kind or ())
    wanted = EventFilter(parse_at(since), parse_at(before), kinds, ref, before_id)
    found = await door.call(lambda: door.app.events.list(wanted, limit + 1))
    return {"items": [event_shape(each) for each in found[:limit]], "more": len(found) > limit}


@log.post("/events", response_model=wire.Event, status_code=201)
async def record_event(door: Writing, sent: wire.NewEvent) -> Json:
    """Add a line to the log."""
    events = door.app.events
    event = await door.call(
        lambda: events.record(sent.kind, sent.summary, details=sent.details, ref=sent.ref)
    )
    return event_shape(event)


@log.get("/events/verify", response_model=wire.Verdict)
async def verify_events(door: Reading) -> Json:
    """Whether no line of the log was altered, removed or inserted."""
    return verdict_shape(await door.call(door.app.events.verify))


@jobs.get("/jobs", response_model=Listed[wire.Job])
async def list_jobs(
    door: Reading,
    *,
    kind: Annotated[str, Query(max_length=80)] = "",
    state: Annotated[list[JobState] | None, Query(max_length=5)] = None,
    pages: Fifty,
) -> Json:
    """Background work: unfinished first, then the newest."""
    wanted = JobFilter(kind=kind, states=tuple(state or ()))
    found = await door.call(lambda: door.app.jobs.list(wanted, pages.reach))
    return pages.render(found, job_shape)


@jobs.post("/jobs", response_model=Listed[wire.Job], status_code=202)
async def ask_for_jobs(door: Writing, sent: wire.JobsWanted) -> Json:
    """Have background work done now, due or not; the daemon's worker does it."""
    found = await door.call(lambda: door.app.jobs.ask(sent.kinds))
    return {"items": [job_shape(each) for each in found]}


@jobs.get("/spending", response_model=wire.Spending)
async def spending(
    door: Reading,
    *,
    since: Annotated[str, Query(max_length=40, examples=["2026-01-31"])] = "",
    by: Annotated[Literal["day", "model"], Query(description="A line a day, or a model.")] = "day",
) -> Json:
    """What calls to models cost, and how far today's caps are."""

    def read() -> Json:
        books = door.app.spending
        lines = books.by_model(since) if by == "model" else books.by_day(since)
        return spending_shape(lines, books.caps())

    return await door.call(read)


@jobs.get("/jobs/{job_id}", response_model=wire.Job)
async def get_job(door: Reading, job_id: JobId) -> Json:
    """One job."""
    return job_shape(await door.call(lambda: door.app.jobs.get(job_id)))


@jobs.post("/jobs/{job_id}/retry", response_model=wire.Job)
async def retry_job(door: Writing, job_id: JobId) -> Json:
    """Make a job due at once, with all its attempts."""
    return job_shape(await door.call(lambda: door.app.jobs.retry(job_id)))


@jobs.post("/jobs/{job_id}/cancel", response_model=wire.Job)
async def cancel_job(door: Writing, job_id: JobId) -> Json:
    """Keep a job from running; one that runs stops at its next step."""
    return job_shape(await door.call(lambda: door.app.jobs.cancel(job_id)))


@banks.get("/banks", response_model=Listed[talk_wire.Bank])
async def list_banks(door: Reading) -> Json:
    """The scopes of this memory."""
    found = await door.call(door.app.conversations.list_banks)
    return {"items": [bank_shape(each) for each in found]}


@banks.get("/banks/{name}", response_model=talk_wire.Bank)
async def get_bank(door: Reading, name: BankName) -> Json:
    """One bank."""
    return bank_shape(await door.call(lambda: door.app.conversations.get_bank(name)))


@banks.post("/banks", response_model=talk_wire.Bank, status_code=201)
async def create_bank(door: Writing, sent: talk_wire.NewBank) -> Json:
    """Make a bank; recording into one that is not there makes it, too."""
    talk = door.app.conversations
    return bank_shape(await door.call(lambda: talk.create_bank(sent.name, sent.description)))


@profiles.get("/profile", response_model=wire.Profile)
async def own_profile(door: Reading) -> Json:
    """The profile this token opens."""
    home, name = door.app.paths.home, door.app.paths.name
    found = await door.call(lambda: list_profiles(home))
    return next({"name": each.name, "active": each.active} for each in found if each.name == name)


def _keep_house(door: Door, request: Request) -> None:
    """Refused for the owner of another profile than the daemon's: others are not theirs to see."""
    own = entry_of(request).profiles.own.paths.name
    if door.app.paths.name != own:
        raise Refused(
            f"This token opens profile {door.app.paths.name} and no other.",
            f"Ask with a token of profile {own}, which the daemon serves.",
        )


@profiles.get("/profiles", response_model=Listed[wire.Profile])
async def list_all(door: Owning, request: Request) -> Json:
    """Every profile of the home."""
    _keep_house(door, request)
    found = await door.call(lambda: list_profiles(door.app.paths.home))
    return {"items": [{"name": each.name, "active": each.active} for each in found]}


@profiles.post("/profiles", response_model=wire.Profile, status_code=201)
async def create(door: Owning, sent: wire.NewProfile, request: Request) -> Json:
    """Make a new profile, empty."""
    _keep_house(door, request)
    paths = await door.call(lambda: create_profile(door.app.paths.home, sent.name))
    return {"name": paths.name, "active": False}


@profiles.get("/profiles/deleted", response_model=Listed[wire.Trashed])
async def list_deleted(door: Owning, request: Request) -> Json:
    """Profiles that were put away and can be brought back."""
    _keep_house(door, request)
    found = await door.call(lambda: list_trash(door.app.paths.home))
    return {"items": [{"id": each.id, "name": each.name} for each in found]}


@profiles.delete("/profiles/{name}", response_model=wire.Trashed)
async def delete(door: Owning, name: ProfileName, request: Request) -> Json:
    """Put a profile away; `restore` brings it back."""
    _keep_house(door, request)
    app, opened = door.app, entry_of(request).profiles

    def put_away() -> Json:
        paths = get_profile(app.paths.home, name)
        if find_daemon(paths) is not None:
            raise Conflict(f"A daemon serves profile {name!r}.", "Stop it with `hermes stop`.")
        opened.forget(name)
        gone = delete_profile(app.paths.home, name, app.clock)
        return {"id": gone.id, "name": gone.name}

    gone = await door.call(put_away)
    request.app.state.mcp.forget(name)
    return gone


@profiles.post("/profiles/{name}/restore", response_model=wire.Profile)
async def restore(door: Owning, name: ProfileName, request: Request) -> Json:
    """Bring back a profile that was put away."""
    _keep_house(door, request)
    paths = await door.call(lambda: restore_profile(door.app.paths.home, name))
    return {"name": paths.name, "active": False}
