"""A hundred hostile strings in every field, in a real Chromium: no dialog, no script, no request.

What is stored goes where each kind of row goes; what is asked goes into every field that is asked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from chromium import chromium
from dashboard_stage import StageSessions, build_server, open_stage, sample_clock, serving
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Dialog, Page
from starlette.routing import Route
from xss_strings import STRINGS

from hermes import web
from hermes.app import App
from hermes.app.facts import NewFact
from hermes.guard.origin import Target
from hermes.memory.facts.given import Revision
from hermes.memory.notes.request import Target as Notebook
from hermes.memory.pending import Tainted, hold
from hermes.store.base import Tx
from hermes.store.base.spending import SpendingLine
from hermes.types import (
    Entity,
    EntityKind,
    EventKind,
    Fact,
    NewSession,
    Reflection,
    Role,
    ToolCall,
    Turn,
    Utterance,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
ROUTES = Path(web.__file__).parent
LISTS = (
    "/",
    "/facts?show=all",
    "/timeline?since=2025-01-01&until=2025-12-31",
    "/graph",
    "/sessions",
    "/sessions?show=deleted",
    "/user",
    "/pending",
    "/lessons",
    "/health",
    "/care",
    "/care/erase?words=n1",
)


@dataclass
class Harm:
    """What a page did that no page may do; without slots, as Playwright notes its listeners."""

    home: str
    done: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("dialog", self._dismiss)
        page.on("request", lambda request: self._asked(request.url))
        page.on("popup", lambda _: self.done.append("a window"))

    def _dismiss(self, dialog: Dialog) -> None:
        self.done.append("a dialog")
        dialog.dismiss()

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and not url.startswith(self.home + "/"):
            self.done.append(f"a request of {url}")

    def look(self, page: Page, path: str) -> None:
        """Open a page, and see that it did nothing but show text."""
        page.goto(self.home + path, wait_until="load")
        if page.evaluate("window.__ran === 1"):
            self.done.append("a script ran")
        if page.evaluate("!!document.querySelector('main a[href^=\"javascript:\" i]')"):
            self.done.append("a link that runs a script")
        assert self.done == [], f"{path}: {self.done}"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with open_stage(tmp_path_factory.mktemp("hostile"), clock=sample_clock()) as opened:
        poison(opened)
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A window in which no policy stands behind the pages: what is let in would run."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, bypass_csp=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def harm(app: App, page: Page) -> Iterator[Harm]:
    with serving(build_server(app)) as address:
        watching = Harm(address)
        watching.watch(page)
        yield watching
        page.goto("about:blank")  # a page left open would ask on whether its server is there
    assert watching.done == []


def poison(app: App) -> None:
    """Every string in every field there is: speakers, messages, titles, calls, facts, names…"""
    app.conversations.record([_turn(number, text) for number, text in enumerate(STRINGS)])
    for text in STRINGS:
        app.facts.add(NewFact(f"User said {text}"))
    app.store.write(_poison_rows)
    for text in STRINGS[:12]:
        app.notes.add(Notebook.MEMORY, text)
    for text in STRINGS[::9]:
        app.events.record(EventKind.TASK, text, ref=text)
    app.conversations.delete("hostile-3")
    first = app.facts.list()[-1]
    app.facts.revise(str(first.number), Revision(), text=f"User wrote {STRINGS[1]}")


def _turn(number: int, text: str) -> Turn:
    session = NewSession(
        id=f"hostile-{number}", title=text, platform=text, identity=text, task=text
    )
    call = ToolCall("c1", text, f'{{"x": "{text}"}}')
    said = (
        Utterance(Role.USER, text, speaker=text),
        Utterance(Role.ASSISTANT, f"# {text}\n\n- {text}\n\n```\n{text}\n```", calls=(call,)),
        Utterance(Role.TOOL, text, call_id="c1"),
    )
    return Turn(session, said, task=text)


def _poison_rows(tx: Tx) -> None:
    facts: list[Fact] = [tx.facts.find(n + 1) for n in range(len(STRINGS))]  # type: ignore[misc]
    for number, text in enumerate(STRINGS):
        entity = Entity(0, "default", text, EntityKind.OTHER)
        names = [(f"name {number}", text), (f"alias {number}", text + "'")]
        kept = tx.entities.add(entity, names, 0)
        fact = facts[number % len(facts)]
        if fact is not None:
            tx.entities.mention_in_fact(fact.id, [(kept.id, names[0][0])])
        lesson = Reflection(0, "default", text[:60], text, text, text, text, created_at=1)
        tx.reflections.add(lesson, lesson_key=f"key {number}")
        hold(tx, Tainted(Target.NOTES, text, {"n": number}), 0)
        tx.jobs.add("vacuum", text, now=0, payload={"text": text})
        tx.spending.add(SpendingLine("2025-11-28", "default", "model", text, 1, 10, 10, 0, 0.01))


def test_there_are_a_hundred_strings() -> None:
    assert len(set(STRINGS)) >= 100


def test_lists_show_hostile_text_and_run_nothing(harm: Harm, page: Page) -> None:
    for path in LISTS:
        harm.look(page, path)


def test_facts_show_hostile_text_and_run_nothing(harm: Harm, page: Page, app: App) -> None:
    facts = app.facts.list(limit=1_000)
    assert len(facts) >= 90
    for fact in facts:
        harm.look(page, f"/facts/{fact.number}")


def test_sessions_show_hostile_text_and_run_nothing(harm: Harm, page: Page, app: App) -> None:
    for session in app.conversations.list_sessions():
        harm.look(page, f"/sessions/{session.id}")


def test_entities_show_hostile_text_and_run_nothing(harm: Harm, page: Page, app: App) -> None:
    for entity in app.entities.list(limit=len(STRINGS)):
        harm.look(page, f"/graph?entity={entity.id}")


def test_questions_are_shown_and_run_nothing(harm: Harm, page: Page) -> None:
    for text in STRINGS:
        harm.look(page, f"/?q={quote(text)}")
        harm.look(page, f"/lab?task={quote(text)}")


def test_words_to_erase_are_shown_and_run_nothing(harm: Harm, page: Page) -> None:
    for text in STRINGS[::6]:
        harm.look(page, f"/care/erase?words={quote(text[:200])}")


FIELDS = (
    *("after", "all", "approved", "as_of", "at", "back", "bank", "before", "budget"),
    *("budget_tokens", "check", "closed", "did"),
    *("entity", "form", "gone", "kind", "made", "measure", "name", "page", "q", "rejected"),
    *("removed", "reset", "restored", "settled", "show", "since", "target", "task", "to", "type"),
    *("seen", "undone", "until", "verified", "words"),
)


def places(app: App) -> list[str]:
    """Every page there is, with something of ours in the place of what its path names."""
    pages = web.create_pages(StageSessions(app))
    routes = [route for route in pages.routes if isinstance(route, Route)]
    paths = [route.path for route in routes if "GET" in (route.methods or ())]
    named = {"{ref}": "1", "{id:path}": "hostile-1", "{number:int}": "1", "{page}": "user"}
    filled = []
    for path in paths:
        if path.startswith(("/static", "/v1/", "/docs", "/care/export", "/api")):
            continue  # files, not pages; what the REST API is says nothing of memory
        given = re.sub(r"\{[^}]+\}", lambda found: named[found[0]], path)
        filled.append(given)
    return filled


def test_no_page_and_no_field_is_left_out(app: App) -> None:
    """A page or a field that is added must be looked at here, too."""
    sources = [file.read_text() for file in ROUTES.rglob("*.py")]
    asked = set(re.findall(r'ask\.(?:word|number)\("(\w+)"', "".join(sources)))
    assert asked <= set(FIELDS)
    assert len(places(app)) > 15


def test_every_field_of_every_page_runs_nothing(harm: Harm, page: Page, app: App) -> None:
    """Each field by itself, so that no refusal of one hides another; where it comes back, it is
    looked at.
    """
    client = TestClient(build_server(app))
    looked = 0
    for number, name in enumerate(FIELDS):
        for path in (*places(app), "/nowhere"):
            text = STRINGS[(7 * number + len(path)) % len(STRINGS)] + f" back{number}"
            asked = f"{path}?{name}={quote(text)}"
            if f"back{number}" in client.get(asked).text:
                harm.look(page, asked)
                looked += 1
    assert looked > 30
    for text in STRINGS[::4]:
        harm.look(page, f"/{quote(text)}")


def test_notebooks_show_hostile_text_and_run_nothing(harm: Harm, page: Page, app: App) -> None:
    """Every string, as many at a time as fit."""
    for start in range(0, len(STRINGS), 8):
        for notebook in Notebook:
            for note in app.notes.list(notebook):
                app.notes.remove(notebook, note.id)
            for text in STRINGS[start : start + 8]:
                app.notes.add(notebook, text[:120])
        harm.look(page, "/user")
        harm.look(page, "/?q=n")


def test_the_policy_stands_behind_the_pages(browser: Browser, harm: Harm) -> None:
    """And with it: the same pages, as a person opens them."""
    context = browser.new_context()
    page = context.new_page()
    harm.watch(page)
    for path in LISTS:
        harm.look(page, path)
    context.close()


def test_a_conflict_shows_hostile_wordings_and_runs_nothing(harm: Harm, page: Page) -> None:
    for text in STRINGS[::8]:
        harm.look(page, "/facts/1")
        page.evaluate(
            """(text) => {
              const form = document.querySelector("#edit form");
              form.elements.was.value = form.elements.text.value = `${text} mine`;
              form.submit();
            }""",
            text[:1_000],
        )
        page.locator("#yours").wait_for()
        assert page.evaluate("window.__ran !== 1")
        assert harm.done == []


def test_what_is_swapped_in_runs_nothing(harm: Harm, page: Page) -> None:
    """The way of search as you type: htmx takes the answer in."""
    harm.look(page, "/")
    for text in STRINGS[::5]:
        with page.expect_response(lambda answer: "/?q=" in answer.url):
            page.locator("#q").fill(text)
        page.wait_for_timeout(60)
        assert page.evaluate("window.__ran !== 1")
        assert harm.done == []


def test_the_watch_itself_sees_harm(browser: Browser, tmp_path: Path) -> None:
    """Guards the tests above: a page that is careless is found out."""
    careless = tmp_path / "careless.html"
    careless.write_text(f"<body>{STRINGS[13]}<img src=https://evil.example/p.png></body>")
    page = browser.new_page()
    watching = Harm("http://127.0.0.1:1")
    watching.watch(page)
    page.goto(careless.as_uri())
    page.wait_for_function("window.__ran === 1")
    page.close()
    assert any("evil.example" in each for each in watching.done)
