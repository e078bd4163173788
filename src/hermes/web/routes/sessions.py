"""Conversations: the list, and the reader that opens at any message."""

from urllib.parse import quote

from hermes.errors import NotFound
from hermes.store.base import SessionFilter
from hermes.web.asking import Answer, Ask, Page, Redirect, link
from hermes.web.desk import Desk
from hermes.web.routes.search import frame_filter
from hermes.web.views.filters import read_filter

PAGE = 40
MESSAGES = 60
AROUND = 25


def add_pages(desk: Desk) -> None:
    desk.get("/sessions", show_list)
    desk.get("/sessions/{id:path}", show)
    desk.get("/messages/{number:int}", find_message)
    desk.post("/sessions/retitle", retitle)
    desk.post("/sessions/delete", delete)
    desk.post("/sessions/restore", restore)


def show_list(ask: Ask) -> Answer:
    wanted = read_filter(ask)
    window = wanted.window(ask.app.zone)
    asked = SessionFilter(
        bank=wanted.bank,
        since_at=window.since_at,
        before_at=window.before_at,
        before_id=ask.word("before"),
        seen_at=ask.number("seen") or None,
        deleted=ask.word("show") == "deleted",
        entity_id=wanted.entity,
    )
    found = ask.app.conversations.browse(asked, PAGE + 1)
    last = found[PAGE - 1].session if len(found) > PAGE else None
    values = {
        "previews": found[:PAGE],
        "more": {"before": last.id, "seen": last.last_at} if last else {},
        "deleted": asked.deleted,
        "gone": ask.word("gone"),
        "back": ask.word("back"),
    }
    return Page("sessions.html", values | frame_filter(ask, wanted))


def show(ask: Ask) -> Answer:
    """From the start, from after a message, or around one."""
    name, at = ask.names["id"], ask.number("at")
    conversations = ask.app.conversations
    if at:
        scroll = conversations.scroll(at, before=AROUND, after=MESSAGES - AROUND)
        if scroll.session.id != name:
            raise NotFound(f"Message {at} is not in this conversation.", "Open it from a search.")
    else:
        scroll = conversations.page(name, after_id=ask.number("after"), limit=MESSAGES)
    summaries = ask.app.compressing.find_in(scroll.session.id)
    values = {"scroll": scroll, "href": href_of(name), "summaries": summaries}
    return Page("session.html", values)


def find_message(ask: Ask) -> Answer:
    """A message by its number alone: the reader, opened there."""
    number = int(ask.names["number"])
    scroll = ask.app.conversations.scroll(number, before=0, after=0)
    return Redirect(f"{link(href_of(scroll.session.id), at=number, **ask.carried)}#m{number}")


def retitle(ask: Ask) -> Answer:
    name = ask.form.get("id", "")
    ask.app.conversations.retitle(name, ask.form.get("title", "").strip())
    return Redirect(link(href_of(name), **ask.carried))


def delete(ask: Ask) -> Answer:
    name = ask.form.get("id", "")
    ask.app.conversations.delete(name)
    return Redirect(link("/sessions", gone=name, **ask.carried))


def restore(ask: Ask) -> Answer:
    name = ask.form.get("id", "")
    ask.app.conversations.restore(name)
    return Redirect(link("/sessions", back=name, **ask.carried))


def href_of(session_id: str) -> str:
    return f"/sessions/{quote(session_id, safe='')}"
