"""The tables of `docs/mcp.md`: tools, resources and prompts, written from what is offered."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hermes.app import App, open_app
from hermes.config.paths import Home
from hermes.mcp_server.prompts import WORDINGS
from hermes.mcp_server.resources import SCHEME, list_resources, list_templates
from hermes.mcp_server.tools import list_tools
from hermes.memory.banks import DEFAULT
from hermes.tools.base import AnyTool

BEGIN, END = "<!-- written by hermes.mcp_server.reference -->", "<!-- end -->"
Schema = Mapping[str, Any]


def render_reference(app: App) -> str:
    """Everything a client is offered, as Markdown."""
    tools = [_tool(tool) for tool in list_tools(app, may_write=True)]
    return "\n".join([BEGIN, "", *tools, _resources(app), _prompts(), END])


def put_reference(page: str, app: App) -> str:
    """The page with its tables as they should be."""
    before, _, rest = page.partition(BEGIN)
    return before + render_reference(app) + rest.partition(END)[2]


def _tool(tool: AnyTool) -> str:
    schema = tool.arguments.model_json_schema()
    writes = "writes" if tool.writes_memory else "changes nothing"
    lines = [f"### `{tool.name}` ({writes})", "", tool.description, ""]
    return "\n".join([*lines, *_table(list(_rows(schema))), ""])


def _table(rows: Sequence[tuple[str, str, str, str]]) -> list[str]:
    head = ["| argument | type | if left out | meaning |", "|---|---|---|---|"]
    return head + ["| " + " | ".join(_escape(cell) for cell in row) + " |" for row in rows]


def _rows(schema: Schema, prefix: str = "") -> Iterator[tuple[str, str, str, str]]:
    needed = schema.get("required", ())
    known = schema.get("$defs", {})
    for name, field in schema.get("properties", {}).items():
        otherwise = "needed" if name in needed else _otherwise(field)
        kind = f"{_kind(field, known)}{_limits(field)}"
        yield f"`{prefix}{name}`", kind, otherwise, field.get("description", "")
        inner = field.get("items", {}).get("$ref", "").rpartition("/")[2]
        if "properties" in known.get(inner, {}):
            yield from _rows({**known[inner], "$defs": known}, f"{prefix}{name}[].")


def _otherwise(field: Schema) -> str:
    value = field.get("default")
    return "" if value in (None, "", []) else f"`{value}`"


def _kind(field: Schema, known: Schema) -> str:
    """What an argument may be, in a few words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return _kind(known[name], known) if "enum" in known[name] else "object"
    if "enum" in field:
        return ", ".join(f"`{each}`" for each in field["enum"])
    if "anyOf" in field:
        kinds = [_kind(each, known) for each in field["anyOf"] if each.get("type") != "null"]
        return " or ".join(kinds)
    if field.get("type") == "array":
        return f"list of {_kind(field.get('items', {}), known)}"
    return str(field.get("const", field.get("type", "object")))


def _limits(field: Schema) -> str:
    if "minimum" in field and "maximum" in field:
        return f", {field['minimum']:,} to {field['maximum']:,}"
    return f", at most {field['maxLength']:,} characters" if "maxLength" in field else ""


def _resources(app: App) -> str:
    """What has an address of its own; the latest sessions are listed, too, by theirs."""
    offered = [(str(each.uri), each.description) for each in list_resources(app, DEFAULT)]
    fixed = [each for each in offered if not each[0].startswith(f"{SCHEME}session/")]
    templates = [(each.uri_template, each.description) for each in list_templates()]
    rows = [f"| `{uri}` | {told} |" for uri, told in (*fixed, *templates)]
    return "\n".join(["### Resources", "", "| address | what |", "|---|---|", *rows, ""])


def _prompts() -> str:
    rows = [f"| `{each.name}` | `{each.argument}` | {each.description} |" for each in WORDINGS]
    head = ["### Prompts", "", "| prompt | argument | what |", "|---|---|---|"]
    return "\n".join([*head, *rows, ""])


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    """Write the page given on the command line anew."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit("Give the page: python -m hermes.mcp_server.reference docs/mcp.md")
    page = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        with open_app(Home(Path(folder).resolve()).profile("default"), {}) as app:
            page.write_text(put_reference(page.read_text("utf-8"), app), "utf-8")


if __name__ == "__main__":
    main()
