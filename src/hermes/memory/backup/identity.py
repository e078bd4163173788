"""The age identity that opens a profile's backups, derived from the secret the profile has anyway.

Nothing more is to be kept: whoever has the recovery key has the database key, and so this one.
"""

import hashlib
import hmac
from functools import reduce

_LABEL = b"hermes backup identity v1"
_PREFIX = "age-secret-key-"
_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def backup_identity(secret: bytes) -> str:
    """The identity as age writes it: `AGE-SECRET-KEY-1…`."""
    return _bech32(_PREFIX, _derive(secret)).upper()


def _derive(secret: bytes) -> bytes:
    """HKDF with SHA-256 (RFC 5869), one block, no salt."""
    key = hmac.digest(bytes(32), secret, hashlib.sha256)
    return hmac.digest(key, _LABEL + b"\x01", hashlib.sha256)


def _bech32(prefix: str, content: bytes) -> str:
    """Bech32 (BIP 173), as age uses it for its keys."""
    number = int.from_bytes(content, "big") << (-len(content) * 8 % 5)
    places = range((len(content) * 8 + 4) // 5 - 1, -1, -1)
    values = [number >> 5 * place & 31 for place in places]
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    check = reduce(_polymod, [*spread, *values, *[0] * 6], 1) ^ 1
    values += [check >> 5 * place & 31 for place in range(5, -1, -1)]
    return f"{prefix}1{''.join(_ALPHABET[value] for value in values)}"


def _polymod(check: int, value: int) -> int:
    top = check >> 25
    check = (check & 0x1FFFFFF) << 5 ^ value
    return reduce(lambda c, n: c ^ (_GENERATOR[n] if top >> n & 1 else 0), range(5), check)
