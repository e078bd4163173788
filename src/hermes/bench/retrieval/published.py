"""The file of a published benchmark, read entry by entry: what is wrong with it is said plainly."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from hermes.clock import from_datetime, parse_time
from hermes.errors import NotFound, UserError

Entry = Mapping[str, Any]
WHERE = "Give the folder with --data."
READ_CHARS = 8_000_000
_DECODER = json.JSONDecoder()
AGAIN = "Fetch the file again, as it is published."


def iter_entries(path: Path, read_chars: int = READ_CHARS) -> Iterator[Entry]:
    """The objects that a file lists, in its order, one at a time: LongMemEval's M has 2.7 GB."""
    try:
        with path.open(encoding="utf-8") as file:
            for entry in _iter_listed(_Reader(file, read_chars)):
                if not isinstance(entry, dict):
                    raise UserError(f"{path} is not a list of objects.", AGAIN)
                yield entry
    except FileNotFoundError as error:
        raise NotFound(f"There is no {path.name} in {path.parent}.", WHERE) from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", WHERE) from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is not JSON: {error}.", AGAIN) from error


class _Reader:
    """JSON, value by value, of a file too large to be held."""

    def __init__(self, file: TextIO, read_chars: int) -> None:
        self._file, self._read_chars = file, read_chars
        self._text, self._at = "", 0

    def peek(self) -> str:
        """The next character that is no blank, or "" at the end."""
        while not (rest := self._text[self._at : self._at + 1]).strip():
            if rest:
                self._at += 1
            elif not self._read():
                break
        return rest

    def take(self, expected: str) -> bool:
        """Pass over a character, if it is the next."""
        is_next = self.peek() == expected
        self._at += is_next
        return is_next

    def value(self) -> object:
        while True:
            try:
                found, self._at = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._read():
                    raise
            else:
                return found

    def _read(self) -> bool:
        """Read on, at least as much as is held: what is cut is not tried again too often."""
        kept = self._text[self._at :]
        more = self._file.read(max(self._read_chars, len(kept)))
        self._text, self._at = kept + more, 0
        return bool(more)


def _iter_listed(reader: _Reader) -> Iterator[object]:
    """What stands in a list; what is no list is given as one thing in it that is no object."""
    if not reader.take("["):
        reader.peek()
        yield [reader.value()]
    elif not reader.take("]"):
        yield reader.value()
        while reader.take(","):
            reader.peek()
            yield reader.value()
        if not reader.take("]"):
            raise ValueError("the list has no end")
    if reader.peek():
        raise ValueError("more stands behind its end")


def text_of(value: object) -> str:
    """A text, a number as it is written, or nothing; ValueError for what is no text."""
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise ValueError(f"{value!r:.40} stands where a text should")
    return str(value)


def parse_date(text: object, form: str) -> int:
    """A time in the benchmark's own form or in ISO 8601, as milliseconds, taken as UTC."""
    written = text_of(text).strip()
    try:
        return from_datetime(datetime.strptime(written, form).replace(tzinfo=UTC))
    except ValueError:
        pass
    try:
        return parse_time(written)
    except ValueError as error:
        raise ValueError(f"{written!r:.40} is no date") from error


@contextmanager
def reading(path: Path, place: int) -> Iterator[None]:
    """Say of an entry that cannot be read which it is, and what is wrong with it."""
    try:
        yield
    except KeyError as error:
        raise UserError(f"{path}: entry {place + 1} has no {error}.", AGAIN) from error
    except (AttributeError, TypeError, ValueError) as error:
        raise UserError(f"{path}: entry {place + 1} cannot be read: {error}.", AGAIN) from error
