"""Recording, on every store: what a receipt promises is there, once, and all of it or nothing."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.app.shapes import message_shape
from hermes.errors import Conflict, UserError
from hermes.store.base import Store, Tx
from hermes.store.base.texts import TextScope
from hermes.types import (
    NewSession,
    Origin,
    Payload,
    Role,
    ToolCall,
    Trust,
    Turn,
    Utterance,
)
from talk import NOW, at, going_on, keep, messages_of, texts_of, turn

MANY = 400  # turns of a batch that is large enough to be indexed beside its rows


def count(store: Store) -> dict[str, int]:
    return store.status().counts


def found_ids(store: Store, word: str) -> list[int]:
    return list(store.read(lambda tx: tx.texts.postings(word, TextScope(), 5)).ids)


def test_everything_said_of_a_message_comes_back(any_store: Store) -> None:
    call = ToolCall("call-1", "read_file", '{"path": "ünï.txt"}')
    said = Utterance(
        Role.ASSISTANT,
        "Ich lese die Datei.\n行を読む 🙂",
        at=NOW - 5,
        speaker="Ada",
        calls=(call, replace(call, id="call-2")),
        origin=Origin.WEB,
        trust=Trust.LOW,
        payloads=(Payload("image/png", b"\x00\x01"), Payload("text/plain", b"")),
    )
    answer = Utterance(Role.TOOL, "contents", call_id="call-1", origin=Origin.TOOL)
    [receipt] = keep(any_store, Turn(NewSession(id="s1"), (said, answer)))

    first, second = messages_of(any_store)
    assert (first.id, second.id) == receipt.message_ids
    assert (first.role, first.text, first.at) == (said.role, said.text, said.at)
    assert (first.speaker, first.calls, first.origin) == ("Ada", said.calls, Origin.WEB)
    assert (first.trust, first.payload_count, first.call_id) == (Trust.LOW, 2, "")
    assert (second.at, second.call_id, second.payload_count) == (NOW, "call-1", 0)
    assert {first.episode_id, second.episode_id} == {receipt.episode_id}


def test_what_the_agent_keeps_for_itself_is_no_attachment(any_store: Store) -> None:
    own = Payload("application/vnd.hermes.outcome+json", b"{}")
    picture = Payload("image/png", b"\x00\x01")
    result = Utterance(Role.TOOL, "contents", call_id="call-1", payloads=(own,))
    shown = replace(result, text="a picture", payloads=(own, picture))
    keep(any_store, Turn(NewSession(id="s1"), (result, shown)))
    first, second = messages_of(any_store)
    assert (first.payload_count, first.attachments) == (1, 0)
    assert (second.payload_count, second.attachments) == (2, 1)
    assert [message_shape(each)["payloads"] for each in (first, second)] == [0, 1]


def test_a_session_is_made_by_its_first_turn(any_store: Store) -> None:
    new = NewSession("s1", "work", "slack", "ada", "Title", "Task", "s0", NOW - 50)
    keep(any_store, at(NOW, replace(turn("hi", "hello"), session=new)))
    found = any_store.read(lambda tx: tx.conversations.find_session("s1"))
    assert found is not None
    assert (found.bank, found.platform, found.identity) == ("work", "slack", "ada")
    assert (found.title, found.task, found.parent_id) == ("Title", "Task", "s0")
    assert (found.started_at, found.last_at, found.ended_at) == (NOW - 50, NOW, None)
    assert (found.messages, found.episodes) == (2, 1)


def test_a_session_without_a_name_gets_one(any_store: Store) -> None:
    receipts = keep(any_store, turn("one", session=""), turn("two", session=""))
    names = [receipt.session_id for receipt in receipts]
    assert len(set(names)) == 2
    assert [texts_of(any_store, name) for name in names] == [["one"], ["two"]]


def test_a_turn_starts_an_episode_and_one_that_continues_joins_the_last(any_store: Store) -> None:
    first, second, third = keep(
        any_store, turn("a"), going_on(turn("b")), turn("c", session="other")
    )
    [fourth] = keep(any_store, going_on(turn("d")))
    assert first.episode_id == second.episode_id == fourth.episode_id != third.episode_id
    assert texts_of(any_store) == ["a", "b", "d"]
    [alone] = keep(any_store, going_on(turn("x", session="new")))
    assert alone.episode_id not in (first.episode_id, third.episode_id)


def test_same_key_in_one_batch_is_kept_once(any_store: Store) -> None:
    first, again = keep(any_store, turn("hi", "hello", key="k"), turn("hi", "hello", key="k"))
    assert not first.duplicate
    assert again == replace(first, duplicate=True)
    assert texts_of(any_store) == ["hi", "hello"]


def test_same_key_in_a_later_batch_is_kept_once(any_store: Store) -> None:
    [first] = keep(any_store, turn("hi", key="k", session=""))
    [again, new] = keep(any_store, turn("hi", key="k", session=""), turn("yes", key="k2"))
    assert again == replace(first, duplicate=True)
    assert not new.duplicate
    assert count(any_store) == {"sessions": 2, "episodes": 2, "messages": 2}


def test_the_receipt_of_a_retry_names_its_own_messages_only(any_store: Store) -> None:
    """An episode may hold several turns; a key stands for one of them."""
    first, second = keep(any_store, turn("a", "b", key="1"), going_on(turn("c", key="2")))
    keep(any_store, going_on(turn("d", key="3")))
    again = keep(any_store, turn("a", "b", key="1"), going_on(turn("c", key="2")))
    assert again == [replace(first, duplicate=True), replace(second, duplicate=True)]


def test_the_receipt_of_a_retry_in_one_batch_names_its_own_messages_only(any_store: Store) -> None:
    batch = [turn("a", "b", key="1"), going_on(turn("c", key="2")), going_on(turn("c", key="2"))]
    receipts = keep(any_store, *batch)
    assert receipts[2] == replace(receipts[1], duplicate=True)


def test_turns_without_a_key_are_never_merged(any_store: Store) -> None:
    keep(any_store, turn("same"), turn("same"))
    assert texts_of(any_store) == ["same", "same"]


@pytest.mark.parametrize("other", [turn("no", key="k", session="s2"), turn("a", "b", key="k")])
def test_a_key_sent_with_another_turn_is_refused_and_loses_nothing(
    any_store: Store, other: Turn
) -> None:
    keep(any_store, turn("hi", key="k"))
    with pytest.raises(Conflict, match="belongs to another turn"):
        keep(any_store, other)
    assert texts_of(any_store) == ["hi"]


def test_a_retry_into_a_deleted_session_says_it_was_kept(any_store: Store) -> None:
    [first] = keep(any_store, turn("hi", key="k"))
    any_store.write(lambda tx: tx.conversations.hide_session("s1", NOW))
    assert keep(any_store, turn("hi", key="k")) == [replace(first, duplicate=True)]
    with pytest.raises(Conflict, match="deleted"):
        keep(any_store, turn("more"))


def test_a_session_stays_in_its_bank(any_store: Store) -> None:
    keep(any_store, turn("a", bank="work"))
    keep(any_store, turn("b", bank=""))  # wherever it is
    for other in ("home", "default"):
        with pytest.raises(Conflict, match="work"):
            keep(any_store, turn("c", bank=other))
    with pytest.raises(Conflict, match="work"):
        keep(any_store, turn("d", bank="work"), turn("e", bank="home"))
    assert texts_of(any_store) == ["a", "b"]


def test_a_new_session_without_a_bank_lies_in_the_default_one(any_store: Store) -> None:
    keep(any_store, turn("a", bank=""), turn("b", bank="default"), turn("c", bank=""))
    assert [bank.name for bank in any_store.read(lambda tx: tx.banks.list())] == ["default"]
    assert texts_of(any_store) == ["a", "b", "c"]


def test_each_bank_has_keys_of_its_own(any_store: Store) -> None:
    mine, other = (turn(b, session=b, bank=b, key="turn-1") for b in ("alice", "bob"))
    receipts = [*keep(any_store, mine), *keep(any_store, other), *keep(any_store, mine, other)]
    assert [r.session_id for r in receipts] == ["alice", "bob", "alice", "bob"]
    assert [r.duplicate for r in receipts] == [False, False, True, True]
    assert texts_of(any_store, "bob") == ["bob"]


def test_a_key_is_known_also_to_a_turn_that_names_no_bank(any_store: Store) -> None:
    named, unnamed = turn("a", bank="work", key="k"), turn("a", bank="", key="k")
    [first, again] = keep(any_store, named, unnamed)
    assert again == replace(first, duplicate=True)
    assert keep(any_store, unnamed) == [again]
    any_store.write(lambda tx: tx.conversations.hide_session("s1", NOW))
    assert keep(any_store, unnamed) == [again]


def test_a_batch_is_kept_whole_or_not_at_all(any_store: Store) -> None:
    before = any_store.status()
    with pytest.raises(Conflict):
        keep(
            any_store,
            turn("a", key="1"),
            turn("b", session="s2", bank="x", key="2"),
            turn("c", session="s2", bank="y", key="3"),
        )
    assert any_store.status().counts == before.counts
    assert any_store.status().seq == before.seq
    assert any_store.read(lambda tx: tx.banks.list()) == []
    assert not keep(any_store, turn("a", key="1"))[0].duplicate


def test_a_change_that_fails_after_recording_leaves_nothing(any_store: Store) -> None:
    def change(tx: Tx) -> None:
        tx.conversations.record([turn("lost", key="k")], NOW)
        raise Conflict("changed my mind")

    with pytest.raises(Conflict, match="changed my mind"):
        any_store.write(change)
    assert count(any_store)["messages"] == 0
    keep(any_store, turn("kept", key="k"))
    assert texts_of(any_store) == ["kept"]


def test_numbers_are_never_used_twice_and_rise(any_store: Store) -> None:
    receipts = [keep(any_store, turn(f"{n}", session=f"s{n % 3}"))[0] for n in range(9)]
    messages = [number for receipt in receipts for number in receipt.message_ids]
    episodes = [receipt.episode_id for receipt in receipts]
    assert messages == sorted(set(messages))
    assert episodes == sorted(set(episodes))


def test_a_turn_of_no_messages_is_refused(any_store: Store) -> None:
    with pytest.raises(UserError, match="at least one message"):
        keep(any_store, turn("hi"), Turn(NewSession(id="s1"), ()))
    assert texts_of(any_store) == []


def test_a_large_batch_is_found_word_by_word_and_sound(any_store: Store) -> None:
    turns = [turn(f"word{n}", session=f"s{n % 7}", key=f"k{n}") for n in range(MANY)]
    receipts = keep(any_store, *turns, turns[3])
    assert receipts[-1] == replace(receipts[3], duplicate=True)
    assert count(any_store)["messages"] == sum(len(each.messages) for each in turns)
    assert [f.part for f in any_store.check() if f.level != "ok"] == []
    for n in (0, 3, MANY - 1):
        assert found_ids(any_store, f"word{n}") == list(receipts[n].message_ids)


def test_a_large_batch_with_one_bad_text_leaves_nothing(any_store: Store) -> None:
    turns = [turn(f"word{n}") for n in range(MANY)]
    with pytest.raises(UserError):
        keep(any_store, *turns, turn("half \ud800 pair " * 9))
    assert count(any_store)["messages"] == 0
    keep(any_store, turn("word1"))
    assert len(found_ids(any_store, "word1")) == 1


@pytest.mark.parametrize("session", [NewSession("\ud800"), NewSession("s", "b\udfff")])
def test_half_a_character_is_an_error_of_whoever_sent_it(
    any_store: Store, session: NewSession
) -> None:
    with pytest.raises(UserError, match="half a character"):
        keep(any_store, replace(turn("hi"), session=session))
    keep(any_store, turn("the store goes on"))


def test_a_session_spans_its_earliest_and_latest_message(any_store: Store) -> None:
    keep(any_store, at(NOW - 1000, turn("b")))
    keep(any_store, at(NOW - 5000, turn("a")), at(NOW - 2000, turn("c")))
    found = any_store.read(lambda tx: tx.conversations.find_session("s1"))
    assert found is not None
    assert (found.started_at, found.last_at) == (NOW - 5000, NOW - 1000)


def test_a_payload_is_stored_once_however_often_it_is_sent(any_store: Store) -> None:
    picture = Payload("image/png", b"\x89PNG" * 250_000)
    before = any_store.status().size_bytes
    said = Utterance(Role.USER, "see", payloads=(picture, Payload("text/css", b"a{}"), picture))
    keep(any_store, *(Turn(NewSession(id="s1"), (said,)) for _ in range(10)))
    numbers = [m.id for m in messages_of(any_store)]
    kept = any_store.read(lambda tx: [tx.conversations.list_payloads(n) for n in numbers])
    assert kept == [[*said.payloads]] * 10
    assert any_store.status().size_bytes - before < 3 * len(picture.content)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=5))
def test_any_text_comes_back_as_it_was(any_store: Store, texts: list[str]) -> None:
    [receipt] = keep(any_store, turn(*texts, session=""))
    assert texts_of(any_store, receipt.session_id) == texts


def test_a_turn_may_be_sent_again_after_part_of_it_was_erased(any_store: Store) -> None:
    [first] = keep(any_store, turn("hi", "my address is here", key="k"))
    any_store.write(lambda tx: tx.erasures.remove_messages(first.message_ids[1:]))
    [again] = keep(any_store, turn("hi", "my address is here", key="k"))
    assert again.duplicate
    assert texts_of(any_store) == ["hi"]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=12))
def test_keys_make_any_replay_harmless(any_store: Store, plan: list[tuple[int, bool]]) -> None:
    """Whatever is sent, in whatever order and batches, each key is there exactly once."""
    turns = [
        replace(turn(f"{key}", session=f"s{key % 3}", key=f"key-{key}"), continues=continues)
        for key, continues in plan
    ]
    half = len(turns) // 2
    for batch in (turns[:half], turns[half:], turns):
        keep(any_store, *batch)
    kept = sorted(text for n in range(3) for text in texts_of(any_store, f"s{n}"))
    assert len(kept) == len(set(kept))
    assert {f"{key}" for key, _ in plan} <= set(kept)
