"""Trajectories: sides take turns, and each call has a response, however a conversation went."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talking import call

from hermes.agent.endings import DECLINED, mark_cut, mark_steps
from hermes.agent.thread import LOST
from hermes.agent.trajectory import parse_trajectory, render_trajectory
from hermes.types import Message, Payload, Role, Session, ToolCall

SESSION = Session("s", "default", 0, 0)
ASKS = ("human", "tool")


def said(number: int, role: Role, text: str, *calls: ToolCall, call_id: str = "") -> Message:
    return Message(number, "s", 1, 0, role, text, calls=calls, call_id=call_id)


def turns_of(*messages: Message) -> list[tuple[str, str]]:
    told = render_trajectory(SESSION, messages)["conversations"]
    assert told[0]["from"] == "system"
    return [(turn["from"], turn["value"]) for turn in told[1:]]


def test_neighbours_of_one_side_are_one_turn() -> None:
    assert turns_of(
        said(1, Role.USER, "one"),
        said(2, Role.USER, "two"),
        said(3, Role.ASSISTANT, "a"),
        said(4, Role.ASSISTANT, "b"),
    ) == [("human", "one\n\ntwo"), ("gpt", "a\n\nb")]


def test_an_interrupted_call_has_a_response_that_says_so() -> None:
    asked = said(2, Role.ASSISTANT, "", call("terminal", command="make"))
    told = turns_of(said(1, Role.USER, "build"), asked, said(3, Role.USER, "and now?"))
    assert [side for side, _ in told] == ["human", "gpt", "tool", "gpt", "human"]
    assert LOST in told[2][1]
    assert told[3][1] == "[interrupted]"


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("The log says [interrupted] at noon, and [cut off: by peer] after it.", True),
        ("A turn that breaks ends with\n[interrupted]\non a line of its own.", True),
        ("Half an\n[interrupted]", False),
        ("[interrupted]", False),
        (f"Half an\n{mark_cut('No answer.' + chr(10) + 'Ask [again].')}", False),
        (mark_steps(30), False),
        (f"I may not.\n{DECLINED}", False),
    ],
)
def test_only_a_mark_at_the_end_says_that_there_is_no_answer(text: str, completed: bool) -> None:
    line = render_trajectory(SESSION, [said(1, Role.USER, "why?"), said(2, Role.ASSISTANT, text)])
    assert line["completed"] is completed


def test_pictures_of_a_joined_turn_stand_at_its_beginning() -> None:
    cat = Payload("image/png", b"cat")
    messages = [said(1, Role.USER, "look"), said(2, Role.USER, "at this")]
    line = render_trajectory(SESSION, messages, images={2: [cat]})
    [asked] = parse_trajectory(line)
    assert line["conversations"][1]["value"] == "<image>\nlook\n\nat this"
    assert asked.text == "look\n\nat this"
    assert getattr(asked, "images", ()) == (cat,)


@given(st.lists(st.sampled_from(["user", "assistant", "call", "result", "lost result"])))
def test_whatever_was_kept_the_sides_take_turns(kinds: list[str]) -> None:
    calls = {"call": (call("todo"),)}
    results = {"result": "call1", "lost result": "call9"}
    roles = {"call": Role.ASSISTANT, "result": Role.TOOL, "lost result": Role.TOOL}
    messages = [
        said(
            number,
            roles.get(kind) or Role(kind),
            "words",
            *calls.get(kind, ()),
            call_id=results.get(kind, ""),
        )
        for number, kind in enumerate(kinds, 1)
    ]
    told = turns_of(*messages)
    for (one, value), (other, _) in pairwise(told):
        assert (one in ASKS) != (other in ASKS)
        assert ("<tool_call>" in value) == (other == "tool")
    everything = "".join(value for _, value in told)
    assert everything.count("<tool_call>") == everything.count("<tool_response>")
