"""The model of the user, what contradicts in it, and the notebooks that enter every prompt."""

from hermes.errors import NotFound
from hermes.memory.banks import DEFAULT
from hermes.memory.notes.request import Target
from hermes.web.asking import Answer, Ask, Page, Redirect, link
from hermes.web.desk import Desk
from hermes.web.views.user import list_contested, view_user


def add_pages(desk: Desk) -> None:
    desk.get("/user", show)
    desk.post("/user/settle", settle)
    desk.post("/notes/{page}/add", add_note)
    desk.post("/notes/{page}/replace", replace_note)
    desk.post("/notes/{page}/remove", remove_note)


def show(ask: Ask) -> Answer:
    app, bank = ask.app, choose_bank(ask)
    model, is_whole = app.user.show(bank), bool(ask.word("all"))
    contested = list_contested(model, is_whole=is_whole)
    facts = {number: app.facts.get(str(number)) for number in contested}
    pages = [
        {
            "name": target.value,
            "notes": app.notes.list(target),
            "size": app.notes.size(target),
            "limit": app.notes.page(target).limit,
            "file": app.notes.page(target).path.name,
        }
        for target in Target
    ]
    values = {
        "view": view_user(model, facts, is_whole=is_whole),
        "pages": pages,
        "bank": bank,
        "banks": [each.name for each in app.conversations.list_banks()],
        "others": list_others(ask, bank),
        "settled": ask.word("settled"),
        "removed": ask.word("removed"),
        "from_page": ask.word("page"),
    }
    return Page("user.html", values)


def settle(ask: Ask) -> Answer:
    """Keep one of facts that contradict each other; the others are deleted, and can come back."""
    keep, bank = ask.form.get("keep", ""), ask.form.get("bank", "")
    kept = ask.app.facts.why(keep)
    for rival in kept.contradicts:
        if rival.retracted_at is None:
            ask.app.facts.forget(str(rival.number))
    return Redirect(link("/user", bank=bank, settled=kept.fact.number))


def add_note(ask: Ask) -> Answer:
    ask.app.notes.add(_page(ask), ask.form.get("text", ""))
    return Redirect("/user#notes")


def replace_note(ask: Ask) -> Answer:
    """Reword a note; if it is not there any more, the new wording is shown, to be added."""
    page, note, text = _page(ask), ask.form.get("note", ""), ask.form.get("text", "")
    if all(each.id != note for each in ask.app.notes.list(page)):
        notes = [each.text for each in ask.app.notes.list(page)]
        return Page("unsaved.html", {"page": page.value, "text": text, "notes": notes}, 409)
    ask.app.notes.replace(page, note, text)
    return Redirect("/user#notes")


def remove_note(ask: Ask) -> Answer:
    """Take a note out; the page that follows holds its text, to put it back."""
    page, note = _page(ask), ask.form.get("note", "")
    text = next((each.text for each in ask.app.notes.list(page) if each.id == note), "")
    ask.app.notes.remove(page, note)
    return Redirect(link("/user", removed=text, page=page.value))


def _page(ask: Ask) -> Target:
    try:
        return Target(ask.names["page"])
    except ValueError:
        raise NotFound("There is no such notebook.", "There are memory and user.") from None


def choose_bank(ask: Ask) -> str:
    """The bank asked for; else the default one, or the only one that holds anything."""
    if ask.word("bank"):
        return ask.app.conversations.get_bank(ask.word("bank")).name
    used = [bank.name for bank in ask.app.conversations.list_banks() if bank.sessions]
    return used[0] if used and DEFAULT not in used else DEFAULT


def list_others(ask: Ask, bank: str) -> list[str]:
    """Other banks that hold conversations: where to look while `bank` shows nothing."""
    banks = ask.app.conversations.list_banks()
    return [each.name for each in banks if each.sessions and each.name != bank]
