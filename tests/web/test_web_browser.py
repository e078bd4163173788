"""The dashboard in a real Chromium: keys, typing, undo, brush, graph, live, phone, dark, axe."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from chromium import AXE, chromium, press
from dashboard_stage import build_server, filled_stage, serving
from playwright.sync_api import Browser, BrowserContext, Page, expect

from hermes.app import App
from hermes.app.facts import NewFact

pytestmark = pytest.mark.slow
MAIN_PAGES = (
    "/",
    "/?q=queue",
    "/facts",
    "/facts/1",
    "/timeline",
    "/graph",
    "/sessions",
    "/sessions/atlas-202509021015",
    "/lab?task=which+queue",
    "/user",
    "/pending",
    "/lessons",
    "/health",
    "/care",
    "/care/erase?words=Redis",
    "/help",
    "/facts/99999",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with filled_stage(tmp_path_factory.mktemp("stage")) as opened:
        yield opened


@pytest.fixture(scope="module")
def address(app: App) -> Iterator[str]:
    with serving(build_server(app)) as url:
        yield url


def opened(browser: Browser, address: str, **options: Any) -> BrowserContext:
    """A window on the stage."""
    return browser.new_context(base_url=address, **options)


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page; whatever goes wrong in it makes the test fail at its end."""
    context = opened(browser, address, viewport={"width": 1280, "height": 860})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert [line for line in wrong if "status of 4" not in line] == []


