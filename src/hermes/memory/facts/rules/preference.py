"""What the user likes, dislikes and is used to: preferences that outlast one task."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    bare,
    phrase,
    points_elsewhere,
    rule,
    short,
    words,
)
from hermes.memory.facts.rules.person import their, third_person
from hermes.types import Confidence, FactKind

LONGEST_PREFERENCE = 24  # words; longer is a story, not a preference


_LENGTH = r"short|concise|brief|terse|detailed|long|thorough|verbose"
_ANSWERS = r"answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)"

# Topics on which a person holds one preference at a time: the newer takes the older's place.
_TOPICS = (
    ("indentation", r"\b(?:tabs|spaces|indent\w*|2 spaces|4 spaces)\b"),
    ("theme", r"\b(?:dark|light)[ -](?:mode|theme)s?\b"),
    ("spelling", r"\b(?:british|american|uk|us|canadian|australian)[ -](?:english|spelling)\b"),
    ("units", r"\b(?:metric|imperial|celsius|fahrenheit|grams|ounces|cups|kilometers|km|miles)\b"),
    ("time_format", r"\b(?:24|12)[ -]?h(?:our|r)?s?\b"),
    ("date_format", r"\b(?:iso|dd/mm|mm/dd|date format|yyyy)\b"),
    ("quotes", r"\b(?:single|double)[ -]quotes\b"),
    (
        "answer_length",
        rf"\b(?:{_LENGTH})\b.*\b(?:{_ANSWERS})\b|\b(?:{_ANSWERS})\b.*\b(?:{_LENGTH})\b",
    ),
    ("tone", r"\b(?:formal|informal|casual)\b.*\b(?:tone|language|style)\b|\btone\b"),
    (
        "meeting_time",
        r"\bmeetings?\b.*\b(?:mornings?|afternoons?|evenings?)\b|"
        r"\b(?:morning|afternoon) meetings?\b",
    ),
    ("currency", r"\b(?:euros?|eur|usd|dollars|pounds|gbp|chf|yen)\b"),
)


_TOPIC_PATTERNS = tuple((name, re.compile(pattern, re.I)) for name, pattern in _TOPICS)


TRANSIENT = re.compile(
    r"\b(?:this (?:time|one|task|file|script|function|case|example|project only|email|answer|pr)|"
    r"for (?:this|now|today|the moment)|just (?:this once|for now)|today|tonight|right now|"
    r"right here|in this case|"
    r"(?:the|this) (?:first|second|third|last|latter|former) (?:one|option|version)|here)\b",
    re.I,
)


_OVER = re.compile(
    r"\s+(?:over|to|rather than|instead of|more than|vs\.?|than)\s+(?P<other>.+)$", re.I
)


def topic_of(value: str) -> str:
    return next((name for name, pattern in _TOPIC_PATTERNS if pattern.search(value)), "")


def _prefers(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if not _lasts(value, said):
        return
    over = _OVER.search(value)
    yield preference_fact(
        "prefers",
        value,
        f"User prefers {their(value)}",
        replaces=bare(over["other"]) if over else "",
    )


_THEN_DO = re.compile(
    r",\s+(?:e-?mail|call|text|use|send|give|just|don't|please|make|try|write|tell|"
    r"show|it|no)\b.*$",
    re.I,
)


def _likes(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(_THEN_DO.sub("", found["value"]))
    if _lasts(value, said) and words(value) <= 12 and not _is_reaction(value):
        yield preference_fact("likes", value, f"User likes {their(value)}")


def _dislikes(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(_THEN_DO.sub("", found["value"]))
    if value.lower().startswith("being called"):
        yield preference_fact("dislikes", value, f"User dislikes {value}")
    elif _lasts(value, said) and words(value) <= 14 and not _is_reaction(value):
        yield preference_fact("dislikes", value, f"User dislikes {their(value)}")


_REACTION = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|(?:the|this|that|these|those|your|"
    r"his|her|their|our)\b|.*\b(?:error|bug|idea|"
    r"suggestion|approach|"
    r"plan|message|output|result|answer|when|how|where|feeling|fact)\b|(?:to|for) (?!\w+ing)",
    re.I,
)


def _is_reaction(value: str) -> bool:
    """About what is on the table now, not about the person."""
    return bool(_REACTION.match(value))


NEARBY = re.compile(r"\b(?:this|that|them|these|those|him|her|it)\b", re.I)


def _lasts(value: str, said: Said) -> bool:
    whole = said.clause.sentence
    transient = TRANSIENT.search(said.text) or re.search(
        r"\b(?:for (?:this|now)|this time)\b", whole, re.I
    )
    if transient or points_elsewhere(value) or NEARBY.search(value):
        return False
    return words(value) <= LONGEST_PREFERENCE


def preference_fact(attribute: str, value: str, text: str, *, replaces: str = "") -> Candidate:
    topic = topic_of(value) if attribute == "prefers" else ""
    return Candidate(
        text,
        FactKind.PREFERENCE,
        USER,
        f"{attribute}:{topic}" if topic else attribute,
        value,
        single=bool(topic),
        replaces=replaces,
    )


def _favourite(found: Found, said: Said) -> Iterator[Candidate]:
    thing, value = found["thing"].lower(), short(found["value"])
    if points_elsewhere(value) or words(value) > 8 or words(thing) > 3:
        return
    if thing in {"thing", "part", "hobby", "pastime", "bit"}:
        return
    yield Candidate(
        f"User's favourite {thing} is {value}",
        FactKind.PREFERENCE,
        USER,
        f"favourite {thing}",
        value,
        single=True,
    )


def _favourite_reversed(found: Found, said: Said) -> Iterator[Candidate]:
    yield from _favourite(found, said)


def instruction(value: str, text: str, confidence: Confidence = Confidence.HIGH) -> Candidate:
    topic = topic_of(value)
    return Candidate(
        text,
        FactKind.PREFERENCE,
        USER,
        f"prefers:{topic}" if topic else "prefers",
        value,
        single=bool(topic),
        confidence=confidence,
    )


def _avoids(found: Found, said: Said) -> Iterator[Candidate]:
    value, verb = short(found["value"]), found["verb"].lower()
    if not points_elsewhere(value) and words(value) <= 4 and not TRANSIENT.search(said.text):
        yield preference_fact(f"avoids {verb}", value, f"User does not {verb} {value}")


def _report_format(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if points_elsewhere(value) or words(value) > LONGEST_PREFERENCE:
        return
    thing = found["thing"].lower().strip()
    yield Candidate(
        f"User's preferred {thing} is {value}",
        FactKind.PREFERENCE,
        USER,
        f"preferred {thing}",
        value,
        single=True,
    )


def _person(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I'm more of a black coffee person", "not a morning person"."""
    value = phrase(found["value"])
    if points_elsewhere(value) or words(value) > 7:
        return
    if found["no"]:
        yield preference_fact("dislikes", value, f"User is not a {value} person")
    else:
        yield preference_fact("likes", value, f"User is a {value} person")


