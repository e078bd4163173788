"""Counts as people write them: digits, words up to a hundred, and vague ones such as "a few"."""

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


COUNT = (
    rf"(?:\d{{1,4}}|(?:a |one )?hundred|{any_of(_TENS)}(?:[-\s]{any_of(_ONES)})?"
    rf"|{any_of(_ONES + _TEENS)}|(?:a )?(?:couple(?: of)?|few)|several|some|an?)"
)


def parse_count(text: str) -> int:
    """What a count says: "12", "twenty-one", "a"; the middle of a vague one."""
    low, high = parse_bounds(text)
    return (low + high) // 2


def parse_bounds(text: str) -> tuple[int, int]:
    """The least and the most that a count may mean: equal unless it is vague."""
    if text[0].isdigit():
        return int(text), int(text)
    words = text.replace("-", " ").split()
    for word in words:
        if word in VAGUE:
            return VAGUE[word]
    count = 100 if words[-1] == "hundred" else sum(NUMBERS[word] for word in words)
    return count, count
