"""What counts as an objection to what was done, and what only sounds like one."""

import pytest

from hermes.memory.reflect.outcome import read_outcome
from hermes.types import Message, Role

AT = 1_770_000_000_000


def corrections(answer: str, reply: str) -> tuple[str, ...]:
    said = [(Role.USER, "Rename the report"), (Role.ASSISTANT, answer), (Role.USER, reply)]
    return read_outcome(
        [Message(n, "s", n, AT + n, role, text) for n, (role, text) in enumerate(said, start=1)]
    ).corrections


@pytest.mark.parametrize(
    "reply",
    [
        "No, the other report.",
        "That's wrong.",
        "I meant the yearly report.",
        "Stop using tabs.",
        "Actually I wanted a PDF.",
    ],
)
def test_what_puts_right_what_was_done_is_an_objection(reply: str) -> None:
    assert corrections("Done.", reply) == (reply,)


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("Shall I send it, too?", "No, Anna does that."),
        ("Which folder?", "Actually, the second one."),
        ("Done.", "No, thanks."),
        ("Done.", "Don't worry about the rest."),
        ("Done.", "Stop times are deleted after 90 days."),
        ("Done.", "Good. Actually, I live in Graz now."),
        ("Kept.", "Actually I don't live in Porto anymore, we moved to Braga last month."),
        ("Kept.", "Actually, my name is Mara."),
    ],
)
def test_an_answer_or_an_aside_is_none(answer: str, reply: str) -> None:
    assert corrections(answer, reply) == ()
