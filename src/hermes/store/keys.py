"""What stands for the key of a write, in every store alike, so that an export carries it over."""

import hashlib

DIGEST_BYTES = 12  # a thousand million keys are told apart but for one chance in 10^11


def key_digest(bank: str, key: str) -> bytes:
    """A few bytes for a key of any length; each bank has keys of its own."""
    named = f"{bank}\x1f{key}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(named, digest_size=DIGEST_BYTES).digest()
