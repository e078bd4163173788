"""Takes secrets out of a text before it reaches disk, index, log or model, and says where.

Runs on every message, so nearly all of the work is finding out fast that there is nothing to do:
no long run of key characters, no run of digits, none of a few words. Only formats whose anchor is
in the text are searched for. Text should be cleaned first (`text.clean`), or an invisible
character could split a secret in two.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from hermes.guard.formats import TOKENS, Format, compiled
from hermes.guard.phrases import CARD, FOREIGN_WORDS, IBAN, PHRASES

KEEP_ALL = frozenset({"*"})
"""Pass as `keep` for an item whose owner asked for it to be kept as it is."""

NUMBERING = frozenset(
    ("card-number", "iban", "mailgun-private-key", "mailgun-key", "launchdarkly-key", "twilio-key")
)
"""Pass as `keep` for an id: what also numbers things gives nothing away there."""

REDACTED = "[redacted:"
"""How a marker begins."""
_ESCAPE = re.compile(r"\\[nrt\"']")  # in code and JSON it ends a word, as what it means does
_KEY_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_DIGITS = b"0123456789"
_RUN = b"x" * 16
_CARD_RUN = b"x" * 14
# One of these is in every text that holds a phrase: the first where something is assigned, the
# second where it is only told, all of them in other scripts.
TOLD_HINTS = (
    *("pass", "token", "secret", "key", "bearer", "-----b", "pw", "mysql", "mariadb", "pin"),
    *("ssn", "social", "seed", "mnemonic", "phrase", "ssws"),
    *(word for word in FOREIGN_WORDS if word.isascii()),
)
ASSIGNED_HINTS = (
    *(*TOLD_HINTS, "@", "authorization", "cookie", "sig=", "-u ", "private-lines", "signature="),
    *("creds", "credentials", "login", '"auth"', "_auth", '"d"'),
)
_ALL_HINTS = (*ASSIGNED_HINTS, *(word for word in FOREIGN_WORDS if not word.isascii()))


def _marking(characters: bytes) -> bytes:
    return bytes(ord("x") if byte in characters else ord(" ") for byte in range(256))


_AS_WORD = bytes(byte if 0x21 <= byte <= 0x7E else ord(" ") for byte in range(256))
_AS_KEY = _marking(_KEY_CHARACTERS)
_AS_DIGIT = _marking(_DIGITS)
_NOT_DIGITS = bytes(byte for byte in range(256) if byte not in _DIGITS)
_ROWS = (*TOKENS, *PHRASES, CARD, IBAN)
_CARD_PLACE, _IBAN_PLACE = len(_ROWS) - 2, len(_ROWS) - 1
_IBAN_DIGITS = 9  # that an account's number has at least
FORMAT_NAMES = tuple(dict.fromkeys(row.name for row in _ROWS))


def _anchored(rows: tuple[Format, ...], first: int) -> tuple[tuple[str, int], ...]:
    places = enumerate(rows, first)
    return tuple((anchor, place) for place, row in places for anchor in row.anchors)


_TOKEN_ANCHORS = _anchored(TOKENS, 0)
_PHRASE_ANCHORS = _anchored(PHRASES, len(TOKENS))
_ASCII_PHRASE_ANCHORS = tuple(pair for pair in _PHRASE_ANCHORS if pair[0].isascii())


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret's kind and where it stood in the text that was given; never the secret."""

    format: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text with markers in the place of secrets, and what was found."""

    text: str
    findings: tuple[Finding, ...] = ()


def redact(text: str, *, keep: Collection[str] = ()) -> Redacted:
    """The text with each secret replaced by `[redacted:<format>]`, but for formats in `keep`."""
    lowered = _lower(text)
    places = _candidates(text, lowered)
    if not places or "*" in keep:
        return Redacted(text)
    wanted = [place for place in places if _ROWS[place].name not in keep]
    spans = {*_found(wanted, text, lowered)}
    if "\\" in text:
        spans.update(_found(wanted, _ESCAPE.sub("  ", text), _ESCAPE.sub("  ", lowered)))
    findings = tuple(_merged(sorted(spans)))
    return Redacted(_marked(text, findings), findings) if findings else Redacted(text)


def _lower(text: str) -> str:
    """Lower case of the same length: one letter would become two."""
    return text.lower() if text.isascii() else text.replace("İ", "i").lower()


def _candidates(text: str, lowered: str) -> set[int]:
    """The places of the rows worth searching for; for ordinary text none."""
    places: set[int] = set()
    raw = text.encode("utf-8", "replace")
    if _RUN in raw.translate(_AS_KEY):
        long_words = _long_words(raw)
        places.update([place for anchor, place in _TOKEN_ANCHORS if anchor in long_words])
    digits = len(raw.translate(None, _NOT_DIGITS))
    if digits >= len(_CARD_RUN) and _has_digit_run(raw):
        places.add(_CARD_PLACE)
    if digits >= _IBAN_DIGITS:
        places.add(_IBAN_PLACE)
    if [hint for hint in _hints(lowered) if hint in lowered]:
        anchors = _ASCII_PHRASE_ANCHORS if lowered.isascii() else _PHRASE_ANCHORS
        places.update([place for anchor, place in anchors if anchor in lowered])
    return places


def _hints(lowered: str) -> tuple[str, ...]:
    if not lowered.isascii():
        return _ALL_HINTS
    return ASSIGNED_HINTS if ":" in lowered or "=" in lowered else TOLD_HINTS


def _has_digit_run(raw: bytes) -> bool:
    return _CARD_RUN in raw.translate(_AS_DIGIT, b" .-\xc2\xa0")


def _long_words(raw: bytes) -> str:
    """The words of a text that could hold a token: few in prose, so that anchors are found fast."""
    words = raw.translate(_AS_WORD).split()
    return b" ".join([word for word in words if len(word) >= len(_RUN)]).decode("ascii")


def _found(places: Collection[int], text: str, lowered: str) -> Iterator[tuple[int, int, int]]:
    for place in places:
        for span in _spans(_ROWS[place], text, text if _is_cased(place) else lowered):
            yield *span, place


def _is_cased(place: int) -> bool:
    """Whether capitals tell: in tokens and in the number of an account."""
    return place < len(TOKENS) or place == _IBAN_PLACE


def _spans(row: Format, text: str, searched: str) -> Iterator[tuple[int, int]]:
    for match in compiled(row.pattern).finditer(searched):
        start, end = match.span(match.lastgroup or 0)
        if row.check is not None and not row.check(text[start:end]):
            continue
        if row.fits is None or row.fits(text, match.start(), end):
            yield start, end


def _merged(spans: list[tuple[int, int, int]]) -> Iterator[Finding]:
    """Overlapping finds as one, under the name of the most telling row; nothing shows between."""
    open_start, open_end, best = -1, -1, 0
    for start, end, place in spans:
        if start < open_end:
            open_end, best = max(open_end, end), min(best, place)
            continue
        if open_end >= 0:
            yield Finding(_ROWS[best].name, open_start, open_end)
        open_start, open_end, best = start, end, place
    if open_end >= 0:
        yield Finding(_ROWS[best].name, open_start, open_end)


def _marked(text: str, findings: tuple[Finding, ...]) -> str:
    parts, place = [], 0
    for finding in findings:
        parts += [text[place : finding.start], f"{REDACTED}{finding.format}]"]
        place = finding.end
    return "".join([*parts, text[place:]])
