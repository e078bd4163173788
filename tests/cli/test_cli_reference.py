"""Pages that must say what the program does: every command, and every field of its JSON."""

import re
from pathlib import Path
from typing import Any

import pytest

from hermes.app import App, open_app
from hermes.app.shapes import (
    bank_shape,
    finding_shape,
    hit_shape,
    imported_shape,
    message_shape,
    preview_shape,
    recorded_shape,
    scroll_shape,
    search_shape,
    session_shape,
    snippet_shape,
    status_shape,
)
from hermes.cli.reference import render_reference
from hermes.config.paths import ProfilePaths
from hermes.memory.importing import Imported
from hermes.types import NewSession, Role, Turn, Utterance

DOCS = Path(__file__).parents[2] / "docs"


def test_the_reference_of_commands_is_up_to_date() -> None:
    assert (DOCS / "cli.md").read_text("utf-8") == render_reference(), (
        "write it again: python -m hermes.cli.reference > docs/cli.md"
    )


TALKS = {  # with a person or a program, or writes a form of its own
    *("chat", "demo", "model set", "open", "bench all", "config edit", "mcp serve"),
    *("sessions export", "db plan"),
}


def test_every_command_that_answers_does_so_in_json_too() -> None:
    sections = re.split(r"\n#{2,4} hermes ", render_reference())[1:]
    named = ((section.splitlines()[0], section) for section in sections)
    commands = {name: section for name, section in named if f"`hermes {name}" in section}
    silent = {name for name, section in commands.items() if "`--json`" not in section}
    assert len(commands) > 80
    assert silent == TALKS


@pytest.fixture
def shapes(paths: ProfilePaths) -> dict[str, dict[str, Any]]:
    """One of each, from a store that holds a conversation."""
    with open_app(paths, {}) as app:
        return _shapes(app)


def _shapes(app: App) -> dict[str, dict[str, Any]]:
    talk = app.conversations
    (receipt,) = talk.record([Turn(NewSession(), (Utterance(Role.USER, "hello"),))])
    search = talk.search("hello")
    (hit,) = search.hits
    (preview,) = talk.browse()
    status = status_shape(app.health.status())
    return {
        "Search": search_shape(search),
        "Hit": hit_shape(hit),
        "Snippet": snippet_shape(hit.snippet),
        "Session": session_shape(hit.session),
        "Preview": preview_shape(preview),
        "Message": message_shape(hit.message),
        "Scroll": scroll_shape(talk.scroll(hit.message.id)),
        "Receipt": recorded_shape(receipt),
        "Import": imported_shape("x.jsonl", Imported(0, 0, 0, 0)),
        "Bank": bank_shape(talk.get_bank("default")),
        "Status": status,
        "Store": status["store"],
        "Finding": finding_shape(app.health.doctor()[0]),
    }


def documented() -> dict[str, list[str]]:
    """The fields of each shape, as the page lists them."""
    page = (DOCS / "sessions.md").read_text("utf-8").split("\n## JSON\n")[1]
    sections = page.split("\n### ")[1:]
    found = {s.splitlines()[0]: re.findall(r"^\| `(\w+)` \|", s, re.MULTILINE) for s in sections}
    found["Preview"] = [*found["Session"], *found["Preview"]]
    return found


def test_every_field_of_the_json_is_documented(shapes: dict[str, dict[str, Any]]) -> None:
    assert documented() == {name: list(shape) for name, shape in shapes.items()}
