"""From what a server sent to the fault it means."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import HermesError
from hermes.net.backoff import RetryPolicy, next_delay_s
from hermes.net.client import is_loopback
from hermes.net.faults import PASSING, Endpoint, EndpointError, Fault, build_error
from hermes.net.read import parse_object, parse_retry_after, read_said, read_status

ENDPOINT = Endpoint("http://x/v1", "The model m", "model", key_name="X_KEY", secret="sk-123456")
NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("fault", list(Fault))
def test_every_fault_has_a_message_that_names_the_endpoint_and_a_hint(fault: Fault) -> None:
    error = build_error(fault, ENDPOINT, "said sk-123456")
    assert ENDPOINT.url in error.message
    assert "sk-123456" not in error.message
    assert error.hint.endswith(".")
    assert "{" not in error.hint
    assert error.is_passing == (fault in PASSING)


@given(st.integers(300, 599), st.binary(max_size=200), st.booleans())
def test_any_status_with_any_body_is_an_error_with_a_hint(
    status: int, body: bytes, has_key: bool
) -> None:
    endpoint = ENDPOINT if has_key else Endpoint("http://x", "It", "model")
    error = read_status(status, {}, body, endpoint)
    assert error.message
    assert error.hint


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"error": {"message": "no such model", "code": 404}}', "no such model"),
        (b'{"error": "model not found"}', "model not found"),
        (b'{"detail": [{"msg": "field required"}]}', "field required"),
        (b'{"type": "error", "error": {"type": "overloaded_error"}}', "overloaded_error"),
        (b'[{"error": {"message": "API key not valid"}}]', "API key not valid"),
        (b"upstream  connect\nerror", "upstream connect error"),
        (b"<!doctype html><p>hi", "a web page, not an API"),
        (b"", ""),
    ],
)
def test_the_sentence_is_found_in_every_usual_place(body: bytes, said: str) -> None:
    assert read_said(body) == said


def test_a_long_sentence_is_cut() -> None:
    assert len(read_said(b"x" * 10_000)) == 300


def test_a_key_refused_with_status_400_is_a_wrong_key() -> None:
    body = b'[{"error": {"message": "API key not valid. Please pass a valid API key."}}]'
    assert read_status(400, {}, body, ENDPOINT).fault is Fault.WRONG_KEY


def test_a_text_too_long_is_that_also_as_a_failure_of_the_server() -> None:
    body = b'{"error": {"message": "input is too large to process. increase the physical batch'
    assert read_status(500, {}, body, ENDPOINT).fault is Fault.TOO_LONG
    assert read_status(500, {}, b"failed", ENDPOINT).fault is Fault.SERVER


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": format_datetime(NOW + timedelta(seconds=30), usegmt=True)}, 30.0),
        ({"retry-after": format_datetime(NOW - timedelta(days=1), usegmt=True)}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert parse_retry_after(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_any_retry_after_is_a_wait_or_nothing(text: str) -> None:
    wait = parse_retry_after({"retry-after": text}, NOW)
    assert wait is None or wait >= 0


@given(st.binary(max_size=100))
def test_any_body_is_an_object_or_a_named_fault(body: bytes) -> None:
    try:
        value = parse_object(body, ENDPOINT)
    except EndpointError as error:
        assert error.fault is Fault.GARBLED
        assert isinstance(error, HermesError)
    else:
        assert isinstance(value, dict)


@given(
    st.integers(1, 10),
    st.floats(0, 1),
    st.none() | st.floats(0, 200),
    st.sampled_from(list(Fault)),
)
def test_waits_are_bounded_and_only_for_what_passes(
    attempt: int, roll: float, retry_after_s: float | None, fault: Fault
) -> None:
    policy = RetryPolicy(attempts=6)
    error = build_error(fault, ENDPOINT, retry_after_s=retry_after_s)
    delay_s = next_delay_s(policy, error, attempt=attempt, roll=roll)
    if delay_s is None:
        is_impatient = retry_after_s is not None and retry_after_s > policy.patience_s
        assert attempt >= 6 or fault not in PASSING or is_impatient
    else:
        assert fault in PASSING
        assert 0 < delay_s <= policy.patience_s * 1.1
        assert retry_after_s is None or delay_s >= retry_after_s


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:8080/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://localhost.evil.test", False),
        ("http://[::1", False),
    ],
)
def test_only_this_machine_is_loopback(url: str, expected: bool) -> None:
    assert is_loopback(url) is expected
