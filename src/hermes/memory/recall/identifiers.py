"""Names by which one thing is meant and no other: OPS-1200, v2.31.3, 10.0.0.3, foo_bar0.baz, 12-3.

Pure. The index cuts them into pieces, and the pieces stand anywhere. So they are looked up whole as
well, and what holds exactly the one that is asked for goes before all that does not.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

LACKING = 0.68  # what is told at most of what lacks the identifier that is asked for
FEW = 20  # messages: what stands in more of them does not tell which is meant
_SHAPE = re.compile(r"(?<![\w.-])\w+(?:[-._]+\w+)*(?:[-._]\w+|_\w+)(?!\w)")
_OTHER = re.compile(  # a measure, a date, years: "3-year-old", 2026-03-01, 1.3.2026, 2021-23
    r"\d+(?:-[^\W\d_]+)+|\d{4}-\d\d?(?:-\d\d?)?|\d\d?[.-]\d\d?[.-]\d{4}|(?:19|20)\d\d-(?:\d\d){1,2}"
)


def find_identifiers(text: str) -> list[str]:
    """Those in a text, as they are written."""
    if not any(sign in text for sign in "-._"):
        return []
    return [found[0] for found in _SHAPE.finditer(text) if _names(found[0])]


def is_identifier(word: str) -> bool:
    return _SHAPE.fullmatch(word) is not None and _names(word)


def _names(word: str) -> bool:
    has_sign = "_" in word.strip("_") or any(map(str.isdigit, word))
    return has_sign and _OTHER.fullmatch(word) is None


def holds_any(text: str, identifiers: Sequence[str]) -> bool:
    """Whether one of the identifiers stands in a text whole, not as a part of a longer one."""
    return any(_whole(each).search(text) for each in identifiers)


@lru_cache(maxsize=256)
def _whole(identifier: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\w[-._]){re.escape(identifier)}(?![-._]?\w)", re.I)
