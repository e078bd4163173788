"""Finds bytes that were read as if they were text: a picture or a program printed into a chat.

Read as Latin-1 or with replacement characters, bytes show control characters of many kinds, close
together. Text in a wrong encoding, colours of a terminal or names ended by NUL show few kinds.
"""

import re
from collections.abc import Iterator

MIN_CHARS = 64
MIN_SHARE = 0.08  # of characters no text has; bytes at random show 0.2
MIN_KINDS = 8
MAX_GAP = 64
UNKNOWN = "application/octet-stream"
_ODD = r"\x00-\x06\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd\udc80-\udcff"
_TAIL = r"(?:[^\n\x80-\uffff]{0,8}+[\x80-\uffff])*+"  # as a JPEG ends, on two letters
_EACH = re.compile(f"[{_ODD}]")
_STRETCH = re.compile(rf"[{_ODD}](?:[^{_ODD}]{{0,{MAX_GAP}}}+[{_ODD}])*+{_TAIL}")
_ASCII = frozenset(map(chr, range(0x80)))
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
)


def find_binary(text: str) -> Iterator[tuple[int, int, bytes]]:
    """Where bytes stand in a text, from and to, and the bytes."""
    if _EACH.search(text) is None:
        return
    if _begins_binary(text) and _is_binary(text):
        yield 0, len(text), _bytes_of(text)
        return
    done = 0
    for found in _STRETCH.finditer(text):
        start = max(done, found.start() - _letters_before(text, found.start()))
        done = found.end()
        if _is_binary(stretch := text[start:done]):
            yield start, done, _bytes_of(stretch)


def name_media_type(content: bytes) -> str:
    """What bytes are, by how they begin."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    known = (kind for magic, kind in _MAGIC if content.startswith(magic))
    return next(known, UNKNOWN)


def _begins_binary(text: str) -> bool:
    """Whether its very beginning is no word: else the words before the bytes stay."""
    start = text[:8]
    is_known = name_media_type(start.encode("latin-1", "replace")) != UNKNOWN
    return is_known or not _ASCII.issuperset(start) or _EACH.search(start) is not None


def _letters_before(text: str, place: int) -> int:
    """How many bytes above ASCII stand right before: a JPEG begins with four letters."""
    head = text[max(0, place - MAX_GAP) : place]
    return len(head) - len(head.rstrip("".join(set(head) - _ASCII)))


def _is_binary(text: str) -> bool:
    if len(text) < MIN_CHARS:
        return False
    odd = _EACH.findall(text)
    if len(odd) < MIN_SHARE * len(text) or len(set(odd)) < MIN_KINDS:
        return False
    return not _is_text_misread(text)


def _is_text_misread(text: str) -> bool:
    """Whether it is UTF-8 that was read as Latin-1: a wrong encoding, but of words."""
    try:
        read = text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return False
    return not read.isascii() and len(_EACH.findall(read)) < MIN_SHARE * len(read)


def _bytes_of(text: str) -> bytes:
    for coding, errors in (("latin-1", "strict"), ("utf-8", "surrogateescape")):
        try:
            return text.encode(coding, errors)
        except UnicodeEncodeError:
            continue
    return text.encode("utf-8", "surrogatepass")
