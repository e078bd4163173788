"""The text a message is embedded as."""

from hypothesis import given
from hypothesis import strategies as st

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.passage import CONTEXT_CHARS, passage_of
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.store.base.vectors import PendingText, VectorKind
from hermes.types import NewSession, Role, Turn, Utterance


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
    index_pending(store, embedder, clock, render=passage_of)
    assert embedder.texts == ["Ann: Where to?", "Ann: Where to? Bob: Oslo", "Cy: Unrelated"]
