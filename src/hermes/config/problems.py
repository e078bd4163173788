"""What is wrong with a configuration, in words: which key, where it stands, what was meant.

Translates the model's complaints; it knows nothing of files beyond the places it is told.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from hermes.config.keys import closest, find_annotation, find_nearest, is_secret
from hermes.config.text import Path
from hermes.errors import UserError

Place: TypeAlias = Callable[[Path], str]
"""Says where a key was set: `config.json:4`, or the name of a variable."""

HINT = "Mend it with `hermes config edit`; docs/config.md says what each key means."
ELSEWHERE = "`hermes config list` shows every key; docs/config.md says what each means."
_IN_FILE = re.compile(r":\d+$")
KINDS = {
    "string_type": "text in double quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list: [ … ]",
    "dict_type": "a section: { … }",
    "model_type": "a section: { … }",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake, and where it was made."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


def raise_problems(problems: Iterable[Problem], hint: str = "") -> None:
    """Raise one error for all mistakes; nothing if there are none."""
    found = list(problems)
    lines = [str(problem) for problem in found]
    in_file = any(_IN_FILE.search(problem.where) for problem in found)
    hint = hint or (HINT if in_file else ELSEWHERE)
    if len(lines) == 1:
        raise UserError(lines[0], hint)
    if lines:
        raise UserError("\n  ".join([f"{len(lines)} mistakes in the configuration", *lines]), hint)


def list_problems(error: ValidationError, place: Place) -> list[Problem]:
    """The model's complaints as problems."""
    problems = []
    for details in error.errors(include_url=False):
        path = tuple(str(part) for part in details["loc"] if part != "[key]")
        problems.append(Problem(place(path), _describe(path, details)))
    return problems


def unknown_key(path: Path) -> str:
    """The words for a key that does not exist."""
    near = find_nearest(path)
    return f"{'.'.join(path)} is not a setting" + (f"; did you mean {near}?" if near else "")


def _describe(path: Path, details: ErrorDetails) -> str:
    key, kind = ".".join(path), details["type"]
    if kind == "extra_forbidden":
        return unknown_key(path)
    if kind == "missing":
        return f"{key} is missing"
    if kind == "value_error":
        return _own_words(key, details)
    if kind == "literal_error":
        return _wrong_choice(key, details)
    wanted = KINDS.get(kind) or details["msg"].removeprefix("Input should be ")
    return f"{key} must be {wanted}{_shown(path, details)}"


def _own_words(key: str, details: ErrorDetails) -> str:
    message = str(details["ctx"]["error"])
    given, listed = details["input"], message.partition(" is not one of ")[2]
    near = closest(given, listed.split(", "), 0.6) if listed and isinstance(given, str) else ""
    return f"{key}: {message}" + (f"; did you mean {near!r}?" if near else "")


def _wrong_choice(key: str, details: ErrorDetails) -> str:
    choices = details["ctx"]["expected"].replace(" or ", ", ").replace("'", "").split(", ")
    given = details["input"]
    near = closest(given, choices, 0.6) if isinstance(given, str) else ""
    message = f"{key}: {_short(given)} is not one of {', '.join(choices)}"
    return message + (f"; did you mean {near!r}?" if near else "")


def _shown(path: Path, details: ErrorDetails) -> str:
    """What was given, unless it may be a secret."""
    annotation = find_annotation(path)
    if annotation is None or is_secret(annotation) or isinstance(details["input"], dict):
        return ""
    return f", not {_short(details['input'])}"


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