def _habit(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I don't take meetings on Fridays": how the person lives, not what they do today."""
    value = phrase(f"{found['verb']} {found['value']}")
    what = short(found["value"])
    if (
        points_elsewhere(what)
        or words(value) > 12
        or TRANSIENT.search(said.text)
        or _is_reaction(what)
    ):
        return
    how = found["how"].lower().replace("don't", "do not")
    how = "does not" if how == "do not" else how
    verb = (
        found["verb"].lower() if how == "does not" else third_person(found["verb"].lower()).strip()
    )
    rest = phrase(found["value"])
    yield Candidate(
        f"User {how} {verb} {rest}",
        FactKind.PREFERENCE,
        USER,
        f"habit:{found['verb'].lower()}",
        f"{'not ' if how == 'does not' else how + ' '}{value}",
    )


def _best_with(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if not points_elsewhere(value) and words(value) <= 10:
        verb = found["verb"].lower()
        text = f"User {verb}s best {found['link'].lower()} {value}"
        yield preference_fact("prefers", f"{verb} {found['link'].lower()} {value}", text)


_BAD = (
    r"useless|annoying|boring|painful|tedious|confusing|exhausting|pointless|"
    r"distracting|stressful|ugly|"
    r"unreadable|gross|disgusting|overrated|hard\s+to\s+read|depressing|creepy"
)
_GOOD = r"helpful|relaxing|useful|calming|fun|fascinating|beautiful|soothing|inspiring|rewarding"


def _finds(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I find standups useless", "mornings drive me crazy"."""
    value = short(found["value"])
    if not _lasts(value, said) or words(value) > 7 or _is_reaction(value):
        return
    if found.groupdict().get("good"):
        yield preference_fact("likes", value, f"User finds {value} {found['good'].lower()}")
    else:
        yield preference_fact("dislikes", value, f"User dislikes {their(value)}")


VERY = (
    r"(?:\s+(?:really|absolutely|generally|usually|always|much|strongly|definitely|also|"
    r"still|just|truly|personally|actually|tend\s+to|typically|now|kind\s+of|do|vastly|"
    r"quite|mostly|particularly|especially|would|both))*"
)


RULES: tuple[Rule, ...] = (
    rule(
        rf"i\s+(?:usually\s+|generally\s+|always\s+|"
        rf"really\s+)?find\s+(?P<value>(?!myself|it\b|that\b|this\b).+?)"
        rf"\s+(?:really\s+|very\s+|so\s+|pretty\s+|super\s+|quite\s+|"
        rf"a\s+bit\s+)*(?:(?P<good>{_GOOD})|{_BAD})$",
        _finds,
    ),
    rule(
        r"(?P<value>(?:[\w'’-]+\s+){0,5}?[\w'’-]+)\s+(?:really\s+|just\s+|"
        r"always\s+)?(?:drives?\s+me\s+(?:crazy|"
        r"nuts|mad|insane|up\s+the\s+wall)|annoys?\s+me|bores?\s+me|stress(?:es)?\s+me\s+out|"
        r"gives?\s+me\s+(?:hives|a\s+headache|the\s+creeps))",
        _finds,
    ),
    rule(
        rf"(?:i|we){VERY}\s+prefer\s+(?:it\s+when\s+you\s+|if\s+you\s+|that\s+you\s+|"
        rf"you\s+to\s+|to\s+have\s+|to\s+use\s+|to\s+get\s+|using\s+)?(?P<value>.+)",
        _prefers,
    ),
    rule(
        r"(?:i|we)(?:'d|\s+would)\s+(?:much\s+)?(?:rather\s+(?=you\b|not\b|have\b|"
        r"use\b|keep\b|work\b|get\b|see\b|read\b|receive\b|stick\b|stay\b|do\b)|"
        r"prefer\s+)(?:you\s+|to\s+|that\s+you\s+|if\s+you\s+)?(?P<value>.+)",
        _prefers,
    ),
    rule(r"my\s+preference\s+is\s+(?:to\s+|for\s+)?(?P<value>.+)", _prefers),
    rule(
        r"(?:my|our)\s+(?:all[- ]time\s+|absolute\s+|current\s+|"
        r"personal\s+)?(?:favou?rite|go-to|fave|"
        r"fav)\s+(?P<thing>[\w -]{2,30}?)\s+(?:is|are|has\s+always\s+been|"
        r"of\s+all\s+time\s+is)\s+(?P<value>.+)",
        _favourite,
    ),
    rule(
        r"(?P<value>[\w .'-]{2,40}?)\s+is\s+my\s+(?:all[- ]time\s+|"
        r"absolute\s+)?favou?rite\s+(?P<thing>[\w -]{2,30})$",
        _favourite_reversed,
    ),
    rule(
        r"my\s+preferred\s+(?P<thing>[\w -]{2,30}?)(?:\s+is|\s+are|:)\s+(?P<value>.+)",
        _report_format,
    ),
    rule(
        r"i\s+am\s+(?P<no>not\s+)?(?:really\s+|much\s+|more\s+|definitely\s+|"
        r"such\s+)*(?:of\s+)?an?\s+(?P<value>[\w, '-]{3,50}?)\s+(?:person|drinker|"
        r"eater|lover|enthusiast|guy|girl|gal|"
        r"kind\s+of\s+person|type)\b",
        _person,
    ),
    rule(
        r"i\s+(?P<verb>learn|work|think|focus|sleep|study|concentrate|"
        r"code)\s+best\s+(?P<link>with|in|at|by|from|when|on)\s+(?P<value>.+)",
        _best_with,
    ),
    rule(
        r"i\s+(?P<how>do\s+not|never|only|usually|always|rarely)\s+(?P<verb>take|schedule|"
        r"work|accept|attend|answer|check|join|book|fly|drive|cook|train|exercise|wear|"
        r"watch|read|buy|travel|run|eat|drink|start|do|wake|get\s+up|go\s+to\s+bed|"
        r"commute|shop|order|write|keep|commit|squash|rebase|meditate|swim|cycle|bike|"
        r"walk|sleep|code)\s+(?P<value>.+)",
        _habit,
    ),
    rule(
        rf"i{VERY}\s+(?:love|adore|like|enjoy|am\s+(?:really\s+)?(?:into|fond\s+of|"
        rf"a\s+(?:big|huge|massive)\s+fan\s+of|obsessed\s+with))\s+(?P<value>.+)",
        _likes,
    ),
    rule(r"i\s+am\s+a\s+(?:big\s+|huge\s+|massive\s+)?(?:fan|lover)\s+of\s+(?P<value>.+)", _likes),
    rule(
        rf"i{VERY}\s+(?:hate|dislike|despise|detest|loathe|can\s+not\s+stand|"
        rf"do\s+not{VERY}\s+(?:like|enjoy|care\s+for)|am\s+not\s+(?:really\s+|"
        rf"much\s+of\s+)?(?:into|fond\s+of|a\s+(?:big\s+|huge\s+)?fan\s+of|"
        rf"keen\s+on))\s+(?P<value>.+)",
        _dislikes,
    ),
    rule(
        r"i\s+(?:do\s+not|never|no\s+longer)\s+(?P<verb>eat|drink|smoke)\s+(?P<value>.+)", _avoids
    ),
    rule(
        r"i{VERY}\s+like\s+(?P<value>[\w .+#-]{2,30}?\s+(?:better|more)\s+than\s+.+)".replace(
            "{VERY}", VERY
        ),
        _prefers,
    ),
)
