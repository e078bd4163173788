"""Messages that take something back: "forget what I said about X", "scratch that, use Y".

Pure. A message either names what it takes back or means what was said just before it. A thing that
both speak of is not enough: "forget the milk, we have some" leaves "always use oat milk" as it is.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

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
# An order by what it is called: "my rule about French", "the billing deploy rule".
_INSTRUCTION = (
    r"(?:(?:my|our|the|that|this|those|these) (?P<of>(?:[\w'-]+ ){0,5}?"
    r"(?:instructions?|rules?|preferences?|guidelines?|orders?(?= about\b)"
    r"|(?:(?<=my )|(?<=our )|(?<=earlier )|(?<=last )|(?<=previous ))requests?)"
    r"(?: (?:that )?(?:i|we) (?:gave|made|set|told)(?: you)?)?"
    r"(?: (?:about|on|for|to|that|regarding|concerning|with) [^.,!?;:\n]{2,120})?))"
    r"(?=\W*(?:$|[.,!?;:\n)]|(?:please|now|entirely|completely|again|any ?more)\b))"
)
# "Forget my rule about French for this one": it stands.
_ONCE = re.compile(
    r"\b(?:for (?:now|today|tonight|once|this \w+|an? (?:moment|minute|second|sec|bit|while)"
    r"|the (?:moment|time being))|this (?:once|time)|just once|(?:only|just) (?:today|tonight))\b",
    re.I,
)
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
            rf"(?:you can |you should )?(?:forget|ignore|disregard|drop|cancel|scratch|never ?mind)"
            rf" (?:about )?{_INSTRUCTION}",
            (*_AWAY, *_MIND, "cancel"),
        ),
        (
            rf"(?:please )?(?:don't|do not|stop|no need to|you needn't) {_OBJECT[:-1]}?)"
            r" (?:any ?more|any longer|from now on)",
            ("any more", "anymore", "any longer", "from now on"),
        ),
        (
            r"(?:(?:please )?(?=use|write|answer|reply|call (?:me|us))|from now on,? (?:please )?)"
            r"(?P<by>(?:use|write|answer|reply|call|send|go with|make it|take)\b"
            rf"[^.!?;\n]{{1,80}}) instead of {_OBJECT}",
            ("instead of",),
        ),
    )
)
_MEANT = re.compile(
    _LEAD + r"(?:(?P<words>(?:scratch|strike) (?:that|this|it)|(?:forget|ignore|disregard|scratch"
    r"|strike|cancel|undo) (?:the last(?: one| message| part)?|my last (?:message|request"
    rf"|instruction)|what {_SAID}))|(?:forget|ignore|disregard|cancel|undo) (?:that|this|it)"
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
    said anymore gave made set told guideline guidelines orders""".split()
)
# What is done with the thing that an order is about, in one word or another.
_DOING = frozenset("use using write send answer reply make give put add include call".split())
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_SETTING = re.compile(r"\W*(?:for|in|on|at|with|when|whenever|if|as|from)\b", re.I)
WORDS = ("forget", "ignore", "disregard", "scratch", "nevermind", "drop", "anymore", "instead")


@dataclass(frozen=True, slots=True)
class Revocation:
    """What a message takes back: what it names, or (empty) what was said just before it.

    What it takes back is an order, unless it speaks of what was said (`of_words`).
    """

    of: str = ""
    of_words: bool = False
    by: str = ""  # what is to be done instead: with that, too, the order has a word in common

    @property
    def words(self) -> list[str]:
        """The words that tell what is meant."""
        aside = _NAMES if self.of_words else _NAMES | _DOING
        return [word for word in telling_words(self.of) if word.casefold() not in aside]

    @property
    def instead(self) -> list[str]:
        """The words of what is to be done instead, its verb among them."""
        return [*self.by.split()[:1], *telling_words(self.by)]


def find_revocation(text: str) -> Revocation | None:
    """What a message takes back, if it does."""
    looked = text[:LOOKED_AT_CHARS]
    folded = looked.casefold()
    signs = [sign for sign in _SIGNS if sign in folded]
    if not signs:
        return None
    for place, (pattern, wanted) in enumerate(_NAMED):
        if not wanted.isdisjoint(signs) and (found := pattern.search(looked)) is not None:
            if _ONCE.search(found[0]):
                return None
            by = found.groupdict().get("by") or ""
            return Revocation(found["of"].strip(), place < _OF_WORDS, by)
    if _MEANT_SIGNS.isdisjoint(signs) or (meant := _MEANT.search(looked)) is None:
        return None
    return Revocation(of_words=meant["words"] is not None)


def is_order(text: str) -> bool:
    """Whether a message reads like something that may be taken back: a wish, a rule, an order."""
    looked = text[:LOOKED_AT_CHARS]
    folded = looked.casefold()
    # A plain loop: for so little in each turn a generator takes longer than what it looks for.
    for sign in _ORDER_SIGNS:
        if sign in folded:
            return _ORDER.search(looked) is not None
    return False


@lru_cache(maxsize=256)  # each order is held against many takers
def find_order(text: str) -> str:
    """What of a message is an order: its sentences that are one, each from the clause on that gives
    it. "My mother can't eat nuts, always keep them out" orders nothing of a mother.
    """
    if not is_order(text):
        return ""
    return " ".join(filter(None, map(_order_in, _SENTENCE_END.split(text[:LOOKED_AT_CHARS]))))


def _order_in(sentence: str) -> str:
    found = _ORDER.search(sentence)
    if found is None:
        return ""
    lead = sentence[: found.start()]
    return (
        sentence if _SETTING.match(lead) else sentence[max(lead.rfind(","), lead.rfind(";")) + 1 :]
    )
