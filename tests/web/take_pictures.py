"""Take the pictures of docs/img anew: python tests/web/take_pictures.py docs/img"""

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # as pytest does

from chromium import chromium
from dashboard_stage import build_server, filled_stage, serving
from playwright.sync_api import Browser

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "search": ("/?q=queue", DESK),
    "fact": ("/facts/{moved}", DESK),
    "timeline": ("/timeline", DESK),
    "graph": ("/graph", {**DESK, "color_scheme": "dark"}),
    "user": ("/user?bank=sample", DESK),
    "lab": ("/lab?task=which+queue+does+Atlas+use&bank=sample", DESK),
    "health": ("/health", DESK),
    "phone": ("/?q=queue", PHONE),
}
SETTLE_MS = 2_500  # the graph finds its places


def take(browser: Browser, url: str, target: Path, options: dict[str, Any]) -> None:
    context = browser.new_context(**options)
    page = context.new_page()
    page.goto(url)
    page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=target)
    context.close()


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch, filled_stage(Path(scratch), embeds=True) as app:
        app.memory.reindex(lambda _: None)
        app.memory.recall("a first one, which loads the model", bank="sample")
        moved = next(fact for fact in app.facts.list(limit=500) if "NATS" in fact.text)
        with serving(build_server(app)) as address, chromium() as browser:
            for name, (path, options) in PICTURES.items():
                url = address + path.format(moved=moved.number)
                take(browser, url, folder / f"{name}.png", options)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("Give the folder for the pictures: python tests/web/take_pictures.py docs/img")
    main(Path(sys.argv[1]))
