"""Messages that take something back: "forget what I said about X", "scratch that, use Y".

Pure. A message either names what it takes back or means what was said just before it.
"""

import re
from dataclasses import dataclass

from hermes.memory.recall.task import telling_words

LOOKED_AT_CHARS = 600
_LEAD = (
    r"(?:^|[.!?\n]\s*)(?:(?:no|oh|ok|okay|actually|sorry|wait|hmm|well|please|and|but|also)\b"
    r"[,.:!]?\s*)*"
)
_SAID = (
    r"(?:i|we) (?:just |once |had |have )?"
    r"(?:said|told you|asked(?: you| for)?|wrote|mentioned|wanted)"
)
_EARLIER = r"(?:earlier|before|previously|last \w+|yesterday|above|the other day|back then)"
_OBJECT = r"(?P<of>[^.,!?;:\n]{2,120})"
_MIND = ("nevermind", "never mind")
_GONE = ("forget", "ignore", "disregard", "scratch")
_AWAY = (*_GONE, "drop")
# Each with what one of must stand in whatever it finds: looked for before anything that takes time.
# The first two speak of what was said; the others mean an order: "drop the kids at school" no fact.
_OF_WORDS = 2
_NAMED = tuple(
    (re.compile(_LEAD + form, re.I), frozenset(signs))
    for form, signs in (
        (
            rf"(?:you can |you should )?(?:forget|ignore|disregard|drop|scratch|never ?mind) "
            rf"(?:everything |all |anything )?(?:what|that|of what)? ?{_SAID}"
            rf"(?: {_EARLIER})? (?:about|on|regarding|concerning|with|of) {_OBJECT}",
            (*_AWAY, *_MIND),
        ),
        (
            rf"i take back (?:what|that) (?:{_SAID})(?: {_EARLIER})? (?:about|on|regarding)"
            rf" {_OBJECT}",
            ("take back",),
        ),
        (
            rf"(?:you can |you should )?(?:forget|ignore|disregard|drop|cancel|scratch) (?:about )?"
            rf"(?:my|our|the|that) {_OBJECT}",
            (*_AWAY, "cancel"),
        ),
        (rf"never ?mind (?:about )?(?:my|our|the|that) {_OBJECT}", _MIND),
        (
            rf"(?:please )?(?:don't|do not|stop|no need to|you needn't) {_OBJECT[:-1]}?)"
            r" (?:any ?more|any longer|from now on)",
            ("any more", "anymore", "any longer", "from now on"),
        ),
        (
            r"(?:from now on,? |please )?(?:use|write|answer|reply|call|send|go with|make it|take)"
            rf"\b[^.!?;\n]{{1,80}} instead of {_OBJECT}",
            ("instead of",),
        ),
    )
)
_MEANT = re.compile(
    _LEAD + r"(?:(?:forget|ignore|disregard|scratch|strike|cancel|undo) (?:that|this|it|the last"
    rf"(?: one| message| part)?|what {_SAID}|my last (?:message|request|instruction))"
    r"|never ?mind(?: that)?(?=[,.!;\n—-]|$)|on second thoughts?\b|not that(?=[,.!]))",
    re.I,
)
_MEANT_SIGNS = frozenset(
    (*_GONE, *_MIND, "strike", "cancel", "undo", "second thought", "not that"),
)
_SIGNS = tuple(_MEANT_SIGNS.union(*(signs for _, signs in _NAMED)))
_ORDER = re.compile(
    r"\b(?:always|never|from now on|call me|prefer|remember (?:that|to)|make sure|i want you to"
    r"|please (?:don't|do not|use|write|answer|reply|keep|only|avoid|send|remind))\b"
    r"|(?:^|[.!:]\s+)(?:don't|do not|use|write|answer|reply|send|deploy|keep|stop|only|avoid)\b",
    re.I,
)
# One of these stands in every order.
_ORDER_SIGNS = (
    *("use", "only", "never", "always", "don't", "do not", "keep", "stop", "write", "answer"),
    *("send", "prefer", "call me", "make sure", "remember ", "i want you to", "from now on"),
    *("please remind", "reply", "deploy", "avoid"),
)
# What an order is called; it tells not which.
_NAMES = frozenset(
    """earlier previous last old former first instruction instructions request requests rule rules
    thing things note notes message preference preferences order plan idea part bit stuff comment
    said anymore""".split()
)
WORDS = ("forget", "ignore", "disregard", "scratch", "nevermind", "drop", "anymore", "instead")


@dataclass(frozen=True, slots=True)
class Revocation:
    """What a message takes back: what it names, or (empty) what was said just before it.

    What it names is an order, unless it speaks of what was said (`of_words`).
    """

    of: str = ""
    of_words: bool = False

    @property
    def words(self) -> list[str]:
        """The words that tell what is meant."""
        return [word for word in telling_words(self.of) if word.casefold() not in _NAMES]


def find_revocation(text: str) -> Revocation | None:
    """What a message takes back, if it does."""
    looked = text[:LOOKED_AT_CHARS]
    folded = looked.casefold()
    signs = [sign for sign in _SIGNS if sign in folded]
    if not signs:
        return None
    for place, (pattern, wanted) in enumerate(_NAMED):
        if not wanted.isdisjoint(signs) and (found := pattern.search(looked)) is not None:
            return Revocation(found["of"].strip(), of_words=place < _OF_WORDS)
    if _MEANT_SIGNS.isdisjoint(signs):
        return None
    return Revocation() if _MEANT.search(looked) else None


def is_order(text: str) -> bool:
    """Whether a message reads like something that may be taken back: a wish, a rule, an order."""
    looked = text[:LOOKED_AT_CHARS]
    folded = looked.casefold()
    # A plain loop: for so little in each turn a generator takes longer than what it looks for.
    for sign in _ORDER_SIGNS:
        if sign in folded:
            return _ORDER.search(looked) is not None
    return False
