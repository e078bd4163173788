"""How a turn that came to no answer is marked at the end of what was said, and known again."""

import re

STOPPED = "[interrupted]"
DECLINED = "[the model declined to answer]"
_MARK = re.compile(
    r"(?:^|\n)\[(?:interrupted|cut off: .*|stopped after \d+ steps without an answer"
    r"|the model declined to answer)\]\s*\Z"
)


def mark_cut(reason: str) -> str:
    return f"[cut off: {' '.join(reason.split())}]"


def mark_steps(steps: int) -> str:
    return f"[stopped after {steps} steps without an answer]"


def is_marked(text: str) -> bool:
    """Whether the last line says that this is no answer; one that quotes a mark may be one."""
    return _MARK.search(text) is not None
