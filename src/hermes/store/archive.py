"""Raw rows as one compressed blob, and back: everything it takes to put them where they were."""

import base64
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import zstandard

from hermes.errors import Corrupt

VERSION = 1
_LEVEL = 19
_MOST_BYTES = 1 << 31

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class RawRows:
    """Rows of episodes and of all that hangs on them, in the order of their keys.

    `embedded` are the messages that had a vector, or would have got one.
    """

    episodes: tuple[Row, ...]  # id, session, bank, at, task
    messages: tuple[Row, ...]  # id, episode, at, role, origin, trust, speaker, call_id, calls, text
    payloads: tuple[Row, ...]  # message, n, media_type, content
    mentions: tuple[Row, ...]  # message, entity, key
    sources: tuple[Row, ...]  # id, message, episode, start, stop
    embedded: tuple[int, ...]


def pack(rows: RawRows) -> bytes:
    """The rows as bytes; `unpack` gives them back letter for letter."""
    held = asdict(rows)
    held["payloads"] = [
        (*row[:3], base64.b64encode(row[3]).decode("ascii")) for row in rows.payloads
    ]
    text = json.dumps({"version": VERSION, **held}, ensure_ascii=False, separators=(",", ":"))
    settings = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    return settings.compress(text.encode("utf-8"))


def unpack(blob: bytes) -> RawRows:
    """The rows of an archive; Corrupt if it is not one, whole."""
    try:
        text = zstandard.ZstdDecompressor().decompress(blob, max_output_size=_MOST_BYTES)
        held = json.loads(text)
        if held.pop("version") != VERSION:
            raise _unreadable("it was written by a newer Hermes")
        held["payloads"] = [
            (*row[:3], base64.b64decode(row[3], validate=True)) for row in held["payloads"]
        ]
        embedded = tuple(held.pop("embedded"))
        names = [field.name for field in fields(RawRows) if field.name != "embedded"]
        return RawRows(**{name: tuple(map(tuple, held[name])) for name in names}, embedded=embedded)
    except (zstandard.ZstdError, ValueError, KeyError, TypeError, MemoryError) as error:
        raise _unreadable(str(error)) from error


def archived_row(session_id: str, row: Row) -> Row:
    """A message as texts of all kinds are listed: number, where, time, role, what it says."""
    number, _, at, role, _, _, speaker, call_id, calls, text = row
    return number, session_id, at, role, text, speaker, calls, call_id


def without_payloads(blob: bytes, media_types: Sequence[str]) -> bytes | None:
    """The archive without payloads of some kinds; None if it has none of them."""
    rows = unpack(blob)
    kept = tuple(row for row in rows.payloads if row[2] not in media_types)
    return None if len(kept) == len(rows.payloads) else pack(replace(rows, payloads=kept))


def _unreadable(why: str) -> Corrupt:
    return Corrupt(
        f"An archive of raw episodes cannot be read: {why}.",
        "Restore the last good backup with `hermes backup restore`.",
    )
