"""What waits for the person's word: approve, reject, and take a rejection back."""

from hermes.web.asking import Answer, Ask, Page, Redirect, link
from hermes.web.desk import Desk

DECIDED = 20
MOST_DIGITS = 18


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
        "closed": [int(each) for each in ask.word("closed").split("-") if _is_number(each)],
    }
    return Page("pending.html", values)


def approve(ask: Ask) -> Answer:
    done = ask.app.pending.approve(ask.names["number"])
    return _back(ask, "approved", closed="-".join(str(f.number) for f in done.notes.closed))


def reject(ask: Ask) -> Answer:
    ask.app.pending.reject(ask.names["number"])
    return _back(ask, "rejected")


def reopen(ask: Ask) -> Answer:
    ask.app.overview.reopen_held(int(ask.names["number"]))
    return _back(ask, "reopened")


def _back(ask: Ask, did: str, closed: str = "") -> Answer:
    """To the page of the fact, if the word was given there; else to the list."""
    fact = ask.form.get("fact", "")
    if _is_number(fact):
        return Redirect(link(f"/facts/{fact}", did=did, **ask.carried))
    told = {} if did == "reopened" else {did: ask.names["number"]}
    return Redirect(link("/pending", **told, closed=closed))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < MOST_DIGITS
