"""What stands at a joint of two clauses: a time that opens the second, a tail that only points."""

from collections.abc import Sequence

from hermes.memory.facts.clauses.tokens import Token

_TIMES = frozenset(
    (first, second)
    for firsts, seconds in (
        ("before after until since", "that"),
        ("by until since", "then"),
        ("this", "morning afternoon evening week month year"),
        ("last", "night week month year"),
    )
    for first in firsts.split()
    for second in seconds.split()
)
_CONCLUDES_AFTER = frozenset({"NOUN", "NAME", "NUM", "ADJ", "INTJ", "PUNCT"})
_DEGREE = frozenset("far much many long good well often on that called what".split())
_LONGEST_TAIL = 2


def tail_joint(tokens: Sequence[Token], index: int) -> str:
    """ "so" of "i'm left handed so flip it", "she's our biggest client so nicer": what follows of
    what was said, for this hour, is no part of it."""
    before, tail = tokens[index - 1], tokens[index + 1 :]
    if (
        tokens[index].low != "so"
        or before.tag not in _CONCLUDES_AFTER
        or not tail
        or tail[0].low in _DEGREE
    ):
        return ""
    points = any(t.low in {"it", "that", "those", "these", "this"} for t in tail[1:2])
    return "so" if (points and tail[0].tag != "PRON") or len(tail) <= _LONGEST_TAIL else ""


def past_time(tokens: Sequence[Token], index: int) -> int:
    """The word behind "this morning", as in "since this morning the cart is empty", "and before
    that every laptop needs …"; `index` itself where no time stands there."""
    pair = tuple(token.low for token in tokens[index : index + 2])
    return index + 2 if pair in _TIMES else index
