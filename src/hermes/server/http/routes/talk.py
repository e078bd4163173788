"""Sessions and turns: record, search, scroll, browse, put away."""

from base64 import b64encode
from collections.abc import Callable
from typing import Annotated

from fastapi import Path, Query
from starlette.requests import Request

from hermes.app.shapes import (
    preview_shape,
    recorded_shape,
    scroll_shape,
    search_shape,
    session_shape,
)
from hermes.guard.origin import ORIGIN_OF_ROLE, trust_of
from hermes.memory.sessions import Scroll, SearchOptions
from hermes.memory.transcript import parse_messages
from hermes.server.http.entry import Door
from hermes.server.http.recording import Recorder
from hermes.server.http.routes.ways import (
    AfterId,
    InBank,
    Json,
    Reading,
    Writing,
    new_router,
    parse_at,
)
from hermes.store.base import SessionFilter
from hermes.types import NewSession, Turn, Utterance
from hermes.wire import talk as wire
from hermes.wire.base import LARGEST, Listed

router = new_router("sessions")

SessionId = Annotated[str, Path(min_length=1, max_length=200, examples=["kayak-trip"])]
MessageId = Annotated[int, Path(ge=1, le=LARGEST, examples=[1])]
Few = Annotated[int, Query(ge=0, le=200)]


def parse_turn(sent: wire.NewTurn) -> Turn:
    """A turn as the App takes it."""
    said = sent.session
    session = NewSession(
        id=said.id,
        bank=said.bank,
        platform=said.platform,
        identity=said.identity,
        title=said.title,
        task=said.task,
        parent_id=said.parent_id,
    )
    messages = tuple([_utterance(each) for each in sent.messages])
    return Turn(session, messages, sent.task, sent.key, sent.continues)


def _utterance(said: wire.Said) -> Utterance:
    """A message; whoever is said to have brought it, its role caps how far it is trusted."""
    most = trust_of(ORIGIN_OF_ROLE[said.role])
    if isinstance(said.content, str) and not said.tool_calls and not said.tool_call_id:
        at = parse_at(said.at)
        return Utterance(said.role, said.content, at, said.name, origin=said.origin, trust=most)
    shape = said.model_dump(mode="json", exclude={"origin"})
    (read,) = parse_messages([shape])
    return Utterance(
        role=read.role,
        text=read.text,
        at=read.at,
        speaker=read.speaker,
        calls=read.calls,
        call_id=read.call_id,
        origin=said.origin,
        trust=most,
        payloads=read.payloads,
    )


@router.post("/turns", response_model=wire.Receipt, status_code=201)
async def record_turn(door: Writing, turn: wire.NewTurn, request: Request) -> Json:
    """Keep one turn. When this answers, it is on disk."""
    # `TurnsFirst` answers this path; what stands here describes it, and does the same.
    recorder: Recorder = request.app.state.recorder
    return recorded_shape(await recorder.record(door.app, parse_turn(turn)))


@router.post("/turns/batch", response_model=wire.Receipts, status_code=201)
async def record_turns(door: Writing, sent: wire.NewTurns) -> Json:
    """Keep several turns, all or none."""
    turns = [parse_turn(turn) for turn in sent.turns]
    kept = await door.call(lambda: door.app.conversations.record(turns))
    return {"receipts": [recorded_shape(receipt) for receipt in kept]}


@router.get("/sessions", response_model=Listed[wire.Preview])
async def list_sessions(door: Reading, asked: Annotated[wire.SessionsQuestion, Query()]) -> Json:
    """Conversations, newest first; `before_id`, the last of a page, asks for the next one."""
    wanted = SessionFilter(
        asked.bank,
        asked.platform,
        asked.identity,
        before_at=parse_at(asked.before),
        before_id=asked.before_id,
        seen_at=parse_at(asked.before_last_at),
        deleted=asked.deleted,
    )
    found = await door.call(lambda: door.app.conversations.browse(wanted, asked.limit + 1))
    more = len(found) > asked.limit
    return {"items": [preview_shape(each) for each in found[: asked.limit]], "more": more}


