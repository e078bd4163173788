"""Vectors that are the same for the same text, everywhere, and mean nothing."""

import hashlib
import struct


def hash_vector(text: str, dimensions: int) -> list[float]:
    """Numbers between -1 and 1, drawn from a hash of the text."""
    digest = hashlib.shake_256(text.encode("utf-8", "replace")).digest(4 * dimensions)
    return [number / 2**31 - 1 for number in struct.unpack(f"<{dimensions}I", digest)]
