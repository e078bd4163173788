"""What kind of thing a phrase names: a place, a person, a line of work, a tool, an amount.

Each test looks at the words of one phrase and answers for it alone.
"""

import re
from collections.abc import Callable, Sequence

from hermes.memory.facts.clauses.lexicon import (
    BUSINESS_NOUNS,
    CONDITIONS,
    DIETS,
    FUNCTIONS,
    LANGUAGES,
    MOMENTARY,
    NATIONALITIES,
    ORG_NOUNS,
    ROLE_ENDINGS,
    ROLE_NOUNS,
    TRAITS,
    UNITS,
)
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.tools import find_purpose, has_version, is_tool

Phrase = Sequence[Token]

CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays "
    "fridays saturdays sundays january february march april may june july august september october "
    "november december jan feb mar apr jun jul aug sep sept oct nov dec easter christmas q1 q2 q3 "
    "q4 spring summer autumn winter fall".split()
)
_POINTING = frozenset(
    "it this that these those them him you your yours something anything nothing stuff things one "
    "ones option approach way same myself yourself here there what how why when which everything "
    "everyone nobody someone all both second first third latter former other another more less "
    "most much lot bit kind sort case mess joke luck trouble time fun idea sense point".split()
)
_NO_PLACE = frozenset(
    "bed love town trouble hope fear debt school work house peace pain charge touch general fact "
    "tears denial meetings production prod staging dev person private case order front time "
    "progress mind space theory".split()
)


_TIME_OF = re.compile(
    r"(?i)(?:us |uk )?(?:(?:central|eastern|western) european|pacific|mountain|central|eastern|"
    r"atlantic|british|indian|japan|london|berlin|new york)(?: standard| summer| daylight)? time"
)
_TITLES = frozenset("dr mr mrs ms prof herr frau".split())
_OF_ANOTHER = frozenset("your his her their its".split())
_SPANS = frozenset("years year yrs yr months month weeks".split())
_UNIT = re.compile(
    r"\d+(?:gb|tb|mb|kb|ms|k|m|h|am|pm|px|s|th|st|nd|rd)|ram|am|pm|ok|asap|eod|btw|i"
)


def core(words: Phrase) -> list[Token]:
    """Without what merely points or counts at its start."""
    found = list(words)
    while found and (
        found[0].tag in {"DET", "ADV", "PUNCT", "INTJ"} or found[0].low in {"my", "our", "of"}
    ):
        found.pop(0)
    return found


def undated(words: Phrase) -> list[Token]:
    """ "Equinor" of "at Equinor June 1", "Nokia" of "at Nokia 4 years now"."""
    for n in range(1, len(words)):
        ahead = words[n + 1].low if n + 1 < len(words) else ""
        day = words[n].low in CALENDAR and (not ahead or ahead[0].isdigit())
        counted = words[n].tag == "NUM" and (ahead in CALENDAR or ahead in _SPANS)
        if day or counted:
            return list(words[:n])
    return list(words)


def names_in(words: Phrase) -> list[Token]:
    return [
        t for t in words if t.tag == "NAME" and t.low not in CALENDAR and not _UNIT.fullmatch(t.low)
    ]


def is_place(words: Phrase) -> bool:
    """Written as a name and not one of something else."""
    inner = core(words)
    if not inner or len(inner) > 5 or (len(inner) == 1 and inner[0].low in LANGUAGES):
        return False
    if words[0].tag == "DET" and words[0].low != "the":
        return False
    if inner[0].low in CALENDAR or find_purpose(spell(inner)) or not inner[0].is_capital:
        return False
    return all(
        t.tag == "NAME" or t.low in {"the", "of", "de", "la", "le", "and", "am", ","} for t in inner
    )


def is_loose_place(words: Phrase) -> bool:
    """A place even if typed small: after "live in" hardly anything else follows."""
    if is_place(words):
        return True
    inner = undated(core(words))
    if not inner or len(inner) > 2 or (words[0].tag in {"DET", "POSS"}):
        return bool(names_in(words)) and any(
            t.low in {"city", "north", "south", "part"} for t in words
        )
    plain = all(t.tag in {"NOUN", "NAME"} and t.low not in _NO_PLACE for t in inner)
    return plain and not any(is_tool(t.low) or t.low in CALENDAR for t in inner)


def is_org(words: Phrase) -> bool:
    """A company, school or office: named, or of a kind of which one has one."""
    inner = core(words)
    if not inner or inner[0].tag in {"PRON", "OBJ", "NUM", "WH"} or len(inner) > 7:
        return False
    if any(t.low in ORG_NOUNS for t in inner):
        return True
    names = names_in(inner)
    return bool(names) and inner[0].tag == "NAME" and inner[0].low not in CALENDAR


