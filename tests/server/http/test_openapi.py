"""The OpenAPI document: complete, with examples, and true of who may call."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doors import Address, open_doors
from hermes.wire import beliefs, recalled, talk, work
from hermes.wire.base import Request

WITHOUT_TOKEN = {"/healthz", "/readyz"}


@pytest.fixture
def document(tmp_path: Path) -> Iterator[dict[str, Any]]:
    with open_doors(tmp_path / "home") as address:
        yield described(address)


def described(address: Address) -> dict[str, Any]:
    found: dict[str, Any] = address.ask("GET", "/v1/openapi.json", token="").json()
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield path, operation


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    listed = list(operations(document))
    assert len(listed) > 70
    for path, operation in listed:
        assert operation["description"], path
        assert operation["tags"], path
        assert path in WITHOUT_TOKEN or operation["security"] == [{"token": []}], path
        if path.startswith("/v1/"):
            for status in ("400", "401", "404", "422"):
                schema = operation["responses"][status]["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Problem"}, path
    names = [operation["operationId"] for _, operation in listed]
    assert len(names) == len(set(names))


def test_every_body_has_an_example(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    seen = 0
    for path, operation in operations(document):
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content and "$ref" in content["application/json"]["schema"]:
            name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert schemas[name]["examples"], path
            seen += 1
    assert seen > 15


def test_every_example_is_true() -> None:
    """An example that would be refused teaches a mistake."""
    seen = 0
    for module in (beliefs, recalled, talk, work):
        for model in vars(module).values():
            if isinstance(model, type) and issubclass(model, Request) and model is not Request:
                extra = model.model_config.get("json_schema_extra")
                for example in extra["examples"] if isinstance(extra, dict) else ():  # type: ignore[union-attr]
                    model.model_validate(example)
                    seen += 1
    assert seen >= 20
