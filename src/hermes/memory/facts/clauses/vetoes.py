"""Readings that are left whatever the gate would say: their own words prove them wrong.

The gate tells what a person would care to keep. It cannot tell that "it" was never named, that the
speaker took a word back in the same breath, or that somebody else's teacher is meant: such readings
look like all others. Each veto here goes by grammar or by what was said right behind, and holds for
every reader; what was asked to be remembered is vetoed only where it is no sentence.
"""

import re
from collections.abc import Callable

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.chatter import speaks_itself
from hermes.memory.facts.clauses.freed import ALONE, PASSING, REST
from hermes.memory.facts.clauses.gate import AS_SAID, EXPLICIT
from hermes.memory.facts.clauses.lexicon import NAMES, RELATIONS
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.wellformed import is_cut

_STAMP = re.compile(r" \((?:on |due |said )?\d{4}-\d\d-\d\d\)")
_OPENS_POINTING = re.compile(
    r"(?:He|She|They|It|Its|This|That|These|Those|There)\b(?! (?:is|are) no\b)"
)
_EXPLETIVE = frozenset("is was are 's s when that if".split())
_NO_THING = frozenset({"User", "Hermes", "Asked"})
_UNSURE = re.compile(r"(?i)\b(?:the user|they) (?:think|guess|reckon|suppose|believe)s?\b")
_PERHAPS = re.compile(r"(?i)(?:\W|\b(?:and|but|so|or|ok|okay|well|hm+|then)\b)*(?:maybe|perhaps)\b")
_NO_SENTENCE = re.compile(
    r"^User be |^Usermate\b|^User says: [Yy]ou(?:'re| are)\b|^According to\b|"
    r"\bname is not \w+, it['’]s|^['’]s |^As of [A-Z]\w+ (?:is|has)\b|side['’](?:re|ve|ll|d)\b|"
    r"^User asks(?: to|:) (?:forget|ignore|disregard|scratch|strike|never ?mind)\b|"
    r"\b(?:what|how|where|why) (?:can|could|should|do|shall|would) (?:they|the user)\b"
)
_REPAIR = (
    r"(?:no,? (?:wait|hang on|sorry|hold on)|wait,? no|hang on|hold on|scratch that|strike that|"
    r"i mean(?! it)|or was it|or rather|oops|"
    r"sorry,? (?!for|about|to|if|i\b|that|but|my|this|we\b)(?=\w))"
)
_REPAIRED = re.compile(rf"(?i)\b(?P<repair>{_REPAIR})\b")
_REPAIRED_NEXT = re.compile(
    r"(?i)[\s.,…]*(?:(?:i (?:think|guess|believe|reckon)|maybe|probably)[\s.,…]*)?\bor was it\b|"
    rf"[\s,–—-]*(?:(?:oh|um+|uh|er|and|well)[, ]+)*{_REPAIR}"
)
_TWO_NUMBERS = re.compile(
    r"(?i)\b(?:\d+|\w*(?:ty|teen|one|two|three|four|five|six|seven|eight|nine)) (?P<repair>no) \w+"
)
_JEST = re.compile(r"(?i)\bsaid (?:nobody|no ?one)\b")
_LIKENED_NAME = re.compile(r"(?i)\b(?:basically|practically|literally|a regular|the next) $")
_NEVER = re.compile(r"(?i)(?:never|not) [\w'-]+(?: [\w'-]+){0,2}")
_FILLERS = frozenset("uh um er erm eh".split())
_OWN = re.compile(r"(?i)\b(?:i|i['’]?m|i['’]?ve|i['’]?ll|i['’]?d|me|my|mine|we|we['’]\w+|our|us)\b")
_ANOTHERS = re.compile(r"(?i)\b(?:his|her|he|she)\b")
_SUPPOSED = re.compile(
    r"(?i)(?:^|[.!?\n])\W*(?:(?:so|ok|okay|hey|hi|and|but|now)\b\W*)*"
    r"(?:what if|imagine(?!(?: that)?[,!])|suppose|"
    r"is it (?:\w+ )?(?:true that|possible that|\w+ if))\b[^.!?\n]*$"
)
_STORY = re.compile(r"(?i)(?:the )?(?:heroine|villain|protagonist)\b")
_OF_A_CHILD = re.compile(r"User's (?:teacher|class|classroom|kita|nursery)\b")


