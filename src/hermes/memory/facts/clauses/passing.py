"""Readings that are over as soon as they are said: results, states of the hour, asides of a story.

They are true and well read, and still nobody would keep them: what a test measured, where the vans
are this morning, what hurts today. Certainty does not help here, so they are left whatever the
gate would say, unless someone asked to remember them.
"""

import re
from collections.abc import Callable, Sequence

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.stance import is_brief
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.tools import is_versioned
from hermes.types import FactKind

_TO_LAST = frozenset({FactKind.DEADLINE, FactKind.EVENT, FactKind.DECISION})
_ASKED_FOR = "by:remembered"
_LABELLED = "said"  # the attribute of a fragment that stands behind a label
_UNIT = (
    r"(?:km|m|cm|mm|miles?|min(?:ute)?s?|s|secs?|seconds?|ms|h|hours?|hrs?|[kmgt]i?b|%|percent|"
    r"requests?|errors?|points?|rows|lines)"
)
_AMOUNT = re.compile(rf"(?i)(?<![\w.])\d[\d.,]*\s?{_UNIT}(?!\w)")
_RESULT = re.compile(
    r"(?i)^(?:measured|results?|totals?|(?:first|second|third|last) (?:day|week|night|run|try|"
    r"attempt)|today|yesterday|so far|load test|benchmark)\b[^:]{0,20}:"
)
_AIM = re.compile(
    r"(?i)\b(?:goals?|targets?|limits?|agreed|decid\w+|decision|rules?|polic(?:y|ies)|sla|slo|budgets?|"
    r"schedule|timeouts?|under|below|above|at (?:most|least)|within|max\w*|minimum|up to)\b"
)
_COMPARED = re.compile(
    r"(?i)\b\d[\d.,]*\s?(?:%|percent|\w+)\s(?:longer|shorter|faster|slower|bigger|smaller|more|less|"
    r"fewer|higher|lower|better|worse|cheaper|heavier|lighter)\b[^.]{0,30}\bthan\b"
)
_HOURLY = re.compile(
    r"(?i)\b(?:since \d{1,2}[:.]\d\d|since \w+ (?:hours|minutes)|"
    r"since (?:this morning|noon|midnight|last night|an hour)|"
    r"(?:is|are) (?:all )?back (?:before|by|at|in|since)\b)"
)
_PAIN = re.compile(r"(?i)\b(?:hurts?|aches|is (?:sore|swollen|killing me))\b")
_LASTING = re.compile(
    r"(?i)\b(?:always|often|every|whenever|when|for (?:years|months)|chronic\w*)\b"
)
_OFFERED = frozenset(
    f"said:{verb}" for verb in "offer suggest propose promise volunteer threaten".split()
)
_STAYS = re.compile(r"(?i)^User (?:stays|remains) (?:on|with|at|in) \S+$")
_TO_HOUR = re.compile(
    r"(?i)^User(?:'s team)? (?:has |have )?(?:changed|switched|moved|went|set|pushed) (?:it )?to "
    r"(?:\d|noon|midnight)"
)
_RESOLVE = re.compile(
    r"(?i)\b(?:gonna|going to) keep\b|\bnever (?:give up|quit)\b|\bkeep (?:going|pushing|at it)\b"
)
_NAMING = frozenset({"NAME", "NUM", "ADDR"})
_FOR_GOOD = re.compile(
    r"(?i)\b(?:all|every(?!thing)\w*|(?:for|in|on|with) everything|always|"
    r"never|any\w*|no|from (?:now|here) on|future|each|"
    r"whenever|by default|don'?t|not)\b"
)
_NEEDED = re.compile(r"(?i)User needs (?:an?|some|help|one|two|three|\d)\b")
_TELLING = frozenset(f"said:{verb}" for verb in "tell say promise ask mention".split())
_MEANT_ONCE = re.compile(r"(?i)^(?:i|we) (?:was|were) going to\b")
_WEIGHT = re.compile(
    r"(?i)\b(?:is|weighs?) (?:now |already |about )*\d[\d.,]* ?(?:kilos?|kg|lbs?)\b"
)
_LOOKING_BACK = re.compile(
    r'(?i)^Asked "(?:[\w, ]{0,20}\b)?(?:what (?:has )?(?:changed|happened|went|helped|broke|failed|'
    r"caused|was (?:it|the|wrong))|why|how (?:did|was|were|come))\b"
)


