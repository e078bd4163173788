"""The text a message is embedded as."""

from hypothesis import given
from hypothesis import strategies as st

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.passage import (
    CONTEXT_CHARS,
    MOST_WINDOWS,
    TOOL_WINDOWS,
    WHOLE_CHARS,
    WINDOW_CHARS,
    model_of,
    passages_of,
    stored_name,
    windows_of,
)
from hermes.memory.recall.result import Rung
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.store.base.vectors import NewVector, PendingText, VectorKind
from hermes.store.vectors.blocks import add_vectors
from hermes.store.vectors.coding import pack_row
from hermes.types import NewSession, Role, Turn, Utterance


def passage_of(text: PendingText) -> str:
    (only,) = passages_of(text)
    return only


def pending(text: str, **fields: str) -> PendingText:
    return PendingText(VectorKind.MESSAGE, 1, 1, text, **fields)


def test_a_message_is_embedded_with_its_speaker_and_what_it_follows() -> None:
    said = pending("Yes, last Friday!", speaker="Ann", before="Did you go?", before_by="Bob")
    assert passage_of(said) == "Bob: Did you go? Ann: Yes, last Friday!"


def test_without_a_name_the_role_speaks() -> None:
    assert passage_of(pending("hello", role=Role.USER)) == "user: hello"
    assert passage_of(pending("a fact")) == "a fact"


def test_a_long_message_before_is_left_out() -> None:
    assert passage_of(pending("ok", speaker="Ann", before="x " * 400, before_by="Bob")) == "Ann: ok"


def test_instructions_before_are_left_out() -> None:
    said = pending("hi", role=Role.USER, before="You are kind.", before_by=Role.SYSTEM)
    assert passage_of(said) == "user: hi"


@given(st.text(max_size=300))
def test_of_what_came_before_only_the_end_is_taken(before: str) -> None:
    passage = passage_of(pending("own", speaker="A", before=before, before_by="B"))
    assert passage.endswith("A: own")
    assert len(passage) <= len("B:  A: own") + CONTEXT_CHARS


def test_the_store_gives_what_came_before_in_the_same_session(
    store: Store, clock: FixedClock
) -> None:
    turns = [
        Turn(NewSession(id=session), (Utterance(Role.USER, text, speaker=speaker),))
        for session, speaker, text in (
            ("a", "Ann", "Where to?"),
            ("a", "Bob", "Oslo"),
            ("b", "Cy", "Unrelated"),
        )
    ]
    record_turns(store, turns, clock.now())
    embedder = WordEmbedder()
    index_pending(store, embedder, clock)
    assert embedder.texts == ["Ann: Where to?", "Ann: Where to? Bob: Oslo", "Cy: Unrelated"]


@given(st.text(max_size=200).map(lambda text: text * 40), st.integers(1, 70))
def test_windows_are_the_text_in_pieces_that_fit(text: str, most: int) -> None:
    windows = windows_of(text, most)
    assert 1 <= len(windows) <= most
    assert all(len(window) <= WHOLE_CHARS for window in windows)
    joined = "".join(windows)
    if not text.strip():
        return
    if len(text) <= most * WINDOW_CHARS * 2 // 3:
        assert joined.split() == text.split() or "".join(joined.split()) == "".join(text.split())
    else:
        assert "".join(text.split()).startswith("".join(joined.split()))


def test_windows_end_where_a_sentence_ends() -> None:
    text = "A sentence of some length, to be cut after. " * 60
    assert all(window.endswith("after. ") for window in windows_of(text))


def test_each_window_says_who_speaks_and_what_it_answers() -> None:
    long = pending("word " * 800, role=Role.ASSISTANT, before="Which one?", before_by="user")
    passages = passages_of(long)
    assert len(passages) > 3
    assert all(each.startswith("user: Which one? assistant: word") for each in passages)


def test_a_chat_that_looks_like_a_part_of_a_summary_is_embedded_as_any_message() -> None:
    text = "[2024-05-01 12:33] Anna: where to?"
    said = pending(text, speaker="Bob", before="Look:", before_by="Bob")
    assert passages_of(said) == [f"Bob: Look: Bob: {text}"]
    assert passages_of(said, is_part=True) == [text]
    assert len(passages_of(pending(text + " word" * 400))) > 1


def test_no_message_makes_more_vectors_than_the_bound() -> None:
    assert len(passages_of(pending("word " * 100_000, role=Role.USER))) == MOST_WINDOWS
    assert len(passages_of(pending("word " * 100_000, role=Role.TOOL))) == TOOL_WINDOWS


def test_a_space_carries_the_recipe() -> None:
    assert stored_name("e5") != "e5"
    assert model_of(stored_name("e5")) == "e5" == model_of("e5")


def test_what_stands_at_the_end_of_a_long_message_is_found(store: Store, clock: FixedClock) -> None:
    filler = " ".join(f"filler{n}" for n in range(900))
    said = (
        Utterance(Role.USER, "what should I read"),
        Utterance(Role.ASSISTANT, f"{filler} the blue heron novel"),
        Utterance(Role.USER, "thanks a lot"),
    )
    record_turns(store, [Turn(NewSession(id="a"), said)], clock.now())
    embedder = WordEmbedder()
    assert index_pending(store, embedder, clock) > 5
    engine = Engine(store, clock, embedder=embedder)
    items, trace = engine.search("blue heron novel", bank="default")
    engine.close()
    assert trace.passes["semantic"] == 3  # each message once, however many vectors it has
    assert items[0].message_id == 2


def test_vectors_of_another_recipe_are_made_anew(store: Store, clock: FixedClock) -> None:
    said = (Utterance(Role.USER, "blue sky"),)
    record_turns(store, [Turn(NewSession(id="a"), said)], clock.now())
    embedder = WordEmbedder()
    space = embedder.space
    old = store.write(
        lambda tx: tx.vectors.ensure_space(space.provider, space.model, space.dimensions, 1)
    )
    row = pack_row(embedder.embed_queries(["blue sky"])[0])
    vector = NewVector(VectorKind.MESSAGE, 1, 1, row)
    store.write(lambda tx: add_vectors(tx, old.id, [vector]))
    engine = Engine(store, clock, embedder=embedder)
    _, before = engine.search("sky", bank="default")
    assert before.went_by is Rung.FULL  # until the new ones are there, the old ones serve
    assert index_pending(store, embedder, clock) == 1
    _, after = engine.search("sky", bank="default")
    engine.close()
    assert after.went_by is Rung.FULL
    (left,) = store.read(lambda tx: tx.vectors.list_spaces())
    assert left.id != old.id
    assert model_of(left.model) == space.model != left.model
