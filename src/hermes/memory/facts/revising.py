"""Correcting and deleting facts by hand; how they were stays in their history."""

import re
from dataclasses import replace

from hermes.guard.origin import inherit, is_tainted, origin_of_agent, trust_of
from hermes.memory.facts.audit import Act, Action, alter, reconcile, support
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.given import PERSON, Revision
from hermes.memory.facts.holding import must_wait
from hermes.memory.facts.merging import join_same
from hermes.memory.facts.opposing import oppose_rivals
from hermes.memory.facts.reference import get_fact, refuse_deleted
from hermes.memory.facts.tagging import tag_fact
from hermes.memory.facts.times import require_order
from hermes.memory.pending import hold_fact, release_fact
from hermes.store.base import Tx
from hermes.types import Confidence, Fact, FactSource, Origin, Trust


def revise(tx: Tx, number: int, revision: Revision, act: Act) -> Fact:
    """Correct a fact by hand. New words are read anew; what it rested on before stays to be seen.

    What a person wrote is theirs, and trusted as such; what an agent wrote is worth no more than
    what it had read and what it reworded: trust does not rise by rewording, nor by the person's
    yes, nor does what waits get free.
    """
    before = get_fact(tx, number)
    refuse_deleted(before)
    after = before
    if revision.said is not None:
        after = _reworded(before, revision.said, act, worth=revision.worth)
    after = replace(
        after,
        kind=revision.kind or after.kind,
        confidence=revision.confidence or after.confidence,
        valid_from=after.valid_from if revision.valid_from is None else revision.valid_from,
        valid_to=after.valid_to if revision.valid_to is None else revision.valid_to,
    )
    require_order(after.valid_from, after.valid_to)
    alter(tx, before, after, Action.REVISE, act)
    if after.text != before.text:
        support(tx, after, FactSource(after.text, at=act.at, trust=after.trust), act)
        tag_fact(tx, after, act.at)
        release_fact(tx, before, act.at)
        hold_fact(tx, after, act.at)
        reconcile(tx, before, act)
        if act.by == PERSON:
            join_same(tx, after, act)
        oppose_rivals(tx, replace(after, contradicts=()), act)
    return get_fact(tx, number)


def _reworded(before: Fact, read: Candidate, act: Act, *, worth: Trust) -> Fact:
    if read.text == before.text:
        return before
    by_person = act.by == PERSON
    origin = Origin.USER if by_person else origin_of_agent(worth)
    after = replace(
        before,
        text=read.text,
        kind=read.kind,
        subject=read.subject,
        attribute=read.attribute,
        value=read.value,
        entities=(*read.entities, *_still_named(before, read)),
        single=read.single,
        ended=read.ended,
        confidence=Confidence.HIGH,
        origin=origin,
        trust=trust_of(origin) if by_person else inherit(origin, [before.trust, worth]),
        extractor=act.by,
    )
    waits = must_wait(after) and not is_tainted(worth)  # tainted words were asked about before
    return replace(after, held=waits or (before.held and not by_person))


def _still_named(before: Fact, read: Candidate) -> list[str]:
    """Entities of the old wording that stand in the new one and are missed by reading it alone."""
    known = {name.casefold() for name in read.entities}
    return [
        name
        for name in before.entities
        if name.casefold() not in known
        and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", read.text, re.I)
    ]


def forget(tx: Tx, number: int, act: Act) -> Fact:
    """Unbelieve a fact; it stays in its history, and `restore` brings it back."""
    before = get_fact(tx, number)
    refuse_deleted(before)
    alter(tx, before, replace(before, retracted_at=act.at), Action.FORGET, act)
    release_fact(tx, before, act.at)
    return get_fact(tx, number)
