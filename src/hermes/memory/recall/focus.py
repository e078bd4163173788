"""Where in a long message stands what a task asks for, and how a text is cut around it.

A message found by a sentence at its end must not be shown by its beginning. Pure.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from string import ascii_uppercase

from hermes.memory.recall.passage import windows_of

SHORT_CHARS = 400  # up to this a text is hardly ever cut
NEAR_CHARS = 250  # words so near to each other are said of one thing
MOST_HITS = 64  # of one word that are looked at; what is said more often marks no place
LEAD = 4  # a cut text begins this share of its length before what it was found for

_SMALL = {ord(letter): letter.lower() for letter in ascii_uppercase}

Asked = Sequence[tuple[str, float]]  # the beginnings of words, and what each weighs


def asked_words(words: Sequence[str], weights: Sequence[float]) -> Asked:
    return [(_beginning(word), weight) for word, weight in zip(words, weights, strict=True)]


def find_focus(text: str, asked: Asked) -> int:
    """Where most of the words, by weight, stand near to each other; 0 where none stands."""
    if len(text) <= SHORT_CHARS:
        return 0
    small = _small(text)
    places = [list(islice(_places(small, word), MOST_HITS)) for word, _ in asked]
    rare = [each for each in places if len(each) < MOST_HITS] or places
    best, focus = 0.0, 0
    for at in sorted({at for each in rare for at in each}):
        first, last = max(0, at - NEAR_CHARS), at + NEAR_CHARS
        near = sum(weight for word, weight in asked if small.find(word, first, last) != -1)
        if near > best + 1e-9:
            best, focus = near, at
    return focus


def _places(text: str, word: str) -> Iterator[int]:
    """Where a word begins like this one; inside a word only where its script has no blanks."""
    at = text.find(word)
    while at != -1:
        if not (at and word.isascii() and _is_of_word(text[at - 1])):
            yield at
        at = text.find(word, at + 1)


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _small(text: str) -> str:
    """In small letters, each where it was: a few are two letters when small."""
    small = text.lower()
    return small if len(small) == len(text) else text.translate(_SMALL)


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


def _beginning(word: str) -> str:
    """A word by its beginning, so that its other forms are found as well."""
    return _small(word.rstrip("*")[: max(4, len(word) - 3)])
