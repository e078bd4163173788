"""Every rule, in the order a clause is read by."""

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.rules import (
    affairs,
    deadline,
    decision,
    environment,
    event,
    figures,
    fragments,
    habits,
    happenings,
    identity,
    orders,
    people,
    preference,
    projects,
    relationship,
    schedule,
    selves,
    stack,
    traits,
    ways,
    work,
)
from hermes.memory.facts.rules.grammar import Rule, Said, apply_rules
from hermes.types import FactKind

_BESIDE_PEOPLE = frozenset({FactKind.DEADLINE, FactKind.EVENT})
TABLES: tuple[tuple[Rule, ...], ...] = (
    identity.RULES,
    traits.RULES,
    work.RULES,
    relationship.RULES,
    people.RULES,
    deadline.RULES,
    decision.RULES,
    orders.RULES,
    preference.RULES,
    habits.RULES,
    event.RULES,
    schedule.RULES,
    projects.RULES,
    figures.RULES,
    environment.RULES,
    stack.RULES,
    happenings.RULES,
    ways.RULES,
    selves.RULES,
    fragments.RULES,
    affairs.RULES,
)


def read_by_rules(said: Said) -> list[Candidate]:
    """What the first table makes of a clause; who is who does not keep the next from reading on."""
    people: list[Candidate] = []
    for table in TABLES:
        found = list(apply_rules(table, said))
        if people:
            named = {each.value for each in people}
            found = [
                each
                for each in found
                if each.kind in _BESIDE_PEOPLE and not any(name in each.value for name in named)
            ]
        if found and any(each.kind is not FactKind.RELATIONSHIP for each in found):
            return people + found
        people += found
    return people
