"""`docs/config.md`: every setting, written from the model so that it cannot fall behind."""

import ast
import inspect
import sys
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from types import NoneType
from typing import Annotated, Any, Literal, Union, get_args

from pydantic import AfterValidator, SecretStr
from pydantic_core import PydanticUndefined

from hermes.config.adapters import Adapter
from hermes.config.keys import (
    Annotation,
    Setting,
    find_section,
    item_annotation,
    list_item_settings,
    list_settings,
    origin_of,
    unwrap,
)
from hermes.config.model import Config
from hermes.config.sections import Section
from hermes.config.text import Path, render_value

INTRO = """\
# Configuration

<!-- Written by `hermes.config.reference`; a test keeps it equal to the code. -->

`config.json` lies in the home (`~/.hermes`, or `HERMES_HOME`), one for each profile. It is JSON
with `//` and `/* */` comments. A file that is not there means the defaults below. Change it with
`hermes config set KEY VALUE`, which keeps comments and order, or with `hermes config edit`, which
checks the text before it replaces the file. `hermes config list` shows each value and its origin.

Later wins: defaults, the file, `.env`, the environment, `--set KEY=VALUE` on the command line.

- **Variables.** `"${NAME}"` in a value is replaced by the variable, taken from `.env` first and
  then from the environment. A secret whose variable is not set stops only what needs the secret;
  in any other setting it is an error, save for `hermes config` and `hermes doctor`, which name it.
  `${NAME:-other}` falls back on `other`. `$${` is a plain `${`.
- **`.env`** holds secrets as `NAME=VALUE` lines and must be readable by its owner alone (0600).
- **Overrides.** Each key has a variable, named in the last column. Lists are written `a,b` or as
  JSON, sections with names of your own (`mcpServers`) as JSON. An empty variable counts as not set.
- **Paths** may begin with `~`; a relative one is taken from the profile's folder.
- An unknown key, a wrong value, or a variable that looks like a setting and is none, is an error
  that names the place and the nearest key.
"""


def render_reference() -> str:
    """The page, as Markdown."""
    parts = [INTRO]
    for name, field in Config.model_fields.items():
        alias = field.alias or name
        own = [s for s in list_settings() if s.path[0] == alias]
        items = [s for s in list_item_settings() if s.path[0] == alias]
        parts.append(f"## {alias}\n\n{describe((alias,))}\n\n{_table([*own, *items])}")
    return "\n".join(parts)


def describe(path: Path) -> str:
    """What the key at `path` means, in the model's words."""
    annotation: Annotation = Config
    text = ""
    for part in path:
        section = find_section(annotation)
        if section is None:
            annotation = item_annotation(annotation)
            continue
        name = next(n for n, f in section.model_fields.items() if (f.alias or n) == part)
        text = _docstrings(section).get(name, "")
        annotation = section.model_fields[name].annotation
    return text


@cache
def _docstrings(section: type[Section]) -> dict[str, str]:
    """The string below each field; read from the source, and only when a page is written.

    A section that is a kind of another has that one's, too.
    """
    parent = section.__base__
    is_kind = parent is not None and parent is not Section and issubclass(parent, Section)
    found = dict(_docstrings(parent)) if is_kind else {}
    body = ast.parse(inspect.getsource(section)).body[0]
    statements = body.body if isinstance(body, ast.ClassDef) else []
    for field, below in pairwise(statements):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            name = ast.unparse(field.target)
            found[name] = " ".join(str(ast.literal_eval(below.value)).split())
    return found


def _table(settings: Iterable[Setting]) -> str:
    lines = ["| key | type | default | meaning | variable |", "|---|---|---|---|---|"]
    lines += [_row(setting) for setting in settings]
    return "\n".join(lines) + "\n"


def _row(setting: Setting) -> str:
    default = "required" if setting.default is PydanticUndefined else _default(setting.default)
    env = f"`{setting.env}`" if setting.env else ""
    kind = _type(setting.annotation).replace("|", "\\|")
    return f"| `{setting.key}` | {kind} | {default} | {describe(setting.path)} | {env} |"


def _default(value: Any) -> str:
    if value is None or value in ((), {}):
        return ""
    return f"`{render_value(value)}`"


def _type(annotation: Annotation) -> str:
    limits = _limits(annotation)
    inner = unwrap(annotation)
    if adapter := _adapter(annotation):
        return " ".join(f"`{name}`" for name in adapter.ours)
    if origin_of(inner) is Literal:
        return " ".join(f"`{name}`" for name in get_args(inner))
    if origin_of(inner) is tuple:
        return "list of texts"
    if (item := item_annotation(inner)) is not None:
        return "sections by name" if find_section(item) else f"{_type(item)} by name"
    words: dict[object, str] = {
        str: "text",
        SecretStr: "secret",
        bool: "true or false",
        int: "whole number",
        float: "number",
    }
    return f"{words[inner]}{limits}"


def _limits(annotation: Annotation) -> str:
    marks = {mark: value for m in _metadata(annotation) for mark, value in _marks(m)}
    low, high = marks.get("ge"), marks.get("le")
    if low is not None and high is not None:
        return f", {low:,} to {high:,}"
    if low is not None:
        return f", {low:,} or more"
    if "gt" in marks:
        return f", above {marks['gt']:,}" + (f", up to {high:,}" if high else "")
    return ""


def _marks(metadata: object) -> list[tuple[str, int | float]]:
    marks = [(name, getattr(metadata, name, None)) for name in ("ge", "gt", "le")]
    inner = [pair for m in getattr(metadata, "metadata", ()) for pair in _marks(m)]
    return [(name, value) for name, value in marks if value is not None] + inner


def _adapter(annotation: Annotation) -> Adapter | None:
    for metadata in _metadata(annotation):
        if isinstance(metadata, AfterValidator) and isinstance(metadata.func, Adapter):
            return metadata.func
    return None


def _metadata(annotation: Annotation) -> list[object]:
    """Everything `Annotated` says, also inside `… | None`."""
    if origin_of(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        return [*_metadata(inner), *metadata]
    if origin_of(annotation) is Union or NoneType in get_args(annotation):
        return [m for part in get_args(annotation) for m in _metadata(part)]
    return []


if __name__ == "__main__":
    sys.stdout.write(render_reference())
