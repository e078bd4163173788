"""What recall asks of any store: whole columns, postings and texts."""

from hermes.store.base import Store
from hermes.types import NewSession, Role, Turn, Utterance

AT = 1_700_000_000_000


def say(store: Store, session: str, *said: Utterance, bank: str = "default") -> list[int]:
    turn = Turn(NewSession(id=session, bank=bank), said)
    receipts = store.write(lambda tx: tx.conversations.record([turn], AT))
    return list(receipts[0].message_ids)


def test_the_outline_tells_session_time_role_and_speaker(any_store: Store) -> None:
    first = say(
        any_store,
        "a",
        Utterance(Role.USER, "hello there", AT, "Ann"),
        Utterance(Role.ASSISTANT, "hi", AT + 1),
    )
    say(any_store, "x", Utterance(Role.USER, "elsewhere", AT), bank="other")
    second = say(any_store, "b", Utterance(Role.USER, "again", AT + 2, "Bob"))
    rows = any_store.read(lambda tx: tx.recall.outline("default"))
    assert rows.ids.tolist() == [*first, *second]
    assert rows.sessions[0] == rows.sessions[1] != rows.sessions[2]
    assert rows.at.tolist() == [AT, AT + 1, AT + 2]
    assert [tuple(Role)[role] for role in rows.roles] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert (rows.sizes > 0).all()
    assert {name: ids.tolist() for name, ids in rows.speakers.items()} == {
        "Ann": first[:1],
        "Bob": second,
    }


def test_only_what_is_new_can_be_asked_for(any_store: Store) -> None:
    old = say(any_store, "a", Utterance(Role.USER, "old", AT))
    new = say(any_store, "a", Utterance(Role.USER, "new", AT, "Ann"))
    rows = any_store.read(lambda tx: tx.recall.outline("default", old[-1]))
    assert rows.ids.tolist() == new
    assert rows.speakers["Ann"].tolist() == new


def test_an_unknown_bank_is_empty(any_store: Store) -> None:
    rows = any_store.read(lambda tx: tx.recall.outline("nobody"))
    assert rows.ids.tolist() == []
    (posted,) = any_store.read(lambda tx: tx.recall.postings(["word"], "nobody", 10))
    assert (posted.ids.tolist(), posted.complete) == ([], True)
    assert any_store.read(lambda tx: tx.recall.hidden_sessions("nobody")).tolist() == []


def test_hidden_sessions_are_named_by_their_numbers(any_store: Store) -> None:
    say(any_store, "kept", Utterance(Role.USER, "one", AT))
    say(any_store, "gone", Utterance(Role.USER, "two", AT))
    any_store.write(lambda tx: tx.conversations.hide_session("gone", AT))
    rows = any_store.read(lambda tx: tx.recall.outline("default"))
    hidden = any_store.read(lambda tx: tx.recall.hidden_sessions("default"))
    assert hidden.tolist() == [rows.sessions[1]]


def test_postings_are_the_newest_of_a_bank_and_say_if_there_are_more(any_store: Store) -> None:
    words = ("red fox", "red hen", "blue fox", "red ant")
    ids = say(any_store, "a", *(Utterance(Role.USER, text, AT) for text in words))
    say(any_store, "x", Utterance(Role.USER, "red elsewhere", AT), bank="other")
    red, fox, none = any_store.read(
        lambda tx: tx.recall.postings(["reds", "fox", "zebra"], "default", 3)
    )
    assert red.ids.tolist() == [ids[0], ids[1], ids[3]]
    assert not red.complete
    assert (fox.ids.tolist(), fox.complete) == ([ids[0], ids[2]], True)
    assert (none.ids.tolist(), none.complete) == ([], True)
    (earlier,) = any_store.read(lambda tx: tx.recall.postings(["red"], "default", 3, up_to=ids[2]))
    assert (earlier.ids.tolist(), earlier.complete) == ([ids[0], ids[1]], True)


def test_texts_of_those_that_exist(any_store: Store) -> None:
    (number,) = say(any_store, "a", Utterance(Role.USER, "the text — 文", AT))
    found = any_store.read(lambda tx: tx.recall.texts([number, number + 99]))
    assert found == {number: "the text — 文"}
