"""Which facts are meant: those believed now, those true at a time, those believed at a time.

What was believed at a time is the fact as its history says it was then, not only whether it was
there: a wording corrected since, or a value closed since, reads as it did on that day.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hermes.errors import NotFound
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.given import ALL
from hermes.memory.facts.history import rolled_back
from hermes.memory.pending import mark_rejected
from hermes.store.base import FactFilter, Tx
from hermes.types import Entity, Fact, FactKind

LONGEST_NUMBER = 18  # digits that fit the column
_REF = "entity:"


@dataclass(frozen=True, slots=True)
class FactQuery:
    """What a listing asks for; an empty field asks for nothing.

    `as_of`: true in the world then. `believed_on`: what Hermes held true then. `everything` leaves
    in what was closed or deleted.
    """

    bank: str = ""
    kinds: tuple[FactKind, ...] = ()
    subject: str = ""
    entity: str = ""
    as_of: int | None = None
    believed_on: int | None = None
    everything: bool = False
    before_number: int | None = None


def list_facts(tx: Tx, query: FactQuery, *, limit: int, now: int) -> list[Fact]:
    """Newest first."""
    entity = find_entity(tx, query.entity, query.bank) if query.entity else None
    plain = query.as_of is None and query.believed_on is None and not query.everything
    wanted = FactFilter(
        bank=query.bank,
        kinds=query.kinds,
        subject_key=alias_key(query.subject),
        entity_id=entity.id if entity else None,
        open_at=now if plain else None,
        true_at=query.as_of if query.believed_on is None else None,
        recorded_by=query.believed_on,
        before_number=query.before_number,
    )
    if query.believed_on is None and (query.everything or query.as_of is None):
        return tx.facts.list(wanted, limit)
    if query.believed_on is None:
        return _not_refused(tx, wanted, limit)
    found = _as_believed(tx, tx.facts.list(wanted, ALL), query.believed_on, query.bank)
    if not query.everything:
        told = [fact for fact in found if _held_true(fact, query.believed_on, query.as_of)]
        found = [fact for fact in mark_rejected(tx, told) if not fact.rejected]
    return found[:limit]


def _not_refused(tx: Tx, wanted: FactFilter, limit: int) -> list[Fact]:
    """The newest of those wanted but for what the person refused: that was so at no time."""
    kept: list[Fact] = []
    while len(kept) < limit:
        page = tx.facts.list(wanted, limit)
        kept += [fact for fact in mark_rejected(tx, page) if not fact.rejected]
        if len(page) < limit:
            break
        wanted = replace(wanted, before_number=page[-1].number)
    return kept[:limit]


def find_entity(tx: Tx, name: str, bank: str) -> Entity:
    """The entity of that name or number in a bank ("" for any); NotFound if there is none.

    One spelt so comes before one that goes by a short form of it, as TS is of TypeScript. A bare
    number is a name before it is a number: a book may be called 1984.
    """
    named = [] if name.startswith(_REF) else tx.entities.list_named(bank, alias_key(name))
    named.sort(key=lambda each: not _is_spelt(each, name))
    found = named[0] if named else _numbered(tx, name.removeprefix(_REF), bank)
    if found is None:
        hint = "See `hermes memory entities list`."
        raise NotFound(f"No entity is called {name[:80]!r}.", hint)
    return found


def _is_spelt(entity: Entity, name: str) -> bool:
    return name.casefold() in {each.casefold() for each in (entity.name, *entity.aliases)}


def _numbered(tx: Tx, number: str, bank: str) -> Entity | None:
    if not (number.isascii() and number.isdigit()) or len(number) > LONGEST_NUMBER:
        return None
    found = tx.entities.find(int(number))
    return found if found is not None and bank in ("", found.bank) else None


def _as_believed(tx: Tx, facts: Iterable[Fact], at: int, bank: str) -> list[Fact]:
    """Facts as they stood at a time, undoing every later change of them, newest first."""
    by_id = {fact.id: fact for fact in facts}
    for change in tx.facts.list_changes_after(at, bank):
        if change.fact_id in by_id and change.before:
            by_id[change.fact_id] = rolled_back(by_id[change.fact_id], change.before)
    return list(by_id.values())


def _held_true(fact: Fact, believed_on: int, as_of: int | None) -> bool:
    """Whether a fact, as it stood on a day, was believed to hold then, or at the time asked for."""
    if fact.retracted_at is not None:
        return False
    if as_of is None:
        over = fact.valid_to is not None and fact.valid_to <= believed_on
        return fact.superseded_by is None and not over
    began = fact.recorded_at if fact.valid_from is None else fact.valid_from
    ends = fact.valid_to
    is_of_old = fact.valid_from is None and ends is not None and ends <= fact.recorded_at
    return (is_of_old or began <= as_of) and (ends is None or ends > as_of)
