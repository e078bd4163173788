"""The dashboard behind the real server, in a Chromium: login, a form, a change seen live."""

import gzip
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from chromium import chromium, press
from playwright.sync_api import Browser, Page, Route, expect

from doors import Address, open_doors
from hermes.app.facts import NewFact

pytestmark = pytest.mark.slow


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as address:
        yield address


@pytest.fixture
def page(doors: Address) -> Iterator[Page]:
    """A browser that was let in."""
    with chromium() as browser:
        yield let_in(browser, doors)


def let_in(browser: Browser, doors: Address) -> Page:
    context = browser.new_context(base_url=doors.url)
    name, _, value = doors.login().partition("=")
    host = urlsplit(doors.url).hostname or ""
    context.add_cookies([{"name": name, "value": value, "domain": host, "path": "/"}])
    return context.new_page()


def test_a_fact_is_edited_and_the_edit_undone(page: Page, doors: Address) -> None:
    kept = doors.app.facts.add(NewFact("User plays the cello")).fact
    assert kept is not None
    page.goto(f"/facts/{kept.number}")
    press(page, "e")
    page.locator("textarea[name=text]").fill("User plays the viola")
    page.locator("#edit button.primary").click()
    expect(page.locator("h1")).to_have_text("User plays the viola")
    press(page, "u")
    expect(page.locator("h1")).to_have_text("User plays the cello")


def test_what_is_learnt_shows_up_by_itself(page: Page, doors: Address) -> None:
    doors.app.facts.add(NewFact("User plays the cello"))
    with page.expect_response(re.compile("/v1/changes")):
        page.goto("/facts")
    doors.app.facts.add(NewFact("User keeps bees on the roof"))
    expect(page.locator("#list")).to_contain_text("User keeps bees on the roof")


def test_what_is_learnt_while_a_page_loads_shows_up_too(page: Page, doors: Address) -> None:
    def learn(route: Route) -> None:
        doors.app.facts.add(NewFact("User keeps bees on the roof"))
        route.continue_()

    page.route(re.compile("/static/hermes.*js"), learn)
    page.goto("/facts")
    expect(page.locator("#list")).to_contain_text("User keeps bees on the roof")


def test_a_page_says_when_hermes_is_gone(tmp_path: Path) -> None:
    """One that waits for news, and one that is typed into."""
    with chromium() as browser, ExitStack() as running:
        doors = running.enter_context(open_doors(tmp_path / "home"))
        waiting, typed = let_in(browser, doors), let_in(browser, doors)
        with waiting.expect_response(re.compile("/v1/changes")):
            waiting.goto("/facts")
        typed.goto("/")
        running.close()
        expect(waiting.locator("#away")).to_contain_text("Hermes does not answer")
        typed.locator("#q").press_sequentially("bees")
        expect(typed.locator("#away")).to_contain_text("Hermes does not answer")


def test_a_login_that_ended_is_told_and_shows_no_answer_for_programs(
    page: Page, doors: Address
) -> None:
    doors.app.facts.add(NewFact("User keeps bees on the roof"))
    page.goto("/?q=bees")
    page.context.clear_cookies()
    page.locator("#q").press_sequentially(" roof")
    expect(page.locator("#away")).to_contain_text("no longer logged in")
    expect(page.locator("#results")).to_contain_text("User keeps bees on the roof")  # as it was


def test_whoever_is_not_let_in_is_told_how_to_get_in(doors: Address) -> None:
    with chromium() as browser:
        page = browser.new_page()
        answer = page.goto(f"{doors.url}/facts")
        assert answer is not None
        assert answer.status == 401
        expect(page.locator("main")).to_contain_text("hermes open")


def test_the_rest_api_can_be_read_without_a_login(tmp_path: Path) -> None:
    """Every call of the description is on the page, and nothing on it comes from elsewhere."""
    with open_doors(tmp_path / "home") as address:
        answer = address.ask("GET", "/api", token="")
        assert answer.status == 200
        text = answer.body.decode()
        paths = address.ask("GET", "/v1/openapi.json", token="").json()["paths"]
        assert all(f"<code>{path}</code>" in text for path in paths)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', text)
        assert "budget_tokens" in text
        packed = address.ask("GET", "/api", token="", headers={"accept-encoding": "gzip"})
        assert gzip.decompress(packed.body) == answer.body
        assert len(packed.body) < 20_000


def test_the_rest_api_fits_a_phone_and_anyone(doors: Address, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/api")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#post-v1-recall summary").click()
    expect(page.locator("#post-v1-recall pre").first).to_contain_text("Plan Sunday's trip")
