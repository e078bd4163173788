"""A fact as it was: its fields taken back, line by line of its history."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hermes.types import Confidence, Fact, FactKind, Origin, Trust

_READ: dict[str, Callable[[Any], object]] = {
    "kind": FactKind,
    "confidence": Confidence,
    "origin": Origin,
    "trust": Trust,
}


def rolled_back(fact: Fact, before: Mapping[str, object]) -> Fact:
    """The fact with the fields that a line of its history says were otherwise before it."""
    fields: dict[str, Any] = {
        name: _READ[name](was) if name in _READ else was for name, was in before.items()
    }
    return replace(fact, **fields)