def is_loose_org(words: Phrase) -> bool:
    inner = core(words)
    return is_org(words) or (
        0 < len(inner) <= 3
        and words[0].tag not in {"DET", "POSS", "PRON"}
        and all(
            t.tag == "NOUN" and t.low not in _NO_PLACE | {"home", "night", "moment"} for t in inner
        )
    )


def is_firm(words: Phrase) -> bool:
    """An org that cannot be somebody: "for Sofia" may be for a person, "for Baker & Stone" not."""
    return is_org(words) and not is_person(core(words))


def is_person(words: Phrase) -> bool:
    inner = [t for t in words if t.low.strip(".") not in _TITLES]
    if not inner or len(inner) > 3 or inner[0].low in CALENDAR:
        return False
    if any(t.low in LANGUAGES | NATIONALITIES for t in inner) or find_purpose(spell(inner)):
        return False
    return all(
        t.tag == "NAME" and t.is_capital and re.sub(r"[-' ]", "", t.text).isalpha() for t in inner
    )


def is_role(words: Phrase) -> bool:
    """A line of work: the head noun is one."""
    head = role_words(words)
    if not head or len(head) > 9 or words[0].low in _OF_ANOTHER:
        return False
    of = next((n for n, t in enumerate(head) if t.low == "of"), len(head))
    if of > 1 and head[of - 1].low in {"guy", "gal", "person", "lady"}:
        of -= 1
    last = head[of - 1].low if of else ""
    if any(t.low in {"head", "chief", "director", "vp", "president", "member"} for t in head[:2]):
        return len(words) > 1
    if last in ROLE_NOUNS or last.endswith(ROLE_ENDINGS):
        return True
    return last.endswith("s") and last[:-1] in ROLE_NOUNS


def role_words(words: Phrase) -> list[Token]:
    """The part of a phrase that names the work: before any preposition but "of"."""
    inner = core(words)
    for index, token in enumerate(inner):
        if token.tag in {"PREP", "PUNCT", "CONJ", "NEG", "WH", "ADV"} and token.low != "of":
            return inner[:index]
    return inner


def is_language(words: Phrase) -> bool:
    return any(t.low in LANGUAGES for t in words)


def is_nationality(words: Phrase) -> bool:
    inner = core(words)
    return len(inner) == 1 and inner[0].low in NATIONALITIES and inner[0].is_capital


def is_diet(words: Phrase) -> bool:
    return any(t.low in DIETS for t in words) or _joined(words) in {
        "lactose intolerant",
        "gluten free",
    }


def is_trait(words: Phrase) -> bool:
    lows = {t.low for t in words}
    return bool(lows & TRAITS) or is_condition(words)


def is_condition(words: Phrase) -> bool:
    lows = {t.low for t in words}
    text = _joined(words)
    return bool(lows & CONDITIONS) or bool(
        re.search(
            r"\b(?:colou?r blind|hay fever|(?:left|right)[- ]handed|"
            r"impaired|bad (?:\w+ )?(?:knee|back|shoulder|hip|ankle)s?|"
            r"hearing aids?|\w+ (?:disorder|syndrome|disease|deficiency|impairment)|night owl|"
            r"early bird|morning person|motion sick|carsick|seasick|frozen shoulder|slipped disc|"
            r"type [12](?: diabetes)?$|[a-z]{3,}(?:itis|osis|aemia|thyroidism|opathy)\b)",
            text,
        )
    )


def is_momentary(words: Phrase) -> bool:
    inner = [t for t in words if t.tag not in {"ADV", "DET", "NEG"}]
    return bool(inner) and inner[0].low in MOMENTARY


def is_tool_phrase(words: Phrase) -> bool:
    """Names a tool: a known one, or something written as a name."""
    if points_elsewhere(words) or is_amount(words):
        return False
    spelled = spell(words)
    if find_purpose(spelled) or has_version(spelled) or any(is_tool(t.low) for t in words):
        return True
    return any(t.low not in NATIONALITIES and not is_person_title(t) for t in names_in(words))


def is_system(words: Phrase) -> bool:
    """A tool that is known, or something that only machines are called: eu-west-1, nas-02."""
    if points_elsewhere(words) or is_amount(words) or all(t.low in CALENDAR for t in words):
        return False
    if find_purpose(spell(words)) or any(
        is_tool(t.low) or t.tag == "ADDR" or t.text == "`" for t in words
    ):
        return True
    if is_zone(spell(words)):
        return False
    return any(
        any(map(str.isdigit, t.text)) or "_" in t.text or any(map(str.isupper, t.text[1:]))
        for t in names_in(words)
    )


def is_zone(text: str) -> bool:
    """The name of a time zone: EAT, UTC+2."""
    return bool(re.fullmatch(r"[A-Z]{2,3}T|UTC(?:[+-]\d+)?|GMT(?:[+-]\d+)?", text))


