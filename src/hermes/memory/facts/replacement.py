"""Which known facts a told change speaks of: those that hold what is gone, or its very slot.

Words decide, not attributes: who tells of a change seldom names a thing as it was named before.
What can hold beside the new is left alone; where two could be meant equally, neither is.
"""

import re
from collections.abc import Sequence

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.cancellation import find_called_off
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.apply import TOPICS
from hermes.memory.facts.clauses.lexicon import OTHERS_IN_LIFE, RELATIONS
from hermes.memory.facts.clauses.posts import is_promotion
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.values import is_role
from hermes.memory.facts.compare import (
    is_against,
    is_related_attribute,
    is_same_attribute,
    is_same_value,
    stems,
)
from hermes.memory.facts.distinction import tells_apart
from hermes.memory.facts.holders import find_holder
from hermes.memory.facts.preference import is_in_place_of
from hermes.memory.facts.rescheduling import is_redated
from hermes.memory.facts.restatement import find_told_anew
from hermes.memory.facts.retelling import (
    about,
    is_part_gone,
    may_retell,
    quote_of,
    sorts_held,
    tells,
)
from hermes.memory.facts.rivals import are_of_two_sorts
from hermes.memory.facts.sorts import names_itself, same_thing, sorts_of, thing_of
from hermes.types import Fact, FactKind

_LASTS = frozenset(
    {"hometown", "native_language", "nationality", "birthday", "birth year", "surname", "event"}
)
_CHOSEN = frozenset({FactKind.ENVIRONMENT, FactKind.DECISION, FactKind.PREFERENCE})
_MANY = frozenset(
    "likes dislikes avoids prefers language pet project uses habit trait allergy colleague child "
    "son daughter friend brother sister has owns medication licence decision event".split()
)
_ADDED = re.compile(
    r"\b(?:also(?! (?:just |finally )?(?:mov|push|shift|switch|chang|rais|lower|bump|extend|delay|"
    r"postpon|reschedul|put|upped|increas|reduc|renam|swapp))|too|as well|another|second|"
    r"additionally|besides|we have an? \w+ in)\b",
    re.I,
)
_OF_ANOTHER = re.compile(r"User's (?:team's )?(\w+)\b")
_BANS = re.compile(r"(?i)\bto (?:(?:not|never|stop|avoid)|no longer)\b")
_OF_SOMEONE = re.compile(r"(?:\w+,? )?(?:my|our) (\w+)\b(?!['’]s)", re.I)
_AMOUNT = re.compile(r"[€$£]?\s?\d[\d.,]*\s?(?:k|€|euros?|dollars?|pounds|(?:a|per) month)*", re.I)
_DOSE = re.compile(r"(?i)\d[\d.,]*\s?(?:mg|mcg|µg|ug|ml|g|iu|units?)")
# Of these the value is a thing that one may drop, sell or have no more of; that ends none.
_BORNE = frozenset({"allergy", "dislikes", "avoids"})
_NOT_BORNE = re.compile(
    r"(?i)\b(?:allerg\w*|intoleran\w*|wrong|fine|ok(?:ay)?|allowed|welcome|again|avoid\w*|mind|"
    r"like|love|hate|what (?:i|we) (?:said|told|wrote)|never said)\b"
)
_NOT_YET = re.compile(r"\b(?:is|are|has|have|does|do) not (?P<what>[^,;]+?) yet\b")
_AIM = re.compile(r"User (?:wants to|plans to|hopes to|is (?:learning|trying|training)) ")
_PREFERS = "prefers"
_ROLE = "role"
_SAYS_ROLE = re.compile(r"(?i)\b(?:role|job|position|title|work)\b")
_PROMOTED = re.compile(r"(?i)\b(?:promot|appoint)\w+")
_UNTOLD = frozenset(
    "now new thing date time day again back still all same last next week month year today please "
    "alway never herme want going got get was been moved chang longer any more most only into "
    "switc user team left has had have".split()
)


