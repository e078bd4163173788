"""One word in two spellings: "favourite colour" and "favorite color". For comparing only.

The forms that come out are never shown, so that a rule may make a word of none ("exercize"), as
long as no two words become one.
"""

import re
from functools import lru_cache

REMEMBERED = 1 << 15

_OF_BRITAIN = (
    (
        re.compile(
            r"^((?:mis)?(?:col|fav|hon|lab|neighb|behavi|flav|harb|hum|rum|sav|vap|od|arm|endeav|parl|"
            r"rig|vig|val))our"
        ),
        r"\1or",
    ),
    (re.compile(r"(\w{3})is(e[sdr]?|ing|ations?|ers)$"), r"\1iz\2"),
    (re.compile(r"^(thea|cen|me|li|fi|cali)(t|b)re(s?)$"), r"\1\2er\3"),
    (re.compile(r"^(catal|dial|anal|monol)ogue"), r"\1og"),
    (re.compile(r"^(lic|def|off)ence"), r"\1ense"),
    (re.compile(r"^(trave|cance|mode|labe|signa|fue)ll(ed|ing|ers?)$"), r"\1l\2"),
)
_ELSE = {
    "grey": "gray",
    "programme": "program",
    "programmes": "programs",
    "mum": "mom",
    "tyre": "tire",
    "tyres": "tires",
    "cheque": "check",
    "cosy": "cozy",
    "named": "called",
}
_COUNTED = {
    word: str(number)
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), start=2
    )
}


@lru_cache(REMEMBERED)
def spelt(word: str) -> str:
    """The word, folded before, in the one spelling by which both are known."""
    for pattern, form in _OF_BRITAIN:
        word = pattern.sub(form, word)
    return _ELSE.get(word, word)


def counted(word: str) -> str:
    """A small number as digits; any other word as it is."""
    return _COUNTED.get(word, word)