@router.get("/sessions/search", response_model=wire.SessionSearch)
async def search_sessions(
    door: Reading,
    q: Annotated[str, Query(max_length=10_000, examples=["kayak"])],
    *,
    bank: InBank = "",
    session_id: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 5,
    as_you_type: bool = False,
) -> Json:
    """Past conversations by what was said in them."""
    asked = wire.SessionQuestion(
        query=q, bank=bank, limit=limit, session_id=session_id, as_you_type=as_you_type
    )
    return await ask_sessions(door, asked)


@router.post("/sessions/search", response_model=wire.SessionSearch)
async def ask_sessions(door: Reading, asked: wire.SessionQuestion) -> Json:
    """As GET, for questions too long for an address."""
    options = SearchOptions(
        asked.bank, asked.limit, tuple(asked.roles), asked.session_id, asked.as_you_type
    )
    talk, compressed = door.app.conversations, door.app.compressing

    def search() -> Json:
        found = talk.search(asked.query, options)
        return search_shape(found, compressed.find_among(hit.message for hit in found.hits))

    return await door.call(search)


@router.get("/messages/{message_id}/around", response_model=wire.Scroll)
async def scroll(door: Reading, message_id: MessageId, before: Few = 5, after: Few = 5) -> Json:
    """The messages around one."""
    talk = door.app.conversations
    return await _show(door, lambda: talk.scroll(message_id, before=before, after=after))


async def _show(door: Door, read: Callable[[], Scroll]) -> Json:
    """A stretch of a conversation, its summaries marked."""

    def show() -> Json:
        scroll = read()
        return scroll_shape(scroll, door.app.compressing.find_in(scroll.session.id))

    return await door.call(show)


@router.get("/messages/{message_id}/payloads", response_model=Listed[wire.Payload])
async def list_payloads(door: Reading, message_id: MessageId) -> Json:
    """The pictures and files of a message."""
    found = await door.call(lambda: door.app.conversations.list_payloads(message_id))
    return {
        "items": [
            {"media_type": each.media_type, "content": b64encode(each.content).decode()}
            for each in found
        ]
    }


@router.get("/sessions/{session_id:path}/messages", response_model=wire.Scroll)
async def read_session(
    door: Reading,
    session_id: SessionId,
    after_id: AfterId = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> Json:
    """The messages of a conversation from the start, or from after one."""
    talk = door.app.conversations
    return await _show(door, lambda: talk.page(session_id, after_id=after_id, limit=limit))


@router.post("/sessions/{session_id:path}/end", response_model=wire.Session)
async def end_session(door: Writing, session_id: SessionId) -> Json:
    """Say that a conversation is over: its facts are extracted soon."""
    await door.call(lambda: door.app.conversations.end(session_id))
    return await get_session(door, session_id)


@router.post("/sessions/{session_id:path}/restore", response_model=wire.Session)
async def restore_session(door: Writing, session_id: SessionId) -> Json:
    """Bring back a session that was put away."""
    await door.call(lambda: door.app.conversations.restore(session_id))
    return await get_session(door, session_id)


@router.get("/sessions/{session_id:path}", response_model=wire.Session)
async def get_session(door: Reading, session_id: SessionId) -> Json:
    """One conversation at a glance."""
    return session_shape(await door.call(lambda: door.app.conversations.get_session(session_id)))


@router.patch("/sessions/{session_id:path}", response_model=wire.Session)
async def retitle_session(door: Writing, session_id: SessionId, sent: wire.Retitle) -> Json:
    """Give a conversation another title."""
    await door.call(lambda: door.app.conversations.retitle(session_id, sent.title))
    return await get_session(door, session_id)


@router.delete("/sessions/{session_id:path}", response_model=wire.Session)
async def delete_session(door: Writing, session_id: SessionId) -> Json:
    """Put a conversation away; `restore` brings it back."""
    gone = await get_session(door, session_id)
    await door.call(lambda: door.app.conversations.delete(session_id))
    return gone
