"""Pictures given by their path: read, checked by their first bytes, sent as they are."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from hermes.errors import UserError
from hermes.memory.binary import name_media_type
from hermes.types import Payload

MOST_BYTES = 20 * 1024 * 1024
MOST = 8
_WORD = re.compile(r"""'[^'\n]+'|"[^"\n]+"|(?:\\.|[^\s\\])+""")
ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def load_image(text: str) -> Payload:
    """The picture at a path, as typed or dropped into a terminal."""
    path = Path(_unquoted(text)).expanduser()
    if not path.is_file():
        raise UserError(f"There is no file {path}.", "Give the path of a picture.")
    if path.stat().st_size > MOST_BYTES:
        raise UserError(f"{path} is larger than 20 MB.", "Give a smaller picture.")
    content = path.read_bytes()
    return Payload(_kind(content, path), content)


def find_image(text: str) -> Payload | None:
    """The picture, where a message is nothing but the path of one that exists."""
    path = _unquoted(text)
    return load_image(path) if _is_picture(path) else None


def find_images(text: str) -> tuple[dict[str, Payload], list[str]]:
    """The pictures named among the words of a message, by path, and why others are not sent.

    One that is broken keeps nobody from talking about it. No more than a few are read.
    """
    found: dict[str, Payload] = {}
    unfit: list[str] = []
    for path in islice(_named(text), MOST):
        try:
            found[path] = load_image(path)
        except UserError as error:
            unfit.append(error.message)
    return found, unfit


def _named(text: str) -> Iterator[str]:
    """The paths of pictures that exist among the words."""
    words = dict.fromkeys(_unquoted(match[0]) for match in _WORD.finditer(text[:10_000]))
    return (word for word in words if _is_picture(word))


def _is_picture(path: str) -> bool:
    if "\n" in path or not path.lower().endswith(ENDINGS):
        return False
    return Path(path).expanduser().is_file()


def _unquoted(text: str) -> str:
    """A path as terminals paste it: in quotes, as a file URL, or with escaped spaces."""
    text = text.strip().removeprefix("file://")
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text.replace("\\ ", " ")


def _kind(content: bytes, path: Path) -> str:
    kind = name_media_type(content)
    if kind.startswith("image/"):
        return kind
    raise UserError(f"{path} is no PNG, JPEG, GIF or WebP.", "Convert it first.")
