"""A made-up history of any size, the same on every machine.

Words follow the law of natural text (the n-th most common word occurs in proportion to 1/n), so
that common words are as common, and rare ones as rare, as in real chats.
"""

import random
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate

from hermes.types import NewSession, Role, Turn, Utterance

_COMMON = (
    "the to and of a in is it you that for on was with i this be have are not we at or as can but "
    "if so do what my will how there all about from they would get just me time like when your one "
    "out up an no by some then now test run file error code project deploy meeting plan work team "
    "data server build check update next week today think need good know make want"
).split()
_SYLLABLES = (
    "ba co da fe gi ho ju ka le mi no pu ra se ti vo wa xe yo zu bri cla dro fle gri".split()
)
VOCABULARY = 60_000
START_AT = 1_735_689_600_000  # 2025-01-01
STEP_MS = 30_000
NOW = START_AT + 3 * 365 * 86_400_000  # after the longest history


def vocabulary(size: int = VOCABULARY) -> list[str]:
    """Words, commonest first."""
    dice = random.Random(7)
    words = dict.fromkeys(_COMMON)
    while len(words) < size:
        words["".join(dice.choices(_SYLLABLES, k=dice.randint(2, 4)))] = None
    return list(words)


class Speech:
    """Makes sentences; the same seed says the same things."""

    def __init__(self, seed: int = 1) -> None:
        self._dice = random.Random(seed)
        self._words = vocabulary()
        self._sums = list(accumulate(1 / (n + 2) for n in range(len(self._words))))

    def text(self) -> str:
        count = max(3, min(400, round(self._dice.lognormvariate(3.3, 0.7))))
        total, words, sums = self._sums[-1], self._words, self._sums
        roll = self._dice.random
        return " ".join([words[bisect(sums, roll() * total)] for _ in range(count)])

    def question(self, terms: int) -> str:
        """Words as people ask: half from the common thousand, half from anywhere."""
        pick = self._dice.choice
        pools = (self._words[:1000], self._words[:20_000])
        return " ".join(pick(pick(pools)) for _ in range(terms))


def turns(count: int, *, seed: int = 1, per_session: int = 20) -> Iterator[Turn]:
    """`count` turns of two messages, in sessions of `per_session`."""
    speech = Speech(seed)
    for n in range(count):
        at = START_AT + n * STEP_MS
        session = NewSession(id=f"s{seed}-{n // per_session}", started_at=at)
        asked = Utterance(Role.USER, speech.text(), at)
        answered = Utterance(Role.ASSISTANT, speech.text(), at + 5_000)
        yield Turn(session, (asked, answered), key=f"{seed}-{n}")
