"""Where text came from, how far it is trusted, and what trust may write.

Pure decisions over `Origin` and `Trust`. Nothing here reads the text: a payload cannot argue with
a column. What the patterns of `scan` see only adds a second line.

Imported text is `LOW` even when the person imports their own history: an export of another system
mixes their words with pages and tool results and does not say which is which. It is kept, searched
and recalled as data; it is only the always-present prompt (notes, user model, procedures) that asks
for one approval first. Restoring Hermes' own export or backup is not an import in this sense: its
rows come back with the origin and trust they were written with.
"""

from collections.abc import Iterable
from enum import StrEnum

from hermes.types import Origin, Role, Trust

_TRUST_OF = {
    Origin.USER: Trust.HIGH,
    Origin.AGENT: Trust.MEDIUM,
    Origin.TOOL: Trust.LOW,
    Origin.IMPORT: Trust.LOW,
    Origin.WEB: Trust.NONE,
}
ORIGIN_OF_ROLE = {
    Role.SYSTEM: Origin.AGENT,
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.AGENT,
    Role.TOOL: Origin.TOOL,
}
"""Who brought a message that does not say."""


class Target(StrEnum):
    """The places a piece of text can be written to."""

    EPISODES = "episodes"
    FACTS = "facts"
    NOTES = "notes"
    USER_MODEL = "user-model"
    PROCEDURES = "procedures"


class Decision(StrEnum):
    ALLOW = "allow"
    HOLD = "hold"


# What is put before the model in every session, whatever the task: the way to a lasting takeover.
STANDING = frozenset({Target.NOTES, Target.USER_MODEL, Target.PROCEDURES})


def trust_of(origin: Origin) -> Trust:
    """The trust a text has by where it came from, before anything is known of its sources."""
    return _TRUST_OF[origin]


def origin_of_agent(trust: Trust) -> Origin:
    """The origin of what an agent writes that has read words worth no more than `trust`."""
    return {Trust.LOW: Origin.TOOL, Trust.NONE: Origin.WEB}.get(trust, Origin.AGENT)


def lowest(trusts: Iterable[Trust]) -> Trust:
    """The trust of what was made from several texts; made from nothing, it is worth nothing."""
    return min(trusts, default=Trust.NONE)


def inherit(origin: Origin, sources: Iterable[Trust]) -> Trust:
    """The trust of a text by `origin` whose author had `sources` before it: it never rises."""
    return min((trust_of(origin), *sources))


def is_tainted(trust: Trust) -> bool:
    """Whether someone other than the person and their agent may have put words in it."""
    return trust < Trust.MEDIUM


def decide_write(target: Target, trust: Trust, *, is_suspect: bool = False) -> Decision:
    """Allow a write, or hold it until the person approves; nothing is ever dropped here.

    `is_suspect` is the verdict of `scan.is_certain` and holds what trust alone would let through.
    """
    if target in STANDING and (is_tainted(trust) or is_suspect):
        return Decision.HOLD
    return Decision.ALLOW