def find_replaced(candidate: Candidate, facts: Sequence[Fact]) -> list[Fact]:
    """The facts that no longer hold if the change a candidate tells is so."""
    if not candidate.change:
        return _preferred_before(facts, candidate) if candidate.correction else []
    if candidate.change.off and (off := find_called_off(candidate, facts)):
        return off
    able = [fact for fact in facts if _may_end(fact) and not _is_of_other(fact, candidate)]
    left = [fact for fact in able if _is_left(fact, candidate)] if candidate.change.gone else []
    left = left or [fact for fact in able if _is_part_left(fact, candidate)]
    if left:
        return _meant(left, candidate)
    if moved := [f for f in facts if is_redated(f, candidate) and _is_same_side(f, candidate)]:
        return _best(moved, candidate)
    if true := [fact for fact in able if _has_come_true(fact, candidate)]:
        return true
    handed = [fact for fact in able if _is_handed_on(fact, candidate)]
    found = handed or _restated(able, candidate) or _preferred_before(able, candidate)
    return found or find_told_anew(able, candidate)


def _preferred_before(facts: Sequence[Fact], candidate: Candidate) -> list[Fact]:
    """ "I prefer black tea now" beside "prefers green tea": of one kind, one is preferred."""
    new = candidate.change.new or candidate.value
    told = candidate.leaning or candidate.attribute.startswith((_PREFERS, "said:"))
    if not told or _ADDED.search(candidate.quote):
        return []
    held = [fact for fact in facts if fact.attribute == _PREFERS and not fact.ended]
    return [
        fact for fact in held if is_in_place_of(new, fact.value) and _is_same_side(fact, candidate)
    ]


def _may_end(fact: Fact) -> bool:
    """What happened has happened, and some things stay as they are."""
    if fact.ended or fact.attribute == "hometown":
        return False
    if fact.text.startswith("User is "):
        return True
    if fact.kind is FactKind.EVENT and "date" not in sorts_of(fact.text):
        return False
    return fact.attribute.partition(":")[0] not in _LASTS


def _is_of_other(fact: Fact, candidate: Candidate) -> bool:
    """Whether it tells of the other of two: "the new API is at …" of the new one, not the old."""
    told = candidate.text or candidate.quote
    return tells_apart(fact.text, told, is_end=bool(candidate.change.gone))


def _is_left(fact: Fact, candidate: Candidate) -> bool:
    """Whether a fact rests on what is said to be gone: its value names it."""
    change, gone = candidate.change, stems(candidate.change.gone)
    told = stems(f"{fact.text} {fact.value} {quote_of(fact)}")
    if not gone or not gone <= told or not gone & stems(fact.value) or _is_borne(fact, candidate):
        return False
    whose = stems(fact.subject)
    if alias_key(fact.subject) != USER and gone & whose and not (gone - whose) & stems(fact.value):
        return False  # what is told of the one who left still holds
    if change.new and change.topic and not stems(same_thing(change.topic)) <= about(fact):
        return False  # "the queue is NATS, not Redis": the cache may stay with Redis
    if change.new and (is_same_value(fact.value, change.new) or not tells(candidate)):
        return False
    if change.new and not may_retell(fact, candidate):
        return False
    return _is_same_side(fact, candidate) and _is_of_it(fact, candidate, gone)


def _is_borne(fact: Fact, candidate: Candidate) -> bool:
    """ "allergic to peanuts", where peanuts were dropped: not a word of how one bears them."""
    told = f"{candidate.quote} {candidate.text}"
    return fact.attribute in _BORNE and not _NOT_BORNE.search(told)


def _is_part_left(fact: Fact, candidate: Candidate) -> bool:
    return is_part_gone(fact, candidate) and _is_same_side(fact, candidate)


def _has_come_true(fact: Fact, candidate: Candidate) -> bool:
    """ "we are VAT registered since Monday" beside "we are not VAT registered yet"."""
    found = _NOT_YET.search(fact.text)
    ahead = stems(found["what"]) if found else frozenset()
    told = not is_against(candidate.text) and candidate.change.cued
    same = alias_key(fact.subject) == alias_key(candidate.subject)
    return bool(ahead) and told and same and ahead <= stems(candidate.text)


def _is_of_it(fact: Fact, candidate: Candidate, gone: frozenset[str]) -> bool:
    """Whether it is this fact that ends, where other things may be told beside."""
    if not candidate.text:
        return is_same_value(fact.value, candidate.change.gone) or _is_much(fact, gone)
    if not gone <= stems(f"{candidate.text} {candidate.quote}") or not candidate.change.own:
        near = _is_one_slot(fact, candidate) or bool(_shared(fact, candidate))
        return near or (_is_order(fact.text) and _is_order(candidate.text))
    exact = is_same_value(fact.value, candidate.change.gone)
    chosen = fact.kind in _CHOSEN and any(map(str.isupper, candidate.change.gone))
    aimed = bool(_AIM.match(fact.text)) and not candidate.change.new
    return exact or chosen or aimed or _is_much(fact, gone) or bool(_shared(fact, candidate))


