"""Texts and lists on their way to PostgreSQL and back: any text, in its order."""

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.store.postgres.server import Server, connect
from hermes.store.postgres.values import escape, unescape
from postgres_server import new_database

texts = st.text(st.characters(exclude_categories=["Cs"]))
awkward = st.text(st.sampled_from("\x00\x01\x02\x03a"))


@given(awkward | texts)
def test_any_text_survives(text: str) -> None:
    assert "\x00" not in escape(text)
    assert unescape(escape(text)) == text


@given(awkward, awkward)
def test_the_order_of_texts_stays(one: str, other: str) -> None:
    assert (one.encode() < other.encode()) == (escape(one).encode() < escape(other).encode())


@pytest.fixture(scope="module")
def raw() -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    connection = connect(Server(new_database(empty=True)))
    yield connection
    connection.close()


@given(st.lists(st.none() | awkward), st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)))
def test_lists_come_back_as_they_were(
    raw: psycopg.Connection[tuple[object, ...]], words: list[str | None], numbers: list[int | None]
) -> None:
    sql = "SELECT $1::text[], $2::int8[]"
    cursor = psycopg.RawCursor(raw)
    assert cursor.execute(sql, (words, numbers), binary=True).fetchall() == [(words, numbers)]


@given(st.lists(st.booleans()), st.lists(st.binary()))
def test_lists_of_truths_and_bytes_come_back(
    raw: psycopg.Connection[tuple[object, ...]], truths: list[bool], blobs: list[bytes]
) -> None:
    cursor = psycopg.RawCursor(raw)
    sql = "SELECT $1::bool[], $2::bytea[]"
    assert cursor.execute(sql, (truths, blobs), binary=True).fetchall() == [(truths, blobs)]


def test_a_number_of_more_than_64_bits_is_refused(
    raw: psycopg.Connection[tuple[object, ...]],
) -> None:
    cursor = psycopg.RawCursor(raw)
    for value in (2**63, [2**63], [None, 2**70]):
        with pytest.raises(OverflowError):
            cursor.execute("SELECT $1", (value,))
