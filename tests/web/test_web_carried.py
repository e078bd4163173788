"""Choices, conflicts and searches in a real Chromium: what a person wrote or chose stays theirs."""

from collections.abc import Iterator

import pytest
from chromium import chromium
from dashboard_stage import build_server, filled_stage, serving
from playwright.sync_api import Page, expect

from hermes.app import App
from hermes.app.facts import NewFact
from hermes.memory.facts.given import Revision
from hermes.types import NewSession, Role, Turn, Utterance


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with filled_stage(tmp_path_factory.mktemp("stage")) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(app: App) -> Iterator[Page]:
    with chromium() as browser, serving(build_server(app)) as url:
        page = browser.new_page(base_url=url, viewport={"width": 1280, "height": 860})
        yield page


def test_escape_clears_a_search_and_its_results_then_leaves_the_field(page: Page) -> None:
    page.goto("/")
    page.locator("#q").press_sequentially("redis")
    expect(page.locator("#results mark").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_have_value("")
    expect(page.locator("#n-facts")).to_be_visible()
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#q")).not_to_be_focused()


def test_what_the_graph_chose_goes_along_by_keys_and_links(page: Page, app: App) -> None:
    number = next(each.id for each in app.entities.list() if each.name == "Lena")
    page.goto(f"/graph?entity={number}")
    expect(page.locator("#about")).to_contain_text("Lena")
    page.keyboard.press("g")
    page.keyboard.press("f")
    page.wait_for_url(f"**/facts?entity={number}")
    expect(page.locator("#about")).to_contain_text("Only what mentions Lena")
    page.locator("a.fact").first.click()
    page.wait_for_url(f"**/facts/*entity={number}")
    page.locator("#nav a", has_text="Timeline").click()
    page.wait_for_url(f"**/timeline?entity={number}")
    page.locator("#about a").click()
    page.wait_for_url("**/timeline")
    expect(page.locator("#about")).to_be_hidden()


def test_a_conflict_is_settled_in_the_page(page: Page, app: App) -> None:
    kept = app.facts.add(NewFact("User prefers rooibos tea", "sample")).fact
    assert kept is not None
    page.goto(f"/facts/{kept.number}#edit")
    app.facts.revise(str(kept.number), Revision(), text="User prefers black tea")
    page.locator("textarea[name=text]").fill("User prefers white tea")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("Changed while you edited it")
    expect(page.locator("main")).to_contain_text("User prefers black tea")
    expect(page.locator("textarea[name=text]")).to_have_value("User prefers white tea")
    page.get_by_role("button", name="Save mine").click()
    expect(page.locator("h1")).to_have_text("User prefers white tea")


def test_what_was_deleted_meanwhile_keeps_the_wording_and_can_come_back(
    page: Page, app: App
) -> None:
    kept = app.facts.add(NewFact("User rows on Sundays", "sample")).fact
    assert kept is not None
    page.goto(f"/facts/{kept.number}#edit")
    app.facts.forget(str(kept.number))
    page.locator("textarea[name=text]").fill("User rows on Mondays")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("Deleted while you edited it")
    expect(page.locator("textarea[name=text]")).to_have_value("User rows on Mondays")
    page.get_by_role("button", name="Restore it and save mine").click()
    expect(page.locator("h1")).to_have_text("User rows on Mondays")
    assert app.facts.get(str(kept.number)).retracted_at is None


def test_what_a_tool_said_can_be_read(page: Page, app: App) -> None:
    said = (
        Utterance(Role.USER, "How much is free?"),
        Utterance(Role.TOOL, "Filesystem  Size  Used\n" + "x" * 3_000),
        Utterance(Role.USER, "שלום, this is mixed"),
    )
    app.conversations.record([Turn(NewSession(id="disk"), said)])
    page.goto("/sessions/disk")
    boxes = [each.bounding_box() for each in page.locator(".msg").all()]
    assert all(box is not None and box["width"] > 500 for box in boxes)
    tops = [box["y"] for box in boxes if box is not None]
    bottoms = [box["y"] + box["height"] for box in boxes if box is not None]
    assert all(bottom <= top + 1 for bottom, top in zip(bottoms, tops[1:], strict=False))


def test_a_long_fact_leaves_room_for_others_in_a_list(page: Page, app: App) -> None:
    app.facts.add(NewFact("User wrote: " + "a sentence that goes on " * 80, "sample"))
    page.goto("/facts")
    box = page.locator("a.fact", has_text="goes on").first.bounding_box()
    assert box is not None
    assert box["height"] < 260


def test_the_user_model_fits_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/user")
    for cell in page.locator(".record .line").all()[:6]:
        box = cell.bounding_box()
        assert box is not None
        assert box["width"] > 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
