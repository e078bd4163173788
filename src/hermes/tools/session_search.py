"""The `session_search` tool: every past conversation, by words, by place, or the latest ones."""

import asyncio
from collections.abc import Sequence
from datetime import tzinfo

from pydantic import Field

from hermes.clock import to_datetime
from hermes.counted import many
from hermes.guard.fence import NOTICE, fence
from hermes.memory.sessions import Preview, Scroll, SearchOptions, SessionHit, SessionSearch
from hermes.tools.base import Arguments, Tool, ToolContext, ToolResult
from hermes.types import Message, Origin, Trust

LINE_CHARS = 600
EDGE_CHARS = 240


class SessionSearchArguments(Arguments):
    query: str = Field("", description="Words to look for, in any language. Empty: browse.")
    around: int | None = Field(
        None, description="Scroll: the number of a message; gives the messages around it."
    )
    session: str = Field("", description="Only this session; alone: its beginning.")
    limit: int = Field(5, ge=1, le=20)


async def run(args: SessionSearchArguments, context: ToolContext) -> ToolResult:
    desk, bank = context.desk, context.bank
    if args.around is not None:
        place: str | int = args.around
        scroll = await asyncio.to_thread(desk.scroll_session, place, bank=bank, before=8, after=8)
        return _scrolled(scroll, desk.zone)
    if args.query.strip():
        options = SearchOptions(bank, args.limit, session_id=args.session)
        found = await asyncio.to_thread(desk.search_sessions, args.query, options)
        return _found(found, desk.zone)
    if args.session:
        scroll = await asyncio.to_thread(
            desk.scroll_session, args.session, bank=bank, before=0, after=20
        )
        return _scrolled(scroll, desk.zone)
    listed = await asyncio.to_thread(desk.browse_sessions, bank=bank, limit=args.limit)
    return _browsed(listed, desk.zone)


def _found(search: SessionSearch, zone: tzinfo) -> ToolResult:
    if not search.hits:
        return ToolResult(f"No conversation holds {search.query!r}.", trust=Trust.HIGH)
    blocks = [_hit(hit, zone) for hit in search.hits]
    shown = [m for hit in search.hits for m in (*hit.around, *hit.first, *hit.last)]
    refs = [f"message:{hit.message.id}" for hit in search.hits]
    return _result(blocks, shown, refs, told=f"found {_titles(search)}")


def _hit(hit: SessionHit, zone: tzinfo) -> str:
    first = [f"begins: {_line(m, zone, EDGE_CHARS)}" for m in hit.first]
    last = [f"ends: {_line(m, zone, EDGE_CHARS)}" for m in hit.last]
    around = [f"{'>' if m.id == hit.message.id else ' '} {_line(m, zone)}" for m in hit.around]
    label = {"session": hit.session.id, "title": hit.session.title[:60], "hits": str(hit.hits)}
    return fence("\n".join([*first, *around, *last]), label)


def _scrolled(scroll: Scroll, zone: tzinfo) -> ToolResult:
    lines = [_line(message, zone) for message in scroll.messages]
    more = [
        m
        for m, is_so in (("more before", scroll.has_before), ("more after", scroll.has_after))
        if is_so
    ]
    label = {
        "session": scroll.session.id,
        "title": scroll.session.title[:60],
        "note": ", ".join(more),
    }
    block = fence("\n".join(lines), label)
    told = f"read {scroll.session.title or scroll.session.id}"
    return _result([block], scroll.messages, [f"session:{scroll.session.id}"], told=told)


def _browsed(previews: list[Preview], zone: tzinfo) -> ToolResult:
    if not previews:
        return ToolResult("There is no conversation yet.", trust=Trust.HIGH)
    lines = [
        f"{each.session.id} [{to_datetime(each.session.last_at).astimezone(zone):%Y-%m-%d}] "
        f"{each.session.title or each.opening.text} ({many(each.session.messages, 'message')})"
        for each in previews
    ]
    refs = [f"session:{each.session.id}" for each in previews]
    return ToolResult(
        f"{NOTICE}\n{fence(chr(10).join(lines), {'kind': 'sessions'})}",
        trust=min(Trust.MEDIUM, *(each.trust for each in previews)),
        kept=_kept(refs),
        told=f"the latest: {len(previews)}",
    )


def _titles(search: SessionSearch) -> str:
    return ", ".join(f"“{hit.session.title or hit.session.id}”" for hit in search.hits)


def _result(
    blocks: list[str], shown: Sequence[Message], refs: list[str], *, told: str
) -> ToolResult:
    trust = min((message.trust for message in shown), default=Trust.HIGH)
    return ToolResult("\n".join([NOTICE, *blocks]), trust=trust, kept=_kept(refs), told=told)


def _kept(refs: list[str]) -> str:
    """What is recorded: that something was found, not the memory itself once more."""
    return f"[found in memory: {', '.join(refs)}]"


def _line(message: Message, zone: tzinfo, limit: int = LINE_CHARS) -> str:
    text = " ".join(message.text.split())
    cut = text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + " …"
    who = message.speaker or message.role.value
    at = to_datetime(message.at).astimezone(zone)
    return f"[message:{message.id} {at:%Y-%m-%d %H:%M}] {who}: {cut}"


TOOL = Tool(
    name="session_search",
    description=(
        "Search every past conversation by words: gives the matching message, the ones around it, "
        "and how that conversation began and ended. With `around`, scroll around a message; with "
        "nothing, list the latest conversations."
    ),
    arguments=SessionSearchArguments,
    run=run,
    parallel=True,
    origin=Origin.AGENT,
)
