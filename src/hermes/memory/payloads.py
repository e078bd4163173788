"""Takes bytes out of text: a picture pasted as base64, or printed as it is, is no prose.

Left in place it would fill the search index, the embeddings and the model's context with noise.
"""

import base64
import binascii
import re

from hermes.memory.binary import MIN_CHARS, find_binary, name_media_type
from hermes.types import Payload

OWN = "application/vnd.hermes."
"""Media types of what the agent keeps with a conversation for itself, to go on with it."""
KEEPSAKES = (f"{OWN}prefix", f"{OWN}summary+json")
"""Those of them that hold words: a prefix frozen at the start, a summary of what was said."""
MIN_ENCODED_CHARS = 512
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.=+-]+)*);base64,([A-Za-z0-9+/=_-]+)")
MIN_ALPHABET = 24  # different characters; hexadecimal, drawn lines and sequences have fewer
_B64 = "A-Za-z0-9+/"
_LONG_RUN = re.compile(rf"(?<![{_B64}])[{_B64}]{{{MIN_ENCODED_CHARS},}}={{0,2}}")
# As `base64` and mail programs print it.
_LINES = re.compile(rf"(?<![{_B64}])(?:[{_B64}]{{60,76}}\r?\n){{6,}}[{_B64}]{{0,76}}={{0,2}}")
# What both hold: most texts are told apart by it in one pass.
_SHORTEST_RUN = b"x" * 60
_B64_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_AS_B64 = bytes(ord("x") if byte in _B64_BYTES else ord(" ") for byte in range(256))
_ARMOUR = re.compile(r"---- ?BEGIN")
_ARMOUR_HEADER_CHARS = 200


def take_payloads(text: str) -> tuple[str, tuple[Payload, ...]]:
    """The text with each encoded payload replaced by a short marker, and the payloads."""
    if len(text) < MIN_CHARS:
        return text, ()
    found: list[Payload] = []
    text = _take_binary(text, found)
    if "base64," in text:
        text = _DATA_URL.sub(lambda m: _take(m[0], m[3], _foreign(m[1]), found), text)
    if len(text) >= MIN_ENCODED_CHARS and _has_run(text):
        text = _LONG_RUN.sub(lambda m: _take_run(m[0], found), text)
        text = _LINES.sub(lambda m: _take_lines(m, found), text)
    return text, tuple(found)


def _take_binary(text: str, found: list[Payload]) -> str:
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    done = 0
    for start, end, content in find_binary(text):
        found.append(Payload(name_media_type(content), content))
        parts += [text[done:start], render_marker(found[-1])]
        done = end
    return "".join([*parts, text[done:]])


def _has_run(text: str) -> bool:
    return _SHORTEST_RUN in text.encode("utf-8", "replace").translate(_AS_B64)


def parse_data_url(url: str) -> Payload | None:
    """The payload of a whole `data:` URL, or None if it is something else."""
    match = _DATA_URL.fullmatch(url.strip())
    content = _decode(match[3]) if match else None
    if match is None or content is None:
        return None
    return Payload(_foreign(match[1]), content)


def _foreign(media_type: str | None) -> str:
    """The type that a text claims; none of our own, which only Hermes itself may give."""
    claimed = (media_type or "text/plain").lower()
    return "application/octet-stream" if claimed.startswith(OWN) else claimed


def render_marker(payload: Payload) -> str:
    """What stands in the text where a payload was: `[image/png, 12 KB]`."""
    size = len(payload.content)
    return f"[{payload.media_type}, {max(1, round(size / 1024))} KB]"


def _take(whole: str, encoded: str, media_type: str, found: list[Payload]) -> str:
    content = _decode(encoded)
    if content is None:
        return whole
    found.append(Payload(media_type, content))
    return render_marker(found[-1])


def _take_run(run: str, found: list[Payload]) -> str:
    if len(set(run)) < MIN_ALPHABET:
        return run
    return _take(run, run, "application/octet-stream", found)


def _take_lines(lines: re.Match[str], found: list[Payload]) -> str:
    head = lines.string[max(0, lines.start() - _ARMOUR_HEADER_CHARS) : lines.start()]
    if _ARMOUR.search(head):  # a key or a certificate: the guard must see it
        return lines[0]
    encoded = "".join(lines[0].split())
    taken = _take_run(encoded, found)
    if taken == encoded:
        return lines[0]
    return taken + lines[0][len(lines[0].rstrip()) :]


def _decode(encoded: str) -> bytes | None:
    padded = encoded.replace("-", "+").replace("_", "/").rstrip("=")
    padded += "=" * (-len(padded) % 4)
    try:
        return base64.b64decode(padded, validate=True)
    except (binascii.Error, ValueError):
        return None
