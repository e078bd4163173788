"""`.env`: NAME=VALUE lines, with the quotes, comments and `export` that shells allow."""

import re

from hermes.config.text import BOM, line_number
from hermes.errors import UserError

LINE = re.compile(
    r"""[ \t]*(?:export[ \t]+)?
        (?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*
        (?:"(?P<double>(?:[^"\\]|\\.)*)"[ \t]*(?:\#[^\n]*)?
          |'(?P<single>[^']*)'[ \t]*(?:\#[^\n]*)?
          |(?P<bare>(?!["'])[^\n]*?)(?:(?:^|(?<=[ \t=]))\#[^\n]*)?
        )(?=\n|\Z)""",
    re.VERBOSE | re.DOTALL,
)
SKIP = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\n": ""}


def parse_env(text: str, source: str) -> dict[str, str]:
    """The variables a file sets; a name set twice keeps its last value, as in a shell."""
    text = text.removeprefix(BOM).replace("\r\n", "\n")
    values: dict[str, str] = {}
    position = 0
    while position < len(text):
        if skip := SKIP.match(text, position):
            position = skip.end()
            continue
        match = LINE.match(text, position)
        if match is None:
            raise UserError(
                f"{source}:{line_number(text, position)}: this line is not NAME=VALUE",
                "Write NAME=VALUE, with quotes around a value that holds spaces or '#'.",
            )
        values[match["name"]] = _value(match)
        position = match.end()
    return values


def _value(match: re.Match[str]) -> str:
    if (double := match["double"]) is not None:
        return ESCAPE.sub(lambda m: ESCAPES.get(m[1], m[1]), double)
    if (single := match["single"]) is not None:
        return str(single)
    return str(match["bare"]).strip()
