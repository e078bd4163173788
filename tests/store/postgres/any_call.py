"""Any call of any method a store has, made up from the types its protocols declare.

Numbers are small, so that they meet; words come from a short list, so that they meet as well.
"""

import collections.abc
import dataclasses
import enum
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from hermes.store import base
from hermes.store.base import Tx

WORDS = (
    "",
    "ada",
    "bert",
    "work",
    "home",
    "the red house",
    "lives in Paris",
    "東京都に住む",
    "what's up",
    "tea\x00pot",
    "naïve café",
    "s1",
    "s2",
    "s3",
    "index",
    "a*",
)
SKIPPED = frozenset(
    {
        # One store searches vectors itself, the other leaves it to memory.
        "vectors.find_search",
        # Their answers are made of chance: a salt, a file, or a server's own numbers.
        "events.list_links",
        "events.head",
        "portable.has_event",
        # What they are given must hold together, as a whole import does (see the copy tests).
        "portable.put",
        "portable.finish",
        "portable.settle",
        "portable.show_arrived",
        "portable.drop_arrival",
        "portable.reset_numbers",
        "portable.link_entities",
        "portable.link_facts",
        "portable.add_contradictions",
        "portable.raise_numbers",
        "portable.reserve",
        # A fact is kept under the numbers reserved for it.
        "facts.add",
        # Blocks and vectors are bytes that must fit their space (see the contract tests).
        "vectors.put_block",
        "vectors.add",
        "vectors.set_mean",
        "vectors.repack",
    }
)


@dataclass(frozen=True, slots=True)
class Call:
    """One method of one group of a transaction, and what it is given."""

    name: str
    arguments: dict[str, Any]

    def __call__(self, tx: Tx) -> Any:
        target: Any = tx
        for part in self.name.split("."):
            target = getattr(target, part)
        signature = inspect.signature(target)
        given = signature.bind_partial()
        given.arguments.update(self.arguments)
        found = target(*given.args, **given.kwargs)
        return list(found) if isinstance(found, collections.abc.Iterator) else found

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{k}={v!r}' for k, v in self.arguments.items())})"


def list_methods() -> list[str]:
    """Every method of every group, by name: `facts.list`."""
    found: list[str] = []
    for group, kind in _groups():
        for name in dir(kind):
            if name.startswith("_") or f"{group}.{name}" in SKIPPED:
                continue
            member = inspect.getattr_static(kind, name)
            if isinstance(member, property):
                found += [f"{group}.texts.{each}" for each in ("postings", "postings_all", "size")]
            else:
                found.append(f"{group}.{name}")
    return found


def make_call(random: Random, name: str) -> Call:
    """The method with arguments of its types."""
    group, *rest = name.split(".")
    kind = base.TextIndex if len(rest) == 2 else dict(_groups())[group]
    function = getattr(kind, rest[-1])
    hints = typing.get_type_hints(function, localns={"Numbers": object})
    hints.pop("return", None)
    arguments = {key: make(random, hint, key) for key, hint in hints.items()}
    return Call(name, arguments)


def make(random: Random, hint: Any, name: str = "") -> Any:
    """A value of a type."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return make(random, random.choice(inside), name)
    if origin in (collections.abc.Mapping, dict):
        return {}
    if origin is tuple and inside[-1:] != (...,):
        return tuple(make(random, each) for each in inside)
    if typing.Any in inside:  # a place in a listing: its beginning
        return ()
    if origin is not None:
        values = [make(random, inside[0], name) for _ in range(random.randrange(4))]
        return tuple(values) if origin is tuple else values
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return random.choice(list(hint))
    if dataclasses.is_dataclass(hint):
        kinds = typing.get_type_hints(hint)
        names = [field.name for field in dataclasses.fields(hint) if field.init]
        made: Any = hint
        return made(**{each: make(random, kinds[each], each) for each in names})
    return _plain(random, hint, name)


def _plain(random: Random, hint: Any, name: str) -> Any:
    if hint is int and name in ("limit", "keep"):
        return random.choice((0, 1, 5, 1_000))
    if hint is str and name == "id":  # a session without a name gets one made of chance
        return random.choice(WORDS[1:])
    if hint is int and name == "step_ms":
        return random.choice((1, 1_000, 86_400_000))
    plain: dict[Any, Callable[[], Any]] = {
        bool: lambda: random.random() < 0.5,
        int: lambda: random.randrange(40),
        float: lambda: float(random.randrange(8)),
        str: lambda: random.choice(WORDS),
        bytes: lambda: random.randbytes(4),
        type(None): lambda: None,
    }
    return plain[hint]()


def _groups() -> Iterator[tuple[str, Any]]:
    for name in dir(Tx):
        if not name.startswith("_"):
            getter = inspect.getattr_static(Tx, name).fget
            yield name, typing.get_type_hints(getter)["return"]
