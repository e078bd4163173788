"""Facts and messages in one list, the most relevant never behind the less relevant."""

from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.recall.merge import merge
from hermes.memory.recall.result import Item
from hermes.types import Kind

RELEVANCES = st.lists(st.floats(0, 1), max_size=8)


def items(kind: Kind, relevances: list[float]) -> list[Item]:
    return [Item(kind, f"{kind}:{n}", r, 0.0, 0, "") for n, r in enumerate(relevances)]


def test_a_relevant_message_is_not_lost_behind_less_relevant_facts() -> None:
    merged = merge(items(Kind.EPISODE, [0.3, 0.9]), items(Kind.FACT, [0.7, 0.8]))
    assert [item.relevance for item in merged] == [0.3, 0.9, 0.8, 0.7]


@given(RELEVANCES, RELEVANCES)
def test_nothing_is_lost_and_messages_keep_their_order(one: list[float], two: list[float]) -> None:
    messages, facts = items(Kind.EPISODE, one), items(Kind.FACT, two)
    merged = merge(messages, facts)
    assert [item for item in merged if item.kind is Kind.EPISODE] == messages
    assert len(merged) == len(one) + len(two)
    for place, item in enumerate(merged):
        if item.kind is Kind.FACT:
            assert all(item.relevance >= later.relevance for later in merged[place:])
