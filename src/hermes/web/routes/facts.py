"""Facts: the list, the page of one, and putting one right: edit, delete, restore, undo."""

from typing import TypeVar

from hermes.app.facts import NewFact
from hermes.errors import UserError
from hermes.memory.facts.given import Revision
from hermes.memory.facts.listing import FactQuery
from hermes.memory.facts.reference import parse_ref
from hermes.memory.timeline import local_day, start_of
from hermes.types import Confidence, Fact, FactKind
from hermes.web.asking import Answer, Ask, Page, Redirect, link
from hermes.web.desk import Desk
from hermes.web.routes.search import frame_filter
from hermes.web.views.diff import diff_words
from hermes.web.views.fact import source_message, view_fact
from hermes.web.views.filters import parse_day, read_filter

E = TypeVar("E", FactKind, Confidence)
PAGE = 50
AROUND = 8


def add_pages(desk: Desk) -> None:
    desk.get("/facts", show_list)
    desk.post("/facts", add)
    desk.get("/facts/{ref}", show)
    desk.post("/facts/{ref}/edit", edit)
    desk.post("/facts/{ref}/delete", delete)
    desk.post("/facts/{ref}/restore", restore)
    desk.post("/facts/{ref}/undo", undo)


def show_list(ask: Ask) -> Answer:
    wanted = read_filter(ask)
    query = FactQuery(
        bank=wanted.bank,
        kinds=(wanted.kind,) if wanted.kind else (),
        entity=f"entity:{wanted.entity}" if wanted.entity else "",
        everything=ask.word("show") == "all",
        before_number=ask.number("before") or None,
    )
    facts = ask.app.facts.list(query, PAGE + 1)
    more = facts[PAGE - 1].number if len(facts) > PAGE else 0
    values = {"facts": facts[:PAGE], "more": more, "show_all": query.everything}
    return Page("facts.html", values | frame_filter(ask, wanted))


def add(ask: Ask) -> Answer:
    kept = ask.app.facts.add(NewFact(ask.form.get("text", ""), ask.form.get("bank") or "default"))
    if kept.fact is None:
        raise UserError(f"This was not kept: {kept.reason}.", "Say it as one plain statement.")
    return Redirect(link(_href(kept.fact.number), did=kept.verdict.value))


def show(ask: Ask) -> Answer:
    why = ask.app.facts.why(ask.names["ref"])
    place = source_message(why)
    conversations = ask.app.conversations
    scroll = conversations.scroll(place, before=AROUND, after=AROUND) if place else None
    values = {
        "view": view_fact(why, scroll, ask.app.pending.find_last_of_fact(why.fact)),
        "scroll": scroll,
        "summaries": ask.app.compressing.find_among(why.messages),
        "kinds": [kind.value for kind in FactKind],
        "confidences": [each.value for each in Confidence],
        "did": ask.word("did"),
    }
    return Page("fact.html", values)


def edit(ask: Ask) -> Answer:
    """Change what the form says; what changed meanwhile is shown beside it, to be chosen from.

    A new wording is read anew, but stays of the kind and confidence that the form showed.
    """
    ref, form = ask.names["ref"], ask.form
    fact = ask.app.facts.get(ref)
    text = form.get("text", "").strip() or fact.text
    is_other = form.get("was", fact.text) != fact.text and text != fact.text
    if is_other or (fact.retracted_at is not None and not form.get("restore")):
        return _show_conflict(ask, fact, text)
    revision = Revision(
        kind=_chosen(FactKind, form.get("kind", "")),
        confidence=_chosen(Confidence, form.get("confidence", "")),
        valid_from=_other_day(ask, "valid_from", fact.valid_from),
        valid_to=_other_day(ask, "valid_to", fact.valid_to),
    )
    reworded = text if text != fact.text else None
    is_gone = fact.retracted_at is not None
    ask.app.facts.revise(ref, revision, text=reworded, restored=is_gone)
    return _back(ask, "edited")


def _show_conflict(ask: Ask, fact: Fact, text: str) -> Answer:
    """Both wordings, and a form that holds the person's own."""
    values = {
        "fact": fact,
        "text": text,
        "words": diff_words(fact.text, text),
        "form": ask.form,
        "kinds": [kind.value for kind in FactKind],
        "confidences": [each.value for each in Confidence],
    }
    return Page("conflict.html", values, 409)


def delete(ask: Ask) -> Answer:
    ask.app.facts.forget(ask.names["ref"])
    return _back(ask, "deleted")


def restore(ask: Ask) -> Answer:
    change = ask.form.get("change", "")
    number = int(change) if change.isascii() and change.isdigit() else None
    ask.app.facts.restore(ask.names["ref"], change_id=number)
    return _back(ask, "restored")


def undo(ask: Ask) -> Answer:
    ask.app.overview.undo_fact(ask.names["ref"])
    return _back(ask, "undone")


def _chosen(kinds: type[E], text: str) -> E | None:
    """What the form chose; nothing, if it chose nothing we know."""
    return next((each for each in kinds if each.value == text), None)


def _other_day(ask: Ask, name: str, now: int | None) -> int | None:
    """The day of a field, if it is not the one there is."""
    if name not in ask.form:
        return None
    zone, day = ask.app.zone, parse_day(ask.form[name].strip())
    if day is None and now is not None:
        hint = "Give another day; “Undo” takes back the change that set it."
        raise UserError("A day cannot be taken away from a fact.", hint)
    same = day is None or (now is not None and local_day(now, zone) == day)
    return None if same or day is None else start_of(day, zone)


def _back(ask: Ask, did: str) -> Answer:
    return Redirect(link(_href(parse_ref(ask.names["ref"])), did=did, **ask.carried))


def _href(number: int) -> str:
    return f"/facts/{number}"
