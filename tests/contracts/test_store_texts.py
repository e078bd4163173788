"""Postings of the word index, on every store: newest first, by bank and by role."""

from dataclasses import replace

import pytest

from hermes.store.base import Postings, Store, Tx
from hermes.store.base.texts import TextScope
from hermes.store.text import MAX_INDEXED_TOOL_CHARS, SCOPE_MARK
from hermes.types import NewSession, Role, ToolCall, Turn, Utterance
from talk import NOW, keep, turn

ALL = TextScope()


def find(store: Store, word: str, scope: TextScope = ALL, limit: int = 100) -> Postings:
    return store.read(lambda tx: tx.texts.postings(word, scope, limit))


def ids(store: Store, word: str, scope: TextScope = ALL) -> list[int]:
    return find(store, word, scope).ids


@pytest.fixture
def said(any_store: Store) -> dict[str, list[int]]:
    """The numbers of the messages of a few turns in two banks."""
    receipts = keep(
        any_store,
        turn("the red house", "a blue house", session="a", bank="work"),
        turn("houses and red cars", session="b", bank="home"),
        Turn(NewSession("c", "home"), (Utterance(Role.TOOL, "red: 0xff0000"),)),
        Turn(NewSession("d", "home"), (Utterance(Role.SYSTEM, "be red"),)),
    )
    return {receipt.session_id: list(receipt.message_ids) for receipt in receipts}


def test_postings_are_newest_first(any_store: Store, said: dict[str, list[int]]) -> None:
    found = find(any_store, "house")
    assert found.ids == [said["b"][0], said["a"][1], said["a"][0]]
    assert (found.total, found.complete) == (3, True)


def test_postings_know_banks(any_store: Store, said: dict[str, list[int]]) -> None:
    assert ids(any_store, "house", TextScope("work")) == said["a"][::-1]
    assert ids(any_store, "red", TextScope("home")) == [
        said["d"][0],
        said["c"][0],
        said["b"][0],
    ]
    assert ids(any_store, "red", TextScope("nowhere")) == []


def test_postings_know_roles(any_store: Store, said: dict[str, list[int]]) -> None:
    assert ids(any_store, "red", TextScope(roles=(Role.TOOL,))) == said["c"]
    assert ids(any_store, "red", TextScope(roles=(Role.SYSTEM,))) == said["d"]
    assert ids(any_store, "house", TextScope(roles=(Role.ASSISTANT,))) == [said["a"][1]]
    both = TextScope("home", (Role.USER, Role.TOOL))
    assert ids(any_store, "red", both) == [said["c"][0], said["b"][0]]


def test_scope_words_are_not_found_as_text(any_store: Store, said: dict[str, list[int]]) -> None:
    for word in ("b1", "b2", "ru", "ra", "rt", "scope", "body"):
        assert ids(any_store, word) == []


def test_all_words_must_be_there(any_store: Store, said: dict[str, list[int]]) -> None:
    def both(words: list[str], scope: TextScope = ALL) -> list[int]:
        return any_store.read(lambda tx: tx.texts.postings_all(words, scope, 10))

    assert both(["red", "house"]) == [said["b"][0], said["a"][0]]
    assert both(["red", "house"], TextScope("work")) == [said["a"][0]]
    assert both(["red", "absent"]) == []
    assert both([]) == []


def test_a_phrase_is_found_in_order_and_a_beginning_by_a_star(
    any_store: Store, said: dict[str, list[int]]
) -> None:
    assert ids(any_store, "red house") == [said["a"][0]]
    assert ids(any_store, "red-house") == ids(any_store, "red.house") == [said["a"][0]]
    assert ids(any_store, "house red") == ids(any_store, "house-red") == []
    assert ids(any_store, "hou*") == [said["b"][0], said["a"][1], said["a"][0]]
    assert ids(any_store, "red hou*") == [said["a"][0]]


def test_more_than_the_limit_is_estimated(any_store: Store) -> None:
    keep(any_store, *(turn("yes" if n % 4 else "no") for n in range(1000)))
    found = find(any_store, "yes", limit=100)
    assert (len(found.ids), found.complete) == (100, False)
    assert found.ids == sorted(found.ids, reverse=True)
    assert 600 <= found.total <= 900
    assert find(any_store, "no", limit=251).complete


