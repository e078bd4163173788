"""The labelled chats load, hold what they promise, and a wrong label is refused by line."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.bench.facts.loader import Half, load_half, parse_conversations
from hermes.errors import Corrupt
from hermes.types import FactKind, Role

Row = dict[str, object]


def make_fact(**changes: object) -> Row:
    fact: Row = {
        "id": "c.1",
        "kind": "identity",
        "subject": "user",
        "attribute": "location",
        "value": "Oslo",
        "quote": "live in Oslo",
        "message": 0,
    }
    return fact | changes


def make_line(*facts: Row, name: str = "c") -> str:
    messages = [
        {"role": "user", "at": "2025-01-06T09:00:00Z", "text": "I live in Oslo"},
        {"role": "user", "at": "2025-02-06T09:00:00Z", "text": "I live in Bergen"},
    ]
    return json.dumps({"id": name, "messages": messages, "facts": list(facts)})


CHANGES = (Half.CHANGE, Half.CHANGE2)


@pytest.mark.parametrize("half", CHANGES)
def test_half_of_the_changes_of_mind_only_look_like_one(half: Half) -> None:
    chats = load_half(half)
    changed = sum(any(fact.supersedes for fact in chat.facts) for chat in chats)
    assert len(chats) >= 20
    assert changed * 2 == len(chats)


@pytest.mark.parametrize("half", [half for half in Half if half not in CHANGES])
def test_each_half_is_large_and_at_least_half_of_it_says_nothing(half: Half) -> None:
    conversations = load_half(half)
    messages = sum(len(conversation.messages) for conversation in conversations)
    telling = sum(len({fact.message for fact in item.facts}) for item in conversations)
    assert messages >= 170
    assert telling <= messages / 2
    assert all(len(conversation.messages) <= 30 for conversation in conversations)
    kinds = {fact.kind for item in conversations for fact in item.facts if not fact.optional}
    assert kinds >= set(FactKind) - {FactKind.OTHER}


def test_the_halves_share_no_message_with_a_label() -> None:
    telling = [
        {item.messages[fact.message].text for item in load_half(half) for fact in item.facts}
        for half in Half
    ]
    assert len(set.union(*telling)) == sum(map(len, telling))


def test_a_line_becomes_a_conversation_with_its_labels() -> None:
    later = make_fact(
        id="c.2", value="Bergen", quote="live in Bergen", message=1, date="2025-02-06"
    )
    (conversation,) = parse_conversations(make_line(make_fact(), later | {"supersedes": "c.1"}))
    assert [message.role for message in conversation.messages] == [Role.USER, Role.USER]
    assert conversation.facts[1].day == date(2025, 2, 6)
    assert conversation.facts[1].supersedes == "c.1"
    assert not conversation.facts[0].optional


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"quote": "live in Paris"}, "quote is not in message 0"),
        ({"message": 2}, "no message 2"),
        ({"message": -1}, "no message -1"),
        ({"message": "0"}, "whole number"),
        ({"message": True}, "whole number"),
        ({"id": "c"}, "used twice"),
        ({"kind": "gossip"}, "gossip"),
        ({"value": ""}, "value must be"),
        ({"date": "soon"}, "soon"),
        ({"supersedes": "c.9"}, "no earlier fact"),
        ({"contradicts": "c.1"}, "no earlier fact"),
    ],
)
def test_a_wrong_label_is_refused_with_its_line(changes: Row, message: str) -> None:
    text = make_line(name="before") + "\n" + make_line(make_fact(**changes))
    with pytest.raises(Corrupt) as caught:
        parse_conversations(text, source="dev.jsonl")
    assert caught.value.message.startswith("dev.jsonl line 2: ")
    assert message in caught.value.message
    assert caught.value.hint


def test_messages_out_of_order_are_refused() -> None:
    row = json.loads(make_line())
    row["messages"].reverse()
    with pytest.raises(Corrupt, match="out of order"):
        parse_conversations(json.dumps(row))


def test_a_missing_field_is_named() -> None:
    fact = make_fact()
    del fact["quote"]
    with pytest.raises(Corrupt, match="'quote' is missing"):
        parse_conversations(make_line(fact))


@given(st.text(max_size=80))
def test_any_text_loads_or_is_refused_as_corrupt(text: str) -> None:
    try:
        conversations = parse_conversations(text)
    except Corrupt:
        return
    assert conversations == () and not text.strip()
