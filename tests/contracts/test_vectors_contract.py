"""What every store promises of vectors, and the index that reads them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.embed.base import Space
from hermes.errors import NotFound, Unavailable
from hermes.memory.indexing import Progress, count_backlog, count_refused, index_pending
from hermes.memory.recall.passage import model_of
from hermes.net.faults import Endpoint, EndpointError, Fault, build_error
from hermes.store.base import Store, Tx
from hermes.store.base.vectors import BLOCK_ROWS, NewVector, VectorKind
from hermes.store.vectors.blocks import add_vectors, list_missing
from hermes.store.vectors.coding import Floats, pack_row, unpack_rows
from hermes.store.vectors.index import Neighbour, VectorIndex
from hermes.store.vectors.upkeep import recentre, repair_blocks
from hermes.types import Fact, FactKind, NewSession, Reflection, Role, Turn, Utterance
from places import Place

EMBEDDER = WordEmbedder()


def say(store: Store, texts: list[str], bank: str = "default", session: str = "s") -> list[int]:
    messages = tuple(Utterance(Role.USER, text) for text in texts)
    turn = Turn(NewSession(id=session, bank=bank), messages)
    receipts = store.write(lambda tx: tx.conversations.record([turn], 1_000))
    return list(receipts[0].message_ids)


def near(
    index: VectorIndex, store: Store, text: str, bank: str = "", limit: int = 3
) -> list[Neighbour]:
    query = EMBEDDER.embed_queries([text])[0]
    return store.read(lambda tx: index.search(tx, query, limit=limit, bank=bank))


def fill(store: Store, count: int) -> list[int]:
    """Many messages, each with a vector."""
    ids = say(store, [f"filler number {n}" for n in range(count)])
    index_pending(store, EMBEDDER, FixedClock())
    return ids


def test_what_was_said_is_found_by_its_meaning(any_store: Store) -> None:
    ids = say(any_store, ["red apples", "blue sky", "green grass", ""])
    assert any_store.read(count_backlog) == 4
    assert index_pending(any_store, EMBEDDER, FixedClock()) == 3
    assert any_store.read(count_backlog) == 0
    found = near(VectorIndex(), any_store, "blue sky")
    assert found[0].item == ids[1]
    assert found[0].kind is VectorKind.MESSAGE
    assert found[0].cosine == pytest.approx(1.0, abs=1e-3)


def test_nothing_is_embedded_twice(any_store: Store) -> None:
    say(any_store, ["once", "only"])
    embedder = WordEmbedder()
    assert index_pending(any_store, embedder, FixedClock()) == 2
    say(any_store, ["later"])
    assert index_pending(any_store, embedder, FixedClock()) == 1
    assert index_pending(any_store, embedder, FixedClock()) == 0
    assert embedder.texts == ["once", "only", "later"]


def test_progress_is_told_and_stopping_is_heeded(any_store: Store) -> None:
    say(any_store, [f"text {n}" for n in range(600)])
    seen: list[tuple[int, int]] = []
    index_pending(
        any_store,
        EMBEDDER,
        FixedClock(),
        on_progress=lambda p: seen.append((p.done, p.left)),
        is_stopped=lambda: len(seen) == 2,
    )
    assert seen == [(256, 344), (512, 88)]
    assert any_store.read(count_backlog) == 88
    index_pending(any_store, EMBEDDER, FixedClock())
    assert any_store.read(count_backlog) == 0


def test_the_speaker_is_part_of_what_is_embedded(any_store: Store) -> None:
    turn = Turn(NewSession(id="s"), (Utterance(Role.USER, "hello", speaker="Mina"),))
    any_store.write(lambda tx: tx.conversations.record([turn], 1))
    embedder = WordEmbedder()
    index_pending(any_store, embedder, FixedClock())
    assert embedder.texts == ["Mina: hello"]


def test_what_is_no_memory_is_passed_over(any_store: Store) -> None:
    said = (
        Utterance(Role.SYSTEM, "Be brief."),
        Utterance(Role.USER, " "),
        Utterance(Role.USER, ""),
    )
    any_store.write(lambda tx: tx.conversations.record([Turn(NewSession(id="s"), said)], 1))
    embedder = WordEmbedder()
    assert index_pending(any_store, embedder, FixedClock()) == 0
    assert any_store.read(count_backlog) == 0
    assert embedder.texts == []


def test_a_bank_keeps_to_itself(any_store: Store) -> None:
    mine = say(any_store, ["shared words here"], bank="mine", session="a")
    theirs = say(any_store, ["shared words here"], bank="theirs", session="b")
    index_pending(any_store, EMBEDDER, FixedClock())
    index = VectorIndex()
    assert [n.item for n in near(index, any_store, "shared words here", "mine")] == mine
    assert [n.item for n in near(index, any_store, "shared words here", "theirs")] == theirs
    assert near(index, any_store, "shared words here", "nobody") == []
    assert len(near(index, any_store, "shared words here")) == 2


def test_an_index_sees_what_another_process_wrote(any_place: Place) -> None:
    one, two = any_place.open(), any_place.open()
    index = VectorIndex()
    assert near(index, two, "first words") == []
    first = say(one, ["first words"])
    index_pending(one, EMBEDDER, FixedClock())
    assert [n.item for n in near(index, two, "first words")] == first
    second = say(one, ["second words"])
    index_pending(one, EMBEDDER, FixedClock())
    assert {n.item for n in near(index, two, "words")} == {*first, *second}
    one.close()
    two.close()


def test_rows_and_blocks_agree_and_a_fresh_index_reads_them(any_store: Store) -> None:
    ids = fill(any_store, 2 * BLOCK_ROWS + 50)
    space = any_store.read(lambda tx: tx.vectors.find_current())
    assert space is not None
    assert space.next == len(ids)
    assert any_store.read(lambda tx: list_missing(tx, space.id)) == []
    for text, expected in [("filler number 0", ids[0]), ("filler number 4100", ids[4100])]:
        assert near(VectorIndex(), any_store, text)[0].item == expected


def test_an_index_kept_up_step_by_step_is_one_read_afresh(any_store: Store) -> None:
    """Also across the moment when the space gets its mean and every code changes."""
    index = VectorIndex()
    for part in range(3):
        say(any_store, [f"part {part} line {n}" for n in range(BLOCK_ROWS // 2 + 7)])
        index_pending(any_store, EMBEDDER, FixedClock())
        near(index, any_store, "part 0 line 3")
    fresh = VectorIndex()
    for text in ["part 0 line 3", "part 1 line 900", "part 2 line 1030"]:
        assert near(index, any_store, text, limit=9) == near(fresh, any_store, text, limit=9)
    assert index.status() == fresh.status()


def test_missing_blocks_are_made_from_rows(any_store: Store) -> None:
    fill(any_store, 2 * BLOCK_ROWS)
    before = near(VectorIndex(), any_store, "filler number 77", limit=20)
    space = any_store.read(lambda tx: tx.vectors.list_spaces())[0]
    any_store.write(lambda tx: tx.vectors.drop_stale_blocks(space.id, -1))
    assert any_store.read(lambda tx: list_missing(tx, space.id)) == [0, 1]
    assert near(VectorIndex(), any_store, "filler number 77", limit=20) == before
    assert repair_blocks(any_store, space.id) == 2
    assert any_store.read(lambda tx: list_missing(tx, space.id)) == []
    assert near(VectorIndex(), any_store, "filler number 77", limit=20) == before


def test_a_damaged_block_is_made_anew(any_store: Store) -> None:
    ids = fill(any_store, BLOCK_ROWS)
    space = any_store.read(lambda tx: tx.vectors.list_spaces())[0]

    def shorten(tx: Tx) -> None:
        block = next(tx.vectors.iter_blocks(space.id, space.coding))
        short = type(block)(0, block.signs[:-8], *(b"",) * 5)
        tx.vectors.put_block(space.id, space.coding, short)

    any_store.write(shorten)
    assert near(VectorIndex(), any_store, "filler number 5")[0].item == ids[5]


def test_what_is_forgotten_is_found_no_more_and_leaves_no_code(any_store: Store) -> None:
    ids = fill(any_store, BLOCK_ROWS + 10)
    index = VectorIndex()
    assert near(index, any_store, "filler number 3")[0].item == ids[3]
    any_store.write(lambda tx: tx.vectors.forget(VectorKind.MESSAGE, ids[3]))
    space = any_store.read(lambda tx: tx.vectors.list_spaces())[0]
    assert any_store.read(lambda tx: list_missing(tx, space.id)) == [0]
    for each in (index, VectorIndex()):
        assert ids[3] not in {n.item for n in near(each, any_store, "filler number 3", limit=50)}
    repair_blocks(any_store, space.id)
    found = near(VectorIndex(), any_store, "filler number 3", limit=50)
    assert ids[3] not in {n.item for n in found}


class BatchEmbedder(WordEmbedder):
    """Sends eight texts in a request, and is gone at the fourth."""

    batch_size = 8

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        if len(self.texts) >= 24:
            raise Unavailable("The server is gone.", "Start it.")
        return super().embed_passages(texts)


def test_every_batch_is_kept_as_it_comes(any_store: Store) -> None:
    say(any_store, [*(f"text {n}" for n in range(20)), "A long text. " * 200, *"abcdefgh"])
    embedder = BatchEmbedder()
    seen: list[tuple[int, int]] = []
    with pytest.raises(Unavailable):
        index_pending(
            any_store,
            embedder,
            FixedClock(),
            on_progress=lambda p: seen.append((p.done, p.left)),
        )
    assert seen == [(8, 21), (16, 13), (22, 7)], "a long text is several passages"
    assert any_store.read(count_backlog) == 7
    again = WordEmbedder()
    assert index_pending(any_store, again, FixedClock()) == 7
    assert again.texts == list("bcdefgh")


def test_another_model_grows_beside_the_first_until_it_is_complete(any_store: Store) -> None:
    ids = fill(any_store, 600)
    other = WordEmbedder("other", dimensions=96)
    index = VectorIndex()
    calls: list[int] = []
    index_pending(
        any_store,
        other,
        FixedClock(),
        on_progress=lambda p: calls.append(p.left),
        is_stopped=lambda: len(calls) == 1,
    )
    assert near(index, any_store, "filler number 9")[0].item == ids[9]
    assert any_store.read(count_backlog) == 600 - 256
    assert index_pending(any_store, other, FixedClock()) == 600 - 256
    spaces = any_store.read(lambda tx: tx.vectors.list_spaces())
    assert [(model_of(each.model), each.current) for each in spaces] == [("other", True)]
    query = other.embed_queries(["filler number 9"])[0]
    found = any_store.read(lambda tx: index.search(tx, query, limit=1))
    assert found[0].item == ids[9]
    assert not any_store.read(lambda tx: tx.vectors.has_retired())
    with pytest.raises(NotFound):
        any_store.read(lambda tx: tx.vectors.get_space(1))


def test_estimates_of_given_items_are_near_the_truth(any_store: Store) -> None:
    ids = fill(any_store, BLOCK_ROWS + 100)
    index = VectorIndex()
    query = EMBEDDER.embed_queries(["filler number 8 more"])[0]
    wanted = [*ids[:5], ids[-1], 999_999_999]
    found = any_store.read(lambda tx: index.estimate(tx, query, VectorKind.MESSAGE, wanted))
    assert set(found) == {*ids[:5], ids[-1]}
    for position in (0, 3):
        row = EMBEDDER.embed_queries([f"filler number {position}"])[0]
        assert found[ids[position]] == pytest.approx(float(row @ query), abs=0.03)


def test_vectors_of_what_is_gone_are_not_kept(any_store: Store) -> None:
    ids = say(any_store, ["here"])
    row = pack_row(EMBEDDER.embed_queries(["here"])[0])
    new = [NewVector(VectorKind.MESSAGE, item, 1, row) for item in (ids[0], ids[0], 12345)]

    def keep(tx: Tx) -> int:
        space = tx.vectors.ensure_space("test", "words", 64, 5)
        return add_vectors(tx, space.id, new).next

    assert any_store.write(keep) == 1


def test_rows_are_read_back_as_written(any_store: Store) -> None:
    ids = say(any_store, [f"row {n}" for n in range(150)])
    index_pending(any_store, EMBEDDER, FixedClock())
    space = any_store.read(lambda tx: tx.vectors.list_spaces())[0]
    rows = any_store.read(lambda tx: tx.vectors.get_rows(space.id, list(range(160))))
    assert sorted(rows) == list(range(150))
    expected: Floats = EMBEDDER.embed_queries([f"row {n}" for n in range(150)])
    stored = unpack_rows([rows[n] for n in range(150)], 64)
    assert np.abs(stored - expected).max() < 1e-3
    numbers = any_store.read(lambda tx: tx.vectors.find_numbers(space.id, VectorKind.MESSAGE, ids))
    assert numbers == {item: n for n, item in enumerate(ids)}


def test_the_centre_follows_the_vectors(any_store: Store) -> None:
    """The first block is all of one kind, so that its mean is far from the mean of the rest."""
    count = 16 * BLOCK_ROWS
    ids = say(any_store, ["same"] * BLOCK_ROWS + [f"w{n} v{n}" for n in range(count - BLOCK_ROWS)])
    random = np.random.default_rng(4)
    rows = random.normal(size=(count, 64)).astype(np.float32)
    rows[:BLOCK_ROWS] = rows[0]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    new = [
        NewVector(VectorKind.MESSAGE, item, 1, pack_row(row))
        for item, row in zip(ids, rows, strict=True)
    ]
    space = any_store.write(lambda tx: tx.vectors.ensure_space("test", "words", 64, 5))
    any_store.write(lambda tx: add_vectors(tx, space.id, new[:BLOCK_ROWS]))
    any_store.write(lambda tx: add_vectors(tx, space.id, new[BLOCK_ROWS:]))
    index = VectorIndex()

    def found(at: int) -> int:
        return any_store.read(lambda tx: index.search(tx, rows[at], limit=1))[0].item

    assert found(BLOCK_ROWS + 5) == ids[BLOCK_ROWS + 5]
    assert recentre(any_store, space.id)
    after = any_store.read(lambda tx: tx.vectors.get_space(space.id))
    assert after.coding == 2
    assert any_store.read(lambda tx: list_missing(tx, space.id)) == []
    assert any_store.read(lambda tx: tx.vectors.list_blocks(space.id, 1)) == []
    assert found(BLOCK_ROWS + 6) == ids[BLOCK_ROWS + 6]
    assert not recentre(any_store, space.id)


def believe(store: Store, text: str, bank: str = "default") -> Fact:
    def add(tx: Tx) -> Fact:
        tx.banks.ensure(bank, 1)
        fact = Fact(*tx.facts.reserve(), bank, text, FactKind.OTHER, recorded_at=1)
        tx.facts.add(fact, subject_key="")
        return fact

    return store.write(add)


def find_facts(store: Store, index: VectorIndex, text: str) -> list[str]:
    query = EMBEDDER.embed_queries([text])[0]

    def find(tx: Tx) -> list[str]:
        near = index.search(tx, query, limit=9, kinds=[VectorKind.FACT])
        facts = tx.facts.get_by_vector([each.item for each in near])
        return [facts[each.item].text for each in near]

    return store.read(find)


def test_facts_are_found_by_their_present_wording(any_store: Store) -> None:
    say(any_store, ["lives in Paris"])
    fact = believe(any_store, "lives in Paris")
    believe(any_store, "likes green tea")
    assert any_store.read(count_backlog) == 3
    assert index_pending(any_store, EMBEDDER, FixedClock()) == 3
    index = VectorIndex()
    assert find_facts(any_store, index, "lives in Paris") == ["lives in Paris", "likes green tea"]
    anew = replace(fact, text="lives in Rome now")
    any_store.write(lambda tx: tx.facts.save(anew, subject_key=""))
    assert find_facts(any_store, index, "lives in Paris") == ["likes green tea"]
    assert any_store.read(count_backlog) == 1
    assert index_pending(any_store, EMBEDDER, FixedClock()) == 1
    assert find_facts(any_store, index, "lives in Rome")[0] == "lives in Rome now"


def test_a_long_text_has_a_vector_for_each_part(any_store: Store) -> None:
    """It is found by any of them, once, and goes with all of them."""
    ids = say(any_store, ["a long text", "a short one"])
    space = any_store.write(lambda tx: tx.vectors.ensure_space("test", "words", 64, 5))
    parts = EMBEDDER.embed_queries(["first words", "second half", "last lines"])
    new = [
        NewVector(VectorKind.MESSAGE, ids[0], 1, pack_row(row), part)
        for part, row in enumerate(parts)
    ]
    new.append(NewVector(VectorKind.MESSAGE, ids[1], 1, pack_row(parts[0])))
    for _ in range(2):  # the same parts again add nothing
        after = any_store.write(lambda tx: add_vectors(tx, space.id, new))
    assert after.next == 4
    index = VectorIndex()
    assert near(index, any_store, "last lines")[0].item == ids[0]
    assert [n.item for n in near(index, any_store, "second half", limit=9)] == ids
    found = any_store.read(lambda tx: tx.vectors.find_numbers(space.id, VectorKind.MESSAGE, ids))
    assert found == {ids[0]: 0, ids[1]: 3}
    any_store.write(lambda tx: tx.vectors.forget(VectorKind.MESSAGE, ids[0]))
    assert [n.item for n in near(index, any_store, "last lines", limit=9)] == [ids[1]]


def find_lessons(store: Store) -> list[int]:
    query = EMBEDDER.embed_queries(["deploy: check the queue first"])[0]
    kinds = [VectorKind.REFLECTION]
    near = store.read(lambda tx: VectorIndex().search(tx, query, limit=9, kinds=kinds))
    return [each.item for each in near]


def test_a_lesson_that_comes_back_is_found_by_its_meaning_again(any_store: Store) -> None:
    new = Reflection(0, "default", "deploy", "check the queue first", created_at=5)
    lesson = any_store.write(lambda tx: tx.reflections.add(new, lesson_key="k"))
    index_pending(any_store, EMBEDDER, FixedClock())
    assert find_lessons(any_store) == [lesson.id]
    any_store.write(lambda tx: tx.reflections.delete(lesson.id, at=9))
    assert find_lessons(any_store) == []
    any_store.write(lambda tx: tx.reflections.restore(lesson.id))
    assert any_store.read(count_backlog) == 1
    assert index_pending(any_store, EMBEDDER, FixedClock()) == 1
    assert find_lessons(any_store) == [lesson.id]
    assert any_store.read(count_backlog) == 0


def test_a_lesson_deleted_before_its_turn_waits_for_nothing(any_store: Store) -> None:
    new = Reflection(0, "default", "deploy", "check the queue first", created_at=5)
    lesson = any_store.write(lambda tx: tx.reflections.add(new, lesson_key="k"))
    index_pending(any_store, EMBEDDER, FixedClock())
    any_store.write(lambda tx: tx.reflections.delete(lesson.id, at=9))
    any_store.write(lambda tx: tx.reflections.restore(lesson.id))
    any_store.write(lambda tx: tx.reflections.delete(lesson.id, at=10))
    assert any_store.read(count_backlog) == 0
    assert index_pending(any_store, EMBEDDER, FixedClock()) == 0


@pytest.mark.parametrize("kind", [VectorKind.MESSAGE, VectorKind.FACT, VectorKind.REFLECTION])
def test_what_a_model_refused_waits_until_it_is_to_be_tried_again(
    any_store: Store, kind: VectorKind
) -> None:
    said = say(any_store, ["lives in Paris"])
    fact = believe(any_store, "lives in Paris")
    new = Reflection(0, "default", "deploy", "check the queue first", created_at=5)
    lesson = any_store.write(lambda tx: tx.reflections.add(new, lesson_key="k"))
    space = any_store.write(lambda tx: tx.vectors.ensure_space("test", "words", 64, 5)).id
    pending = any_store.read(lambda tx: tx.vectors.list_pending(space, 9))
    (text,) = (each for each in pending if each.kind is kind)

    def refuse(tx: Tx) -> None:
        tx.vectors.pass_over(space, kind, [text.item])
        tx.vectors.refuse(space, kind, [text.item])

    def counts() -> tuple[int, int]:
        return any_store.read(
            lambda tx: (tx.vectors.count_pending(space), tx.vectors.count_refused(space))
        )

    any_store.write(refuse)
    assert counts() == (2, 1)
    assert text not in any_store.read(lambda tx: tx.vectors.list_pending(space, 9))
    any_store.write(lambda tx: tx.vectors.retry_refused(space))
    assert counts() == (3, 0)
    assert text in any_store.read(lambda tx: tx.vectors.list_pending(space, 9))
    any_store.write(lambda tx: tx.vectors.pass_over(space, kind, [text.item]))
    assert counts() == (2, 0)
    any_store.write(refuse)
    if kind is VectorKind.MESSAGE:
        any_store.write(lambda tx: tx.erasures.remove_messages(said))
    elif kind is VectorKind.FACT:
        anew = replace(fact, text="lives in Rome now")
        any_store.write(lambda tx: tx.facts.save(anew, subject_key=""))
    else:
        any_store.write(lambda tx: tx.reflections.delete(lesson.id, at=9))
    assert counts()[1] == 0, "what is gone is no longer counted"


class Fussy(WordEmbedder):
    """Refuses every request that holds one of some texts."""

    batch_size = 8

    def __init__(self, bad: set[str]) -> None:
        super().__init__()
        self.bad = bad

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        own = [text.rpartition("user: ")[2] for text in texts]  # not what it follows
        if any(bad in text for text in own for bad in self.bad):
            endpoint = Endpoint("http://127.0.0.1:9", "fussy model", "memory.embeddings")
            raise build_error(Fault.REJECTED, endpoint, "invalid input")
        return super().embed_passages(texts)


def test_a_text_that_is_refused_is_passed_over_and_counted(any_store: Store) -> None:
    ids = say(any_store, [f"text number {n}" for n in range(30)])
    embedder, seen = Fussy({"number 7", "number 21"}), list[Progress]()
    index_pending(any_store, embedder, FixedClock(), on_progress=seen.append)
    assert (seen[-1].done, seen[-1].left, seen[-1].refused) == (30, 0, 2)
    assert "invalid input" in str(seen[-1].refusal)
    space = any_store.read(lambda tx: tx.vectors.list_spaces()[0].id)
    numbers = any_store.read(lambda tx: tx.vectors.find_numbers(space, VectorKind.MESSAGE, ids))
    assert {ids.index(each) for each in set(ids) - set(numbers)} == {7, 21}
    assert any_store.read(count_backlog) == 0
    assert any_store.read(lambda tx: count_refused(tx, embedder.space)) == 2
    embedder.bad = {"number 21"}
    assert index_pending(any_store, embedder, FixedClock()) == 0, "nobody has it tried again"
    assert index_pending(any_store, embedder, FixedClock(), is_told=True) == 1
    assert any_store.read(lambda tx: count_refused(tx, embedder.space)) == 1


def test_a_long_text_of_which_a_part_is_refused_is_refused(any_store: Store) -> None:
    long = " ".join(f"Sentence {n} of a long story." for n in range(100))
    say(any_store, [long, "short"])
    embedder = Fussy({"Sentence 50 "})
    assert index_pending(any_store, embedder, FixedClock()) == 1
    assert any_store.read(count_refused) == 1
    embedder.bad = set()
    assert index_pending(any_store, embedder, FixedClock(), is_told=True) > 2
    assert any_store.read(count_refused) == 0


def test_where_every_text_is_refused_it_is_the_models_failure(any_store: Store) -> None:
    say(any_store, ["one", "two"])
    with pytest.raises(EndpointError):
        index_pending(any_store, Fussy({""}), FixedClock())
    assert any_store.read(count_backlog) == 2
    assert any_store.read(count_refused) == 0


def test_while_a_model_is_changed_new_texts_have_vectors_of_both(any_store: Store) -> None:
    old, new = WordEmbedder("old"), WordEmbedder("new", 96)
    say(any_store, [f"text {n}" for n in range(600)])
    index_pending(any_store, old, FixedClock())
    opened, meanwhile, steps = list[Space](), list[int](), list[int]()

    def former(space: Space) -> WordEmbedder:
        opened.append(space)
        return old

    def current(items: list[int]) -> tuple[str, int]:
        def look(tx: Tx) -> tuple[str, int]:
            space = tx.vectors.find_current()
            assert space is not None
            found = tx.vectors.find_numbers(space.id, VectorKind.MESSAGE, items)
            return model_of(space.model), len(found)

        return any_store.read(look)

    def step(_: Progress) -> None:
        steps.append(1)
        if len(steps) == 1:
            meanwhile.extend(say(any_store, ["said meanwhile", "and this"], session="t"))
        elif len(steps) == 2:
            assert current(meanwhile) == ("old", 2), "before those of the new one are complete"

    index_pending(any_store, new, FixedClock(), former=former, on_progress=step)
    assert len(steps) == 3
    assert opened == [old.space]
    assert current(meanwhile) == ("new", 2)


def test_a_former_model_that_cannot_be_had_holds_nothing_up(any_store: Store) -> None:
    class Away(WordEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Floats:
            raise Unavailable("it is away")

    old, new = WordEmbedder("old"), WordEmbedder("new", 96)
    say(any_store, [f"text {n}" for n in range(600)])
    index_pending(any_store, old, FixedClock())
    say(any_store, ["said since"])
    seen = list[Progress]()
    index_pending(
        any_store,
        new,
        FixedClock(),
        former=lambda _: Away("old"),
        on_progress=seen.append,
        is_stopped=lambda: len(seen) == 1,
    )
    index_pending(any_store, new, FixedClock())  # of which no former one can be opened
    assert any_store.read(count_backlog) == 0


def test_vectors_in_use_that_were_never_complete_are_not_made_for_a_change(
    any_store: Store,
) -> None:
    old, new = WordEmbedder("old"), WordEmbedder("new", 96)
    say(any_store, ["first"])
    index_pending(any_store, old, FixedClock())
    say(any_store, [f"text {n}" for n in range(600)])
    index_pending(any_store, new, FixedClock(), former=lambda _: old)
    assert old.texts == ["first"]