def test_size_is_that_of_the_scope(any_store: Store, said: dict[str, list[int]]) -> None:
    sizes = any_store.read(lambda tx: [tx.texts.size(TextScope(b)) for b in ("", "work", "none")])
    work = len("the red house") + len("a blue house")
    home = len("houses and red cars") + len("red: 0xff0000") + len("be red")
    assert sizes == [(5, work + home), (2, work), (0, 0)]


def test_of_a_long_tool_result_the_beginning_is_indexed(any_store: Store) -> None:
    long = f"shown {'x ' * MAX_INDEXED_TOOL_CHARS} hidden"
    for role in (Role.TOOL, Role.USER):
        keep(any_store, Turn(NewSession(id=role.value), (Utterance(role, long),)))
    assert len(ids(any_store, "shown")) == 2
    assert len(ids(any_store, "hidden")) == 1


def test_calls_are_indexed_by_name_and_arguments(any_store: Store) -> None:
    call = ToolCall("call_1", "read_file", '{"path": "src/atlas.py"}')
    keep(any_store, Turn(NewSession(id="s"), (Utterance(Role.ASSISTANT, "", calls=(call,)),)))
    for word in ("read_file", "atlas", "src/atlas.py", "path"):
        assert len(ids(any_store, word)) == 1
    assert ids(any_store, "call_1") == []


def test_a_session_narrows(any_store: Store, said: dict[str, list[int]]) -> None:
    assert ids(any_store, "red", TextScope(session_id="b")) == said["b"]
    assert ids(any_store, "house", TextScope(session_id="a")) == said["a"][::-1]
    assert ids(any_store, "house", TextScope("work", ("user",), session_id="a")) == said["a"][:1]
    assert ids(any_store, "red", TextScope("work", session_id="b")) == []
    assert ids(any_store, "red", TextScope(session_id="nobody")) == []


def test_no_text_can_place_itself_in_another_scope(any_store: Store) -> None:
    keep(any_store, turn("plum", session="a", bank="one"), turn("plum", session="b", bank="two"))
    forged = " ".join(f"{SCOPE_MARK}{kind}{n}" for kind in "bsr" for n in range(5))
    keep(any_store, turn(f"plum {forged}", session="c", bank="three"))
    assert len(ids(any_store, "plum", TextScope("one"))) == 1
    assert len(ids(any_store, "plum", TextScope(session_id="b"))) == 1
    assert ids(any_store, "plum", TextScope(roles=("tool",))) == []


def test_a_change_finds_what_it_has_just_written(any_store: Store) -> None:
    def change(tx: Tx) -> list[int]:
        tx.conversations.record([turn("zebra")], NOW)
        return tx.texts.postings("zebra", ALL, 10).ids

    assert len(any_store.write(change)) == 1
    assert len(ids(any_store, "zebra")) == 1


def test_what_was_undone_is_not_found(any_store: Store) -> None:
    def change(tx: Tx) -> None:
        tx.conversations.record([turn("zebra")], NOW)
        tx.texts.postings("zebra", ALL, 10)
        raise LookupError

    with pytest.raises(LookupError):
        any_store.write(change)
    keep(any_store, turn("horse"))
    assert ids(any_store, "zebra") == []
    assert len(ids(any_store, "horse")) == 1


def test_a_word_is_counted_as_the_index_sees_it(any_store: Store) -> None:
    tokens = any_store.read(lambda tx: tx.texts.tokens("The Houses, naïve c++ 東京都 x_y"))
    assert tokens == ["the", "hous", "naiv", "cplusplu", "東京", "京都", "都", "x", "y"]


def test_any_string_is_a_word(any_store: Store, said: dict[str, list[int]]) -> None:
    for word in ("", '"', "'", "a\x00b", "(", "NEAR(", "AND", "red AND", "*", "^red", "-", "{a}:b"):
        found = find(any_store, word)
        assert found.complete, word
        assert len(found.ids) == found.total


def test_a_message_of_no_words_is_kept_and_not_found(any_store: Store) -> None:
    blank = replace(turn(""), messages=(Utterance(Role.USER, ""), Utterance(Role.USER, " \n…")))
    keep(any_store, blank)
    assert any_store.read(lambda tx: tx.texts.size(ALL)) == (2, 3)
    assert {finding.level for finding in any_store.check()} == {"ok"}
