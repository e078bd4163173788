"""The timeline: how much there was when, and what was done, decided and learnt day by day."""

from datetime import timedelta

from hermes.memory.timeline import DayCount, local_day
from hermes.store.base.overview import Window
from hermes.web.asking import Answer, Ask, Page
from hermes.web.desk import Desk
from hermes.web.routes.search import frame_filter
from hermes.web.views.filters import Filter, read_filter
from hermes.web.views.strip import build_strip

SHOWN_DAYS = 31
MOST_DAYS = 93  # of one page; the strip leads to the others


def add_pages(desk: Desk) -> None:
    desk.get("/timeline", show)


def show(ask: Ask) -> Answer:
    wanted, overview = read_filter(ask), ask.app.overview
    counts = overview.count_days(Window(bank=wanted.bank, entity_id=wanted.entity))
    chosen = _chosen(ask, wanted, counts)
    days = overview.list_days(chosen.window(ask.app.zone)) if counts else []
    values = {
        "strip": build_strip(counts),
        "days": days[:MOST_DAYS],
        "left_out": max(0, len(days) - MOST_DAYS),
        "chosen": chosen,
        "facts_on": {count.day: count.facts for count in counts},
    }
    return Page("timeline.html", values | frame_filter(ask, wanted))


def _chosen(ask: Ask, wanted: Filter, counts: list[DayCount]) -> Filter:
    """The days asked for; if none are, the last month in which there was anything."""
    if wanted.since or wanted.until:
        return wanted
    last = counts[-1].day if counts else local_day(ask.app.clock.now(), ask.app.zone)
    since = last - timedelta(days=SHOWN_DAYS - 1)
    return Filter(
        bank=wanted.bank,
        entity=wanted.entity,
        since=since.isoformat(),
        until=last.isoformat(),
    )
