"""Recall and search over everything that is remembered."""

from hermes.app.recall_shapes import recall_shape, search_items_shape
from hermes.server.http.routes.ways import Json, Reading, new_router, parse_as_of
from hermes.wire import recalled as wire

router = new_router("recall")


@router.post("/recall", response_model=wire.Recall)
async def recall(door: Reading, asked: wire.RecallTask) -> Json:
    """What bears on a task, ready to be put before a model, and why each piece is there."""
    as_of, memory = parse_as_of(asked.as_of, door.app), door.app.memory
    found = await door.call(
        lambda: memory.recall(
            asked.task, bank=asked.bank, budget_tokens=asked.budget_tokens, as_of=as_of
        )
    )
    return recall_shape(found)


@router.post("/search", response_model=wire.MemorySearch)
async def search(door: Reading, asked: wire.MemoryQuestion) -> Json:
    """The best matches by meaning and by words."""
    memory = door.app.memory
    items, trace = await door.call(
        lambda: memory.search(asked.query, bank=asked.bank, limit=asked.limit, kinds=asked.types)
    )
    return search_items_shape(asked.query, items, trace)
