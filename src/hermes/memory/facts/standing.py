"""The facts that may stand before every task: about the user, believed, and not held."""

from dataclasses import replace

from hermes.memory.facts.acquaintances import list_acquaintances
from hermes.memory.facts.candidate import USER
from hermes.memory.facts.listing import FactQuery, list_facts
from hermes.memory.usermodel import UserModel, build_model
from hermes.store.base import Tx
from hermes.types import Fact, FactKind, Trust

MOST = 5_000


def list_standing(tx: Tx, bank: str, now: int, *, kinds: tuple[FactKind, ...] = ()) -> list[Fact]:
    """What the user model is drawn from, or what of it is of some kinds.

    What is to be replaced on a day ahead holds until then, so it is among them. A fact that came
    from others and was approved counts here as the agent's own would; the row itself stays as
    little trusted as it was.
    """
    query = FactQuery(bank=bank, kinds=kinds, subject=USER)
    wanted = (query, replace(query, as_of=now))
    found = {f.id: f for each in wanted for f in list_facts(tx, each, limit=MOST, now=now)}
    return [_allowed(fact) for fact in found.values() if not fact.held]


def build_user_model(tx: Tx, bank: str, now: int) -> UserModel:
    return build_model(with_acquaintances(tx, bank, list_standing(tx, bank, now)), now=now)


def with_acquaintances(tx: Tx, bank: str, standing: list[Fact]) -> list[Fact]:
    """Also whom other facts name in passing."""
    return [*standing, *map(_allowed, list_acquaintances(tx, bank, standing))]


def _allowed(fact: Fact) -> Fact:
    return replace(fact, trust=max(fact.trust, Trust.MEDIUM))
