"""Where in a long message stands what a task asks for, and how a text is cut around it.

A message found by a sentence at its end must not be shown by its beginning. Pure.
"""

import re
from collections.abc import Sequence
from itertools import islice

from hermes.memory.recall.passage import windows_of

SHORT_CHARS = 400  # up to this a text is hardly ever cut
NEAR_CHARS = 250  # words so near to each other are said of one thing
MOST_HITS = 2_000  # of one word that are looked at
LEAD = 4  # a cut text begins this share of its length before what it was found for

Asked = Sequence[tuple[re.Pattern[str], float]]  # words, and what each weighs

Hit = tuple[int, int, float]  # where a word stands, which one it is, what it weighs


def asked_words(words: Sequence[str], weights: Sequence[float]) -> Asked:
    return [(_like(word), weight) for word, weight in zip(words, weights, strict=True)]


def find_focus(text: str, asked: Asked) -> int:
    """Where most of the words, by weight, stand near to each other; 0 where none stands."""
    if len(text) <= SHORT_CHARS:
        return 0
    held = sorted(
        (hit.start(), number, weight)
        for number, (like, weight) in enumerate(asked)
        for hit in islice(like.finditer(text), MOST_HITS)
    )
    best, focus, first = 0.0, 0, 0
    for last, (at, _, _) in enumerate(held):
        while at - held[first][0] > NEAR_CHARS or _is_said_again(held, first, last):
            first += 1
        near = {number: weight for _, number, weight in held[first : last + 1]}
        if sum(near.values()) > best:
            best, focus = sum(near.values()), held[first][0]
    return focus


def _is_said_again(held: Sequence[Hit], first: int, last: int) -> bool:
    return any(number == held[first][1] for _, number, _ in held[first + 1 : last + 1])


def start_of_window(text: str, number: int) -> int:
    """Where one of the windows begins that a text was embedded in."""
    windows = windows_of(text)
    ahead = windows[: min(number, len(windows) - 1)]
    return sum(map(len, ahead))


def excerpt(text: str, focus: int, size: int) -> str:
    """At most `size` characters of a text, around its focus, with marks where it was cut."""
    if len(text) <= size:
        return text
    start = max(0, min(focus - size // LEAD, len(text) - size))
    if start and (gap := text.find(" ", start, start + size // LEAD)) != -1:
        start = gap + 1
    said = text[start : start + size]
    if start + size < len(text) and (gap := said.rfind(" ", size // 2)) != -1:
        said = said[:gap]
    before, after = "… " if start else "", " …" if start + size < len(text) else ""
    return f"{before}{said}{after}"


def _like(word: str) -> re.Pattern[str]:
    """A word by its beginning, so that its other forms are found as well."""
    beginning = word.rstrip("*")[: max(4, len(word) - 3)]
    return re.compile((r"(?<!\w)" if word.isascii() else "") + re.escape(beginning), re.IGNORECASE)
