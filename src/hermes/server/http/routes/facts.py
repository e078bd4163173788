"""Facts: add, list, correct, delete, restore, explain."""

from dataclasses import asdict
from typing import Annotated

from fastapi import Path, Query

from hermes.app.fact_shapes import (
    change_shape,
    extracted_shape,
    fact_shape,
    kept_shape,
    why_shape,
)
from hermes.app.facts import NewFact
from hermes.memory.facts.given import Revision
from hermes.memory.facts.listing import FactQuery
from hermes.server.http.routes.ways import (
    InBank,
    Json,
    Reading,
    Writing,
    new_router,
    parse_as_of,
    parse_at,
)
from hermes.wire import beliefs as wire
from hermes.wire.base import Listed

router = new_router("facts")
MOST = 100_000

FactRef = Annotated[str, Path(min_length=1, max_length=80, examples=["fact:42", "42"])]


@router.post("/facts", response_model=wire.Kept, status_code=201)
async def add_fact(door: Writing, sent: wire.NewFact) -> Json:
    """Believe a statement; it may turn out to be known, or to replace what was."""
    new = NewFact(
        sent.text,
        bank=sent.bank,
        kind=sent.kind,
        confidence=sent.confidence,
        valid_from=parse_at(sent.valid_from),
        valid_to=parse_at(sent.valid_to),
        origin=sent.origin,
    )
    return kept_shape(await door.call(lambda: door.app.facts.add(new)))


@router.get("/facts", response_model=Listed[wire.Fact])
async def list_facts(door: Reading, asked: Annotated[wire.FactsQuestion, Query()]) -> Json:
    """What is believed, newest first."""
    query = FactQuery(
        bank=asked.bank,
        kinds=tuple(asked.kind),
        subject=asked.subject,
        entity=asked.entity,
        as_of=parse_as_of(asked.as_of, door.app),
        believed_on=parse_as_of(asked.believed_on, door.app),
        everything=asked.everything,
        before_number=asked.before,
    )
    found = await door.call(lambda: door.app.facts.list(query, asked.limit + 1))
    more = len(found) > asked.limit
    return {"items": [fact_shape(fact) for fact in found[: asked.limit]], "more": more}


@router.get("/facts/search", response_model=Listed[wire.Fact])
async def search_facts(
    door: Reading,
    q: Annotated[str, Query(max_length=10_000, examples=["Lisbon"])],
    *,
    bank: InBank = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
) -> Json:
    """Facts that hold the words, best first."""
    found = await door.call(lambda: door.app.facts.search(q, bank=bank, limit=limit))
    return {"items": [fact_shape(fact) for fact, _ in found]}


@router.get("/facts/tally", response_model=wire.Tally)
async def tally_facts(door: Reading, bank: InBank = "") -> Json:
    """How many there are of which sort, and how many extracted ones were junk."""
    tally = await door.call(lambda: door.app.facts.tally(bank))
    return {"counts": asdict(tally), "junk_rate": tally.junk_rate}


@router.get("/facts/contradictions", response_model=Listed[wire.Fact])
async def list_contradictions(door: Reading, bank: InBank = "") -> Json:
    """The facts that cannot both hold, oldest first."""
    found = await door.call(lambda: door.app.facts.list(FactQuery(bank=bank), MOST)[::-1])
    return {"items": [fact_shape(fact) for fact in found if fact.contradicts]}


@router.post("/extract", response_model=Listed[wire.Extracted])
async def extract(door: Writing, sent: wire.ExtractTask) -> Json:
    """Read facts out of what was said since the last time, without waiting for the job."""
    facts = door.app.facts
    found = await door.call(lambda: [extracted_shape(e) for e in facts.extract(sent.session)])
    return {"items": found}


@router.get("/facts/{ref}", response_model=wire.Fact)
async def get_fact(door: Reading, ref: FactRef) -> Json:
    """One fact."""
    return fact_shape(await door.call(lambda: door.app.facts.get(ref)))


@router.patch("/facts/{ref}", response_model=wire.Fact)
async def edit_fact(door: Writing, ref: FactRef, sent: wire.FactEdit) -> Json:
    """Correct a fact; how it was stays in its history."""
    revision = Revision(
        None, sent.kind, sent.confidence, parse_at(sent.valid_from), parse_at(sent.valid_to)
    )
    facts = door.app.facts
    return fact_shape(await door.call(lambda: facts.revise(ref, revision, text=sent.text)))


@router.delete("/facts/{ref}", response_model=wire.Fact)
async def delete_fact(door: Writing, ref: FactRef) -> Json:
    """Delete a fact; `restore` brings it back."""
    return fact_shape(await door.call(lambda: door.app.facts.forget(ref)))


@router.post("/facts/{ref}/restore", response_model=wire.Fact)
async def restore_fact(door: Writing, ref: FactRef, sent: wire.RestoreTo) -> Json:
    """Undo a deletion or a supersession, or go back to how it was after a change."""
    facts = door.app.facts
    return fact_shape(await door.call(lambda: facts.restore(ref, change_id=sent.change_id)))


@router.post("/facts/{ref}/merge", response_model=wire.Fact)
async def merge_facts(door: Writing, ref: FactRef, sent: wire.MergeFact) -> Json:
    """Make one of two facts that say the same; this one stays."""
    facts = door.app.facts
    return fact_shape(await door.call(lambda: facts.merge(ref, sent.other, unlike=sent.unlike)))


@router.get("/facts/{ref}/history", response_model=Listed[wire.Change])
async def fact_history(door: Reading, ref: FactRef) -> Json:
    """Every change of a fact: what, when, by whom, why."""
    _, changes = await door.call(lambda: door.app.facts.history(ref))
    return {"items": [change_shape(change) for change in changes]}


@router.get("/facts/{ref}/why", response_model=wire.Why)
async def why(door: Reading, ref: FactRef) -> Json:
    """Why a fact is believed: the words it rests on, in their place."""

    def read() -> Json:
        found = door.app.facts.why(ref)
        return why_shape(found, door.app.compressing.find_among(found.messages))

    return await door.call(read)
