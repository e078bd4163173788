"""A database key as a person can write it down, and back again.

Crockford base32 in groups of four: no letter that looks like a digit, case and spacing free. The
last characters are a checksum, so a slip of the pen is noticed before a key is believed.
"""

import hashlib

from hermes.errors import UserError

KEY_BYTES = 32
_CHECK_BYTES = 3  # 32 + 3 bytes are exactly 56 characters of five bits
KEY_LETTERS = (KEY_BYTES + _CHECK_BYTES) * 8 // 5
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUE_OF = {letter: value for value, letter in enumerate(_ALPHABET)}
_READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, "–": None, "—": None})
_HINT = "Compare it with the recovery key as it was written down; letters and digits only."


def render_recovery_key(key: bytes) -> str:
    """The key in fourteen groups of four: `7T5R-0K2M-…`."""
    number = int.from_bytes(key + _checksum(key), "big")
    letters = [_ALPHABET[number >> 5 * place & 31] for place in reversed(range(KEY_LETTERS))]
    return "-".join("".join(letters[start : start + 4]) for start in range(0, KEY_LETTERS, 4))


def parse_recovery_key(text: str) -> bytes:
    """The key that was written down; a typing error is refused."""
    letters = "".join(text.upper().translate(_READ_AS).split())
    unknown = sorted(set(letters) - _VALUE_OF.keys())
    if unknown:
        raise UserError(f"A recovery key has no character {unknown[0]!r}.", _HINT)
    if len(letters) != KEY_LETTERS:
        raise UserError(f"A recovery key has {KEY_LETTERS} characters, not {len(letters)}.", _HINT)
    return _verified(letters)


def _verified(letters: str) -> bytes:
    number = 0
    for letter in letters:
        number = number << 5 | _VALUE_OF[letter]
    whole = number.to_bytes(KEY_BYTES + _CHECK_BYTES, "big")
    key, check = whole[:KEY_BYTES], whole[KEY_BYTES:]
    if check != _checksum(key):
        raise UserError("The recovery key has a typing error: its checksum does not fit.", _HINT)
    return key


def _checksum(key: bytes) -> bytes:
    return hashlib.sha256(b"hermes recovery key" + key).digest()[:_CHECK_BYTES]
