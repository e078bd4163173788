"""Search as you type, over everything; with nothing typed, what is new."""

from hermes.memory.facts.listing import FactQuery
from hermes.store.base import SessionFilter
from hermes.types import FactKind
from hermes.web.asking import Answer, Ask, Page
from hermes.web.desk import Desk
from hermes.web.views.filters import Filter, read_filter

FEW, MANY = 8, 40
NEW_FACTS, NEW_SESSIONS = 8, 6


def add_pages(desk: Desk) -> None:
    desk.get("/", search)


def search(ask: Ask) -> Answer:
    wanted, app = read_filter(ask), ask.app
    values: dict[str, object] = {"filter": wanted}
    if wanted.is_used:
        limit = MANY if wanted.type else FEW
        found = app.overview.find(wanted.sought(app.zone, limit))
        values["found"] = found
        values["summaries"] = app.compressing.find_among(each.message for each in found.messages)
    if ask.is_part:
        return Page("search_results.html", values | _home(ask, wanted))
    shown = values | _home(ask, wanted) | frame_filter(ask, wanted)
    return Page("search.html", shown, after=app.overview.warm)


def _home(ask: Ask, wanted: Filter) -> dict[str, object]:
    """What is new, for whoever has not asked for anything yet."""
    if wanted.is_used:
        return {}
    app = ask.app
    return {
        "new_facts": app.facts.list(FactQuery(bank=wanted.bank), NEW_FACTS),
        "new_sessions": app.conversations.browse(SessionFilter(bank=wanted.bank), NEW_SESSIONS),
        "tally": app.facts.tally(wanted.bank),
        "waiting": app.pending.count(),  # as the badge counts, and the page behind the link
    }


def frame_filter(ask: Ask, wanted: Filter) -> dict[str, object]:
    """What a bar of filters offers, and what it is set to."""
    return {
        "filter": wanted,
        "banks": [bank.name for bank in ask.app.conversations.list_banks()],
        "kinds": [kind.value for kind in FactKind],
    }