def _is_order(text: str) -> bool:
    return text.startswith(("User wants", "User asks"))


def _is_ban(text: str) -> bool:
    """ "stop sending me summaries on WhatsApp" stays, wherever they are wanted since."""
    return _is_order(text) and bool(_BANS.search(text))


def _is_much(fact: Fact, gone: frozenset[str]) -> bool:
    return len(gone & stems(fact.value)) * 2 >= len(stems(fact.value) - _UNTOLD)


def _is_one_slot(fact: Fact, candidate: Candidate) -> bool:
    if candidate.attribute and candidate.attribute == thing_of(candidate.change.gone):
        return True
    return is_same_attribute(fact.attribute, candidate.attribute) or is_related_attribute(
        fact.attribute, candidate.attribute
    )


def _meant(found: Sequence[Fact], candidate: Candidate) -> list[Fact]:
    """Of several facts with what is gone, those whose value it is; else the one most spoken of."""
    exact = [fact for fact in found if is_same_value(fact.value, candidate.change.gone)]
    if len(exact) > 1:
        return [fact for fact in exact if _is_one_slot(fact, candidate)] or exact
    return exact or _best(found, candidate)


def _best(found: Sequence[Fact], candidate: Candidate) -> list[Fact]:
    scores = {fact.id: len(_shared(fact, candidate)) for fact in found}
    most = max(scores.values(), default=0)
    first = [fact for fact in found if scores[fact.id] == most]
    slots = {(alias_key(fact.subject), fact.attribute.casefold()) for fact in first}
    return first if len(slots) == 1 else []


def _shared(fact: Fact, candidate: Candidate) -> frozenset[str]:
    """The words about the same thing that both have, what changed aside."""
    told = stems(f"{fact.text} {fact.attribute} {quote_of(fact)}")
    aside = stems(candidate.change.gone) | _UNTOLD
    return (stems(f"{candidate.quote} {candidate.change.topic}") & told) - aside


def _is_same_side(fact: Fact, candidate: Candidate) -> bool:
    """One subject; or the thing that the one is about stands in the words of the other."""
    mine, theirs = alias_key(candidate.subject), alias_key(fact.subject)
    whose = _OF_ANOTHER.match(candidate.text)
    teller = None if candidate.text else _OF_SOMEONE.match(candidate.quote)
    if teller and teller[1].lower() in OTHERS_IN_LIFE and fact.kind is FactKind.RELATIONSHIP:
        return False  # "my sister got a new landlord, it's Ada now"
    if whose and whose[1].lower() in RELATIONS and whose[1].lower() not in fact.text.lower():
        topic = stems(candidate.change.topic)  # "our customer moved the cut-over": not of theirs
        if not topic or not topic <= stems(fact.text):
            return False  # "my husband is no longer vegetarian"
    if mine == theirs or _is_one_person(fact, candidate):
        return True
    if theirs == alias_key(candidate.attribute):
        return True  # "CI: User's team uses Jenkins", and GitHub Actions are for CI, too
    if USER not in (mine, theirs):
        return False
    of_fact = mine == USER
    named = stems(fact.subject if of_fact else candidate.subject)
    change = f"{candidate.quote} {candidate.change.gone} {candidate.change.topic}"
    told = change if of_fact else f"{fact.text} {fact.attribute} {quote_of(fact)}"
    return bool(named) and named <= stems(told)


def _is_one_person(fact: Fact, candidate: Candidate) -> bool:
    """ "my son" is the son that was named before: "User's son Emil is allergic to eggs"."""
    whose = re.fullmatch(r"user's (\w+)", candidate.subject, re.IGNORECASE)
    named = f"user's {whose[1]} {fact.subject} " if whose else ""
    return bool(whose) and fact.text.casefold().startswith(named.casefold())


def _is_handed_on(fact: Fact, candidate: Candidate) -> bool:
    """ "Jonas owns Orion now" beside "Marta owns Orion": one thing, one role, another person."""
    mine = find_holder(candidate.quote)
    theirs = [found for each in (fact.text, quote_of(fact)) if (found := find_holder(each))]
    if mine is None or not any(map(mine.is_of_same, theirs)):
        return False
    return not any(is_same_value(mine.who, each.who) for each in theirs)


