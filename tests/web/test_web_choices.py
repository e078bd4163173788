"""What a person chose or wrote on one page is still there on the next."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dashboard_stage import CSRF, build_server, open_stage, sample_clock
from fastapi.testclient import TestClient

from hermes.app import App
from hermes.app.facts import NewFact
from hermes.memory.facts.given import Revision
from hermes.memory.notes.request import Target
from hermes.types import Confidence, Fact, FactKind


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with open_stage(tmp_path, clock=sample_clock()) as app:
        yield app


@pytest.fixture
def browser(app: App) -> TestClient:
    return TestClient(build_server(app), follow_redirects=False)


def keep(app: App, text: str, bank: str = "default") -> Fact:
    kept = app.facts.add(NewFact(text, bank)).fact
    assert kept is not None
    return kept


def send(browser: TestClient, path: str, **fields: str) -> tuple[int, str]:
    answer = browser.post(path, data={"csrf": CSRF, **fields})
    return answer.status_code, answer.headers.get("location", "") or answer.text


def test_an_edit_keeps_the_kind_and_confidence_the_form_showed(
    browser: TestClient, app: App
) -> None:
    fact = keep(app, "User prefers tea to coffee")
    shown = {"was": fact.text, "kind": "preference", "confidence": "medium"}
    status, _ = send(browser, f"/facts/{fact.number}/edit", text="Tea, never coffee", **shown)
    after = app.facts.get(str(fact.number))
    assert status == 303
    assert (after.text, after.kind) == ("Tea, never coffee", FactKind.PREFERENCE)
    assert after.confidence is Confidence.MEDIUM


def test_an_edit_keeps_the_entities_that_are_still_named(browser: TestClient, app: App) -> None:
    fact = keep(app, "Atlas uses PostgreSQL")
    assert set(fact.entities) == {"Atlas", "PostgreSQL"}
    shown = {"was": fact.text, "kind": fact.kind.value, "confidence": fact.confidence.value}
    path = f"/facts/{fact.number}/edit"
    send(browser, path, text="for now, postgresql is what atlas runs on", **shown)
    after = app.facts.get(str(fact.number))
    assert set(after.entities) == {"Atlas", "PostgreSQL"}
    send(browser, path, text="for now, nothing is settled", **{**shown, "was": after.text})
    assert app.facts.get(str(fact.number)).entities == ()


def test_a_conflict_shows_both_wordings_and_saves_the_one_that_is_chosen(
    browser: TestClient, app: App
) -> None:
    fact = keep(app, "User prefers tea")
    path = f"/facts/{fact.number}/edit"
    mine = {"text": "User prefers green tea", "kind": "preference", "confidence": "low"}
    app.facts.revise(str(fact.number), Revision(), text="User prefers black tea")
    status, page = send(browser, path, was=fact.text, **mine)
    assert status == 409
    assert "User prefers black tea" in page
    assert ">User prefers green tea</textarea>" in page
    assert '<option value="low" selected>' in page
    assert app.facts.get(str(fact.number)).text == "User prefers black tea"
    now = re.search(r'name="was" value="([^"]*)"', page)
    assert now is not None
    assert send(browser, path, was=now[1], **mine)[0] == 303
    assert app.facts.get(str(fact.number)).text == "User prefers green tea"


@pytest.mark.parametrize(
    "wrong",
    [{"text": "x" * 2_001}, {"valid_from": "2026-05-02", "valid_to": "2026-05-01"}],
    ids=["too long", "ends before it begins"],
)
def test_a_deleted_fact_stays_deleted_where_its_edit_is_refused(
    browser: TestClient, app: App, wrong: dict[str, str]
) -> None:
    fact = keep(app, "User prefers tea")
    app.facts.forget(str(fact.number))
    path = f"/facts/{fact.number}/edit"
    fields = {"was": fact.text, "text": "User prefers green tea", "restore": "1"}
    assert send(browser, path, **{**fields, **wrong})[0] == 400
    assert app.facts.list() == []
    assert send(browser, path, **fields)[0] == 303
    assert [each.text for each in app.facts.list()] == ["User prefers green tea"]


def test_an_edit_that_says_what_is_there_by_now_is_no_conflict(
    browser: TestClient, app: App
) -> None:
    fact = keep(app, "User prefers tea")
    app.facts.revise(str(fact.number), Revision(), text="User prefers green tea")
    fields = {"was": fact.text, "text": "User prefers green tea"}
    assert send(browser, f"/facts/{fact.number}/edit", **fields)[0] == 303


def test_a_note_that_changed_meanwhile_loses_no_wording(browser: TestClient, app: App) -> None:
    app.notes.add(Target.MEMORY, "Deploys on Monday.")
    (note,) = app.notes.list(Target.MEMORY)
    app.notes.replace(Target.MEMORY, note.id, "Deploys on Tuesday.")
    status, page = send(browser, "/notes/memory/replace", note=note.id, text="Deploys on Sunday.")
    assert status == 409
    assert "Deploys on Tuesday." in page
    assert ">Deploys on Sunday.</textarea>" in page
    assert send(browser, "/notes/memory/add", text="Deploys on Sunday.")[0] == 303
    assert len(app.notes.list(Target.MEMORY)) == 2


PAGES = ("/", "/timeline", "/sessions", "/facts", "/graph", "/user", "/lessons", "/lab", "/health")


def test_a_choice_of_the_graph_goes_along_to_every_page_and_back(
    browser: TestClient, app: App
) -> None:
    fact = keep(app, "Atlas uses PostgreSQL")
    atlas = app.entities.get("Atlas")
    along = f"entity={atlas.id}"
    for path in (*PAGES, f"/facts/{fact.number}", "/care", "/pending"):
        page = browser.get(f"{path}?{along}").text
        assert f'<strong>Atlas</strong> <a href="{path}"' in page, path
        links = re.findall(r'<a href="([^"]+)"', page[page.index("<nav") : page.index("</nav>")])
        assert len(links) == 11
        assert all(along in link for link in links), path
        assert path == "/" or f'name="entity" value="{atlas.id}"' in page, path
    listed = browser.get(f"/facts?{along}").text
    assert f'href="/facts/{fact.number}?{along}"' in listed
    saved = {"was": fact.text, "text": "Atlas uses SQLite"}
    assert along in send(browser, f"/facts/{fact.number}/edit?{along}", **saved)[1]
    plain = browser.get("/facts").text
    assert 'id="about" hidden' in plain
    assert along not in plain


def test_what_was_searched_stays_when_a_choice_is_taken_back(browser: TestClient, app: App) -> None:
    keep(app, "Atlas uses PostgreSQL")
    number = app.entities.get("Atlas").id
    page = browser.get(f"/?q=uses&path=x&entity={number}&kind=environment").text
    assert 'href="/?q=uses&amp;path=x&amp;kind=environment"' in page


@pytest.mark.parametrize(
    "path", ["/", "/facts", "/timeline", "/sessions", "/graph", "/user", "/lab"]
)
def test_a_bank_that_is_not_there_is_said_so(browser: TestClient, app: App, path: str) -> None:
    app.conversations.create_bank("atlas")
    assert browser.get(f"{path}?bank=atlas").status_code == 200
    answer = browser.get(f"{path}?bank=atlsa")
    assert answer.status_code == 404
    assert "atlsa" in answer.text


@pytest.mark.parametrize("path", ["/", "/facts", "/timeline", "/sessions", "/graph"])
def test_an_entity_that_is_not_there_is_said_so(browser: TestClient, path: str) -> None:
    assert browser.get(f"{path}?entity=99").status_code == 404
