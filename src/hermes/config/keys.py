"""The settings as a flat table, derived from the model: dotted key, variable name, type, default.

Here a dotted key is found, a misspelt one gets its nearest neighbour, and text from a variable or a
command line becomes a value of the type the key asks for.
"""

import difflib
import json
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from hermes.config.model import Config
from hermes.config.sections import Section
from hermes.config.text import Json, Path

Annotation: TypeAlias = Any
"""A type expression, as `typing` hands it out."""

TRUE = ("true", "yes", "on", "1")
FALSE = ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True)
class Setting:
    """One key that can be set; `env` is empty where the key lies below a name the person chose."""

    path: Path
    annotation: Annotation
    default: object
    env: str = ""

    @property
    def key(self) -> str:
        return ".".join(self.path)

    @property
    def secret(self) -> bool:
        return is_secret(self.annotation)


@cache
def list_settings() -> tuple[Setting, ...]:
    """Every key of the model, in the order of the model."""
    return tuple(_walk(Config, (), ("HERMES",)))


@cache
def list_item_settings() -> tuple[Setting, ...]:
    """The keys below a name the person chose: `mcpServers.<name>.command`."""
    found: list[Setting] = []
    for setting in list_settings():
        model = find_section(item_annotation(setting.annotation))
        if model is not None:
            path = (*setting.path, "<name>")
            found += [Setting(s.path, s.annotation, s.default) for s in _walk(model, path, ())]
    return tuple(found)


def _walk(model: type[Section], path: Path, env: Path) -> Iterator[Setting]:
    for name, field in model.model_fields.items():
        here, variable = (*path, field.alias or name), (*env, name.upper())
        section = find_section(field.annotation)
        if section is not None:
            yield from _walk(section, here, variable)
        else:
            yield Setting(here, full_annotation(field), _default(field), "_".join(variable))


def _default(field: FieldInfo) -> object:
    return field.get_default(call_default_factory=True, validated_data={})


def full_annotation(field: FieldInfo) -> Annotation:
    """A field's type with the limits pydantic split off from it."""
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def find_annotation(path: Path) -> Annotation | None:
    """The type of the key at `path`, be it a setting, a section or something a section names."""
    annotation: Annotation = Config
    for part in path:
        model, item = find_section(annotation), item_annotation(annotation)
        if model is not None:
            field = _field(model, part)
            if field is None:
                return None
            annotation = full_annotation(field)
        elif item is not None:
            annotation = item
        else:
            return None
    return annotation


def _field(model: type[Section], alias: str) -> FieldInfo | None:
    return next((f for n, f in model.model_fields.items() if (f.alias or n) == alias), None)


def unwrap(annotation: Annotation) -> Annotation:
    """The type itself, without its limits and without `| None`."""
    origin = origin_of(annotation)
    if origin is Annotated:
        return unwrap(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return unwrap(next(a for a in get_args(annotation) if a is not types.NoneType))
    return annotation


def origin_of(annotation: Annotation) -> object:
    """`get_origin`, for type expressions that mypy cannot follow."""
    return get_origin(annotation)


def is_optional(annotation: Annotation) -> bool:
    if origin_of(annotation) is Annotated:
        return is_optional(get_args(annotation)[0])
    return types.NoneType in get_args(annotation)


def find_section(annotation: Annotation) -> type[Section] | None:
    inner = unwrap(annotation)
    return inner if isinstance(inner, type) and issubclass(inner, Section) else None


def item_annotation(annotation: Annotation) -> Annotation | None:
    """The type of the values of a mapping whose keys the person chooses."""
    inner = unwrap(annotation)
    return get_args(inner)[1] if origin_of(inner) is dict else None


def is_secret(annotation: Annotation) -> bool:
    inner = unwrap(annotation)
    return inner is SecretStr or unwrap(item_annotation(inner)) is SecretStr


def is_text(annotation: Annotation) -> bool:
    """Whether a value of this type is written as plain text."""
    inner = unwrap(annotation)
    return inner in (str, SecretStr) or origin_of(inner) is Literal


def parse_text(annotation: Annotation, text: str) -> Json:
    """Text from a variable or a command line as a value; what does not fit is left to the model."""
    inner = unwrap(annotation)
    if is_text(annotation):
        return text
    if inner is bool and text.strip().lower() in (*TRUE, *FALSE):
        return text.strip().lower() in TRUE
    if origin_of(inner) is tuple and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value


def find_nearest(path: Path) -> str:
    """The key that was probably meant by one that does not exist, or nothing."""
    known = [s.key for s in (*list_settings(), *list_item_settings())]
    known += [s.rpartition(".")[0] for s in known if "." in s]
    key = ".".join(path)
    if match := closest(key, _named(path, known)):
        return match
    by_leaf = {k.rpartition(".")[2]: k for k in reversed(known)}
    return by_leaf.get(closest(path[-1], by_leaf), "")


def _named(path: Path, known: Iterable[str]) -> Iterator[str]:
    """`<name>` filled in with the name that stands there."""
    for key in known:
        parts = key.split(".")
        if "<name>" in parts and len(path) > parts.index("<name>"):
            parts[parts.index("<name>")] = path[parts.index("<name>")]
        if "<name>" not in parts:
            yield ".".join(parts)


def closest(word: str, choices: Iterable[str], cutoff: float = 0.75) -> str:
    """The choice most like `word`, whatever its case, or nothing."""
    by_lower = {choice.lower(): choice for choice in choices}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else ""