def is_passing(candidate: Candidate) -> bool:
    """Whether a reading is of the hour, and nothing to keep."""
    if _ASKED_FOR in candidate.signs:
        return False
    return any(passes(candidate) for passes in _PASSING)


def _is_result(each: Candidate) -> bool:
    """ "Overtime: Atlas 0 minutes, Jonas 35 minutes": numbers that were read off once."""
    if each.attribute != _LABELLED or each.text.startswith("User"):
        return False
    if each.kind is FactKind.DECISION or _AIM.search(each.text):
        return False
    amounts = len(_AMOUNT.findall(each.value))
    return amounts > 1 or (amounts > 0 and _RESULT.match(each.text) is not None)


def _is_comparison(each: Candidate) -> bool:
    """ "the plan is 6 % longer than Jonas'": how one attempt came out beside another."""
    return each.attribute == "said:be" and bool(_COMPARED.search(each.quote))


def _is_of_the_hour(each: Candidate) -> bool:
    """ "live since 5:00", "every van is back before 16:00"."""
    return each.attribute.startswith("said") and bool(_HOURLY.search(each.quote))


def _is_pain(each: Candidate) -> bool:
    said = each.attribute.startswith("said:") and bool(_PAIN.search(each.quote))
    return said and not _LASTING.search(each.quote)


def _is_offer(each: Candidate) -> bool:
    """ "Jonas offered to keep planning by hand": what someone said he might do."""
    of_another = each.subject != USER and each.kind is FactKind.EVENT
    return of_another and each.attribute in _OFFERED


def _is_mere_stay(each: Candidate) -> bool:
    return each.attribute == "habit:stay" and bool(_STAYS.match(each.text))


def _changes_nothing_named(each: Candidate) -> bool:
    """ "Changed to 01:30 UTC": who was not there cannot tell what."""
    return bool(_TO_HOUR.match(each.text))


def _looks_back(each: Candidate) -> bool:
    """The answer to an open question about how things went."""
    return bool(_LOOKING_BACK.match(each.text))


def _is_resolve(each: Candidate) -> bool:
    """ "I'm gonna keep on going": said to cheer oneself up."""
    return each.attribute.startswith("said") and bool(_RESOLVE.search(each.quote))


def _is_weight(each: Candidate) -> bool:
    """ "the puppy is now 28 kilos": it grows."""
    return each.attribute.startswith("said") and bool(_WEIGHT.search(each.text))


def _is_request(each: Candidate) -> bool:
    """ "User asks to go with ClickHouse", "User needs a plan": for this once."""
    if each.text.startswith("User asks"):
        return not _FOR_GOOD.search(each.text)
    return each.attribute == "said:need" and bool(_NEEDED.match(each.text))


def _is_own_report(each: Candidate) -> bool:
    """ "I told the board we'd be ready", "I was going to learn Welsh": no more than that."""
    told = each.attribute in _TELLING and each.text.startswith("User ")
    return told or bool(_MEANT_ONCE.search(each.quote))


def _is_saying(each: Candidate) -> bool:
    """ "every small victory is a step forward": of nobody, nothing named, no number."""
    if not each.attribute.startswith("said:") or "User" in each.text or "user" in each.text:
        return False
    return not any(t.tag in _NAMING or t.text.isupper() for t in tokenize(each.text)[1:])


_PASSING: tuple[Callable[[Candidate], bool], ...] = (
    _is_result,
    _is_comparison,
    _is_of_the_hour,
    _is_pain,
    _is_offer,
    _is_mere_stay,
    _changes_nothing_named,
    _looks_back,
    _is_resolve,
    _is_weight,
    _is_request,
    _is_saying,
    _is_own_report,
)


def is_of_the_hour(frame: Frame, text: str, found: Sequence[Candidate]) -> bool:
    """True of this hour only."""
    if not found:
        return False
    if (
        frame.verb == "be"
        and frame.object
        and values.is_momentary(frame.object)
        and not values.is_role(frame.object)
        and not frame.has("fan")
    ):
        if any(is_versioned(each.value) for each in found):
            return False  # "we're stuck on spark 2.4": for long
        return not values.is_diet(frame.object) and not values.is_trait(frame.object)
    lasting = any(each.kind in _TO_LAST for each in found)
    lasting = lasting or (frame.verb == "turn" and found[0].attribute == "age")  # for a year
    return is_brief(text) and not lasting
