"""Each statement of a message once, however many readers found it: the fullest reading stands.

"I'm a nurse at St Columba's" is read as a role, as an employer and perhaps as it was said. Whoever
goes through their memory would delete all but one. Where a reader understood a statement, the same
words in one piece, with the reason and the aside around them, are not told as well; but who one is
says nothing of the rest, and goes where the rest names them so ("my wife Folake is a midwife").
What is said again in another message is no matter of this: the fact gets one more source when it is
kept (`decide`).
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.freed import JOINED, PASSING
from hermes.memory.facts.clauses.gate import AS_SAID, is_held_back
from hermes.memory.facts.clauses.lexicon import KIN_PLURAL
from hermes.memory.facts.compare import is_against, numbers, value_words
from hermes.types import FactKind

_WHOLE = frozenset({JOINED})  # what no reader took apart
_LINKING = frozenset(
    "work works working live lives living study studies role name named called based rule i new "
    "other has have".split()
)
_COUNTS = frozenset("two three four five both several".split())
_FILLING = frozenset("mostly some both also plus mainly yes yeah".split())
_ASKED = re.compile(r'Asked "[^"]*", \w+ answered: (?P<answer>.+)', re.DOTALL)
_STAMP = re.compile(r" \((?:due |on |said )?\d{4}-\d\d-\d\d\)")
_DAY = re.compile(r" \((?:due |on )?\d{4}-\d\d-\d\d(?: or \d{4}-\d\d-\d\d)?\)")
_WHO = re.compile(r"User's (?P<relation>[a-zA-Z][\w -]*) is (?P<name>[A-Z][^,;()]*)")
_SINCE = r"(?:,? (?:not|now|as of|since|from|starting)\b[^,;]*)?"
_BEFORE_NAME = r"(?:,|:| is| are)? (?:[A-Z][\w'’-]*(?: \(?\d+\)?)?(?:,| and|, and| &) )*"


def without_copies(found: Sequence[Candidate]) -> list[Candidate]:
    """What was found in one message, without the readings that another says as well."""
    kept = list(found)
    for is_told in (_is_told_by, _is_named_by):
        for each in sorted(kept, key=_worth):
            others = [other for other in kept if other is not each]
            if is_told(each, others):
                kept = others
    return kept


def _worth(each: Candidate) -> tuple[bool, int, bool, int]:
    """The least first: an echo of a question, what says less, as it was said, in more words."""
    told, as_said = _told(each.text), AS_SAID in each.signs
    return not _ASKED.match(each.text), len(value_words(told)), not as_said, -len(told)


def _is_told_by(each: Candidate, others: Sequence[Candidate]) -> bool:
    corrects = (each.correction or each.replaces) and not is_held_back(each)
    if corrects or each.leaning or not each.text:
        return False
    beside = [other for other in others if _is_within(other.quote, each.quote)]
    copied = any(_is_copy(each, other) or _is_repeated(each, other) for other in others)
    if copied or _is_joined_of(each, beside):
        return True
    read = [e for e in beside if not is_held_back(e) and e.text and not e.leaning]
    if is_held_back(each):
        if any(_is_who(each, other) for other in read):
            return True
        if any(other.kind is not FactKind.RELATIONSHIP for other in read):
            return True
        return bool(read) and value_words(_told(each.text)) - _LINKING <= _words_of(read)
    if each.attribute.startswith("said") and _is_told_in_parts(each, read):
        return True
    if not beside or (answer := _ASKED.match(each.text)) is None:
        return False
    return value_words(answer["answer"]) - _FILLING <= _words_of(beside)


def _is_joined_of(each: Candidate, beside: Sequence[Candidate]) -> bool:
    """ "Pichler retired; new accountant is Dr. Lehner", beside each of the two."""
    parts = [other for other in beside if other.text and not other.leaning]
    told = value_words(_told(each.text)) - _LINKING
    return JOINED in each.signs and len(parts) > 1 and told <= _words_of(parts)


def _is_who(each: Candidate, read: Candidate) -> bool:
    """ "User's thesis supervisor is Ilkka as of May", beside who the supervisor is."""
    who = _WHO.fullmatch(_told(read.text)) if read.kind is FactKind.RELATIONSHIP else None
    if who is None:
        return False
    relation, name = re.escape(who["relation"]), re.escape(who["name"])
    same = rf"(?i)User's (?:team's )?(?:[\w-]+ )?{relation} is (?:called |named )?{name}{_SINCE}"
    return re.fullmatch(same, _told(each.text)) is not None


def _is_named_by(each: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether others say in passing who someone is: "my sister Noor has a boy"."""
    if each.kind is not FactKind.RELATIONSHIP or each.correction or each.replaces or each.ended:
        return False
    told = _WHO.fullmatch(_told(each.text))
    if told is None:
        return False
    relation = told["relation"]
    forms = {relation, *(many for many, one in KIN_PLURAL.items() if one == relation)}
    apposed = rf"\b(?:{'|'.join(map(re.escape, forms))}){_BEFORE_NAME}{re.escape(told['name'])}\b"
    full = (o for o in others if not (o.ended or o.leaning or PASSING in o.signs))
    full = (o for o in full if _WHOLE.isdisjoint(o.signs) or is_held_back(each))
    full = (o for o in full if not o.text.startswith("User and "))  # it is of both
    return any(re.search(apposed, other.text) for other in full)


def _is_told_in_parts(whole: Candidate, read: Sequence[Candidate]) -> bool:
    """ "I have two cats, Biscuit and Moxie", of which each cat is told."""
    words = value_words(_told(whole.text)) - _LINKING - _COUNTS
    return len(read) > 1 and words <= _words_of(read)


def _words_of(found: Sequence[Candidate]) -> frozenset[str]:
    return frozenset[str]().union(*(value_words(_told(each.text)) for each in found))


def _is_repeated(each: Candidate, other: Candidate) -> bool:
    """The same words, filed under another subject by a reader who understood them."""
    return AS_SAID in each.signs and each.text == other.text and not other.leaning


def _is_copy(each: Candidate, other: Candidate) -> bool:
    if alias_key(each.subject) != alias_key(other.subject) or each.ended != other.ended:
        return False
    if not other.text or other.leaning or not _is_as_dated(each, other):
        return False
    if is_held_back(other) and not is_held_back(each):
        return False  # what one read says less, and says it better
    own, full = _told(each.text), _told(other.text)
    if is_against(own) != is_against(full) or not numbers(own) <= numbers(full):
        return False
    words, more = value_words(own), value_words(full)
    if words == more and (AS_SAID in each.signs) != (AS_SAID in other.signs):
        return AS_SAID in each.signs  # what a reader understood stands
    if words == more:
        return own.casefold() == full.casefold() or value_words(each.value) <= value_words(
            other.value
        )
    if each.kind is FactKind.RELATIONSHIP or each.attribute == "name":
        return False  # who someone is stands by itself: "my sister Noor has a boy"
    return words <= more or (_is_within(each.quote, other.quote) and words - _LINKING <= more)


def _is_as_dated(each: Candidate, other: Candidate) -> bool:
    """A day that only the shorter one knows would be lost with it."""
    return each.valid_from == other.valid_from or not _DAY.search(each.text)


def _is_within(quote: str, other: str) -> bool:
    return quote in other or other in quote


@lru_cache(256)
def _told(text: str) -> str:
    return _STAMP.sub("", text)
