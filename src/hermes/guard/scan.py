"""Looks for the wording of injected instructions: the second line, behind origin and trust.

Patterns stop few attackers and annoy many honest people, so nothing is decided or deleted on one
alone. A signal tells the person why a held write deserves a careful look; only several kinds
together, outside quotation marks, hold what the person or their agent wrote themselves.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes.guard.signs import SIGNS, compiled
from hermes.guard.text import clean

_HIDDEN_ENOUGH = 8
_EXCERPT = 80
_LONGEST = 1 << 16
_QUOTES = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|「[^」\n]{1,300}」|`[^`\n]{1,300}`"
)
_CYRILLIC_LOOK = str.maketrans("асеорхуіѕјԁһАВСЕНІКМОРТХ", "aceopxyisjdhABCEHIKMOPTX")
_MIXED_WORD = re.compile(r"[A-Za-z][а-яёіѕјԁһ]|[а-яёіѕјԁһ][A-Za-z]", re.IGNORECASE)

# Kinds that try to speak with another voice; the rest is only what that voice would ask for.
_TAKEOVER = frozenset({"override", "role-marker", "fence-spoof", "hidden-text"})


@dataclass(frozen=True, slots=True)
class Signal:
    """One kind of suspicious wording, the words, and whether they are quoted rather than said."""

    kind: str
    excerpt: str
    is_quoted: bool = False


def scan(text: str) -> tuple[Signal, ...]:
    """Every kind of suspicious wording, at most once each; a text longer than a page is no note."""
    cleaned = clean(text[:_LONGEST])
    plain = _fold(cleaned.text)
    signals = list(_wording(plain))
    if cleaned.removed >= _HIDDEN_ENOUGH:
        signals.append(Signal("hidden-text", f"{cleaned.removed} invisible characters"))
    return tuple(signals)


def is_certain(signals: Iterable[Signal]) -> bool:
    """Whether signals are strong enough to hold even what the person or their agent wrote."""
    said = {signal.kind for signal in signals if not signal.is_quoted}
    return len(said) >= 2 and bool(said & _TAKEOVER)


def _fold(text: str) -> str:
    """One spelling for styled letters; words with hidden Cyrillic letters once more in Latin."""
    folded = unicodedata.normalize("NFKC", text)
    if _MIXED_WORD.search(folded) is None:
        return folded
    return f"{folded}\n{folded.translate(_CYRILLIC_LOOK)}"


def _wording(text: str) -> Iterator[Signal]:
    quoted = [match.span() for match in _QUOTES.finditer(text)]
    for kind in SIGNS:
        found = [match for pattern in compiled(kind) for match in pattern.finditer(text)]
        if found:
            said = [match for match in found if not _is_inside(match.span(), quoted)]
            first = min(said or found, key=re.Match.start)
            yield Signal(kind, first.group()[:_EXCERPT].strip(), is_quoted=not said)


def _is_inside(span: tuple[int, int], quoted: list[tuple[int, int]]) -> bool:
    place = bisect_left(quoted, span) - 1
    return place >= 0 and span[1] < quoted[place][1]
