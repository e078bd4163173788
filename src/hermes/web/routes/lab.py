"""The recall lab: a task, and everything recall makes of it."""

from hermes.memory.recall.engine import LEAST_BUDGET
from hermes.memory.timeline import end_of
from hermes.web.asking import Answer, Ask, Page
from hermes.web.desk import Desk
from hermes.web.routes.user import choose_bank, list_others
from hermes.web.views.filters import parse_day
from hermes.web.views.lab import view_recall

MOST_BUDGET = 200_000


def add_pages(desk: Desk) -> None:
    desk.get("/lab", show)


def show(ask: Ask) -> Answer:
    app, task = ask.app, ask.word("task")
    usual = app.config.memory.retrieval.context_budget_tokens
    budget = min(
        MOST_BUDGET, max(LEAST_BUDGET, ask.number("budget", ask.number("budget_tokens", usual)))
    )
    bank = choose_bank(ask)
    values: dict[str, object] = {
        "task": task,
        "budget": budget,
        "bank": bank,
        "banks": [each.name for each in app.conversations.list_banks()],
        "others": list_others(ask, bank),
        "as_of": ask.word("as_of"),
    }
    if task:
        day = parse_day(ask.word("as_of"))
        as_of = end_of(day, app.zone) - 1 if day else None
        recall = app.memory.recall(task, bank=bank, budget_tokens=budget, as_of=as_of)
        values["lab"] = view_recall(recall)
    return Page("lab.html", values)
