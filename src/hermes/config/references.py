"""`${NAME}` in a setting: replaced by the variable, or reported when there is none.

`${NAME:-otherwise}` gives a value to fall back on, and `$${` stands for a plain `${`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hermes.config.keys import find_annotation, is_text, parse_text
from hermes.config.text import Json, Path

REFERENCE = re.compile(r"\$\$\{|\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<otherwise>[^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Missing:
    """A variable that a key asks for and nobody has set."""

    path: Path
    variable: str


def list_references(value: Json) -> Iterator[str]:
    """The names of all variables a document asks for."""
    if isinstance(value, str):
        yield from (m["name"] for m in REFERENCE.finditer(value) if m["name"])
    elif isinstance(value, list):
        for item in value:
            yield from list_references(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from list_references(item)


def expand(value: Json, variables: Mapping[str, str]) -> tuple[Json, list[Missing]]:
    """The document with its variables filled in, and what could not be."""
    expansion = _Expansion(variables)
    return expansion.walk(value, ()), expansion.missing


def fill_text(text: str, variables: Mapping[str, str], path: Path) -> tuple[str, list[Missing]]:
    """One value with its variables filled in, and those that could not be."""
    expansion = _Expansion(variables)
    return expansion.fill(text, path), expansion.missing


def name_of(value: Json) -> str:
    """The variable of a text that is `${NAME}` and nothing else; "" for any other value."""
    match = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return match["name"] or "" if match and match["otherwise"] is None else ""


@dataclass(slots=True)
class _Expansion:
    variables: Mapping[str, str]
    missing: list[Missing] = field(default_factory=list)

    def walk(self, value: Json, path: Path) -> Json:
        if isinstance(value, dict):
            return dict(self.members(value, path))
        if isinstance(value, list):
            return [self.fill(v, path) if isinstance(v, str) else self.walk(v, path) for v in value]
        return value

    def members(self, value: dict[str, Json], path: Path) -> Iterator[tuple[str, Json]]:
        for key, item in value.items():
            here = (*path, key)
            if not isinstance(item, str) or "${" not in item:
                yield key, self.walk(item, here)
                continue
            known = len(self.missing)
            filled = self.fill(item, here)
            annotation = find_annotation(here)
            if annotation is None or is_text(annotation):
                yield key, filled
            elif len(self.missing) == known:
                yield key, parse_text(annotation, filled)
            # else a number that is not known yet: left out, or it would be called a wrong one

    def fill(self, text: str, path: Path) -> str:
        """`text` with its variables; a missing one is noted and stays as it is written."""

        def replace(match: re.Match[str]) -> str:
            name, otherwise = match["name"], match["otherwise"]
            if name is None:
                return "${"
            found = self.variables.get(name)
            if otherwise is not None:
                return found or str(otherwise)
            if found is None:
                self.missing.append(Missing(path, name))
                return match.group()
            return found

        return REFERENCE.sub(replace, text)
