"""Jobs, spending and health: how the memory fares, what it costs, what runs in the background."""

from hermes.store.base.jobs import JobFilter
from hermes.web.asking import Answer, Ask, Page, Redirect
from hermes.web.desk import Desk
from hermes.web.views.wellbeing import list_figures, sum_days

JOBS = 30
SPENDING_DAYS = 14


def add_pages(desk: Desk) -> None:
    desk.get("/health", show)
    desk.post("/jobs/{number:int}/retry", retry)
    desk.post("/jobs/{number:int}/cancel", cancel)


def show(ask: Ask) -> Answer:
    app = ask.app
    well = app.overview.wellbeing()
    values = {
        "well": well,
        "figures": list_figures(well),
        "daemon": app.daemon.status(),
        "status": app.health.status(),
        "jobs": app.jobs.list(JobFilter(), JOBS),
        "findings": app.health.doctor() if ask.word("check") else None,
        "latency": app.overview.measure() if ask.word("measure") else None,
        "measured": bool(ask.word("measure")),
        "spent": app.spending.spent(),
        "spending": sum_days(app.spending.by_day())[:SPENDING_DAYS],
        "models": app.spending.by_model(),
        "light_model": app.config.light_model,
    }
    return Page("health.html", values)


def retry(ask: Ask) -> Answer:
    ask.app.jobs.retry(int(ask.names["number"]))
    return Redirect("/health#jobs")


def cancel(ask: Ask) -> Answer:
    ask.app.jobs.cancel(int(ask.names["number"]))
    return Redirect("/health#jobs")
