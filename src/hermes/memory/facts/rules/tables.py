"""Every rule, in the order a clause is read by."""

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.rules import (
    deadline,
    decision,
    environment,
    event,
    figures,
    habits,
    identity,
    orders,
    people,
    preference,
    projects,
    relationship,
    schedule,
    stack,
    traits,
    work,
)
from hermes.memory.facts.rules.grammar import Rule, Said, apply_rules

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
)


def read_by_rules(said: Said) -> list[Candidate]:
    """What the first table that finds something makes of a clause."""
    for table in TABLES:
        if found := list(apply_rules(table, said)):
            return found
    return []