def is_timezone(words: Phrase) -> bool:
    """As `is_zone`, or by its name: "Pacific time", "Eastern Standard Time"."""
    told = spell(core(words))
    return is_zone(told) or bool(_TIME_OF.fullmatch(told))


def is_person_title(token: Token) -> bool:
    return token.low in {"dr", "mr", "mrs", "ms", "prof", "i", "ok", "asap", "eod"}


def is_address(words: Phrase) -> bool:
    return any(t.tag == "ADDR" for t in words)


def is_amount(words: Phrase) -> bool:
    """A number with its unit, a share, a price."""
    text = _joined(words)
    if re.search(r"\d\s?(?:%|k\b|m\b|gb|tb|mb|cm|kg|km|€|\$|£)|[€$£#]\s?\d", text):
        return True
    numbers = [n for n, t in enumerate(words) if t.tag == "NUM"]
    return any(words[n + 1].low in UNITS for n in numbers if n + 1 < len(words)) or (
        any(words[n + 2].low in UNITS for n in numbers if n + 2 < len(words))
    )


def is_number(words: Phrase) -> bool:
    return any(t.tag == "NUM" or any(map(str.isdigit, t.text)) for t in words)


def is_age(words: Phrase) -> bool:
    inner = core(words)
    if not inner or not inner[0].text.isdecimal() or not 5 <= int(inner[0].text) <= 110:
        return False
    return len(inner) == 1 or inner[1].low in {"years", "yrs", "yo", "y", ",", "in", "and"}


def is_value(words: Phrase) -> bool:
    """Something exact: a name, an address, an amount, a number, words in quotation marks."""
    return (
        is_tool_phrase(words)
        or is_address(words)
        or is_amount(words)
        or is_number(words)
        or any(t.text in {'"', "“", "`", "'", "<"} for t in words)
    )


def is_thing(words: Phrase) -> bool:
    """A phrase that still means something outside this conversation."""
    inner = core(words)
    if not inner or len(inner) > 14 or points_elsewhere(words):
        return False
    return any(t.tag in {"NOUN", "NAME", "VERB", "ADDR", "ADJ"} for t in inner)


def is_general(words: Phrase) -> bool:
    """As `is_thing`, but not "the …", which was mentioned before, unless it is qualified."""
    if not words or (words[0].tag == "POSS" and words[0].low not in {"my", "our"}):
        return False
    definite = words[0].low == "the" and not any(
        t.low in {"word", "of", "term", "phrase"} for t in words[1:4]
    )
    return is_thing(words) and not definite


def is_fan(words: Phrase) -> bool:
    """ "a vs code person", "more of a black coffee, no sugar person"."""
    return len(words) > 2 and words[-1].low in {
        "person",
        "drinker",
        "guy",
        "girl",
        "fan",
        "lover",
        "eater",
        "type",
    }


def is_activity(words: Phrase) -> bool:
    return bool(words) and words[0].tag == "VERB" and words[0].form == "VG"


def is_function(words: Phrase) -> bool:
    inner = [t for t in words if t.tag != "ADV"]
    return 0 < len(inner) <= 3 and (inner[-1].low in FUNCTIONS or inner[-1].text == "IT")


def is_business(words: Phrase) -> bool:
    inner = role_words(words)
    kinds = BUSINESS_NOUNS | {"busines", "operation"}
    return bool(inner) and inner[-1].low.removesuffix("s") in kinds


def points_elsewhere(words: Phrase) -> bool:
    """A phrase that means nothing without what was said before it."""
    inner = core(words)
    if not inner:
        return True
    first = inner[0]
    if first.low == "one" and len(inner) > 1:
        return False
    if first.low == "anything" and len(inner) > 2:
        return False
    if (
        first.low in _POINTING
        or first.tag in {"PRON", "OBJ", "WH"}
        or first.low in {"your", "his", "its", "their"}
    ):
        return True
    pointing = {"this", "that", "these", "those", "it", "your"}
    return any(t.low in pointing and t.text != "IT" for t in inner[:6])


def _joined(words: Phrase) -> str:
    return " ".join(t.low for t in words)


def is_anything(words: Phrase) -> bool:
    return bool(words)


CLASSES: dict[str, Callable[[Phrase], bool]] = {
    "place": is_place,
    "loose_place": is_loose_place,
    "org": is_org,
    "firm": is_firm,
    "loose_org": is_loose_org,
    "person": is_person,
    "role": is_role,
    "language": is_language,
    "nationality": is_nationality,
    "diet": is_diet,
    "trait": is_trait,
    "condition": is_condition,
    "tool": is_tool_phrase,
    "address": is_address,
    "system": is_system,
    "amount": is_amount,
    "number": is_number,
    "zone": is_timezone,
    "age": is_age,
    "value": is_value,
    "thing": is_thing,
    "general": is_general,
    "activity": is_activity,
    "fan": is_fan,
    "function": is_function,
    "business": is_business,
    "any": is_anything,
}
