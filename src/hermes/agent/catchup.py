"""What is told of a conversation that went on in another terminal: what was said there."""

from collections.abc import Sequence

from hermes.agent.thread import Line
from hermes.types import Role

ELSEWHERE = "This conversation went on elsewhere, and was read again."
MOST = 6
CHARS = 300
_MARKS = {Role.USER: "❯", Role.ASSISTANT: " "}


def tell_elsewhere(before: Sequence[Line], now: Sequence[Line]) -> str:
    """That it went on, and the last of what is there now and was not before."""
    known = {line.id for line in before}
    said = [each.message for each in now if each.id not in known and each.message.role in _MARKS]
    spoken = [each for each in said if each.text.strip()]
    told = [f"{_MARKS[each.role]} {_cut(each.text)}" for each in spoken[-MOST:]]
    left = [f"  ({len(spoken) - MOST} more before)"] if len(spoken) > MOST else []
    return "\n".join([ELSEWHERE, *left, *told])


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= CHARS else line[:CHARS] + "…"
