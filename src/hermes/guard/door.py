"""Hermes' own command line is the person's door: what an agent may call there, and with what mark.

Knows the words behind `hermes` and nothing of shells: who finds such words is others' work.

A variable marks what an agent runs, and any program can unset it (`env -u`). So on Linux there is a
second mark that no program can take off again: the hard limit on file locks, which the kernel has
not enforced since 2.4 and which is unlimited everywhere else. Children inherit it, in whatever
session and below whatever parent; without rights over the whole system it can only be lowered, to
less trust.
"""

import resource
import sys
from collections.abc import Mapping, Sequence

from hermes.types import Trust

MARK = "HERMES_AGENT"
"""Set for what an agent runs; its value is how far the conversation is trusted."""
_LOCKS = 10  # RLIMIT_LOCKS, which the module `resource` does not name
COMMANDS = frozenset(
    "chat run model usage demo status doctor sessions memory user log bank backup db config "
    "profile start stop restart open token mcp service jobs bench".split()
)
_READING = (
    *(("status",), ("doctor",), ("usage",), ("log",), ("user", "show"), ("memory", "why")),
    *(("sessions", name) for name in ("list", "show", "search")),
    *(("memory", name) for name in ("search", "recall", "status")),
    *(
        ("memory", group, name)
        for group in ("fact", "facts")
        for name in ("list", "show", "why", "history", "contradictions", "status")
    ),
    ("memory", "notes", "show"),
)
_WRITING = (
    *(("memory", group, name) for group in ("fact", "facts") for name in ("add", "edit")),
    *(("memory", "notes", name) for name in ("add", "replace", "remove")),
)
_APART = (("bench",), ("demo",))  # they work in homes of their own
_HELP = ("-h", "--help")
_STILL_CHANGING = ("--restore-key", "--accept")
_PLACED = ("-p", "--profile", "--home")


def is_looking(words: Sequence[str]) -> bool:
    """Whether what stands behind `hermes` plainly only reads; anything else may change it."""
    if words[-1:] and words[-1] in _HELP:
        return not any(word.startswith("-") for word in words[:-1])
    if any(word.partition("=")[0] in _STILL_CHANGING for word in words):
        return False
    return list(words) == ["--version"] or _begins(words, _READING)


def is_open_to_agents(argv: Sequence[str]) -> bool:
    """Whether a command line may be called by an agent: it reads, or its words count as its own."""
    words = _after_place(list(argv))
    return is_looking(words) or _begins(words, (*_WRITING, *_APART))


def _begins(words: Sequence[str], known: Sequence[tuple[str, ...]]) -> bool:
    return any(tuple(words[: len(path)]) == path for path in known)


def _after_place(words: list[str]) -> list[str]:
    """The words behind those that say in which home and profile it works."""
    while words and words[0].partition("=")[0] in _PLACED:
        words = words[1:] if "=" in words[0] else words[2:]
    return words


def limits_for(trust: Trust) -> dict[int, int]:
    """The hard limits that mark what an agent runs."""
    return {_LOCKS: int(trust)} if sys.platform == "linux" else {}


def read_mark(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of this process, with the mark again where it was taken off."""
    limit = resource.getrlimit(_LOCKS)[1] if sys.platform == "linux" else resource.RLIM_INFINITY
    if limit == resource.RLIM_INFINITY:
        return dict(environ)
    told = find_agent(environ)
    known = [trust for trust in Trust if trust <= limit and (told is None or trust <= told)]
    return {**environ, MARK: render_mark(max(known, default=Trust.NONE))}


def render_mark(trust: Trust) -> str:
    return str(int(trust))


def find_agent(environ: Mapping[str, str]) -> Trust | None:
    """How far the agent that called is trusted; None where a person called. Unread, it is none."""
    if (mark := environ.get(MARK)) is None:
        return None
    known = {render_mark(trust): trust for trust in Trust}
    return min(Trust.MEDIUM, known.get(mark, Trust.NONE))
