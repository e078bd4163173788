"""What each route answers, for readers of its description: answers a real server gave.

`tests/server/http/story.py` tells the story they come from, and writes the file.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("examples.json")


def add_examples(document: Mapping[str, Any]) -> None:
    """Put into an OpenAPI document what its routes answer."""
    known = _load()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            example = known.get(f"{method.upper()} {path}")
            if example is not None:
                _answered(operation)["example"] = example


@lru_cache(1)
def _load() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def _answered(operation: Mapping[str, Any]) -> dict[str, Any]:
    """The place of an operation where its answer is described."""
    responses = operation["responses"]
    content = next(told["content"] for status, told in responses.items() if status < "300")
    place: dict[str, Any] = content["application/json"]
    return place
