"""What an erasure would take, by name: the page a person reads before they confirm it."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.memory.erase.plan import Plan
from hermes.store.base.erase import TextKind

SHOWN = 20
_CHARS = 200


@dataclass(frozen=True, slots=True)
class Doomed:
    """Rows of one kind that would go: how many, and the first of them as they read."""

    kind: str
    count: int
    samples: Sequence[str]


def list_doomed(plan: Plan) -> list[Doomed]:
    found = []
    for kind in TextKind:
        rows = plan.rows.get(kind, {})
        if rows:
            texts = [_shortened(row.texts[0] if row.texts else "") for row in rows.values()]
            found.append(Doomed(str(kind), len(rows), texts[:SHOWN]))
    return found


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _CHARS else flat[:_CHARS] + "…"
