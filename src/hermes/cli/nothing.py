"""What is said where no fact was found: why, and where to look instead."""

from collections.abc import Mapping

from hermes.cli.render import count
from hermes.memory.facts.listing import FactQuery

NAMED = 5  # banks named where there are more
_OVER = "what is over is shown by `hermes memory fact list --all`"
_ALL = "`hermes memory fact list` shows all"
_BEGIN = (
    "nothing yet; read the conversations now with `hermes memory extract`, "
    'or add one with `hermes memory fact add "…"`'
)


def told_elsewhere(held: Mapping[str, int], bank: str) -> str:
    """The other banks that hold facts, and how to look there; "" where none does."""
    others = [f"{name} ({count(facts, 'fact')})" for name, facts in held.items() if name != bank]
    if not others:
        return ""
    named = ", ".join(others[:NAMED]) + (", …" if len(others) > NAMED else "")
    return f"there is something in bank {named}: add --bank NAME"


def told_nothing(query: FactQuery, held: Mapping[str, int]) -> str:
    """Why a list of facts is empty."""
    if not held:
        return _BEGIN
    if query.kinds or query.subject or query.entity:
        return f"nothing of that sort; {_ALL}"
    if query.believed_on is not None:
        return f"nothing was believed by then: what is known was learnt later; {_ALL}"
    if query.as_of is not None:
        return f"nothing that is believed was so then; {_ALL}"
    if not query.bank or query.bank in held:
        return f"nothing that is known is so today; {_OVER}"
    return f"nothing in bank {query.bank}; {told_elsewhere(held, query.bank) or _BEGIN}"
