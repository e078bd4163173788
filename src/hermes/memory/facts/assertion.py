"""Whether words stand in a message as its writer's own statement, and in which clauses they stand.

Code, quotations, questions and suppositions hold words that nobody said to be so. Nothing here
judges what was stated; the readers of clauses know what a question, a condition or pasted text is.
"""

import re
from functools import lru_cache

from hermes.memory.facts.clauses.prose import own_prose
from hermes.memory.facts.clauses.split import Sentence, split_sentences
from hermes.memory.facts.clauses.units import Unit, read_units

OPENING = 12  # characters of words in which a condition shows

_MARKS = {'"': '"', "“": "”", "«": "»", "„": "“"}
_REQUEST = re.compile(r"(?i)(?:can|could|would|will) (?:you|u|ya)\b")
_IF = re.compile(  # but not "when I was 12"
    r"(?i)\b(?:if|unless|suppos\w+|imagin\w+|assum\w+|pretend\w*|in case|let['’]?s say|"
    r"(?:had|say) (?:i|we))\b"
)
_OPENLY = re.compile(
    r"(?i)(?:(?:and|but|so|ok|well|also|btw|hey|hi|hm+)[,: ]+)*(?:"
    r"(?:what|how|why|where|who|when|which)(?:['’]?s|['’]?re)? (?:is|are|was|were|do|does|did|can|"
    r"could|would|should|will|shall|to|much|many|long|often|about|the|a)\b|"
    r"(?:is|are|am|was|were|do|does|did|has|have|can|could|would|should|will|shall|may) "
    r"(?:i|you|u|we|he|she|they|it|there|this|that|my|your|our|his|her|their|the|any\w*|some\w*)\b)"
)
_WHETHER = re.compile(  # but not "did I mention that I moved?"
    r"(?i)\b(?:think|thought|believe|guess|sa(?:y|id)|sure|true|possible|likely|mean)\b"
)
_OWN = re.compile(r"(?i)(?:(?:for|with|to|of|at|from|about|as|in|on) )?(?:my|our|as an?)\b")


def is_asserted(text: str, start: int, end: int) -> bool:
    """Whether what stands there is the writer's own, and neither asked nor supposed."""
    if not own_prose(text, with_drafts=True)[start:end].strip() or _is_quotation(text, start, end):
        return False
    units = units_at(text, start, end)
    if units:
        return not all(_is_unsaid(unit, text[unit.start : start]) for unit in units)
    return not any(each.is_question for each in split_sentences(text) if _meets(each, start, end))


def _is_unsaid(unit: Unit, before: str) -> bool:
    """Whether a unit says nothing to be so.

    What a question speaks of is there, whatever is asked of it: "what suits my son Levi, who's 6".
    """
    if unit.sort != "asked":
        opened = f"{unit.joint} {before}{unit.text[len(before) :][:OPENING]}"
        return unit.sort == "supposed" and bool(_IF.search(opened))
    if not unit.body.is_question and not _OPENLY.match(unit.text):
        return False  # "am a nurse", "were getting rid of it"
    if unit.joint == "that" and not _WHETHER.search(unit.body.text[: unit.start - unit.body.start]):
        return False
    return not (_OWN.match(unit.text[len(before) :]) and len(before.split()) > 1)


def is_asked_for(text: str, start: int, end: int) -> bool:
    """ "Can you call me Vee", "if I'm on call, text me": it may say what is wished."""
    units = units_at(text, start, end)
    return any(_REQUEST.match(unit.text) or unit.sort == "supposed" for unit in units)


def clause_at(text: str, start: int, end: int) -> str:
    """What stands there with the beginning of its clause, and of the one it is the content of."""
    units = _units(text)
    first = next((n for n, unit in enumerate(units) if unit.end > start), len(units))
    while 0 < first < len(units) and units[first].joint == "that":
        first -= 1
    begin = units[first].start if first < len(units) else start
    return text[min(start, begin) : end]


def units_at(text: str, start: int, end: int) -> list[Unit]:
    """The units that what stands there has a part in."""
    return [unit for unit in _units(text) if unit.start < end and start < unit.end]


@lru_cache(8)  # several facts rest on one message
def _units(text: str) -> tuple[Unit, ...]:
    return tuple(unit for sentence in split_sentences(text) for unit in read_units(sentence))


def _meets(sentence: Sentence, start: int, end: int) -> bool:
    return sentence.start < end and start < sentence.start + len(sentence.text)


def _is_quotation(text: str, start: int, end: int) -> bool:
    """Whether a mark opens before it and closes behind it, in its line."""
    before = text[:start].rpartition("\n")[2]
    behind = text[end:].partition("\n")[0]
    for opening, closing in _MARKS.items():
        is_open = before.count(opening) > (0 if opening == closing else before.count(closing))
        odd = opening != closing or before.count(opening) % 2 == 1
        if is_open and odd and closing in behind:
            return True
    return False
