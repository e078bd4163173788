"""Taking a memory along, keeping copies of it, and forgetting for good: export, backup, erase."""

import secrets

from hermes.errors import UserError
from hermes.memory.backup.shelf import Backup
from hermes.memory.erase.reset import ResetTarget
from hermes.store.base.overview import Window
from hermes.web.asking import Answer, Ask, Download, Page, Redirect, link
from hermes.web.desk import Desk
from hermes.web.views.erasure import list_doomed

ERASE = "erase"
RESET = "reset"
_FORMS = {"json": ".json", "gzip": ".json.gz", "zstd": ".json.zst"}


def add_pages(desk: Desk) -> None:
    desk.get("/care", show)
    desk.get("/care/export", export)
    desk.post("/care/backup", back_up)
    desk.post("/care/verify", verify)
    desk.get("/care/restore", plan_restore)
    desk.replace("/care/restore", restore)
    desk.replace("/care/restore/undo", undo_restore)
    desk.get("/care/erase", plan_erasure)
    desk.post("/care/erase", erase)
    desk.get("/care/reset", plan_reset)
    desk.post("/care/reset", reset)


def show(ask: Ask) -> Answer:
    app = ask.app
    values = {
        "backups": app.backups.list(),
        "folder": str(app.backups.folder),
        "settings": app.config.backups,
        "banks": [bank.name for bank in app.conversations.list_banks()],
        "targets": [target.value for target in ResetTarget],
        "made": ask.word("made"),
        "verified": ask.word("verified"),
        "reset": ask.word("reset"),
        "restored": ask.word("restored"),
        "undone": bool(ask.word("undone")),
    }
    return Page("care.html", values)


def export(ask: Ask) -> Answer:
    ending = _FORMS.get(ask.word("form"), ".json")
    bank = ask.word("bank")
    file = ask.app.paths.run / f"export-{secrets.token_hex(8)}{ending}"
    ask.app.portable.export_to(file, bank=bank)
    name = f"hermes-{ask.visit.profile}{'-' + bank if bank else ''}{ending}"
    return Download(file, name, "application/octet-stream")


def back_up(ask: Ask) -> Answer:
    backup, _ = ask.app.backups.make()
    return Redirect(link("/care", made=backup.name))


def verify(ask: Ask) -> Answer:
    backup = _backup(ask, ask.form.get("name", ""))
    ask.app.backups.verify(backup.name)
    return Redirect(link("/care", verified=backup.name))


def plan_restore(ask: Ask) -> Answer:
    """What a restore would do, before anything is touched."""
    backup = _backup(ask, ask.word("name"))
    since = Window(since_at=backup.created_at)
    turns = ask.app.overview.count_days(since)
    return Page("restore.html", {"backup": backup, "since": sum(day.turns for day in turns)})


def restore(ask: Ask) -> Answer:
    backup = _backup(ask, ask.form.get("name", ""))
    ask.app.backups.restore(backup.name)
    return Redirect(link("/care", restored=backup.name))


def undo_restore(ask: Ask) -> Answer:
    ask.app.backups.undo_restore()
    return Redirect(link("/care", undone=1))


def _backup(ask: Ask, name: str) -> Backup:
    """A backup on the shelf; a file elsewhere is none that a page may name."""
    found = next((each for each in ask.app.backups.list() if each.name == name), None)
    if found is None:
        raise UserError("There is no such backup on the shelf.", "Choose one from the list.")
    return found


def plan_erasure(ask: Ask) -> Answer:
    """What would go, named, before anything is touched."""
    target, words = ask.word("target"), ask.word("words")
    if not target and not words:
        return Redirect("/care#erase")
    plan = ask.app.erasing.plan([target] if target else [], [words] if words else [])
    values = {"doomed": list_doomed(plan), "target": target, "words": words, "confirm": ERASE}
    return Page("erase.html", values)


def erase(ask: Ask) -> Answer:
    _refuse_unless(ask, ERASE)
    target, words = ask.form.get("target", ""), ask.form.get("words", "")
    plan = ask.app.erasing.plan([target] if target else [], [words] if words else [])
    doomed = list_doomed(plan)
    erased = ask.app.erasing.erase(plan)
    return Page("erased.html", {"erased": erased, "doomed": doomed})


def plan_reset(ask: Ask) -> Answer:
    values = {
        "target": ResetTarget(_target(ask.word("target"))).value,
        "status": ask.app.overview.wellbeing().status,
        "confirm": RESET,
    }
    return Page("reset.html", values)


def reset(ask: Ask) -> Answer:
    _refuse_unless(ask, RESET)
    backup, _ = ask.app.erasing.reset(ResetTarget(_target(ask.form.get("target", ""))))
    return Redirect(link("/care", reset=backup.name))


def _target(text: str) -> str:
    known = [target.value for target in ResetTarget]
    if text not in known:
        raise UserError(f"{text[:40]!r} cannot be reset.", f"Known: {', '.join(known)}.")
    return text


def _refuse_unless(ask: Ask, word: str) -> None:
    if ask.form.get("confirm", "").strip().lower() != word:
        hint = f"Go back and type “{word}” into the box. Nothing was touched."
        raise UserError("This was not confirmed.", hint)
