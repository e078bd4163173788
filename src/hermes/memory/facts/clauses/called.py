"""What the user is called, where a whole sentence says it: "it's Tobias", "not Kim but Kym".

Such a sentence names no one by itself. That the user is meant is said before it ("you keep calling
me Thomas"), or it is the first of its message, one spelling put right by another.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from hermes.memory.entities import without_title
from hermes.memory.entities.plain import is_plain
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.introductions import find_own_name, name_fact
from hermes.memory.facts.clauses.lexicon import RELATIONS, ROLE_NOUNS
from hermes.memory.facts.clauses.people import person
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.split import Sentence
from hermes.memory.facts.clauses.talk import Talk
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.types import Confidence, FactKind

_NEAR = 160  # letters before a sentence that may say whose name it gives
_ALIKE = 0.75  # of two spellings of one name
_SHORTEST = 3
_NAME = r"(?:[^\W\d_][\w'’-]+)(?: (?-i:[A-Z])[\w'’-]+){0,2}"
_CALLED = re.compile(
    r"(?i)\b(?:call(?:s|ed|ing)? me (?:(?-i:[\"“'A-Z])|that\b|by\b|the wrong)|call you\b.*\?|"
    r"my (?:\w+ )?name|(?:your|the) name\?|address(?:ed|ing)? me|"
    r"sign(?:s|ed|ing)? (?:\w+ ){0,4}(?:as|with|off)|(?:misspell|misspelt|misspelled|"
    r"spell(?:s|ed|ing)?|got|get|getting) (?:my|me)\b|who am i (?:speaking|talking))"
)
_OTHERS = re.compile(r"(?i)\b(?:he|she|his|her|hers|their|him|they)\b")
_NOT_SO = rf"(?:no|nope|actually|sorry|(?:it['’]?s )?not {_NAME}),? (?:but )?"
_IT_IS = re.compile(
    rf"(?i)(?:{_NOT_SO})*(?:it['’]?s|it is|this is|that['’]?s|(?:the )?name(?:['’]?s| is)) "
    rf"(?:just |actually )?[\"“']?(?P<name>{_NAME})[\"”']?(?:,? (?:please|pls|btw|by the way|"
    r"actually|thanks|thx|not .*|with .*|without .*|for short))?[\s.!:)]*"
)
_ALSO = re.compile(
    rf"(?P<name>{_NAME}) (?:is|works|would be|'s) ?(?:fine|ok|okay|good|alright)?"
    r"(?: too| as well| also)?[\s.!]*"
)
_RENAMED = re.compile(
    r"""(?:(?:it|that)(?:['’]?s|\ is)\ )?not\ ["“']?(?P<old>[A-Z][\w-]+)["”']?,?\ 
    (?:but|it['’]?s|it\ is)\ ["“']?(?P<new>[A-Z][\w-]+)["”']?(?:$|[,.\ ])(?P<rest>.*)""",
    re.I | re.X,
)
_SPELT = re.compile(r"(?i)\b(?:with(?:out)? an?|spelt|spelled|spelling)\b")
_CAPITAL = re.compile(r"[A-Z]{2,4}|(?i:co-[a-z]+)")


def find_called(sentence: Sentence, talk: Talk) -> list[Candidate]:
    """What a whole sentence says the user is called."""
    before = talk.text[max(0, sentence.start - _NEAR) : sentence.start]
    asked = talk.question
    if sentence.is_question:
        return []
    if renamed := _renamed(sentence.text, before):
        return [_signed(name_fact(renamed))]
    if not _CALLED.search(f"{asked[-_NEAR:]} {before}") or _OTHERS.search(before):
        return []
    if found := _IT_IS.fullmatch(sentence.text):
        name = _as_name(found["name"])
        return [_signed(name_fact(name))] if name else []
    if (found := _ALSO.fullmatch(sentence.text)) and found["name"][:1].isupper():
        return _nickname(_as_name(found["name"]))
    return []


def _nickname(name: str) -> list[Candidate]:
    told = f"User also goes by {name}"
    return [_signed(Candidate(told, FactKind.IDENTITY, USER, "nickname", name))] if name else []


def _signed(candidate: Candidate) -> Candidate:
    return replace(candidate, signs=("by:own_name",))


def _as_name(name: str) -> str:
    """The name as names are written; nothing where the words name nobody."""
    small = not name[:1].isupper()
    if small and (" " in name or len(name) < _SHORTEST):
        return ""
    words = [replace(t, tag="NAME") for t in tokenize(name.title() if small else name)]
    first = words[0].low
    plain = first in RELATIONS | ROLE_NOUNS or (is_plain(first) and len(words) == 1)
    return spell(words) if values.is_person(words) and not plain else ""


def _renamed(text: str, before: str) -> str:
    """ "Not Kim but Kym, with a y": one's own name, spelt right, where two spellings are near."""
    found = _RENAMED.match(text)
    if found is None or not (found["new"][:1].isupper() and found["old"][:1] == found["new"][:1]):
        return ""
    if _SPELT.search(found["rest"]):
        return found["new"] if abs(len(found["old"]) - len(found["new"])) <= 2 else ""
    alone = not before.strip() or bool(_CALLED.search(before))
    ratio = SequenceMatcher(None, found["old"].lower(), found["new"].lower()).ratio()
    alone = alone and bool(re.match(r"(?i)it|that", text) or _CALLED.search(before))
    close = found["old"][:3].lower() == found["new"][:3].lower() and ratio >= _ALIKE
    return found["new"] if alone and close and _as_name(found["new"]) else ""


def find_self(words: Sequence[Token], asides: Sequence[Sequence[Token]]) -> list[Candidate]:
    """What a clause says of the user by the way, whatever else it tells."""
    return [*find_own_name(words), *_in_role(words, asides), *_conditions(words)]


def _conditions(words: Sequence[Token]) -> list[Candidate]:
    """ "my asthma is worse in winter", "adhd brain": what one has, by the way."""
    found = []
    for index, token in enumerate(words):
        after = words[index + 1] if index + 1 < len(words) else None
        owned = index > 0 and words[index - 1].low == "my"
        other = index > 0 and words[index - 1].tag in {"POSS", "GEN", "DET"} and not owned
        brain = after is not None and after.low in {"brain", "brains"} and not other
        plain = owned and (after is None or after.tag not in {"NOUN", "NAME", "GEN", "VERB"})
        if (brain and token.low in _OF_BRAINS) or (plain and token.low in _HAD):
            named = token.low.upper() if token.low in _LETTERS else token.low
            verb = "is" if named in {"autistic", "dyslexic"} else "has"
            found.append(Candidate(f"User {verb} {named}", FactKind.OTHER, USER, "trait", named))
    return found


_OF_BRAINS = frozenset("adhd autistic dyslexic ocd ptsd".split())
_LETTERS = frozenset("adhd ocd ptsd ibs pcos".split())
_HAD = _LETTERS | frozenset(
    "asthma epilepsy diabetes migraines dyslexia dyspraxia autism endometriosis eczema psoriasis "
    "arthritis tinnitus hypertension narcolepsy fibromyalgia lupus dyscalculia".split()
)


def _in_role(words: Sequence[Token], asides: Sequence[Sequence[Token]]) -> list[Candidate]:
    """ "PI is me (Dr. Sefa Lindqvist), co-PI Marek Adebayo": what each of them is."""
    place = next((n for n, t in enumerate(words) if t.low in {"me", "myself"}), -1)
    if place < 2 or words[place - 1].text not in {"is", "'s", "=", "are"}:
        return []
    after = words[place + 1 :]
    role = _role(values.core(words[: place - 1]))
    if not role or (after and after[0].text != ","):
        return []
    told = f"User is the {role}"
    found = [Candidate(told, FactKind.IDENTITY, USER, "role", role, confidence=Confidence.HIGH)]
    aside = next((list(a) for a in asides if a and a[0].start >= words[place].end), [])
    if aside and values.is_person(aside):
        found.append(name_fact(without_title(spell(aside))))
    return found + [each for part in _parts(after) for each in _colleague(part)]


def _role(words: Sequence[Token]) -> str:
    """What such a post is called; nothing where it is a phrase of anything else."""
    plain = [t for t in words if t.tag not in {"PREP", "PUNCT", "GEN"}]
    if len(plain) != len(words) or not 0 < len(plain) <= 4:
        return ""
    last = plain[-1]
    known = last.low in RELATIONS | ROLE_NOUNS or values.is_role(plain)
    return spell(plain) if known or _CAPITAL.fullmatch(last.text) else ""


def _parts(words: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in words:
        if token.text == "," or token.low == "and":
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _colleague(part: Sequence[Token]) -> list[Candidate]:
    """ "co-PI Marek Adebayo", beside who holds the first post."""
    post = 1 if len(part) > 1 and _CAPITAL.fullmatch(part[0].text) else 0
    while post < len(part) and part[post].tag == "NOUN":
        post += 1
    post = post + 1 if post < len(part) - 1 and part[post].low in {"is", "="} else post
    role = _role([t for t in part[:post] if t.tag not in {"BE"}])
    names = part[post:]
    return [person(role, spell(names))] if role and names and values.is_person(names) else []
