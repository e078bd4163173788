"""What sort of value some words hold: a day, an hour, an amount. Like takes the place of like."""

import re
from functools import lru_cache

from hermes.memory.facts.clauses.apply import TOPICS
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.tools import SAME_PURPOSE, find_purpose

_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_SORTS = {
    "weekday": r"\b(?:mon|tues?|wed(?:nes)?|thurs?|thu|fri|sat(?:ur)?|sun)(?:days?)?\b",
    "date": rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTHS}\b|"
    rf"\b{_MONTHS}\s+\d{{1,2}}\b|\bthe\s+\d{{1,2}}(?:st|nd|rd|th)\b|^\d{{1,2}}(?:st|nd|rd|th)$",
    "clock": r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?[ap]\.?m\b|\bhalf past\b|^\d{1,2}$",
    "money": r"[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:k\b|dollars?|euros?|pounds?|bucks?|usd|eur|gbp|"
    r"francs?|kroner)",
    "port": r"\bport \d+\b",
    "phone": r"\+?\d(?:[\s-]?\d){6,}",
    "zone": r"\b[A-Z]\w+/[A-Z]\w+|\butc[+-]\d",
    "mail": r"\S+@\S+\.\w+",
    "link": r"\bhttps?://|\b[\w-]+\.(?:com|org|net|io|dev|example)\b",
}
_COMPILED = {name: re.compile(pattern, re.I) for name, pattern in _SORTS.items()}
_VERSION = re.compile(
    r"\b(?!(?:is|are|at|to|on|of|about|from|since|by|for|in|and|or|was|until|the|has|have|ward|room|"
    r"page|number|no|port|floor|gate|track|platform|building|chapter|line)\b)(?P<product>[a-z][\w+#-]*)\s+v?\d+(?:\.\d+)*\b",
    re.I,
)
_AMOUNT = re.compile(r"\b\d[\d.,]*\s+(?P<unit>[a-z]{2,})")


@lru_cache(1 << 12)
def sorts_of(words: str) -> frozenset[str]:
    """The sorts of value that stand in some words; none where it is a name or a plain word."""
    found = {name for name, pattern in _COMPILED.items() if pattern.search(words)}
    if not found & {"date", "phone"}:
        found |= {f"version of {each['product'].lower()}" for each in _VERSION.finditer(words)}
        found |= {
            f"amount of {each['unit'].lower().rstrip('s')}" for each in _AMOUNT.finditer(words)
        }
    return frozenset(found)


def is_of_one_sort(old: str, new: str) -> bool:
    """A day for a day and an hour for an hour; what is of no sort known by its looks is of any."""
    mine, theirs = sorts_of(new), sorts_of(old)
    return not (mine or theirs) or bool(mine & theirs)


_MONTH = re.compile(rf"\b{_MONTHS}\b", re.I)
_STAMP = re.compile(r"\(\D*\d{4}-\d\d-\d\d\)")


def tells_two_days(text: str) -> bool:
    """ "The report is due on 12 December and the tax filing by end of January"."""
    told = _STAMP.sub("", text.lower())
    ways = (_MONTH, _COMPILED["weekday"], _COMPILED["date"])
    return " and " in told and any(len(set(way.findall(told))) > 1 for way in ways)


_SAME_THING = {
    **{name: purpose for name, purpose in SAME_PURPOSE.items() if " " not in name},
    **dict.fromkeys(("home", "house", "flat"), "location"),
    **dict.fromkeys(("job", "position", "title"), "role"),
    **dict.fromkeys(("boss", "supervisor"), "manager"),
    **dict.fromkeys(("number", "mobile", "cell"), "phone"),
    **dict.fromkeys(("company", "firm", "workplace"), "employer"),
    **dict.fromkeys(("major", "degree", "course"), "studies"),
    **dict.fromkeys(("girlfriend", "boyfriend", "wife", "husband", "spouse", "fiance"), "partner"),
}


@lru_cache(1 << 12)
def thing_of(value: str) -> str:
    """What a value that is known by name is a value of: an editor, a theme; or nothing."""
    words = set(value.lower().replace("-", " ").split())
    exclusive = next((name for name, members in TOPICS.items() if members & words), "")
    return exclusive or find_purpose(value)


def same_thing(name: str) -> str:
    """The name under which a thing is known that people call by several."""
    words = name.lower().replace("_", " ").split()
    return " ".join(_SAME_THING.get(word, word) for word in words)


def names_itself(sorts: frozenset[str]) -> bool:
    """ "Python 3.13", "Europe/Oslo": no word more is needed to know what it is a value of."""
    return any(sort == "zone" or sort.startswith("version of") for sort in sorts)


def is_predicate(value: str) -> bool:
    """ "has swimming on Tuesdays": what came in the place of a day is none of that."""
    words = tokenize(value)
    return not words or (len(words) > 1 and not words[0].is_capital and _is_finite(words[0]))


def _is_finite(word: Token) -> bool:
    return word.tag in {"HAVE", "BE"} or word.form in {"VB", "VZ", "VD"}
