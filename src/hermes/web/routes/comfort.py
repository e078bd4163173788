"""The colours, kept in a cookie so that pages come right at once; and the page of help."""

from hermes.web.asking import Answer, Ask, Page, Redirect
from hermes.web.desk import THEME, THEMES, Desk


def add_pages(desk: Desk) -> None:
    desk.get("/theme", choose)
    desk.get("/help", show_help)


def choose(ask: Ask) -> Answer:
    chosen = ask.word("to") if ask.word("to") in THEMES else "auto"
    return Redirect(local_path(ask.word("back")), {THEME: chosen})


def local_path(text: str) -> str:
    """The text if it is a path of this server, else the first page: no link leads elsewhere."""
    is_local = text.startswith("/") and not text.startswith("//") and "\\" not in text
    return text if is_local and text.isprintable() else "/"


def show_help(ask: Ask) -> Answer:
    return Page("help.html", {})
