"""The configuration a command works with: defaults < file < environment < flags.

All mistakes are found in one go and named with the place they were made in.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import cast

from pydantic import ValidationError

from hermes.config.dotenv import parse_env
from hermes.config.files import is_private, refuse_links
from hermes.config.keys import (
    closest,
    find_annotation,
    is_secret,
    list_settings,
    parse_text,
)
from hermes.config.model import Config
from hermes.config.paths import ProfilePaths
from hermes.config.problems import Place, Problem, list_problems, raise_problems, unknown_key
from hermes.config.references import Missing, expand, fill_text, list_references, name_of
from hermes.config.text import Document, Json, Path, parse_document
from hermes.config.unset import NamedSecret, UnsetSecret
from hermes.errors import UserError

MAX_BYTES = 8_000_000
SET_FLAG = "--set"
NOT_SETTINGS = ("HERMES_HOME", "HERMES_PROFILE", "HERMES_DEBUG")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A valid configuration, where each key came from, and what its owner should know."""

    config: Config
    document: Document
    overrides: Mapping[Path, str]
    warnings: tuple[str, ...] = ()
    unset: tuple[Problem, ...] = ()
    """Variables that are not set: they stop only what needs them."""

    def origin(self, path: Path) -> str:
        """`default`, `file`, `env` or `flag`."""
        place = _override(self.overrides, path)
        if place:
            return "flag" if place in (SET_FLAG, Given.place) else "env"
        root = self.document.root
        return "file" if root is not None and root.find(path) is not None else "default"


class Given(dict[str, str]):
    """Settings that a program gave, by dotted key: its errors do not speak of a command line."""

    place = "settings"