def _restated(facts: Sequence[Fact], candidate: Candidate) -> list[Fact]:
    """The one fact about the thing that went elsewhere, with a value of the sort that came."""
    new, topic = _arrived(candidate)
    if not new or _ADDED.search(candidate.quote):
        return []
    able = [fact for fact in facts if may_retell(fact, candidate)]
    able = [fact for fact in able if _is_ban(fact.text) == _is_ban(candidate.text)]
    return _best([fact for fact in able if _holds_slot(fact, candidate, topic, new)], candidate)


def _arrived(candidate: Candidate) -> tuple[str, frozenset[str]]:
    """What has come, and the words for what it is a value of."""
    change = candidate.change
    named = change.topic
    if candidate.kind is FactKind.DEADLINE:
        named = named or candidate.attribute.partition(":")[2]
    sure = not candidate.leaning and not candidate.attribute.startswith(("said", "says", "asks"))
    new = change.new or (candidate.value if sure else "")
    own = candidate.attribute if sure and not _is_of_many(candidate.attribute) else ""
    return new, stems(same_thing(named or own or thing_of(new))) - _UNTOLD


def _holds_slot(fact: Fact, candidate: Candidate, topic: frozenset[str], new: str) -> bool:
    if not _is_same_side(fact, candidate) or stems(new) <= stems(f"{fact.text} {fact.value}"):
        return False
    if are_of_two_sorts(fact.attribute, new, fact.value) or not _may_hold(fact, candidate, new):
        return False
    sorts = sorts_of(new) or sorts_of(f"{candidate.change.topic} {new}")
    theirs = sorts_held(fact, of=sorts)
    if names_itself(sorts & theirs) or _is_like(fact, candidate, new):
        return True
    if topic and (_is_chosen_for(fact, candidate, topic) or _is_amount_of(fact, topic, new)):
        return True
    wished = _is_order(fact.text) and _is_order(candidate.text)
    if not topic or (_is_of_many(fact.attribute) and not wished):
        return False
    thing = stems(same_thing(fact.attribute)) | stems(thing_of(fact.value))
    told = stems(f"{fact.text} {fact.subject} {quote_of(fact)}") | thing
    if sorts or theirs:
        return topic <= told and bool(sorts & theirs)
    named = not fact.attribute.startswith(("said", "says"))
    return named and topic <= (told - stems(fact.value) if fact.single else thing)


def _may_hold(fact: Fact, candidate: Candidate, new: str) -> bool:
    """Whether what came may be a value of what a fact is about: no role is "tired", unless it is
    said to be one."""
    if fact.attribute != _ROLE or _SAYS_ROLE.search(candidate.quote):
        return True
    is_one = is_promotion if _PROMOTED.search(candidate.quote) else is_role
    return is_one(tokenize(new))


def _is_like(fact: Fact, candidate: Candidate, new: str) -> bool:
    """ "we reverted to REST" beside "decided to use GraphQL": the one is what the other is for."""
    liked = {fact.kind, candidate.kind} == {FactKind.PREFERENCE} and not is_against(fact.text)
    thing = thing_of(new if liked and fact.attribute != "dislikes" else candidate.change.new)
    return bool(thing) and thing == thing_of(fact.value) and fact.kind in _CHOSEN


def _is_chosen_for(fact: Fact, candidate: Candidate, topic: frozenset[str]) -> bool:
    """ "going with RabbitMQ for the queue" beside "decided to use Redis for the queue"; so is
    "the queue is RabbitMQ now"."""
    told = candidate.kind is FactKind.DECISION or bool(candidate.change.topic)
    decided = fact.kind is FactKind.DECISION and told
    return decided and stems(fact.text.rpartition(" for ")[2]) == topic


def _is_amount_of(fact: Fact, topic: frozenset[str], new: str) -> bool:
    """ "rent goes up to 1,525" beside "the rent is 1,450"; another dose of the same medicine."""
    if fact.attribute == "medication" and _DOSE.fullmatch(new):
        return topic <= stems(fact.value)
    amounts = _AMOUNT.fullmatch(fact.value) and _AMOUNT.fullmatch(new)
    return bool(amounts) and topic == stems(fact.attribute) - _UNTOLD


def _is_of_many(attribute: str) -> bool:
    """Whether several values of an attribute hold at a time."""
    return attribute.partition(":")[0] in _MANY and attribute.partition(":")[2] not in TOPICS
