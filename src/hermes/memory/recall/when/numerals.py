"""Counts as people write them: digits, words up to a hundred, vague ones such as "a few" and
alternatives such as "two or three"; and the days of a month in words."""

import re
from collections.abc import Iterable

DIGITS = "#"  # stands for any number in digits, where the first words of a pattern are listed

_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]
_TEENS += ["seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBERS = {name: index for index, name in enumerate(_ONES + _TEENS, start=1)}
NUMBERS |= {name: 20 + 10 * index for index, name in enumerate(_TENS)}
NUMBERS |= {"a": 1, "an": 1, "hundred": 100}
VAGUE = {"couple": (1, 3), "few": (2, 5), "several": (3, 8), "some": (2, 6)}
COUNT_STARTS = (DIGITS, *NUMBERS, *VAGUE)


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, longer ones tried first."""
    return "(?:" + "|".join(sorted(words, key=lambda word: (-len(word), word))) + ")"


_ONE_COUNT = (
    rf"(?:\d{{1,4}}|(?:a |one )?hundred|{any_of(_TENS)}(?:[-\s]{any_of(_ONES)})?"
    rf"|{any_of(_ONES + _TEENS)}|(?:a )?(?:couple(?: of)?|few)|several|some|an?)"
)
COUNT = rf"(?:{_ONE_COUNT}(?:(?: or | to |\s?-\s?){_ONE_COUNT})?)"
# Between two counts; "twenty-one" is one.
_EITHER = re.compile(r"\s+(?:or|to)\s+|(?<!ty)\s?-\s?|\s?-\s?(?=\w+ty$)")

_NTHS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_NTHS += ["tenth", "eleventh", "twelfth", *(f"{name}th" for name in _TEENS[3:8]), "eighteenth"]
_NTHS += ["nineteenth", "twentieth", *(f"twenty-{name}" for name in _NTHS[:9]), "thirtieth"]
NTHS = {name: index for index, name in enumerate([*_NTHS, "thirty-first"], start=1)}
NTH_STARTS = tuple({name.split("-")[0] for name in NTHS})
NTH = any_of(NTHS).replace("-", r"[-\s]")


def parse_nth(text: str) -> int:
    """The day of a month: "3", "3rd", "third", "twenty third"."""
    if text[0].isdecimal():
        return int(text.rstrip("stndrh"))
    return NTHS["-".join(text.replace("-", " ").split())]


def parse_bounds(text: str) -> tuple[int, int]:
    """The least and the most that a count may mean: equal unless it is vague."""
    first, *others = (_parse_bounds(each) for each in _EITHER.split(text))
    if not others:
        return first
    ((low, high),) = others
    if low < first[0]:
        raise ValueError("no alternatives: they do not rise")  # "cut from five to three days ago"
    return first[0], max(first[1], high)


def _parse_bounds(text: str) -> tuple[int, int]:
    if text[0].isdigit():
        return int(text), int(text)
    words = text.replace("-", " ").split()
    for word in words:
        if word in VAGUE:
            return VAGUE[word]
    count = 100 if words[-1] == "hundred" else sum(NUMBERS[word] for word in words)
    return count, count
