"""What sort of value some words hold: a day, an hour, an amount. Like takes the place of like."""

import re
from functools import lru_cache

_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_SORTS = {
    "weekday": r"\b(?:mon|tues?|wed(?:nes)?|thurs?|thu|fri|sat(?:ur)?|sun)(?:days?)?\b",
    "date": rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTHS}\b|"
    rf"\b{_MONTHS}\s+\d{{1,2}}\b|\bthe\s+\d{{1,2}}(?:st|nd|rd|th)\b",
    "clock": r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?[ap]\.?m\b|\bhalf past\b|^\d{1,2}$",
    "money": r"[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:k\b|dollars?|euros?|pounds?|bucks?|usd|eur|gbp|"
    r"francs?|kroner)",
    "phone": r"\+?\d(?:[\s-]?\d){6,}",
    "zone": r"\b[A-Z]\w+/[A-Z]\w+|\butc[+-]\d",
    "mail": r"\S+@\S+\.\w+",
    "link": r"\bhttps?://|\b[\w-]+\.(?:com|org|net|io|dev|example)\b",
}
_COMPILED = {name: re.compile(pattern, re.I) for name, pattern in _SORTS.items()}
_VERSION = re.compile(r"\b(?P<product>[A-Za-z][\w+#-]*)\s+v?\d+(?:\.\d+)*\b")
_AMOUNT = re.compile(r"\b\d[\d.,]*\s+(?P<unit>[a-z]{2,})", re.I)


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
