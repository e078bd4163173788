"""What waits for the person's word: approve, reject, and take a rejection back."""

from hermes.web.asking import Answer, Ask, Page, Redirect, link
from hermes.web.desk import Desk

DECIDED = 20


def add_pages(desk: Desk) -> None:
    desk.get("/pending", show)
    desk.post("/pending/{number:int}/approve", approve)
    desk.post("/pending/{number:int}/reject", reject)
    desk.post("/pending/{number:int}/reopen", reopen)


def show(ask: Ask) -> Answer:
    pending = ask.app.pending
    values = {
        "held": pending.list(),
        "decided": pending.list(decided=True, limit=DECIDED),
        "approved": ask.number("approved"),
        "rejected": ask.number("rejected"),
    }
    return Page("pending.html", values)


def approve(ask: Ask) -> Answer:
    ask.app.pending.approve(ask.names["number"])
    return _back(ask, "approved")


def reject(ask: Ask) -> Answer:
    ask.app.pending.reject(ask.names["number"])
    return _back(ask, "rejected")


def reopen(ask: Ask) -> Answer:
    ask.app.overview.reopen_held(int(ask.names["number"]))
    return _back(ask, "reopened")


def _back(ask: Ask, did: str) -> Answer:
    """To the page of the fact, if the word was given there; else to the list."""
    fact = ask.form.get("fact", "")
    if fact.isascii() and fact.isdigit():
        return Redirect(link(f"/facts/{fact}", did=did, **ask.carried))
    return Redirect(link("/pending", **({} if did == "reopened" else {did: ask.names["number"]})))