@dataclass(slots=True)
class _Layers:
    """The values as they are laid over each other, and the mistakes met on the way."""

    value: dict[str, Json]
    overrides: dict[Path, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unset: list[Problem] = field(default_factory=list)

    def lay(self, path: Path, value: Json, place: str) -> None:
        self.put(path, value)
        self.overrides[path] = place

    def put(self, path: Path, value: object) -> None:
        node = self.value
        for part in path[:-1]:
            below = node.get(part)
            if not isinstance(below, dict):
                below = node[part] = {}
            node = below
        node[path[-1]] = cast("Json", value)


def load_config(
    paths: ProfilePaths, environ: Mapping[str, str], flags: Mapping[str, str] | None = None
) -> Config:
    """The configuration of a profile; a file others can read is warned of.

    A secret that a variable should hold and does not is an error once it is asked for.
    """
    loaded = load_settings(paths, environ, flags)
    for warning in loaded.warnings:
        log.warning(warning)
    return loaded.config


def load_settings(
    paths: ProfilePaths,
    environ: Mapping[str, str],
    flags: Mapping[str, str] | None = None,
    *,
    showing: bool = False,
) -> Loaded:
    """The configuration of a profile, with the origin of every key.

    For `showing` it, a text whose variable is not set stays as it is written.
    """
    document = read_document(paths)
    dotenv, warnings = read_env(paths)
    variables = {**environ, **dotenv}
    value, missing = expand(document.to_json(), variables)
    layers = _Layers(cast("dict[str, Json]", value))
    _name_secrets(layers, document, variables)
    _lay_variables(layers, {**dotenv, **environ}, document)
    for gap in missing:
        if not _override(layers.overrides, gap.path):
            _report_missing(layers, gap, file_place(document, gap.path), showing=showing)
    for gap, place in _lay_flags(layers, flags or {}, variables):
        _report_missing(layers, gap, place, showing=showing)
    config = _validate(layers, document)
    return Loaded(config, document, layers.overrides, warnings, tuple(layers.unset))


def check_document(
    document: Document, variables: Mapping[str, str], place: Place | None = None
) -> list[Problem]:
    """What is wrong with a file by itself; a variable that is not set yet is not its mistake."""
    value, _ = expand(document.to_json(), variables)
    try:
        Config.model_validate(value, by_alias=True, by_name=False)
    except ValidationError as error:
        return list_problems(error, place or (lambda path: file_place(document, path)))
    return []


def read_document(paths: ProfilePaths) -> Document:
    """The config file as a tree; a file that is not there is an empty one."""
    text = read_text(paths, paths.config_file)
    return parse_document(text or "", str(paths.config_file))


def read_env(paths: ProfilePaths) -> tuple[dict[str, str], tuple[str, ...]]:
    """The variables of `.env`, and a warning if others can read them."""
    file = paths.env_file
    text = read_text(paths, file)
    if text is None:
        return {}, ()
    exposed = f"{file} can be read by other users; run: chmod 600 {file}"
    return parse_env(text, str(file)), () if is_private(file) else (exposed,)


def read_text(paths: ProfilePaths, file: FilePath) -> str | None:
    """A text file of the profile; None if there is none."""
    refuse_links(paths.home.root, file)
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    except IsADirectoryError as error:
        raise UserError(f"{file} is a folder, not a file", "Move it away.") from error
    if len(content) > MAX_BYTES:
        raise UserError(f"{file} is larger than {MAX_BYTES:,} bytes", "That is no config file.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        raise UserError(f"{file}:{line}: this is not UTF-8 text", "Save it as UTF-8.") from error


def file_place(document: Document, path: Path) -> str:
    return f"{document.source}:{document.line_of(path)}"


def _report_missing(layers: _Layers, gap: Missing, place: str, *, showing: bool) -> None:
    """A secret that is missing stops whoever asks for it; anything else, whoever loads it."""
    what = f"{'.'.join(gap.path)} uses ${{{gap.variable}}}, which is not set"
    if is_secret(find_annotation(gap.path)):
        layers.put(gap.path, UnsetSecret(f"{place}: {what}"))
    if showing or is_secret(find_annotation(gap.path)):
        layers.unset.append(Problem(place, what))
    else:
        told = Problem(place, f"{what}; put it into .env or the environment")
        layers.problems.append(told)


def _name_secrets(layers: _Layers, document: Document, variables: Mapping[str, str]) -> None:
    """Let the secrets of the file know which variable they came from."""
    for setting in list_settings():
        node = document.root.find(setting.path) if setting.secret and document.root else None
        if node is not None and (name := name_of(node.to_json())) in variables:
            layers.put(setting.path, NamedSecret(variables[name], name))


def _lay_variables(layers: _Layers, variables: Mapping[str, str], document: Document) -> None:
    by_env = {setting.env: setting for setting in list_settings()}
    spoken_for = {*NOT_SETTINGS, *list_references(document.to_json())}
    for name, text in sorted(variables.items()):
        setting = by_env.get(name)
        if setting is not None and text:
            layers.lay(setting.path, parse_text(setting.annotation, text), name)
        elif setting is None and name.startswith("HERMES_") and name not in spoken_for:
            layers.problems += _unknown_variable(name, by_env)


def _unknown_variable(name: str, known: Iterable[str]) -> Iterator[Problem]:
    """A complaint if the name looks like a setting: any other HERMES_… is left alone."""
    near = closest(name, known, 0.85)
    sections = tuple(f"HERMES_{section.upper()}_" for section in Config.model_fields)
    if not name.startswith("HERMES_TEST_") and (near or name.startswith(sections)):
        meant = f"; did you mean {near}?" if near else ""
        yield Problem(name, f"no setting has this name{meant}")


def _lay_flags(
    layers: _Layers, flags: Mapping[str, str], variables: Mapping[str, str]
) -> Iterator[tuple[Missing, str]]:
    """Gives the variables that are not set, and where they are asked for."""
    place = flags.place if isinstance(flags, Given) else SET_FLAG
    for key, text in flags.items():
        path = tuple(key.split("."))
        annotation = find_annotation(path)
        if annotation is None:
            layers.problems.append(Problem(place, unknown_key(path)))
            continue
        filled, missing = fill_text(text, variables, path)
        layers.lay(path, parse_text(annotation, filled), place)
        if (name := name_of(text)) in variables and is_secret(annotation):
            layers.put(path, NamedSecret(filled, name))
        yield from ((gap, place) for gap in missing)


def _validate(layers: _Layers, document: Document) -> Config:
    def place(path: Path) -> str:
        return _override(layers.overrides, path) or file_place(document, path)

    try:
        config = Config.model_validate(layers.value, by_alias=True, by_name=False)
    except ValidationError as error:
        raise_problems([*layers.problems, *list_problems(error, place)])
        raise
    raise_problems(layers.problems)
    return config


def _override(overrides: Mapping[Path, str], path: Path) -> str:
    """The variable or flag that set this key, or a section around it."""
    for length in range(len(path), 0, -1):
        if place := overrides.get(path[:length]):
            return place
    return ""
