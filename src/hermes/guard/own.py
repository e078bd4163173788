"""Whether a text says what one sentence of the person says, and nothing more or less.

A model that has read a page may still be asked to remember what the person just told it. Such a
note need not be doubted: its words are theirs. The test is strict, for a page could try to have
something written that is only made of their words: the note must be one whole sentence of theirs
that is no question, word for word and in order. What may differ is politeness at its ends,
articles, the person (I, the user) and the ending that goes with it (prefer, prefers).
"""

import re
from collections.abc import Iterable, Iterator

_END = re.compile(r"(?<=[.!?])[\"'”)]*\s+(?![a-z0-9])|(?<=[。！？؟])\s*")
_SHORTENED = re.compile(r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|vs|e\.g|i\.e|\w)\.$", re.IGNORECASE)
_ASKING = ("?", "？", "؟")
_AROUND = '`"“”*_'
_USER = "user"
_SAME = dict.fromkeys("i me my mine we us our user's users".split(), _USER) | {
    "is": "be", "am": "be", "are": "be", "has": "have", "your": "you",
    "cannot": "can not", "can't": "can not", "won't": "will not",
}  # fmt: skip
_ENDINGS = (("n't", "not"), ("'m", "be"), ("'re", "be"), ("'ve", "have"), ("'ll", "will"))
_EMPTY = frozenset("a an the do does please".split())
_POLITE = frozenset("please remember note that also hi hello hey hermes ok okay".split())
_THANKS = frozenset("please thanks thank you".split())
_BOUND = frozenset(
    "not no never nor none nothing nobody without only unless if except until but instead when "
    "whenever once after before while whether says said say told tells tell asks asked pretend "
    "nicht kein keine nie nur wenn ne pas jamais sans sauf si sin nunca salvo".split()
)
LEAST_WORDS = 2


def is_own(text: str, said: Iterable[str]) -> bool:
    """Whether `text` repeats a sentence of what was `said`."""
    noted = _split(text)
    if len(noted) != 1:
        return False
    note = _read(noted[0])
    if sum(word != _USER for word in note) < LEAST_WORDS:
        return False
    sentences = (part for each in said for part in _split(each) if not part.endswith(_ASKING))
    return any(_repeats(note, words) for part in sentences for words in _ways(_read(part)))


def _split(text: str) -> list[str]:
    """The sentences; a line alone ends none, for a list belongs to the words before it."""
    parts: list[str] = []
    for part in filter(None, (each.strip() for each in _END.split(text))):
        if parts and _SHORTENED.search(parts[-1]):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return parts


def _ways(words: list[str]) -> Iterator[list[str]]:
    """The sentence, and what it asks to remember where that stands after something else."""
    yield words
    for n in range(1, len(words) - 1):
        is_asked = words[n] == "remember" and words[n + 1] == "that" and words[n - 1] == "and"
        if is_asked and _BOUND.isdisjoint(words[:n]):
            yield _without_manners(words[n:])


def _repeats(note: list[str], words: list[str]) -> bool:
    if words[:1] != [_USER]:
        return note == words
    if note[:1] != [_USER]:  # "Prefers tea" leaves the user out; "Push to main" would be an order
        is_order = note[:1] == words[1:2] and note[0] not in ("be", "have")
        if is_order:
            return False
        note = [_USER, *note]
    return len(note) == len(words) and all(map(_agrees, note, words))


def _agrees(noted: str, said: str) -> bool:
    """Whether two words are the same, or the first is the second as said of somebody else."""
    return noted in (said, f"{said}s", f"{said}es", f"{said.removesuffix('y')}ies")


def _read(sentence: str) -> list[str]:
    """The words as they are compared, with the marks between them."""
    plain = sentence.casefold().replace("’", "'").strip().rstrip(".!;。！")
    words = [part for word in plain.split() for part in _parts(word.strip(_AROUND))]
    return _without_manners([word for word in words if word and word not in _EMPTY])


def _parts(word: str) -> list[str]:
    if word in _SAME:
        return _SAME[word].split()
    for ending, meant in _ENDINGS:
        if word.endswith(ending) and word != ending:
            stem = word.removesuffix(ending)
            return [_SAME.get(stem, stem), meant]
    return [word]


def _without_manners(words: list[str]) -> list[str]:
    first, last = 0, len(words)
    while first < last and words[first].rstrip(",:") in _POLITE:
        first += 1
    while last > first and words[last - 1].rstrip(",") in _THANKS:
        last -= 1
    return [*words[first : last - 1], words[last - 1].rstrip(",")] if first < last else []
