"""Reading an export without ever holding it: any JSON layout, within limits, or a clear error."""

import codecs
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, NoReturn, Protocol, cast

import zstandard
from pydantic import ValidationError

from hermes.errors import UserError
from hermes.memory.portable.records import FORMAT, HEAD, NUMBERS, SECTIONS, VERSION

_CHUNK = 1 << 18
_WAIT = 24  # characters at the end of what was read that may yet become something else
_DEPTH = 64
_SPACE = " \t\r\n"
_HINT = "Give a file that `hermes memory export` wrote; docs/export.md describes it."


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may cost to read."""

    total_bytes: int = 64 << 30
    record_chars: int = 64 << 20
    ratio: int = 200
    ratio_from_bytes: int = 64 << 20


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Head:
    """What a file says before its records."""

    numbers: dict[str, int]
    bank: str = ""


Item = Head | tuple[str, dict[str, Any]]


def read_export(stream: Readable, limits: Limits | None = None, *, skip: int = 0) -> Iterator[Item]:
    """The head, then (section, record) one after the other, each checked.

    The first `skip` records were checked before and are only passed over.
    """
    return _Document(_Text(stream, limits or Limits()), skip).items()


class _Document:
    def __init__(self, text: "_Text", skip: int) -> None:
        self._text = text
        self._skip = skip
        self._head: dict[str, Any] = {}
        self._seen: list[str] = []

    def items(self) -> Iterator[Item]:
        text = self._text
        text.expect("{", "the file is no JSON object")
        more = not text.accept("}")
        while more:
            name = text.value()
            text.expect(":", f"after {name!r} a colon is missing")
            yield from self._member(name)
            more = text.accept(",")
            if not more:
                text.expect("}", "the object is not closed")
        if self._seen != list(SECTIONS):
            missing = [name for name in SECTIONS if name not in self._seen]
            _refuse(f"sections are missing or out of order: {', '.join(missing) or self._seen}")
        text.expect_end()

    def _member(self, name: object) -> Iterator[Item]:
        if name in HEAD and not self._seen and name not in self._head:
            self._head[str(name)] = self._text.value()
            return
        if not isinstance(name, str) or name not in SECTIONS or name in self._seen:
            _refuse(f"{str(name)[:80]!r} does not belong here")
        if not self._seen:
            yield self._check_head()
        self._seen.append(name)
        yield from self._section(name)

    def _check_head(self) -> Head:
        head = self._head
        if head.get("format") != FORMAT:
            _refuse("it does not say that it is a Hermes export")
        if head.get("version") != VERSION or head["version"] is True:
            raise UserError(
                f"The export has version {str(head.get('version'))[:20]}; "
                f"this Hermes knows {VERSION}.",
                "Upgrade Hermes, or export anew.",
            )
        bank = head.get("bank", "")
        if not isinstance(bank, str):
            _refuse("bank is not a name")
        return Head(_validated(NUMBERS.validate_python, "numbers", head.get("numbers")), bank)

    def _section(self, name: str) -> Iterator[Item]:
        text = self._text
        text.expect("[", f"{name} is not a list")
        check = SECTIONS[name].validate_python
        index = 0
        more = not text.accept("]")
        while more:
            record = text.value()
            if self._skip:
                self._skip -= 1
            else:
                record = _validated(check, f"{name}[{index}]", record)
            yield name, record
            index += 1
            more = text.accept(",")
            if not more:
                text.expect("]", f"{name} is not closed after record {index}")


def _validated(check: Callable[[Any], Any], where: str, value: object) -> Any:
    try:
        return check(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in first["loc"])
        raise UserError(f"{where}{path[:200]}: {first['msg']}.", _HINT) from error


class _Text:
    """A stream as text, of which only what is being looked at is kept."""

    def __init__(self, stream: Readable, limits: Limits) -> None:
        self._source = _Unpacked(stream, limits)
        self._decode = codecs.getincrementaldecoder("utf-8")("strict").decode
        self._limits = limits
        self._buffer = ""
        self._place = 0
        self._done = False
        self._decoder = json.JSONDecoder(parse_constant=_no_constant)

    def value(self) -> Any:
        """The next value, whole."""
        self._skip_space()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._place)
            except RecursionError:
                _refuse("it is nested too deeply")
            except json.JSONDecodeError as error:
                self._wait_or_refuse(error)
                continue
            except ValueError as error:  # a number of thousands of digits
                _refuse(str(error))
            if end == len(self._buffer) and not self._done:
                self._more()  # a number may go on
                continue
            self._check(self._place, end)
            self._place = end
            return value

    def accept(self, mark: str) -> bool:
        """Whether the next character is `mark`, which is then passed."""
        self._skip_space()
        if self._buffer[self._place : self._place + 1] != mark:
            return False
        self._place += 1
        return True

    def expect(self, mark: str, otherwise: str) -> None:
        if not self.accept(mark):
            _refuse(otherwise)

    def expect_end(self) -> None:
        self._skip_space()
        if self._place < len(self._buffer):
            _refuse("something follows its end")

    def _skip_space(self) -> None:
        while True:
            while self._place < len(self._buffer) and self._buffer[self._place] in _SPACE:
                self._place += 1
            if self._place < len(self._buffer) or self._done:
                return
            self._more()

    def _wait_or_refuse(self, error: json.JSONDecodeError) -> None:
        """Read on if the value may only be cut off; else it is wrong as it stands."""
        is_cut = error.pos >= len(self._buffer) - _WAIT or error.msg.startswith("Unterminated")
        if self._done or not is_cut:
            _refuse(f"it is no JSON: {error.msg}")
        self._more()

    def _more(self) -> None:
        """Double what is at hand, so that a long value is tried only a few times."""
        kept = self._buffer[self._place :]
        if len(kept) > self._limits.record_chars:
            _refuse(f"a record has more than {self._limits.record_chars:,} characters")
        parts, wanted = [kept], max(_CHUNK, len(kept))
        while wanted > 0 and not self._done:
            chunk = self._source.read()
            self._done = not chunk
            try:
                parts.append(self._decode(chunk, self._done))
            except UnicodeDecodeError as error:
                _refuse(f"it is not UTF-8: {error.reason}")
            wanted -= len(parts[-1])
        self._buffer, self._place = "".join(parts), 0

    def _check(self, start: int, end: int) -> None:
        if end - start > self._limits.record_chars:
            _refuse(f"a record has more than {self._limits.record_chars:,} characters")
        opened = self._buffer.count("[", start, end) + self._buffer.count("{", start, end)
        if opened > _DEPTH and _depth(self._buffer[start:end]) > _DEPTH:
            _refuse("it is nested too deeply")


def _depth(text: str) -> int:
    deepest = depth = 0
    quoted = escaped = False
    for char in text:
        if quoted:
            quoted = escaped or char != '"'
            escaped = not escaped and char == "\\"
        elif char == '"':
            quoted = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


class _Unpacked:
    """The bytes of a stream, unpacked if it is gzip or zstd, never many at once."""

    def __init__(self, stream: Readable, limits: Limits) -> None:
        self._counted = _Counted(stream)
        self._limits = limits
        self._given = 0
        self._chunks = self._unpack()

    def read(self) -> bytes:
        try:
            content = next(self._chunks, b"")
        except (zlib.error, zstandard.ZstdError) as error:
            _refuse(f"it cannot be unpacked: {error}")
        self._given += len(content)
        limits = self._limits
        if self._given > limits.total_bytes:
            _refuse(f"it has more than {limits.total_bytes:,} bytes")
        if self._given > max(limits.ratio_from_bytes, self._counted.taken * limits.ratio):
            _refuse(f"it unpacks to more than {limits.ratio} times its size")
        return content

    def _unpack(self) -> Iterator[bytes]:
        head = self._counted.peek()
        if head.startswith(b"\x1f\x8b"):
            return _gunzip(self._counted)
        if head.startswith(b"\x28\xb5\x2f\xfd"):
            unzstd = zstandard.ZstdDecompressor(max_window_size=1 << 27)
            packed = unzstd.stream_reader(cast(IO[bytes], self._counted), read_across_frames=True)
            return iter(lambda: packed.read(_CHUNK), b"")
        return iter(lambda: self._counted.read(_CHUNK), b"")


class _Counted:
    """A stream that can be peeked into, and knows how much was taken from it."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._ahead = b""
        self.taken = 0

    def peek(self) -> bytes:
        self._ahead = self._stream.read(_CHUNK)
        return self._ahead

    def read(self, size: int = _CHUNK) -> bytes:
        if not self._ahead:
            self._ahead = self._stream.read(_CHUNK)
        chunk, self._ahead = self._ahead[:size], self._ahead[size:]
        self.taken += len(chunk)
        return chunk


def _gunzip(stream: _Counted) -> Iterator[bytes]:
    unzip = zlib.decompressobj(wbits=31)
    while raw := stream.read():
        content = unzip.decompress(raw, _CHUNK)
        yield content
        while unzip.unconsumed_tail:
            yield unzip.decompress(unzip.unconsumed_tail, _CHUNK)
    if not unzip.eof:
        _refuse("it is cut off")


def _no_constant(name: str) -> NoReturn:
    _refuse(f"{name} is no number")


def _refuse(what: str) -> NoReturn:
    raise UserError(f"This is no export that can be read: {what}.", _HINT)
