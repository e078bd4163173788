"""Two wordings side by side in one line: which words went, which came."""

import re
from difflib import SequenceMatcher
from typing import NamedTuple

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
LONGEST = 4_000  # words compared; beyond, the old and the new stand whole


class Step(NamedTuple):
    """A run of words that `stays`, is `gone` or `came`."""

    kind: str
    text: str


def diff_words(before: str, after: str) -> list[Step]:
    """What stays, goes and comes, in reading order; joined, the kept and new words give `after`."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) + len(new) > LONGEST:
        return [Step("gone", before), Step("came", after)]
    steps: list[Step] = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            steps.append(Step("stays", "".join(new[k:m])))
            continue
        steps += [Step("gone", "".join(old[i:j])), Step("came", "".join(new[k:m]))]
    return [step for step in steps if step.text]
