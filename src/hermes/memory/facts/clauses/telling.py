"""A unit told in the third person, with all that it says."""

import re
from collections.abc import Sequence

from hermes.memory.facts.clauses.ellipsis import capital
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.referents import POSSESSIVE, find_referent
from hermes.memory.facts.clauses.units import Unit
from hermes.memory.facts.clauses.wording import group_text, others, render

_TELLING = frozenset({"NAME", "NUM", "ADDR", "NOUN"})


def in_third(unit: Unit) -> str:
    """The unit in the third person, with what opens it and what stood in parentheses."""
    if unit.sort == "told":
        return with_asides(with_lead(unit.frame, render(unit.frame)), unit)
    return capital(as_worded(unit))


def resolved(unit: Unit, texts: Sequence[str]) -> str:
    """The unit told of whom or what its subject means in the texts before it, or nothing."""
    words = unit.frame.subject.words
    if not words or [t.low for t in words[1:]] == ["one"]:
        return ""
    near = {"it": 2, "its": 2, "this": 1, "that": 1}.get(words[0].low, len(texts))
    meant = find_referent(words[0].low, texts[:near])
    if not meant or _identifies(unit.frame, meant):
        return ""
    owned = words[0].low in POSSESSIVE and len(words) > 1
    who = f"{meant}'s {others(words[1:], of_user=False)}" if owned else meant
    rest = others(unit.frame.rest, of_user=False)
    said = f"{capital(who)} {group_text(unit.frame)} {rest}".strip()
    return with_asides(with_lead(unit.frame, said), unit)


def _identifies(frame: Frame, meant: str) -> bool:
    """ "it was a mouse", "it's my own shop": says what the matter is, not how a thing is; unless
    it names the sort of that very thing ("it's a sports school")."""
    if {t.low for t in frame.rest if t.tag == "NOUN"} & set(meant.lower().split()):
        return False
    pointing = frame.subject.words[0].low in {"it", "its", "this", "that"}
    first = next((t for t in frame.rest if t.tag != "ADV"), None)
    names = first is not None and (
        first.tag in {"DET", "POSS", "NAME", "NUM"} or first.low == "for"
    )
    return pointing and frame.verb == "be" and names


def as_worded(unit: Unit) -> str:
    """The unit as it was said, the speaker turned into "they", or into "the user" where somebody
    else is spoken of."""
    start = next((n for n, t in enumerate(unit.words) if t.tag != "CONJ"), 0)
    return others(unit.words[start:], of_user=unit.sort not in {"told", "points"})


def with_lead(frame: Frame, text: str) -> str:
    """With what opens the clause and says when or where: "from May", "in the staging env"."""
    lead = [t for t in frame.lead if t.tag not in {"INTJ", "CONJ", "EMOJI"} and t.low != ","]
    telling = any(t.tag in _TELLING for t in lead)
    if not telling or not any(t.tag == "PREP" for t in lead):
        return text
    first = text.split(" ", 1)[0]
    kept = first.startswith("User") or frame.subject.kind in {"name", "points"}
    return f"{capital(others(lead))}, {text if kept else text[:1].lower() + text[1:]}"


def with_asides(text: str, unit: Unit) -> str:
    for aside in unit.asides:
        text = text if aside in text else f"{text} ({aside})"
    return text


def of_user(text: str) -> str:
    """ "The user's plan", as a fact begins: "User's plan"."""
    return capital(re.sub(r"^the user", "User", text))
