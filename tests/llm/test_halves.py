"""A character that was cut apart is one again, wherever a stream was cut."""

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hermes.llm.base import (
    CallStarted,
    Finished,
    ModelEvent,
    ModelEvents,
    ModelReply,
    TextDelta,
    Thought,
    ThoughtDelta,
)
from hermes.llm.halves import join_halves
from hermes.types import ToolCall

SMILE = "\N{GRINNING FACE}"
HALVES = ("\ud83d", "\ude00")


def joined(*events: ModelEvent) -> list[ModelEvent]:
    async def stream() -> ModelEvents:
        for event in events:
            yield event

    async def go() -> list[ModelEvent]:
        return [event async for event in join_halves(stream())]

    return asyncio.run(go())


def test_halves_in_two_pieces_are_one_character() -> None:
    first, second = HALVES
    thought = Thought(first + second)
    reply = ModelReply(
        f"hi {first}{second}",
        calls=(ToolCall("1", "f", f'{{"q": "{first}{second}"}}'),),
        thoughts=(thought,),
    )
    events = joined(
        ThoughtDelta(first),
        TextDelta(f"hi {first}"),
        ThoughtDelta(second),
        CallStarted("f"),
        TextDelta(second),
        Finished(reply),
    )
    *deltas, finished = events
    assert deltas == [
        TextDelta("hi "),
        ThoughtDelta(SMILE),
        CallStarted("f"),
        TextDelta(SMILE),
    ]
    assert isinstance(finished, Finished)
    assert finished.reply.text == f"hi {SMILE}"
    assert finished.reply.calls[0].arguments == f'{{"q": "{SMILE}"}}'
    assert finished.reply.thoughts[0].text == SMILE


def test_a_half_that_stays_alone_is_told_as_unreadable() -> None:
    first, second = HALVES
    events = joined(TextDelta(f"a{second}b"), TextDelta(first), Finished(ModelReply(first)))
    assert events == [
        TextDelta("a\ufffdb"),
        TextDelta("\ufffd"),
        Finished(ModelReply("\ufffd")),
    ]


@given(st.text(st.sampled_from(["a", SMILE, "\N{BUTTERFLY}", "\u65e5"])), st.data())
def test_a_text_survives_any_way_of_cutting_it(text: str, data: st.DataObject) -> None:
    units = text.encode("utf-16-le")
    places = st.sets(st.integers(0, len(units) // 2))
    cuts = [0, *sorted(2 * cut for cut in data.draw(places)), len(units)]
    pieces = [units[a:b].decode("utf-16-le", "surrogatepass") for a, b in pairwise(cuts)]
    told = joined(*map(TextDelta, pieces), Finished(ModelReply("".join(pieces))))
    assert "".join(each.text for each in told if isinstance(each, TextDelta)) == text
    assert isinstance(told[-1], Finished)
    assert told[-1].reply.text == text
