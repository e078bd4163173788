"""What a message only supposes of the one who says it: "If I were a freelancer …".

Pure. What is told under a condition is no supposition: "if the alarm rings, call Yusuf" says what
to do, "assuming I passed, I start in May" what is planned, and "suppose a customer pays late: our
rule is …" what is so. Nor is what a supposition takes for granted ("if I had known that the car
needs a gearbox …"), nor news that is exclaimed ("imagine, I got the job!").
"""

import re

LOOKED_AT_CHARS = 600
# Without one of these nothing is taken as supposed: looked for before what takes time.
_SIGNS = (
    *("if i", "if we", "suppos", "imagin", "assum", "hypothetical", "let's", "let us"),
    *("say i", "say we"),
)
_LEAD = r"\W*(?:(?:so|and|but|ok|okay|well|hmm|hey|now|then)\b[, ]*)*"
_PAST = (
    r"(?:were|was|had|did|became|got|went|took|left|quit|ran|won|lost|bought|sold|made|came|gave"
    r"|found|spent|kept|built|could|should|would|\w+ed)"
)
# Who knew, or had not done, what follows tells that it was so.
_KNEW = (
    r"(?:not|never|had (?:only |just )?(?:known|realis?ed|realized|noticed|understood|remembered"
    r"|heard|guessed|been told|found out))\b"
)
_IF_PAST = re.compile(
    rf"{_LEAD}(?:what |even )?if (?:i|we) (?!{_KNEW}|\w+ (?:not|never)\b){_PAST}\b", re.I
)
_LET = (
    r"(?:(?:let's|let us) (?:say|assume|pretend|imagine|suppose)"
    r"|suppos(?:e|ing)|imagin(?:e|ing)|assum(?:e|ing)|hypothetically|say)"
)
_SET = (  # into what is not so, whatever follows: "imagine, we moved" tells that they did
    r"(?:(?:(?:let's|let us) (?:say|assume|pretend|imagine|suppose)|suppose|assume|hypothetically)"
    r"\b,?(?: that| for a moment| if)*,?|(?:imagine|say)(?: that| for a moment| if)*)"
)
_SUPPOSE = re.compile(rf"{_LEAD}{_LET}\b,?(?: that| for a moment| if)*,? (?:i|we)\b", re.I)
_SUPPOSE_SO = re.compile(
    rf"{_LEAD}{_SET} (?:(?:i|we)(?:'m|'d|'ve| am| are| have| {_PAST})"
    rf"|(?:my|our)(?: [\w'-]+){{1,3}} {_PAST})\b",
    re.I,
)
_TOLD = re.compile(
    rf"{_LEAD}(?:imagine|say)(?: that)?, |(?!\W*(?:\w+ )?if\b|imagine if\b).*!\W*$", re.I | re.S
)
_WOULD = re.compile(r"\b(?:would|could|might|wouldn't|couldn't)\b|\w'd\b", re.I)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b", re.I)


def is_supposed(text: str) -> bool:
    """Whether a message only supposes what it says of the one who says it."""
    looked = text[:LOOKED_AT_CHARS]
    if not _has_sign(looked.casefold()):
        return False
    sentences = _SENTENCE_END.split(looked)
    is_told = not _WOULD.search(looked)
    supposed = [not (is_told and _TOLD.match(each)) and _supposes(each) for each in sentences]
    return any(supposed) and not any(
        _FIRST_PERSON.search(each) and not _is_unreal(each)
        for each, is_so in zip(sentences, supposed, strict=True)
        if not is_so
    )


def _has_sign(folded: str) -> bool:
    for sign in _SIGNS:  # a plain loop: a generator takes twice as long
        if sign in folded:
            return True
    return False


def _supposes(sentence: str) -> bool:
    """Whether a sentence sets the one who says it into what is not so."""
    unreal = _is_unreal(sentence)
    if _IF_PAST.match(sentence):
        return unreal
    if _SUPPOSE_SO.match(sentence):  # "suppose we had a fire: call Yusuf" says what to do
        return unreal or ":" not in sentence
    return unreal and _SUPPOSE.match(sentence) is not None


def _is_unreal(sentence: str) -> bool:
    return bool(_WOULD.search(sentence)) or sentence.rstrip().endswith("?")
