"""Whether a clause is meant as true: not asked, supposed, wished for, or said in jest."""

import re

from hermes.memory.facts.rules.clauses import Clause

_ASKING = re.compile(
    r"(?:what|how|why|where|who|whom|whose|which|when (?:is|are|do|does|did|was|will|should|can)|"
    r"is|are|am|was|were|do(?! not\b)|does|did|has|have you|have we|have i|can|could|would|"
    r"should|will|shall|may|"
    r"any (?:idea|chance|tips)|anyone|wondering)\b(?! you (?:please )?(?:remember|note))",
    re.I,
)
_TAG = re.compile(
    r"(?:right|ok(?:ay)?|yes|yeah|no|correct|remember|eh|huh|isn't it|is not it|is it|"
    r"do i|don't i|do not i|am i|aren't i|are not i|no\?)$",
    re.I,
)
_SUPPOSED = re.compile(
    r"^(?:if|unless|suppose|supposing|assuming|imagine|in case|say|whenever|once|until|when|"
    r"even if|as long as|should (?:i|we)|let us say)\b"
    r"|\b(?:maybe|perhaps|possibly|probably|might|may be|i guess|i suppose|i think|"
    r"i believe|i assume|"
    r"not (?:really )?sure|unsure|no idea|considering|thinking (?:about|of)|"
    r"leaning (?:towards?|to)|"
    r"toying with|tempted|i wish|wishing|wonder(?:ing)?|would(?!n't| rather| prefer|"
    r" like you)|could(?!n't)|hopefully|"
    r"hoping|i hope|we hope|in theory|theoretically|supposedly|allegedly|apparently|rumou?r|"
    r"used to|kind of|sort of|kinda|sorta|what if|as if|(?:i|we)'d(?! (?:rather|"
    r"prefer|like (?:you|answers|replies|all|every)))|"
    r"almost|nearly|what about|how about|not yet|debating|torn|undecided|"
    r"(?<!prefer )if (?!possible|you (?:can|do not mind|please|could)|it helps|needed|"
    r"that helps|applicable))\b",
    re.I,
)
_CONDITION = re.compile(
    r"(?:if|unless|suppose|supposing|assuming|imagine|in case|say|whenever|once|until|when|even if|"
    r"as long as|should (?:i|we)|what if|let us say|had (?:i|we))\b",
    re.I,
)
_JEST = re.compile(
    r"(?:^|\s)/s\b|🙄|\b(?:yeah,? right|said no one|just kidding|j/?k|kidding|joking|as if|"
    r"sure,? because|because that(?:'s| is) (?:always|totally)|how (?:lovely|wonderful)|"
    r"(?<!not )(?:love|adore|enjoy|like)s? (?:it )?(?:when|how) (?!you\b)\w+|"
    r"(?:love|adore|enjoy)s?\b.{0,60}\b(?:breaks?|breaking|crash(?:es|ing)?|fail(?:s|ing|ures?)?|"
    r"outages?|downtime|paged|on a (?:friday|sunday|saturday)|at (?:2|3|4) ?am|bugs?|"
    r"merge conflicts?|"
    r"flaky|debugging|again|timeouts?|waiting|undocumented|legacy|spaghetti)|"
    r"(?:oh|how) (?:great|joy|fun)|my favou?rite (?:thing|hobby|pastime|part)\b|"
    r"living the dream)\b",
    re.I,
)
_RETRACTION = re.compile(
    r"(?:lol |haha |ha |nah |no )?(?:jk|j/k|just kidding|kidding|i'm kidding|only joking|joking|"
    r"/s|not really|not[.!]?$|sarcasm|obviously not|i wish)\b",
    re.I,
)


def is_jest(sentence: str, following: str) -> bool:
    """Said in jest, by its own marks or because the next sentence takes it back."""
    return bool(_JEST.search(sentence) or _RETRACTION.match(following.strip()))


def is_question(clauses: list[Clause]) -> bool:
    """The whole sentence asks: it opens as a question, or a tag turns it into one."""
    last = clauses[-1]
    if last.hearsay:
        return False
    opening = clauses[0].text
    return last.asks and (
        len(clauses) == 1 or bool(_ASKING.match(opening) or _TAG.match(last.text))
    )


# What someone outside the user's own circle says is theirs, not the user's.
_REPORTED = re.compile(
    r"(?:he|she|they|someone|somebody|a (?:guy|friend|woman)|(?:the|this|that|our|"
    r"my) (?:\w+ )?(?:recruiter|"
    r"customer|vendor|guy|user|interviewer|landlord|article|book|tutorial|ad|post|speaker|friend|"
    r"neighbou?r|ex|competitor|candidate))\b.{0,40}\b(?:said|says|wrote|writes|claim(?:s|ed)?|"
    r"asks?|asked|"
    r"told)\b",
    re.I,
)


def is_meant(clause: Clause) -> bool:
    """Stated as true by the one who writes."""
    if _REPORTED.match(clause.sentence):
        return False
    if clause.explicit:
        return not clause.asks or not _ASKING.match(clause.text)
    asked = (clause.asks and not clause.hearsay) or bool(_ASKING.match(clause.text))
    return not asked and not _SUPPOSED.search(clause.text)


def is_supposition(clause: Clause) -> bool:
    """A sentence that opens with a condition asserts nothing, in any of its clauses."""
    return bool(_CONDITION.match(clause.text)) and not clause.explicit
