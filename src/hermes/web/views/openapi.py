"""The OpenAPI document as a page shows it: topics, calls, fields, an example of each."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
WIDTH = 90
_PLACES = {"path": "in the path", "query": "query", "header": "header"}


@dataclass(frozen=True, slots=True)
class Field:
    """One value that is sent or answered."""

    name: str
    kind: str
    told: str = ""
    is_needed: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One method of one path."""

    method: str
    path: str
    told: str
    parameters: Sequence[Field]
    body: Sequence[Field]
    example: str
    answer: Sequence[Field]
    answered: str
    answer_example: str = ""

    @property
    def anchor(self) -> str:
        return f"{self.method}{self.path}".lower().replace("/", "-").replace("{", "").strip("}")


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    calls: Sequence[Call]


def list_topics(document: Json) -> list[Topic]:
    """Every call by its topic, in the order they are declared."""
    found: dict[str, list[Call]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            call = _call(document, (method.upper(), path), operation)
            found.setdefault(operation["tags"][0], []).append(call)
    return [Topic(name, calls) for name, calls in found.items()]


def _call(document: Json, where: tuple[str, str], operation: Json) -> Call:
    body = _resolve(document, _content(operation.get("requestBody", {})))
    examples = body.get("examples") or []
    status, told = _answer(operation)
    answer = _content(told)
    shape = _resolve(document, answer)
    return Call(
        method=where[0],
        path=where[1],
        told=operation.get("description", ""),
        parameters=[_parameter(document, each) for each in operation.get("parameters", ())],
        body=list(_fields(document, body)),
        example=_laid_out(examples[0]) if examples else "",
        answer=list(_fields(document, shape)),
        answered=f"{status} {_kind(document, answer)}".strip(),
        answer_example=_laid_out(_example(told)),
    )


def _answer(operation: Json) -> tuple[str, Json]:
    """The status of success, and what comes with it."""
    status, told = next(each for each in operation["responses"].items() if each[0] < "300")
    return status, told


def _example(part: Json) -> object:
    kinds = part.get("content", {})
    return next((each["example"] for each in kinds.values() if "example" in each), None)


def _laid_out(value: object) -> str:
    """JSON to be read: short lists and objects stay on their line."""
    return "" if value is None else _lines(value, "")


def _lines(value: object, margin: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + len(margin) <= WIDTH or not isinstance(value, dict | list):
        return flat
    deeper = margin + "  "
    if isinstance(value, list):
        rows = [_lines(each, deeper) for each in value]
    else:
        rows = [f"{json.dumps(key)}: {_lines(each, deeper)}" for key, each in value.items()]
    inner = f",\n{deeper}".join(rows)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{deeper}{inner}\n{margin}{closing}"


def _content(part: Json) -> Json:
    """The schema of a body, whatever its type is."""
    kinds = part.get("content", {})
    return next((each.get("schema", {}) for each in kinds.values()), {})


def _parameter(document: Json, parameter: Json) -> Field:
    schema = parameter.get("schema", {})
    where = _PLACES.get(parameter["in"], parameter["in"])
    told = parameter.get("description") or schema.get("description", "")
    return Field(
        name=parameter["name"],
        kind=f"{_kind(document, schema)}, {where}",
        told=told,
        is_needed=bool(parameter.get("required")),
    )


def _fields(document: Json, schema: Json) -> Iterator[Field]:
    needed = schema.get("required", ())
    for name, each in schema.get("properties", {}).items():
        told = each.get("description", "")
        yield Field(name, _kind(document, each), told, name in needed)


def _resolve(document: Json, schema: Json) -> Json:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Json = document["components"]["schemas"][name] if name else schema
    return found


def _kind(document: Json, schema: Json) -> str:
    """What a value may be, in a few words."""
    if "$ref" in schema:
        known = _resolve(document, schema)
        return _choices(known["enum"]) if "enum" in known else known.get("title", "object")
    if "enum" in schema:
        return _choices(schema["enum"])
    if "const" in schema:
        return _choices([schema["const"]])
    if "anyOf" in schema:
        return " or ".join(_kind(document, each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_kind(document, schema.get('items', {}))}"
    return "nothing" if schema.get("type") == "null" else str(schema.get("type", ""))


def _choices(values: Sequence[object]) -> str:
    return " | ".join(json.dumps(value) for value in values)