def is_vetoed(candidate: Candidate, said: str) -> bool:
    """Whether a reading of what was `said` is left, however likely it seems."""
    text = _STAMP.sub("", candidate.text)
    if _NO_SENTENCE.search(text) or is_cut(candidate, said) or _is_taken_back(candidate, said):
        return True
    corrects = candidate.correction or bool(candidate.replaces)
    if EXPLICIT in candidate.signs or corrects:
        return False
    return any(veto(candidate, text, said) for veto in _VETOES)


def _is_taken_back(each: Candidate, said: str) -> bool:
    """ "on the 9th. Or was it the 10th", "my sister Anna sorry Hannah", "forty three no four"."""
    if each.correction or not each.quote:
        return False
    if found := _REPAIRED.search(each.quote) or _TWO_NUMBERS.search(each.quote):
        before = each.quote[: found.start("repair")].rstrip(" ,.-–—…").rpartition(" ")[2]
        return bool(before) and before in each.text
    return bool(_REPAIRED_NEXT.match(said.partition(each.quote)[2]))


def _points(each: Candidate, text: str, _: str) -> bool:
    """ "They use Snowflake", "his grandson set it up": of whom, or what, is not said."""
    if _OPENS_POINTING.match(text):
        return True
    words = tokenize(text)
    place = next((n for n, t in enumerate(words) if t.low == "it" and t.tag != "NOUN"), -1)
    if place < 1 or "it" not in {token.low for token in tokenize(each.quote)}:
        return False
    if place + 1 < len(words) and words[place + 1].low in _EXPLETIVE:
        return False
    return not any(_is_thing(token) for token in words[:place])


def _is_thing(token: Token) -> bool:
    named = token.tag in {"NOUN", "ADDR", "NUM", "NAME"} and token.text not in _NO_THING
    return named and token.low not in RELATIONS and token.tag != "NAME"


def _is_unplaced(each: Candidate, _: str, __: str) -> bool:
    """What no reader understood, and nobody could by itself; a request for this once."""
    request = each.text.startswith("User asks") and PASSING in each.signs
    return request or {REST, ALONE} <= set(each.signs)


def _is_unsure(_: Candidate, text: str, __: str) -> bool:
    return bool(_UNSURE.search(text))


def _is_unsettled(each: Candidate, text: str, _: str) -> bool:
    """ "maybe we drop iOS 16 with 4.1", told as if it were so."""
    return bool(_PERHAPS.match(each.quote)) and not re.search(r"(?i)\b(?:maybe|perhaps)\b", text)


def _is_jest(each: Candidate, _: str, said: str) -> bool:
    """ "my favourite colour is beige said nobody ever", "I'm basically Gordon Ramsay"."""
    if _JEST.search(said):
        return True
    named = each.attribute in NAMES and each.subject == USER
    before = each.quote.partition(each.value)[0]
    return named and (bool(_LIKENED_NAME.search(before)) or each.value.lower() in _FILLERS)


def _is_anothers(each: Candidate, text: str, said: str) -> bool:
    """ "Dave left. Went to work for his brother", "Milo is late. Teacher is Mrs Akande"."""
    if _OWN.search(each.quote):
        return False
    if _OF_A_CHILD.match(text):
        return True
    goes_on = said.find(each.quote) > 0
    return goes_on and bool(re.match(r"User [a-z]", text) and _ANOTHERS.search(each.quote))


def _is_contrast(each: Candidate, _: str, __: str) -> bool:
    """ "never npm", behind what is used instead of it."""
    return bool(_NEVER.fullmatch(each.quote)) and AS_SAID in each.signs


def _is_supposed(each: Candidate, _: str, said: str) -> bool:
    """ "what if I told you that I live in a castle and my only friend is Gerald"."""
    start = said.find(each.quote)
    return start > 0 and bool(_SUPPOSED.search(said[:start]))


def _is_of_a_story(_: Candidate, text: str, __: str) -> bool:
    """ "The heroine, Elif, is a surgeon": what a story tells of is not so."""
    return bool(_STORY.match(text))


def _speaks(_: Candidate, text: str, __: str) -> bool:
    """ "User swears to quit tomorrow (i wont)": told by the speaker, and not of them."""
    return speaks_itself(text)


_VETOES: tuple[Callable[[Candidate, str, str], bool], ...] = (
    _is_contrast,
    _points,
    _is_unplaced,
    _is_unsure,
    _is_unsettled,
    _is_jest,
    _is_anothers,
    _is_supposed,
    _is_of_a_story,
    _speaks,
)
