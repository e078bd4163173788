"""A unit told in the third person, with all that it says."""

import re

from hermes.memory.facts.clauses.ellipsis import capital
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.units import Unit
from hermes.memory.facts.clauses.wording import others, render

_TELLING = frozenset({"NAME", "NUM", "ADDR", "NOUN"})


def in_third(unit: Unit) -> str:
    """The unit in the third person, with what opens it and what stood in parentheses."""
    if unit.sort == "told":
        return with_asides(with_lead(unit.frame, render(unit.frame)), unit)
    return capital(as_worded(unit))


def as_worded(unit: Unit) -> str:
    return others([t for t in unit.words if t.tag != "CONJ"], of_user=False)


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
