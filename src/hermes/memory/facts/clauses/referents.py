"""Whom or what a pronoun means: the last that fits, in the words before it.

Gender is not asked for: "she" may be the dog. Where nothing fits, nothing is guessed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.lexicon import KIN_PLURAL, PETS, RELATIONS, UNITS
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.tools import find_purpose

NEARBY = 400  # letters before a pronoun that may say what it means

PERSONAL = {
    **dict.fromkeys("he she him her his hers".split(), "someone"),
    **dict.fromkeys("they them their theirs these those".split(), "several"),
    **dict.fromkeys("it its this that".split(), "thing"),
}
_HE = frozenset("he him his".split())
_SHE = frozenset("she her hers".split())
_MEN = frozenset(
    "dad father brother son husband boyfriend uncle grandpa grandfather grandson nephew".split()
)
_WOMEN = frozenset(
    "mum mom mother sister daughter wife girlfriend gf aunt grandma grandmother granddaughter "
    "niece".split()
)
_PLACING = frozenset("in at from near".split())
POSSESSIVE = frozenset("his her its their".split())
_OWN = {"my": "User's ", "our": "User's "}
_OPENS = frozenset("a an the my our".split())
_INNER = frozenset({"NOUN", "NAME", "ADJ", "NUM", "ADDR"})
_LONGEST = 6  # words of a phrase
_EMPTY = frozenset(
    "time way thing things lot bit day days week weeks month year morning evening night moment end "
    "idea point rest question problem one ones kind sort hour hours minute minutes today".split()
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    text: str
    sort: str


def find_referent(pronoun: str, before: Sequence[str]) -> str:
    """What the pronoun means in the nearest of these texts that names something fitting."""
    wanted = PERSONAL.get(pronoun, "")
    for text in before:
        fitting = [each.text for each in _phrases(text[-NEARBY:]) if _fits(each.sort, wanted)]
        fitting = [each for each in fitting if not _is_another(pronoun, each)]
        if fitting:
            return fitting[-1]
    return ""


def _fits(sort: str, wanted: str) -> bool:
    return sort == wanted or (sort == "pet" and wanted in {"someone", "thing"})


def _is_another(pronoun: str, text: str) -> bool:
    """ "he" is not the sister."""
    words = set(text.lower().split())
    return bool((pronoun in _HE and words & _WOMEN) or (pronoun in _SHE and words & _MEN))


@lru_cache(64)
def _phrases(text: str) -> tuple[_Phrase, ...]:
    return tuple(_read_phrases(tokenize(text)))


def _read_phrases(words: Sequence[Token]) -> Iterator[_Phrase]:
    place = 0
    while place < len(words):
        end = _phrase_end(words, place)
        found = _phrase(words[place:end]) if end > place else None
        placed = place > 0 and words[place - 1].low in _PLACING
        if found is not None and not (placed and found.sort == "someone"):
            yield found
        place = max(end, place + 1)


def _phrase_end(words: Sequence[Token], start: int) -> int:
    """Where a phrase ends that begins here, or `start` where none does."""
    first = words[start]
    opened = first.low in _OPENS and first.tag in {"DET", "POSS"}
    if not opened and first.tag != "NAME":
        owned = start > 0 and words[start - 1].tag in {"GEN", "POSS", "DET"}
        if owned or first.low not in RELATIONS:
            return start
    inner = _INNER if opened or first.tag == "NAME" else frozenset({"NAME"})
    end = start + 1
    while end < len(words) and end - start < _LONGEST and words[end].tag in inner:
        end += 1
    if [t.low for t in words[end : end + 2]] == ["in", "law"]:
        end += 2
    return end if end > start + opened else start


def _phrase(words: Sequence[Token]) -> _Phrase | None:
    first = words[0]
    inner = words[1:] if first.low in _OPENS else words
    head = inner[-1] if inner else first
    head = inner[-3] if head.low == "law" and len(inner) > 2 else head
    if head.tag not in {"NOUN", "NAME", "ADDR", "NUM"} or head.low in _EMPTY | values.CALENDAR:
        return None
    if head.low in UNITS or all(t.tag in {"NUM", "ADJ"} for t in inner):
        return None
    opening = _OWN.get(first.low, "the " if first.low in _OPENS else "")
    if not opening and inner[0].low in RELATIONS:
        opening = "User's "
    return _Phrase(opening + spell(inner), _sort(inner, head))


def _sort(words: Sequence[Token], head: Token) -> str:
    lows = {token.low for token in words}
    if lows & PETS:
        return "pet"
    if lows & KIN_PLURAL.keys() or (head.tag == "NOUN" and head.low.endswith("s")):
        return "several"
    names = [t for t in words if t.tag == "NAME" and not t.text.isupper()]
    person = bool(lows & RELATIONS) or (len(names) == len(words) and values.is_person(names))
    return "someone" if person and not find_purpose(spell(words)) else "thing"
