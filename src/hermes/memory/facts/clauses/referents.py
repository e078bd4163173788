"""Whom or what a pronoun means: the only one that fits, in the words before it.

Gender is not asked for where no word tells it: "she" may be the dog. Where nothing fits, or more
than one does, nothing is guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.lexicon import (
    KIN_PLURAL,
    PETS,
    RELATIONS,
    ROLE_ENDINGS,
    ROLE_NOUNS,
    UNITS,
)
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
    "papa pappa opa "
    "dad father brother son husband boyfriend uncle grandpa grandfather grandson nephew boy bf "
    "groom mr gentleman".split()
)
_WOMEN = frozenset(
    "mamma mama nana oma "
    "mum mom mother sister daughter wife girlfriend gf aunt grandma grandmother granddaughter "
    "niece girl bride mrs ms lady".split()
)
_YOUNG = frozenset("boy girl toddler youngest eldest oldest groom bride gentleman lady".split())
_PLACING = frozenset("in at from near via around outside".split())
_ENDS = frozenset(",.!?;:()")
POSSESSIVE = frozenset("his her its their".split())
_OWN = {"my": "User's ", "our": "User's "}
_OPENS = frozenset("a an the my our".split())
_INNER = frozenset({"NOUN", "NAME", "ADJ", "NUM", "ADDR"})
_FINITE = frozenset({"BE", "HAVE", "AUX", "VERB"})
_LONGEST = 6  # words of a phrase
_ENDED = re.compile(r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bProf)[.!?]\s+")
_TAKEN_IN = frozenset(
    "read reads reading reread rereading finish finished finishing watch watched watching "
    "rewatched rewatching binged bingeing stream streamed streaming".split()
)
_EMPTY = frozenset(
    "time way thing things lot bit day days week weeks month year morning evening night moment end "
    "idea point rest question problem one ones kind sort hour hours minute minutes today".split()
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    text: str
    sort: str
    acts: bool = False  # a verb follows whose subject it is


def find_referent(pronoun: str, before: Sequence[str]) -> str:
    """What the pronoun means in the nearest of these texts that names something fitting."""
    for text in before:
        if fitting := list_referents(pronoun, text):
            return fitting[0] if len(fitting) == 1 else ""
    return ""


def list_referents(pronoun: str, text: str) -> list[str]:
    """All that the pronoun may mean in a text, each once: in the sentence it ends with, if there
    is any, for "her" in "I met my aunt. Mamma rang, her …" is of who rang."""
    nearest = _ENDED.split(text[-NEARBY:])[-1]
    return _list_fitting(pronoun, nearest) or _list_fitting(pronoun, text)


def _list_fitting(pronoun: str, text: str) -> list[str]:
    """Who is known to be a he or a she rules others out; so does the one named last, if it acts."""
    wanted = PERSONAL.get(pronoun, "")
    phrases = [each for each in _phrases(text[-NEARBY:]) if _fits(each.sort, wanted)]
    fitting = [each for each in phrases if not _is_another(pronoun, each.text)]
    fitting = [each for each in fitting if not _is_called_other(pronoun, each, phrases, text)]
    distinct = _each_once([each.text for each in fitting])
    sure = [each for each in distinct if _is_known(pronoun, each)]
    acting = [each.text for each in fitting[-1:] if each.acts and wanted == "someone"]
    return sure if len(sure) == 1 else distinct if len(distinct) < 2 else acting or distinct


def _each_once(texts: Sequence[str]) -> list[str]:
    """ "my son Jory" and "Jory" are one, and the fuller of them is told."""
    found: list[str] = []
    for text in sorted(texts, key=len, reverse=True):
        if not any(_words(text) <= _words(known) for known in found):
            found.append(text)
    return found


def _words(text: str) -> set[str]:
    return set(text.lower().removeprefix("the ").removeprefix("user's ").split())


def _fits(sort: str, wanted: str) -> bool:
    return sort == wanted or (sort == "pet" and wanted in {"someone", "thing"})


def _is_another(pronoun: str, text: str) -> bool:
    """ "he" is not the sister."""
    words = set(text.lower().replace(".", "").split())
    return bool((pronoun in _HE and words & _WOMEN) or (pronoun in _SHE and words & _MEN))


def _is_called_other(pronoun: str, phrase: _Phrase, phrases: Sequence[_Phrase], text: str) -> bool:
    """ "Fionn is five. He's allergic": the one spoken of last, and a he, is no "she"."""
    if phrase is not phrases[-1] or pronoun not in _HE | _SHE:
        return False
    after = text[text.rfind(phrase.text.split()[-1]) :].lower().replace("'", " ").replace("’", " ")
    return bool(set(after.split()) & (_SHE if pronoun in _HE else _HE))


def _is_known(pronoun: str, text: str) -> bool:
    """Whether a word of it says that it is a he or a she."""
    words = set(text.lower().replace(".", "").split())
    return bool((pronoun in _HE and words & _MEN) or (pronoun in _SHE and words & _WOMEN))


@lru_cache(64)
def _phrases(text: str) -> tuple[_Phrase, ...]:
    return tuple(_read_phrases(tokenize(text)))


def _read_phrases(words: Sequence[Token]) -> Iterator[_Phrase]:
    place = 0
    while place < len(words):
        end = _phrase_end(words, place)
        found = _phrase(words[place:end]) if end > place else None
        if found is not None and not _is_no_one(words, place, end, found.sort):
            acts = end < len(words) and words[end].tag in _FINITE and words[end].form != "VG"
            yield replace(found, acts=acts)
        place = max(end, place + 1)


def _is_no_one(words: Sequence[Token], start: int, end: int, sort: str) -> bool:
    """Whether a phrase names nobody that is spoken of: where, what somebody is, who is called, or
    what was read."""
    before = words[start - 1] if start else None
    if before is not None and before.tag == "BE" and words[start].low in {"a", "an"}:
        return True  # "he wants to be a vet"
    if sort != "someone" or words[start].tag != "NAME":
        return False
    after = words[end].tag if end < len(words) else ""
    if before is not None and before.low in _TAKEN_IN and after not in {"DET", "VERB"}:
        return True  # "finished Emma", and not "read Emma a story", "watched Emma play"
    apart = before is None or before.text in _ENDS
    called = apart and end < len(words) and words[end].text in _ENDS - {"("}  # "Bonjour, …"
    return called or (before is not None and before.low in _PLACING)


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
    if words[end - 1].low in RELATIONS | _YOUNG and _is_apposed(words[end : end + 3]):
        end += 2  # "my youngest, Tadhg, …"
    return end if end > start + opened else start


def _is_apposed(words: Sequence[Token]) -> bool:
    marks = [t.text for t in words[::2]]
    return marks == [",", ","] and words[1].tag == "NAME"


def _phrase(words: Sequence[Token]) -> _Phrase | None:
    first, words = words[0], [t for t in words if t.text != ","]
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
    called = len(names) == len(words) and values.is_person(names)
    person = called or bool(lows & (RELATIONS | _YOUNG)) or is_role_noun(head.low)
    return "someone" if person and not find_purpose(spell(words)) else "thing"


def is_role_noun(noun: str) -> bool:
    """ "the plumber" is a person."""
    return noun in ROLE_NOUNS or noun.endswith(ROLE_ENDINGS)
