"""Whether a cell holds what is looked for, the same on every store."""

import zstandard

from hermes.store.base.erase import Look

MAX_UNPACKED_BYTES = 1 << 30
_PACKED = b"\x28\xb5\x2f\xfd"


def holds(look: Look, value: str | bytes) -> bool:
    """Whether a text, or a blob packed or not, holds the words."""
    if isinstance(value, str):
        return look.is_in(value)
    content = _unpacked(value)
    return look.is_in_bytes(content) or look.is_in(content.decode("utf-8", "ignore"))


def _unpacked(content: bytes) -> bytes:
    """Archived rows as the JSON they are; anything else as it is."""
    if not content.startswith(_PACKED):
        return content
    try:
        return zstandard.ZstdDecompressor().decompress(content, max_output_size=MAX_UNPACKED_BYTES)
    except zstandard.ZstdError:
        return content
