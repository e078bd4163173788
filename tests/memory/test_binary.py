"""Bytes read as text are found whole; text in a wrong encoding, colours and drawings are not."""

import gzip
import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.app import open_app
from hermes.config.paths import ProfilePaths
from hermes.memory.binary import find_binary, name_media_type
from hermes.memory.payloads import take_payloads
from hermes.types import NewSession, Role, Turn, Utterance

NOISE = Random(3).randbytes(3000)
PNG = b"\x89PNG\r\n\x1a\n" + NOISE + b"IEND\xaeB`\x82"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + NOISE + b"\xff\xd9"
NAMES = b"".join(b"_symbol_%d\0" % n for n in range(9))
PROGRAM = b"\x7fELF\x02\x01\x01" + bytes(9) + NAMES + NOISE
PACKED = gzip.compress(NOISE)


@pytest.mark.parametrize("content", [PNG, JPEG, PROGRAM, PACKED, NOISE])
def test_a_message_that_is_bytes_is_set_aside_whole(content: bytes) -> None:
    text, (payload,) = take_payloads(content.decode("latin-1"))
    assert payload.content == content
    assert text.startswith("[") and text.endswith(" KB]")


@pytest.mark.parametrize(("content", "kind"), [(PNG, "image/png"), (JPEG, "image/jpeg")])
def test_bytes_printed_among_words_are_set_aside(content: bytes, kind: str) -> None:
    said = "$ cat shot\n" + content.decode("latin-1") + "\n$ echo The launch is on Friday. " * 300
    text, (payload,) = take_payloads(said)
    assert (payload.content, payload.media_type) == (content, kind)
    assert text.startswith(f"$ cat shot\n[{kind}, 3 KB]\n$ echo The launch is on Friday.")


def test_bytes_with_replacement_characters_are_no_prose() -> None:
    text, (payload,) = take_payloads(NOISE.decode("utf-8", "replace"))
    assert text == render(len(payload.content))
    _, (escaped,) = take_payloads(NOISE.decode("utf-8", "surrogateescape"))
    assert escaped.content == NOISE


def render(size: int) -> str:
    return f"[application/octet-stream, {round(size / 1024)} KB]"


WORDS = "Съешь же ещё этих мягких французских булок, да выпей чаю. 数据库在哪里？ Größe, naïve. "


@pytest.mark.parametrize(
    "text",
    [
        WORDS * 9,
        (WORDS * 9).encode().decode("latin-1"),
        (WORDS * 9).encode("cp1251", "replace").decode("latin-1"),
        (WORDS * 9).encode("latin-1", "replace").decode("utf-8", "replace"),
        ("It’s “quoted” – for 5 €… " * 20).encode("cp1252").decode("latin-1"),
        ("hello there, " * 30).encode("utf-16-le").decode("latin-1"),
        "/usr/share/doc/a.txt\0" * 40,
        "\x1b[31mred\x1b[0m \x1b[1;32mgreen\x1b[0m\x07 " * 40,
        "N\bNA\bAM\bME\bE " * 40,
        "╔═══╗\n║ 1 ║\n╚═══╝\n" * 40,
        "plain words\n" * 400,
        "\x00\x01",
    ],
)
def test_words_stay_however_badly_they_were_read(text: str) -> None:
    assert list(find_binary(text)) == []


@given(st.binary(min_size=500, max_size=3000))
def test_nothing_is_lost(content: bytes) -> None:
    text = content.decode("latin-1")
    for start, end, found in find_binary(text):
        assert text[start:end].encode("latin-1") == found


@given(st.text(st.characters(exclude_categories=[]), max_size=500))
def test_any_text_can_be_looked_through(text: str) -> None:
    places = [place for start, end, _ in find_binary(text) for place in (start, end)]
    assert places == sorted(places)


@pytest.mark.parametrize("text", ["\x00" + "a" * 65, "\x01" * 9 + "ÿ" * 70, "\x00a", "\xe9" * 9])
def test_nothing_makes_it_slow(text: str) -> None:
    began = time.process_time()
    list(find_binary(text * (4_000_000 // len(text))))
    assert time.process_time() - began < 5


def test_kinds_are_known_by_how_they_begin() -> None:
    assert name_media_type(b"RIFF1234WEBPVP8 ") == "image/webp"
    assert name_media_type(b"%PDF-1.7") == "application/pdf"
    assert name_media_type(b"hello") == "application/octet-stream"


def test_bytes_are_kept_outside_the_index(paths: ProfilePaths) -> None:
    said = Utterance(Role.TOOL, "$ cat shot.png\n" + PNG.decode("latin-1"))
    with open_app(paths, {}) as app:
        app.conversations.record([Turn(NewSession(id="s"), (said,))])
        (message,) = app.conversations.list_messages("s", after_id=0, limit=9)
        assert message.text == "$ cat shot.png\n[image/png, 3 KB]"
        assert app.conversations.search("IEND").hits == ()
        assert [each.content for each in app.conversations.list_payloads(message.id)] == [PNG]
