"""Files from anywhere: what is no export is refused clearly, quickly, and without being held."""

import gzip
import io
import json
import random
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import HermesError, UserError
from hermes.memory.portable.reading import Head, Item, Limits, read_export
from hermes.memory.portable.records import SECTIONS

NUMBERS = {"episode": 0, "message": 0, "fact": 0, "fact_number": 0, "entity": 0, "reflection": 0}
Document = dict[str, object]
BANK = {"name": "default", "created_at": 5}


def document(**more: object) -> Document:
    empty: Document = {"format": "hermes-memory", "version": 1, "numbers": NUMBERS}
    return empty | {name: [] for name in SECTIONS} | more


def read(content: bytes, limits: Limits | None = None) -> list[Item]:
    return list(read_export(io.BytesIO(content), limits))


def as_bytes(value: object) -> bytes:
    return json.dumps(value).encode()


def test_records_come_one_by_one() -> None:
    items = read(as_bytes(document(banks=[BANK, BANK])))
    assert items[0] == Head(NUMBERS)
    assert items[1:] == [("banks", BANK), ("banks", BANK)]


class Dripping(io.BytesIO):
    """Gives what is asked for in pieces of any size."""

    def __init__(self, content: bytes, seed: int) -> None:
        super().__init__(content)
        self._dice = random.Random(seed)

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self._dice.randint(1, 7))


@given(
    st.lists(st.text(max_size=40), max_size=5),
    st.integers(0, 1000),
    st.sampled_from([None, 1, "\t"]),
    st.booleans(),
)
def test_any_layout_and_any_pieces_read_alike(
    texts: list[str], seed: int, indent: int | str | None, plain: bool
) -> None:
    banks = [BANK | {"description": text} for text in texts]
    content = json.dumps(document(banks=banks), indent=indent, ensure_ascii=plain)
    found = list(read_export(Dripping(content.encode("utf-8", "surrogatepass"), seed)))
    assert [record for _, record in found[1:]] == banks  # type: ignore[misc]


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no JSON": lambda: b"hello",
    "a list": lambda: b"[]",
    "an empty object": lambda: b"{}",
    "a picture": lambda: b"\x89PNG\r\n\x1a\n" + bytes(100),
    "not UTF-8": lambda: b'{"format": "\xff\xfe"}',
    "cut off": lambda: as_bytes(document(banks=[BANK]))[:-20],
    "cut off in a string": lambda: b'{"format": "hermes-mem',
    "two documents": lambda: as_bytes(document()) * 2,
    "another format": lambda: as_bytes(document(format="other")),
    "another version": lambda: as_bytes(document(version=2)),
    "a version that is true": lambda: as_bytes(document(version=True)),
    "no numbers": lambda: as_bytes(document(numbers=None)),
    "unknown key": lambda: as_bytes({"evil": 1} | document()),
    "a section twice": lambda: as_bytes(document())[:-1] + b', "banks": []}',
    "a section missing": lambda: as_bytes({k: v for k, v in document().items() if k != "facts"}),
    "sections reordered": lambda: as_bytes(dict(reversed(document().items()))),
    "a section that is no list": lambda: as_bytes(document(facts={})),
    "a record that is no object": lambda: as_bytes(document(banks=[1])),
    "an unknown field": lambda: as_bytes(document(banks=[BANK | {"x": 1}])),
    "a missing field": lambda: as_bytes(document(banks=[{"name": "default"}])),
    "a wrong type": lambda: as_bytes(document(banks=[BANK | {"created_at": "5"}])),
    "a number out of range": lambda: as_bytes(document(banks=[BANK | {"created_at": 10**30}])),
    "a float": lambda: as_bytes(document(banks=[BANK | {"created_at": 5.5}])),
    "not a number": lambda: as_bytes(document(banks=[BANK | {"created_at": float("nan")}])),
    "half a character": lambda: as_bytes(document(banks=[BANK | {"description": "\ud800"}])),
    "a name with slashes": lambda: as_bytes(document(banks=[BANK | {"name": "../../etc"}])),
    "endless digits": lambda: b'{"format": ' + b"9" * 100_000 + b"}",
    "deep lists": lambda: b'{"format": ' + b"[" * 200_000,
    "deep fields": lambda: as_bytes(document()).replace(
        b'"facts": []', b'"facts": [{"id": ' + b"[" * 300 + b"]" * 300 + b"}]"
    ),
    "notes elsewhere": lambda: as_bytes(
        document(notes=[{"file": "keys/database.key", "text": ""}])
    ),
    "damaged gzip": lambda: gzip.compress(as_bytes(document()))[:-10],
    "damaged zstd": lambda: b"\x28\xb5\x2f\xfd" + bytes(50),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_export_is_refused_with_a_hint(name: str) -> None:
    with pytest.raises(UserError) as caught:
        read(HOSTILE[name]())
    assert caught.value.hint
    assert len(caught.value.message) < 500


def test_a_wrong_record_is_named() -> None:
    with pytest.raises(UserError, match=r"banks\[1\]\.created_at"):
        read(as_bytes(document(banks=[BANK, BANK | {"created_at": "soon"}])))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_bomb_is_met_before_it_goes_off(pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(b'{"format": "' + b" " * (300 << 20))
    assert len(bomb) < 2 << 20
    limits = Limits(ratio_from_bytes=8 << 20, record_chars=4 << 20)
    with pytest.raises(UserError, match=r"times its size|characters"):
        read(bomb, limits)


def test_a_file_that_is_too_large_is_refused() -> None:
    content = as_bytes(document(banks=[BANK] * 20_000))
    with pytest.raises(UserError, match="more than"):
        read(content, Limits(total_bytes=500_000))


def test_a_record_that_is_too_large_is_refused() -> None:
    content = as_bytes(document(banks=[BANK | {"description": "x" * 90_000}]))
    with pytest.raises(UserError, match="characters"):
        read(content, Limits(record_chars=50_000))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(st.sampled_from([*document(), "other"]), JSON)
def test_any_value_anywhere_is_read_or_refused(name: str, value: object) -> None:
    content = json.dumps(document(**{name: value})).encode("utf-8", "surrogatepass")
    _read_or_refuse(content)


@given(st.binary(max_size=200), st.integers(0, 400))
def test_any_bytes_anywhere_are_read_or_refused(noise: bytes, place: int) -> None:
    content = as_bytes(document(banks=[BANK]))
    _read_or_refuse(content[:place] + noise + content[place:])


def _read_or_refuse(content: bytes) -> None:
    try:
        read(content)
    except HermesError as error:
        assert isinstance(error, UserError)


def test_skipped_records_are_not_checked_again() -> None:
    content = as_bytes(document(banks=[{"anything": 1}, BANK]))
    items = list(read_export(io.BytesIO(content), skip=1))
    assert items[2] == ("banks", BANK)
