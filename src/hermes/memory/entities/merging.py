"""When two entities are one, and how one becomes two: decisions only, and what they would change.

Nothing is merged on likeness alone unless the names are the same; the rest is offered to a person.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from hermes.errors import UserError
from hermes.memory.entities.names import alias_key, spelling_key
from hermes.types import Entity, EntityKind


class Likeness(StrEnum):
    SAME = "same"
    MAYBE = "maybe"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two entities a person may want to merge, and why."""

    keep: int
    merge: int
    reason: str


def compare(left: Entity, right: Entity) -> Likeness:
    """Same: a name in common, and no clash of kinds. Maybe: one name is a part of the other."""
    if not _kinds_agree(left.kind, right.kind):
        return Likeness.DIFFERENT
    names, others = _keys(left), _keys(right)
    if names & others:
        return Likeness.SAME
    if any(_is_short_form(one, other) for one in names for other in others):
        return Likeness.MAYBE
    return Likeness.DIFFERENT


def suggest_merges(entities: Sequence[Entity]) -> list[Suggestion]:
    """Pairs worth a look, the more often mentioned one to be kept."""
    found = []
    for index, left in enumerate(entities):
        for right in entities[index + 1 :]:
            likeness = compare(left, right)
            if likeness is not Likeness.DIFFERENT:
                keep, merge = sorted((left, right), key=lambda each: (-each.mentions, each.id))
                reason = "the same name" if likeness is Likeness.SAME else "one name in the other"
                found.append(Suggestion(keep.id, merge.id, reason))
    return found


def merge(keep: Entity, other: Entity) -> tuple[Entity, Entity]:
    """The entity that stays, under all names of both, and the other one pointing to it."""
    if keep.id == other.id:
        raise UserError(f"{keep.name} is one entity already.", "Name two different ones.")
    aliases = dict.fromkeys((*keep.aliases, other.name, *other.aliases))
    aliases.pop(keep.name, None)
    kind = keep.kind if keep.kind is not EntityKind.OTHER else other.kind
    stays = replace(
        keep, aliases=tuple(aliases), kind=kind, mentions=keep.mentions + other.mentions
    )
    return stays, replace(other, merged_into=keep.id)


def split(entity: Entity, aliases: Sequence[str], new_id: int) -> tuple[Entity, Entity]:
    """Take names off an entity and make another one of them; the undoing of a merge."""
    if not aliases:
        raise UserError("No alias was named.", f"Choose among: {', '.join(entity.aliases)}.")
    taken = [each for each in entity.aliases if alias_key(each) in {alias_key(a) for a in aliases}]
    if len(taken) != len(set(map(alias_key, aliases))):
        known = ", ".join(entity.aliases) or "none"
        raise UserError("That is no alias of the entity.", f"{entity.name} has: {known}.")
    left = tuple(each for each in entity.aliases if each not in taken)
    other = Entity(new_id, entity.bank, taken[0], entity.kind, tuple(taken[1:]))
    return replace(entity, aliases=left), other


def _keys(entity: Entity) -> frozenset[str]:
    return frozenset(alias_key(name) for name in (entity.name, *entity.aliases)) - {""}


def _kinds_agree(left: EntityKind, right: EntityKind) -> bool:
    return left is right or EntityKind.OTHER in (left, right)


def _is_short_form(one: str, other: str) -> bool:
    """ "ana" and "ana lindqvist": the first words of a longer name, or its initials."""
    short, long = sorted((spelling_key(one).split(), spelling_key(other).split()), key=len)
    if not short or len(short) == len(long):
        return False
    initials = "".join(word[0] for word in long)
    return short == long[: len(short)] or (
        len(short) == 1 and len(long) > 1 and short[0] == initials
    )
