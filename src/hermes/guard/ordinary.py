"""Tells fast that a text needs neither cleaning nor redacting, as nearly every message does not.

It may say no of a text that turns out to be harmless, never yes of one that is not: `clean` and
`redact` leave unchanged whatever is ordinary. A few passes over the bytes, each in C.
"""

from hermes.guard.redact import ASSIGNED_HINTS, TOLD_HINTS

_ODD = frozenset((*range(0x09), *range(0x0E, 0x20), 0x7F))
_DIGITS = frozenset(b"0123456789")
_USUAL = bytes(byte for byte in range(0x80) if byte not in _ODD and byte not in _DIGITS)
_KEY_CHARACTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_AS_KEY = bytes(ord("x") if byte in _KEY_CHARACTERS else ord(" ") for byte in range(256))
_LONG_WORD = b"x" * 16  # the shortest run of such characters that could be a key
_CARD_DIGITS = 14


def is_ordinary(text: str) -> bool:
    """Whether there is nothing invisible in a text, and nothing that could be part of a secret."""
    if not text.isascii():
        return False
    raw = text.encode("ascii")
    rare = raw.translate(None, _USUAL)  # digits, and what cannot be seen
    if rare and (len(rare) >= _CARD_DIGITS or not rare.isdigit()):
        return False
    if _LONG_WORD in raw.translate(_AS_KEY):
        return False
    lowered = text.lower()
    for hint in ASSIGNED_HINTS if ":" in text or "=" in text else TOLD_HINTS:
        if hint in lowered:
            return False
    return True
