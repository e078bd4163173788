"""Held writes: what came from others waits for the person's word before it stands anywhere.

A tainted fact is kept, searched and recalled as data; only the way of one about the user into the
user model is held.
A tainted note is not written at all. Approving makes the write; trust itself never rises.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from hermes.errors import NotFound, Refused
from hermes.guard.origin import Target
from hermes.guard.scan import scan
from hermes.memory.facts.audit import Act, Action, alter
from hermes.store.base import HeldWrite, Store, Tx
from hermes.types import EventKind, Fact, Origin, Trust

APPROVED = "approved"
REJECTED = "rejected"
WITHDRAWN = "withdrawn"
CLOSES = "closes"  # in a payload: what is closed with a yes

Applier = Callable[[HeldWrite], object]
"""Makes an approved write outside the store; safe to run twice."""


@dataclass(frozen=True, slots=True)
class Tainted:
    """A write that may not be made as it is: where to, what, in whose words."""

    target: Target
    text: str
    payload: Mapping[str, object]
    bank: str = "default"
    origin: Origin = Origin.TOOL
    trust: Trust = Trust.NONE


def hold(tx: Tx, tainted: Tainted, at: int) -> HeldWrite:
    """Hold a write until it is approved; held twice, it waits once."""
    write = HeldWrite(
        id=0,
        bank=tainted.bank,
        target=tainted.target,
        text=tainted.text,
        reason=_reason(tainted.text, tainted.origin, tainted.trust),
        held_at=at,
        payload=tainted.payload,
        origin=tainted.origin,
        trust=tainted.trust,
    )
    return _held(tx, write)


def hold_fact(tx: Tx, fact: Fact, at: int, *, closes: Sequence[Fact] = ()) -> HeldWrite | None:
    """Hold a fact that may not enter the user model as it is: whatever is held can be approved.

    What it `closes`, given as it is then, stays open until that.
    """
    if not fact.held or fact.retracted_at is not None:
        return None
    payload: dict[str, object] = {"fact": fact.number}
    before = tx.pending.find_of_fact(fact.id)
    if before is not None and before.text == fact.text:
        payload = dict(before.payload)
    elif closes:
        payload[CLOSES] = [
            [old.number, old.recorded_at, old.valid_to, _digest(old)] for old in closes
        ]
    write = HeldWrite(
        id=0,
        bank=fact.bank,
        target=Target.USER_MODEL,
        text=fact.text,
        reason=_reason(fact.text, fact.origin, fact.trust),
        held_at=at,
        payload=payload,
        origin=fact.origin,
        trust=fact.trust,
        fact_id=fact.id,
    )
    return _held(tx, write)


def close_waiting(tx: Tx, fact: Fact, act: Act) -> None:
    """Close what a fact that waited takes the place of, where that still stands as it was told."""
    for old, valid_to in list_waiting(tx, fact):
        ends = [at for at in (old.valid_to, valid_to) if at is not None]
        closed = replace(old, superseded_by=fact.id, valid_to=min(ends, default=None))
        alter(tx, old, closed, Action.SUPERSEDE, act)


def list_waiting(tx: Tx, fact: Fact) -> list[tuple[Fact, int | None]]:
    """What a fact that waits would take the place of, and when that would have ended: as far as it
    was not reworded since."""
    write = tx.pending.find_of_fact(fact.id)
    closes = write.payload.get(CLOSES) if write is not None and write.text == fact.text else None
    if not isinstance(closes, list) or not _stands(fact):
        return []
    found = []
    for each in closes:
        match each:  # an import may bring anything
            case [int(number), int(recorded_at), int() | None as valid_to, str(digest)]:
                old = tx.facts.find(number)
            case _:
                continue
        if old is not None and old.bank == fact.bank and _stands(old):
            if (old.recorded_at, _digest(old)) == (recorded_at, digest):
                found.append((old, valid_to))
    return found


def _digest(fact: Fact) -> str:
    """By which its words are known again; they themselves are not kept here, for erasure."""
    return blake2b(fact.text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _stands(fact: Fact) -> bool:
    return fact.retracted_at is None and fact.superseded_by is None


def release_fact(tx: Tx, fact: Fact, at: int) -> None:
    """A fact that was deleted, reworded or confirmed no longer waits."""
    held = tx.pending.find_of_fact(fact.id)
    if held is not None and not held.verdict:
        tx.pending.decide(held.id, WITHDRAWN, at=at)


def mark_rejected(tx: Tx, facts: Sequence[Fact]) -> list[Fact]:
    """Facts to be shown: those that were held, and that the person refused, say so."""
    return [replace(fact, rejected=True) if _is_rejected(tx, fact) else fact for fact in facts]


def _is_rejected(tx: Tx, fact: Fact) -> bool:
    write = tx.pending.find_of_fact(fact.id) if fact.held else None
    return write is not None and write.verdict == REJECTED


def was_approved(tx: Tx, fact: Fact) -> bool:
    """Whether the person said yes to a fact in these words."""
    write = tx.pending.find_of_fact(fact.id)
    return write is not None and (write.verdict, write.text) == (APPROVED, fact.text)


def approve(store: Store, number: int, at: int, appliers: Mapping[str, Applier]) -> HeldWrite:
    """Make a held write, then keep that it was approved; killed in between, it can be repeated."""
    write = store.read(lambda tx: get_held(tx, number))
    if write.fact_id is None and not write.verdict:
        applier = appliers.get(write.target)
        if applier is None:
            hint = "It stays held; reject it, or write it by hand."
            raise Refused(f"Nothing here can write to {write.target}.", hint)
        applier(write)
    return store.write(lambda tx: _decide(tx, number, APPROVED, at))


def reject(store: Store, number: int, at: int) -> HeldWrite:
    """Refuse a held write for good; nothing is deleted."""
    return store.write(lambda tx: _decide(tx, number, REJECTED, at))


def get_held(tx: Tx, number: int) -> HeldWrite:
    found = tx.pending.find(number)
    if found is None:
        raise NotFound(f"There is no held write {number}.", "See `hermes memory pending`.")
    return found


def _held(tx: Tx, write: HeldWrite) -> HeldWrite:
    kept = tx.pending.add(write)
    if kept.held_at == write.held_at and not kept.verdict:
        what = f"Held for approval, {write.target}: {write.text}"
        details = {"reason": write.reason, "trust": write.trust.name.lower()}
        ref = f"held:{kept.id}"
        tx.events.add(EventKind.MEMORY, what, at=write.held_at, details=details, ref=ref)
    return kept


def _decide(tx: Tx, number: int, verdict: str, at: int) -> HeldWrite:
    write = get_held(tx, number)
    tx.pending.decide(number, verdict, at=at)
    summary = f"{verdict.capitalize()} a held write, {write.target}: {write.text}"
    tx.events.add(EventKind.MEMORY, summary, at=at, ref=f"held:{number}")
    if write.fact_id is not None and verdict == APPROVED:
        for fact in tx.facts.get_many([write.fact_id]).values():
            act = Act("person", at, "approved by the person")
            approved = replace(fact, held=False)
            alter(tx, fact, approved, Action.APPROVE, act)
            close_waiting(tx, approved, act)
    return get_held(tx, number)


_CAME = {
    Origin.USER: "is yours",
    Origin.AGENT: "was written by an agent",
    Origin.TOOL: "came out of a tool",
    Origin.WEB: "came from a page",
    Origin.IMPORT: "says of you what came from outside; whose words those were is not known",
}

_WORTH = {
    Trust.NONE: "it is not trusted",
    Trust.LOW: "it is trusted little",
    Trust.MEDIUM: "it is trusted less than your own words",
    Trust.HIGH: "it is trusted",
}


def _reason(text: str, origin: Origin, trust: Trust) -> str:
    came = f"it {_CAME[origin]}, so {_WORTH[trust]}"
    signals = ", ".join(signal.kind for signal in scan(text))
    return f"{came}; its wording suggests: {signals}" if signals else came
