"""What SQLite itself sees to: a message that is deleted takes its vector and its code with it."""

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import index_pending
from hermes.store.base.vectors import BLOCK_ROWS, VectorKind
from hermes.store.sqlite import open_store
from hermes.store.vectors.blocks import list_missing
from hermes.store.vectors.index import VectorIndex
from hermes.store.vectors.upkeep import repair_blocks
from hermes.types import NewSession, Role, Turn, Utterance
from places import Place


def test_a_deleted_message_leaves_no_vector_and_no_code(place: Place) -> None:
    store = open_store(place.database())
    messages = tuple(Utterance(Role.USER, f"secret {n}") for n in range(BLOCK_ROWS + 5))
    turn = Turn(NewSession(id="s"), messages)
    ids = store.write(lambda tx: tx.conversations.record([turn], 1))[0].message_ids
    index_pending(store, WordEmbedder(), FixedClock())
    index = VectorIndex()
    query = WordEmbedder().embed_queries(["secret 7"])[0]
    assert store.read(lambda tx: index.search(tx, query, limit=1))[0].item == ids[7]
    store.write(lambda tx: tx.connection.execute("DELETE FROM messages WHERE id = ?", (ids[7],)))
    space = store.read(lambda tx: tx.vectors.list_spaces())[0]
    numbers = store.read(lambda tx: tx.vectors.find_numbers(space.id, VectorKind.MESSAGE, ids))
    assert set(numbers) == {*ids} - {ids[7]}
    assert store.read(lambda tx: list_missing(tx, space.id)) == [0]
    found = store.read(lambda tx: index.search(tx, query, limit=50))
    assert ids[7] not in {each.item for each in found}
    assert repair_blocks(store, space.id) == 1
    block = store.read(lambda tx: next(tx.vectors.iter_blocks(space.id, space.coding)))
    assert ids[7].to_bytes(8, "little") not in {
        block.items[n : n + 8] for n in range(0, len(block.items), 8)
    }
    store.close()
