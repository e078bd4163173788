"""Reading messages and episodes, on every store: paging both ways over interleaved sessions."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.errors import UserError
from hermes.store.base import Store
from hermes.types import Message, NewSession, Role, ToolCall, Turn, Utterance
from talk import NOW, at, going_on, keep, messages_of, turn

END = 2**62


def page(store: Store, session: str, **edges: int) -> list[int]:
    found = store.read(lambda tx: tx.conversations.list_messages(session, **edges))
    return [message.id for message in found]


@pytest.fixture
def woven(any_store: Store) -> Store:
    """Three sessions whose turns, some of them continued, lie between each other."""
    for n in range(30):
        said = turn(*(f"{n}.{m}" for m in range(1 + n % 3)), session=f"s{n % 3}")
        keep(any_store, going_on(said) if n % 4 == 0 else said)
    return any_store


def test_pages_forward_and_back_give_the_same_messages(woven: Store) -> None:
    for session in ("s0", "s1", "s2"):
        whole = page(woven, session, limit=1000)
        forward: list[int] = []
        while part := page(woven, session, after_id=forward[-1] if forward else 0, limit=4):
            forward += part
        back: list[int] = []
        while part := page(woven, session, before_id=back[0] if back else END, limit=4):
            back = part + back
        assert forward == back == whole
        assert len(whole) > 8


def test_a_page_may_begin_at_any_message_even_of_another_session(woven: Store) -> None:
    newest = max(page(woven, s, limit=1000)[-1] for s in ("s0", "s1", "s2"))
    for session in ("s0", "s1", "s2"):
        whole = page(woven, session, limit=1000)
        for edge in range(1, newest + 3):
            after = [i for i in whole if i > edge]
            before = [i for i in whole if i < edge]
            assert page(woven, session, after_id=edge, limit=3) == after[:3], (session, edge)
            assert page(woven, session, before_id=edge, limit=3) == before[-3:], (session, edge)


def test_a_page_of_nothing_is_empty(woven: Store) -> None:
    assert page(woven, "s0", limit=0) == []
    assert page(woven, "s0", before_id=1) == []
    assert page(woven, "s0", after_id=END) == []
    assert page(woven, "nobody") == []


def test_messages_are_had_by_number(woven: Store) -> None:
    wanted = page(woven, "s0", limit=5) + page(woven, "s1", limit=5)
    absent = [0, -1, END, 2**63 - 1]
    found = woven.read(lambda tx: tx.conversations.get_messages([*wanted, *absent, wanted[0]]))
    assert sorted(found) == sorted(wanted)
    assert all(found[m.id] == m for m in messages_of(woven, "s0")[:5])


def test_a_number_beyond_64_bits_is_an_error_of_whoever_gave_it(woven: Store) -> None:
    with pytest.raises(UserError, match="too large"):
        woven.read(lambda tx: tx.conversations.get_messages([10**30]))


def test_many_messages_are_had_at_once(any_store: Store) -> None:
    keep(any_store, turn(*map(str, range(3000))))
    ids = list(range(0, 4000))
    found = any_store.read(lambda tx: tx.conversations.get_messages(ids))
    assert len(found) == 3000
    assert any_store.read(lambda tx: tx.conversations.get_messages([])) == {}


def test_only_the_start_of_each_text_can_be_asked_for(any_store: Store) -> None:
    [receipt] = keep(any_store, turn("a long story", "no"))
    found = any_store.read(lambda tx: tx.conversations.get_messages(receipt.message_ids, chars=6))
    assert [found[i].text for i in receipt.message_ids] == ["a long", "no"]


def test_what_may_be_seen_is_told_by_session(any_store: Store) -> None:
    receipts = keep(any_store, *(turn("hi", session=name) for name in ("a", "b", "gone")))
    (a,), (b,), (gone,) = (receipt.message_ids for receipt in receipts)
    any_store.write(lambda tx: tx.conversations.hide_session("gone", NOW))
    asked = [a, b, gone, 10_000, *range(20_000, 21_000)]
    assert any_store.read(lambda tx: tx.conversations.find_visible(asked)) == {a, b}
    seen = any_store.read(lambda tx: tx.conversations.find_visible(asked, session_id="b"))
    assert seen == {b}
    assert any_store.read(lambda tx: tx.conversations.find_visible([])) == set()


def test_messages_are_had_as_recall_shows_them(any_store: Store) -> None:
    call = ToolCall("c1", "terminal", '{"command": "ls"}')
    said = (
        Utterance(Role.USER, "look around", speaker="Ana"),
        Utterance(Role.ASSISTANT, "", calls=(call,)),
        Utterance(Role.TOOL, "a.txt " * 100, call_id="c1"),
    )
    first, gone = keep(
        any_store, Turn(NewSession(id="s1", bank="default"), said), turn("hi", session="gone")
    )
    any_store.write(lambda tx: tx.conversations.hide_session("gone", NOW))
    asked = [*first.message_ids, *gone.message_ids, 10_000]
    found = any_store.read(lambda tx: tx.recall.spoken(asked))
    whole = any_store.read(lambda tx: tx.conversations.get_messages(asked))
    assert sorted(found) == sorted(first.message_ids)
    for number, shown in found.items():
        kept = whole[number]
        assert shown._asdict() == {name: getattr(kept, name) for name in shown._fields}
    assert any_store.read(lambda tx: tx.recall.spoken([])) == {}


def test_episodes_come_newest_first_with_their_messages(any_store: Store) -> None:
    keep(any_store, at(NOW + 1, turn("a", "b", bank="work")))
    keep(any_store, at(NOW + 3, turn("c", session="s2", bank="home")))
    keep(any_store, at(NOW + 2, going_on(turn("d", bank="work"))))
    keep(any_store, at(NOW + 2, turn("e", bank="work")))

    def told(bank: str, limit: int = 10, before_at: int | None = None) -> list[list[str]]:
        found = any_store.read(
            lambda tx: tx.conversations.list_episodes(bank, limit=limit, before_at=before_at)
        )
        return [[message.text for message in episode.messages] for episode in found]

    assert told("work") == [["e"], ["a", "b", "d"]]
    assert told("") == [["c"], ["e"], ["a", "b", "d"]]
    assert told("", limit=1) == [["c"]]
    assert told("", before_at=NOW + 3) == [["e"], ["a", "b", "d"]]
    assert told("nowhere") == []
    assert told("work", limit=0) == []


def test_thousands_of_episodes_come_at_once(any_store: Store) -> None:
    keep(any_store, *(turn(str(n)) for n in range(40_000)))
    found = any_store.read(lambda tx: tx.conversations.list_episodes("", limit=40_000))
    assert len(found) == 40_000
    assert [m.text for m in found[0].messages] == ["39999"]


steps = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.booleans()), max_size=12)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps, st.integers(0, 40), st.integers(1, 5))
def test_a_page_is_what_slicing_the_whole_would_give(
    any_store: Store, plan: list[tuple[int, int, bool]], edge: int, limit: int
) -> None:
    base = any_store.status().counts["messages"]
    names = [f"{base}-{n}" for n in range(3)]
    for session, size, continues in plan:
        said = turn(*["x"] * size, session=names[session])
        keep(any_store, going_on(said) if continues else said)
    for name in names:
        whole = [m.id for m in _all(any_store, name)]
        place = base + edge
        assert (
            page(any_store, name, after_id=place, limit=limit)
            == [i for i in whole if i > place][:limit]
        )
        if place:
            assert (
                page(any_store, name, before_id=place, limit=limit)
                == [i for i in whole if i < place][-limit:]
            )


def _all(store: Store, session: str) -> list[Message]:
    return list(messages_of(store, session))