def test_search_as_you_type(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("postg", delay=15)
    expect(page.locator("#results mark").first).to_have_text(re.compile("PostG", re.I))
    expect(page).to_have_url(re.compile(r"\?q=postg"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-item].at")).to_have_count(1)


def test_the_newest_typing_wins(page: Page) -> None:
    page.goto("/")
    page.locator("#q").press_sequentially("redis streams", delay=5)
    expect(page.locator("#results")).to_contain_text("Redis streams")
    page.locator("#q").fill("zzzzqqq")
    expect(page.locator("#results")).to_contain_text("Nothing holds these words")


def test_filters_narrow_as_they_are_set(page: Page) -> None:
    page.goto("/?q=queue")
    expect(page.locator("#r-messages")).to_be_visible()
    page.locator(".filters summary").click()
    page.locator("select[name=type]").select_option("facts")
    expect(page.locator("#r-messages")).to_have_count(0)


def test_keys_move_open_and_help(page: Page) -> None:
    page.goto("/facts")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    first = page.locator("[data-item]").first
    expect(first).to_have_class(re.compile(r"\bat\b"))
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).not_to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/facts/\d+"))
    press(page, "g", "t")
    expect(page).to_have_url(re.compile("/timeline"))


def test_edit_and_undo_by_keys_alone(page: Page, app: App) -> None:
    kept = app.facts.add(NewFact("User plays the cello", "sample")).fact
    assert kept is not None
    page.goto(f"/facts/{kept.number}")
    page.keyboard.press("e")
    expect(page.locator("textarea[name=text]")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("User plays the viola")
    page.keyboard.press("Escape")
    page.locator("#edit button.primary").press("Enter")
    expect(page.locator("h1")).to_have_text("User plays the viola")
    expect(page.locator(".diff del").first).to_have_text("cello")
    press(page, "u")
    expect(page.locator("h1")).to_have_text("User plays the cello")
    assert app.facts.get(str(kept.number)).text == "User plays the cello"


def test_a_box_can_be_left_without_doing_it(browser: Browser, address: str, app: App) -> None:
    """Cancel, with scripts and without; and Escape."""
    kept = app.facts.add(NewFact("User keeps goats", "sample")).fact
    assert kept is not None
    for scripted in (True, False):
        context = opened(browser, address, java_script_enabled=scripted)
        page = context.new_page()
        page.goto(f"/facts/{kept.number}")
        page.locator("#delete summary").click()
        expect(page.locator("#delete .danger")).to_be_visible()
        page.locator("#delete").get_by_text("Cancel").click()
        expect(page.locator("#delete .danger")).not_to_be_visible()
        if scripted:
            page.locator("#edit summary").click()
            page.locator("textarea[name=text]").fill("something else")
            page.keyboard.press("Escape")
            page.keyboard.press("Escape")
            expect(page.locator("#edit .primary")).not_to_be_visible()
        context.close()
    assert app.facts.get(str(kept.number)) == kept


@pytest.mark.parametrize("scripted", [True, False])
def test_a_phone_reaches_every_page(browser: Browser, address: str, scripted: bool) -> None:
    context = opened(
        browser, address, viewport={"width": 390, "height": 844}, java_script_enabled=scripted
    )
    page = context.new_page()
    page.goto("/")
    for name in ("Search", "Timeline", "Graph", "Sessions", "Facts"):
        expect(page.locator("#nav a", has_text=name)).to_be_in_viewport(ratio=1)
    page.locator("label.more-pages").click()
    for name in ("User model", "Skills", "Recall lab", "Pending", "health", "Export"):
        expect(page.locator("#nav a", has_text=name)).to_be_in_viewport(ratio=1)
    page.locator("#nav a", has_text="Pending").click()
    expect(page.locator("h1")).to_have_text("Pending")
    context.close()


def test_the_whole_graph_fits_a_phone(browser: Browser, address: str) -> None:
    context = opened(
        browser, address, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/graph")
    expect(page.locator("#graph")).to_have_attribute("data-fitted", "yes")
    page.wait_for_function(
        """() => {
          const box = document.querySelector('#graph'), graph = box.hermesGraph;
          return graph.graphData().nodes.every((node) => {
            const at = graph.graph2ScreenCoords(node.x, node.y);
            return at.x > 0 && at.y > 0 && at.x < box.clientWidth && at.y < box.clientHeight;
          });
        }"""
    )
    context.close()


def test_what_needs_scripts_is_not_promised_without(browser: Browser, address: str) -> None:
    context = opened(browser, address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/graph")
    expect(page.get_by_text("in the picture")).not_to_be_visible()
    expect(page.get_by_text("Choose a name in the table")).to_be_visible()
    page.goto("/timeline")
    expect(page.get_by_text("Drag over the strip")).not_to_be_visible()
    expect(page.get_by_text("Each bar above")).to_be_visible()
    context.close()


def test_a_fact_is_scrolled_to_where_it_was_said(page: Page, app: App) -> None:
    said = [each for each in app.facts.list() if each.sources[0].message_id is not None]
    fact = max(said, key=lambda each: each.sources[0].message_id or 0)
    page.goto(f"/facts/{fact.number}")
    expect(page.locator(".reader .msg.source mark").first).to_be_in_viewport(ratio=0.5)


def test_the_brush_chooses_days(page: Page) -> None:
    page.goto("/timeline")
    plot = page.locator(".u-over")
    expect(plot).to_be_visible()
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 6, box["y"] + 30, steps=5)
    page.mouse.up()
    expect(page.locator("#days")).to_contain_text("1 September 2025")
    expect(page.locator("#days")).not_to_contain_text("November 2025")
    expect(page).to_have_url(re.compile("since=2025-08"))


def spot_of(page: Page, entity: int) -> tuple[float, float]:
    """Where an entity stands on the screen."""
    x, y = page.evaluate(
        """(id) => {
          const box = document.querySelector('#graph'), graph = box.hermesGraph;
          const node = graph.graphData().nodes.find((each) => each.id === id);
          const at = graph.graph2ScreenCoords(node.x, node.y), edge = box.getBoundingClientRect();
          return [edge.x + at.x, edge.y + at.y];
        }""",
        entity,
    )
    return x, y


def test_a_click_on_the_graph_narrows_every_page(page: Page, app: App) -> None:
    page.emulate_media(reduced_motion="reduce")  # the picture stands still at once
    page.goto("/graph")
    expect(page.locator("#graph")).to_have_attribute("data-fitted", "yes")
    atlas = next(each for each in app.entities.list() if each.name == "Atlas")
    before = (-1.0, -1.0)
    while before != (spot := spot_of(page, atlas.id)):  # until it came to rest
        before = spot
        page.wait_for_timeout(120)
    page.mouse.move(spot[0] - 4, spot[1])
    page.mouse.move(*spot)
    expect(page.locator("#graph canvas")).to_have_class(re.compile("clickable"))
    page.mouse.click(*spot)
    expect(page.locator("#panel h2")).to_have_text("Atlas")
    page.locator("#nav a", has_text="Timeline").click()
    expect(page.locator(".chip", has_text="Only what mentions")).to_contain_text("Atlas")


def test_what_is_learnt_shows_up_by_itself(page: Page, app: App) -> None:
    page.goto("/")
    expect(page.locator("#n-facts")).to_be_visible()
    expect(page.locator("html")).to_have_class("js")
    app.facts.add(NewFact("User keeps bees on the roof", "sample"))
    expect(page.locator("#results")).to_contain_text("User keeps bees on the roof")


def test_everything_works_without_scripts(browser: Browser, address: str, app: App) -> None:
    kept = app.facts.add(NewFact("User collects stamps", "sample")).fact
    assert kept is not None
    context = opened(browser, address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.locator("#q").fill("redis")
    page.locator("#q").press("Enter")
    expect(page.locator("#results mark").first).to_be_visible()
    page.goto(f"/facts/{kept.number}")
    page.locator("#edit summary").click()
    page.locator("textarea[name=text]").fill("User collects coins")
    page.locator("#edit button.primary").click()
    expect(page.locator("h1")).to_have_text("User collects coins")
    page.locator("[data-undo]").click()
    expect(page.locator("h1")).to_have_text("User collects stamps")
    page.goto("/timeline")
    page.locator(".bars a").first.click()
    expect(page.locator("#days")).to_contain_text("1 September 2025")
    page.goto("/graph")
    page.get_by_role("link", name="Atlas", exact=True).click()
    expect(page.locator("#panel h2")).to_have_text("Atlas")
    page.goto("/help")
    page.get_by_role("link", name=re.compile("Colours")).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    context.close()


@pytest.mark.parametrize("path", MAIN_PAGES)
def test_nothing_is_wider_than_a_phone(browser: Browser, address: str, path: str) -> None:
    context = opened(browser, address, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_dark_is_dark(browser: Browser, address: str) -> None:
    shade = "getComputedStyle(document.documentElement).backgroundColor"
    for scheme, is_dark in (("dark", True), ("light", False)):
        context = opened(browser, address, color_scheme=scheme)
        page = context.new_page()
        page.goto("/")
        red = int(re.findall(r"\d+", page.evaluate(shade))[0])
        assert (red < 60) is is_dark
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, address: str, scheme: str) -> None:
    """The vendored axe-core on every main page; the policy is set aside so that it can run."""
    context = opened(browser, address, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    found: dict[str, list[str]] = {}
    for path in MAIN_PAGES:
        page.goto(path)
        page.add_script_tag(path=AXE)
        result = page.evaluate("axe.run({resultTypes: ['violations']})")
        serious = [
            f"{each['id']}: {json.dumps([node['html'][:120] for node in each['nodes'][:3]])}"
            for each in result["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        if serious:
            found[path] = serious
    context.close()
    assert found == {}, json.dumps(found, indent=2)
