"""What was learnt of how tasks go; skills will stand beside it."""

from itertools import groupby

from hermes.web.asking import Answer, Ask, Page, Redirect, link
from hermes.web.desk import Desk
from hermes.web.views.filters import read_filter

SHOWN = 500


def add_pages(desk: Desk) -> None:
    desk.get("/lessons", show)
    desk.post("/lessons/{number:int}/delete", delete)
    desk.post("/lessons/{number:int}/restore", restore)


def show(ask: Ask) -> Answer:
    bank = read_filter(ask).bank
    found = ask.app.reflections.list(bank, limit=SHOWN)
    by_type = sorted(found, key=lambda each: each.task_type)
    groups = [(name, list(each)) for name, each in groupby(by_type, lambda each: each.task_type)]
    values = {
        "groups": groups,
        "count": len(found),
        "gone": ask.number("gone"),
        "bank": bank,
        "banks": [each.name for each in ask.app.conversations.list_banks()],
    }
    return Page("lessons.html", values)


def delete(ask: Ask) -> Answer:
    ask.app.reflections.delete(str(ask.names["number"]))
    return Redirect(link("/lessons", gone=ask.names["number"]))


def restore(ask: Ask) -> Answer:
    number = str(ask.names["number"])
    ask.app.overview.restore_reflection(number)
    return Redirect(f"/lessons#lesson-{number}")
