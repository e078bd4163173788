"""Bytes in text are set aside and come back the same; prose stays where it is."""

import base64
import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.payloads import parse_data_url, render_marker, take_payloads
from hermes.types import Payload

NOISE = Random(3).randbytes(3000)
ENCODED = base64.b64encode(NOISE).decode()


def test_a_picture_pasted_as_a_url_is_set_aside() -> None:
    text, payloads = take_payloads(f"see ![shot](data:image/png;base64,{ENCODED}) there")
    assert text == "see ![shot]([image/png, 3 KB]) there"
    assert payloads == (Payload("image/png", NOISE),)


def test_several_are_set_aside_in_order() -> None:
    one, two = (base64.b64encode(b"x%d" % n * 40).decode() for n in (1, 2))
    text, payloads = take_payloads(f"data:a/b;base64,{one} and data:;charset=utf-8;base64,{two}")
    assert text == "[a/b, 1 KB] and [text/plain, 1 KB]"
    assert [p.content for p in payloads] == [b"x1" * 40, b"x2" * 40]


def test_a_bare_run_of_base64_is_set_aside() -> None:
    text, payloads = take_payloads(f"here: {ENCODED} done")
    assert text == "here: [application/octet-stream, 3 KB] done"
    assert payloads == (Payload("application/octet-stream", NOISE),)


def test_zeros_within_do_not_hide_a_run() -> None:
    content = NOISE + bytes(500) + NOISE
    _, payloads = take_payloads(base64.b64encode(content).decode())
    assert payloads == (Payload("application/octet-stream", content),)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_base64_in_lines_as_programs_print_it_is_set_aside(newline: str) -> None:
    printed = base64.encodebytes(NOISE).decode().replace("\n", newline)
    text, payloads = take_payloads(f"$ base64 shot.png{newline}{printed}$ exit")
    assert payloads == (Payload("application/octet-stream", NOISE),)
    assert text == f"$ base64 shot.png{newline}[application/octet-stream, 3 KB]{newline}$ exit"


def test_a_key_is_left_for_the_guard_to_see() -> None:
    pem = f"-----BEGIN PRIVATE KEY-----\n{base64.encodebytes(NOISE).decode()}-----END"
    assert take_payloads(pem) == (pem, ())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "short data:image/png;base64,",
        "prose about base64, and data: URLs " * 40,
        "=" * 5000,
        "-" * 5000,
        "a" * 5000,
        "ACGT" * 500,
        "0123456789abcdef" * 100,
        "deadBEEF0123" * 100,
        "/usr/lib/python3/" * 10,
        "word " * 1000,
        "data:image/png;base64,!!!" + "x" * 20 + " " * 600,
        "漢字" * 800,
        ("x" * 70 + "\n") * 20,
        ("0f" * 32 + "\n") * 20,
    ],
)
def test_prose_and_drawings_stay(text: str) -> None:
    assert take_payloads(text) == (text, ())


@given(st.binary(min_size=600, max_size=3000), st.text(max_size=50), st.text(max_size=50))
def test_what_is_set_aside_is_what_was_sent(content: bytes, before: str, after: str) -> None:
    url = f"data:image/jpeg;base64,{base64.b64encode(content).decode()}"
    text, payloads = take_payloads(f"{before} {url} {after}")
    assert payloads[0] == Payload("image/jpeg", content)
    assert text == f"{before} {render_marker(payloads[0])} {after}"
    assert parse_data_url(url) == payloads[0]


@given(st.text(st.characters(exclude_categories=[]), max_size=2000))
def test_any_text_is_taken(text: str) -> None:
    kept, payloads = take_payloads(text)
    assert (kept == text) == (payloads == ())


def test_the_url_safe_alphabet_is_read() -> None:
    content = bytes(range(256)) * 2
    url = "data:a/b;base64," + base64.urlsafe_b64encode(content).decode().rstrip("=")
    assert parse_data_url(url) == Payload("a/b", content)
    assert parse_data_url("https://example.org/a.png") is None
    assert parse_data_url("data:text/plain,hello") is None


@pytest.mark.parametrize(
    "text", ["a" * 511 + " ", ("A" * 75 + "\n") * 5 + "!", "data:a;a;a;a", "data:a/"]
)
def test_nothing_makes_it_slow(text: str) -> None:
    began = time.process_time()
    take_payloads(text * (4_000_000 // len(text)))
    assert time.process_time() - began < 5


@pytest.mark.parametrize("kind", ["summary+json", "prefix", "outcome+json", "BRANCH+json"])
def test_no_text_can_claim_to_be_what_the_agent_keeps_for_itself(kind: str) -> None:
    url = f"data:application/vnd.Hermes.{kind};base64," + base64.b64encode(b"{}" * 40).decode()
    _, (taken,) = take_payloads(f"see {url}")
    whole = parse_data_url(url)
    assert whole is not None
    assert taken.media_type == whole.media_type == "application/octet-stream"
