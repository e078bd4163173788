"""What somebody is made, appointed or promoted to: "made me a lead", and never "made me tired"."""

from collections.abc import Callable, Mapping

from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.values import Phrase, core, is_place, is_role

_SPANS = frozenset("day week month quarter season year".split())
_HELD = frozenset("head lead coach captain chair".split())  # of which a team has one


def is_post(words: Phrase) -> bool:
    """A role named without an article: "head of sales", and not "head home" or "cook"."""
    if not is_role(words):
        return False
    alone = len(words) == 1 or words[1].low == "of"
    return words[0].form != "VB" or (alone and words[0].low in _HELD)


def is_promotion(words: Phrase) -> bool:
    """What one is promoted to: any post, and neither an honour of a month nor a deed."""
    inner = core(words)
    if not inner or (inner[0].form == "VB" and not is_post(inner)):
        return False
    return not (inner[-1].low in _SPANS and any(token.low == "of" for token in inner))


def is_promoted(frame: Frame, _: object) -> bool:
    """Whether what a clause says somebody was promoted to is a post."""
    slot = frame.slot("to")
    return slot is not None and is_promotion(slot.words)


# What each of the slots takes that name a thing without saying so (`change_ways.SLOTS`).
TAKES: Mapping[str, Callable[[Phrase], bool]] = {
    "role": is_role,
    "post": is_post,
    "title": is_promotion,
    "place": is_place,
}
