"""The examples of the API: one for every route, of the shape it has, as a real server answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import story

from doors import open_doors
from hermes.server.http.examples import FILE
from hermes.web.views.openapi import list_topics

OPEN_KEYS = {"counts", "passes", "dropped", "ms", "parts", "sections", "payload", "details"}


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with open_doors(tmp_path_factory.mktemp("doors") / "home") as address:
        found: dict[str, Any] = address.ask("GET", "/v1/openapi.json").json()
    return found


def answers(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            told = next(told for status, told in operation["responses"].items() if status < "300")
            if "application/json" in told["content"]:
                yield f"{method.upper()} {path}", told["content"]["application/json"]


def test_every_route_shows_what_it_answers(document: dict[str, Any]) -> None:
    unseen = {"GET /v1/export", "GET /healthz", "GET /readyz", "POST /v1/compact/undo"}
    told = dict(answers(document))
    assert {name for name, each in told.items() if "example" not in each} == unseen
    known = json.loads(FILE.read_text("utf-8"))
    assert set(known) == set(told) - unseen
    assert "127.0.0.1:8765/login?nonce=…" in known["POST /v1/login"]["url"]


def test_the_story_is_still_true(tmp_path: Path) -> None:
    """What the examples show is what a server answers: the same keys, all the way down."""
    known = json.loads(FILE.read_text("utf-8"))
    told = dict(story.list_examples(story.tell_story(tmp_path / "home")))
    assert set(told) == set(known)
    for name, answer in told.items():
        assert keys(answer) == keys(known[name]), f"run tests/server/http/story.py ({name})"


def keys(value: object) -> object:
    """The outline of a value: its keys, and those of the first of a list."""
    if isinstance(value, dict):
        return {key: None if key in OPEN_KEYS else keys(each) for key, each in value.items()}
    return keys(value[0]) if isinstance(value, list) and value else None


def test_the_page_shows_them(document: dict[str, Any]) -> None:
    calls = {f"{c.method} {c.path}": c for topic in list_topics(document) for c in topic.calls}
    assert '"text": "User prefers tea to coffee"' in calls["POST /v1/facts"].answer_example
    for name, answer in answers(document):
        if "example" in answer:
            assert json.loads(calls[name].answer_example) == answer["example"], name
