"""Words and marks of a text as they are written, each at its place; what they are is not asked.

A contraction is two words ("don't"), the family name behind a particle is one ("van den Berg").
"""

import re
from dataclasses import dataclass

from hermes.memory.entities.names import PARTICLES
from hermes.memory.facts.clauses.lexicon import CLOSED

WRITTEN_SHORT = {"w/": "with", "w": "with", "w/o": "without"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark: where it stands, what it may be, and of a verb its lemma and form."""

    text: str
    start: int
    end: int
    tag: str = ""
    lemma: str = ""
    form: str = ""

    @property
    def low(self) -> str:
        low = self.text.lower().replace("’", "'")
        return WRITTEN_SHORT.get(low, low) if self.tag == "PREP" else low

    @property
    def is_capital(self) -> bool:
        return self.text[:1].isupper() or " " in self.text


_CHUNK = re.compile(r"\S+")
_OPEN, _CLOSE = "([{\"'“‘*`<", ".,;:!?)]}\"'”’…*`>"
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.[\w.-]+|@[\w.@-]{2,}|#[a-zA-Z][\w-]+|"
    r"(?:~|\.{0,2})/[\w.@*~-]+(?:/[\w.@*~-]+)*/?|[\w-]+:/[\w./*-]+|"
    r"(?:[\w-]+\.)+(?:com|org|net|io|dev|example|internal|local|app|ai|co|de|uk|eu|fr|nl|ch)"
    r"(?:[:/]\S*)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[a-z]+/\*"
)
_PIECE = re.compile(
    r"\d{3,4}(?:-\d{3,4})+(?![\w-])|\d+(?:[.,:]\d+)*%?|[^\W_][\w]*(?:[-._/+#&!'’:][\w]+)*[+#]*\.?(?<=[A-Z]\.)|"
    r"[^\W_][\w]*(?:[-._/+#&!'’][\w]+)*[+#]*|[—–-]+|[^\w\s]"
)
_TITLED = re.compile(r"(?i)^(?:dr|mr|mrs|ms|prof|st)\.$")
_CONTRACTED = re.compile(r"(?i)^(.+?)(n['’]t|['’](?:m|re|ve|ll|d|s))$")
_IT_IS = re.compile(r"(?i)\s+(?:an?|the|my|our|not|in|on|at|been|just|all|still|now)\b|\s+\d")
_JOINED = {
    "im": ("i", "m"),
    "ive": ("i", "ve"),
    "dont": ("do", "nt"),
    "cant": ("ca", "nt"),
    "doesnt": ("does", "nt"),
    "didnt": ("did", "nt"),
    "isnt": ("is", "nt"),
    "wont": ("wo", "nt"),
    "thats": ("that", "s"),
    "hes": ("he", "s"),
    "shes": ("she", "s"),
    "theyre": ("they", "re"),
    "youre": ("you", "re"),
    "weve": ("we", "ve"),
    "theyve": ("they", "ve"),
    "wasnt": ("was", "nt"),
    "arent": ("are", "nt"),
    "hasnt": ("has", "nt"),
    "havent": ("have", "nt"),
    "cannot": ("can", "not"),
}
_PARTS = {
    "'m": "BE",
    "m": "BE",
    "'re": "BE",
    "re": "BE",
    "'ve": "HAVE",
    "ve": "HAVE",
    "'ll": "AUX",
    "'d": "AUX",
    "n't": "NEG",
    "nt": "NEG",
    "'s": "S",
    "s": "S",
}


def split_words(text: str) -> list[Token]:
    """The words and marks of a text, in order; only few have a tag already."""
    found: list[Token] = []
    for chunk in _CHUNK.finditer(text):
        if chunk.group().lower() == "its" and _IT_IS.match(text, chunk.end()):
            cut = chunk.end() - 1
            found += [
                Token(text[chunk.start() : cut], chunk.start(), cut),
                Token(text[cut], cut, cut + 1, "S"),
            ]
            continue
        found += _pieces(chunk.group(), chunk.start())
    return _with_particles(found, text)


def _pieces(chunk: str, start: int) -> list[Token]:
    if chunk.lower() in {"w/", "w/o"}:
        return [Token(chunk, start, start + len(chunk), "PREP")]
    head = len(chunk) - len(chunk.lstrip(_OPEN))
    if _TITLED.match(chunk[head:]):
        opening = [Token(char, start + n, start + n + 1) for n, char in enumerate(chunk[:head])]
        return [*opening, Token(chunk[head:], start + head, start + len(chunk), "NAME")]
    core = chunk[head:].rstrip(_CLOSE)
    if core and _ADDRESS.fullmatch(core):
        return [
            *(Token(char, start + n, start + n + 1) for n, char in enumerate(chunk[:head])),
            Token(core, start + head, start + head + len(core), "ADDR"),
            *(
                Token(char, start + n, start + n + 1)
                for n, char in enumerate(chunk[head + len(core) :], start=head + len(core))
            ),
        ]
    return [
        token
        for piece in _PIECE.finditer(chunk)
        for token in _uncontracted(piece.group(), start + piece.start())
    ]


def _uncontracted(word: str, start: int) -> list[Token]:
    low = word.lower()
    if low in _JOINED and not word.isupper():
        cut = len(_JOINED[low][0])
    elif found := _CONTRACTED.match(word):
        cut = len(found[1])
    else:
        return [Token(word, start, start + len(word))]
    return [
        Token(word[:cut], start, start + cut),
        Token(word[cut:], start + cut, start + len(word), _PARTS.get(_plain(word[cut:]), "")),
    ]


def _plain(part: str) -> str:
    return part.lower().replace("’", "'")


def _with_particles(words: list[Token], text: str) -> list[Token]:
    """ "van den Berg" behind "Pieter" or "Dr." is one word, and a name."""
    found: list[Token] = []
    for word in words:
        start = _first_particle(found) if word.is_capital else len(found)
        begins = found[start].start if start < len(found) else word.start
        joined = Token(text[begins : word.end], begins, word.end, "NAME")
        found[start:] = [joined if begins < word.start else word]
    return found


def _first_particle(words: list[Token]) -> int:
    """Where the particles begin that stand last, behind a name; the end where there are none."""
    start = len(words)
    while start and words[start - 1].text in PARTICLES:
        start -= 1
    before = words[start - 1] if start else None
    named = before is not None and before.is_capital and before.low not in CLOSED
    asked = any(CLOSED.get(word.low) == "AUX" for word in words[:start])  # "did Ana do Atlas"
    return (
        start
        if named and not (asked and words[start:] and words[start].text == "do")
        else len(words)
    )
