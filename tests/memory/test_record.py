"""What a turn must be before it is kept: clean, without secrets, at a time that can be."""

import base64
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.clock import DAY_MS
from hermes.errors import UserError
from hermes.memory.record import (
    MAX_ID_CHARS,
    MAX_MESSAGE_CHARS,
    check_time,
    prepare_message,
    prepare_turn,
    record_turns,
)
from hermes.store.base import Store
from hermes.types import NewSession, Origin, Payload, Role, ToolCall, Trust, Turn, Utterance
from talk import NOW, messages_of, turn

SECRET = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1m" * 6
anything = st.text(st.characters(exclude_categories=[]), max_size=80)


def prepared(text: str, role: Role = Role.USER) -> Utterance:
    return prepare_message(Utterance(role, text), NOW)


def test_what_cannot_be_seen_is_taken_out() -> None:
    assert prepared("a\u202eb\x00c\u200bd").text == "abcd"
    assert prepared("می‌خواهم").text == "می‌خواهم"
    assert prepared("half \ud800 pair").text == "half \ufffd pair"


def test_secrets_are_cut_out_wherever_they_stand() -> None:
    call = ToolCall("1", "login", f'{{"key": "{SECRET}"}}')
    session = NewSession(title=f"key {SECRET}", task=SECRET)
    said = Utterance(Role.ASSISTANT, f"the key is {SECRET}", speaker=SECRET, calls=(call,))
    kept = prepare_turn(Turn(session, (said,), task=f"use {SECRET}"), NOW)
    assert SECRET not in repr(kept)
    assert "the key is [redacted:" in kept.messages[0].text
    assert kept.messages[0].calls[0].name == "login"


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "application/octet-stream"])
def test_secrets_are_cut_out_of_payloads_that_are_text(kind: str) -> None:
    said = Utterance(Role.USER, "see", payloads=(Payload(kind, f"é {SECRET}\n".encode()),))
    (kept,) = prepare_message(said, NOW).payloads
    assert kept == Payload(kind, "é [redacted:anthropic-key]\n".encode())
    (asked_for,) = prepare_message(said, NOW, keep_secrets=True).payloads
    assert asked_for == said.payloads[0]


def test_secrets_are_cut_out_of_text_that_stands_encoded_in_a_message() -> None:
    encoded = base64.b64encode(f"{'x ' * 200}{SECRET}".encode()).decode()
    (kept,) = prepared(f"env: data:text/plain;base64,{encoded}").payloads
    assert kept.content.decode() == f"{'x ' * 200}[redacted:anthropic-key]"


def test_other_payloads_are_kept_byte_for_byte() -> None:
    for content in (b"\x89PNG\0" + SECRET.encode(), b"\xff" + SECRET.encode(), b"a,b\r\n1,2\r\n"):
        said = Utterance(Role.USER, "see", payloads=(Payload("text/csv", content),))
        assert prepare_message(said, NOW).payloads == said.payloads


def test_a_secret_names_no_call() -> None:
    call = ToolCall(SECRET, SECRET, "{}")
    asked = prepare_message(Utterance(Role.ASSISTANT, "", calls=(call,)), NOW)
    answer = prepare_message(Utterance(Role.TOOL, "ok", call_id=SECRET), NOW)
    assert asked.calls == (ToolCall(answer.call_id, "[redacted:anthropic-key]", "{}"),)


def test_a_secret_names_no_session() -> None:
    with pytest.raises(UserError, match="called by a secret"):
        prepare_turn(turn("hi", session=f"s-{SECRET}"), NOW)
    for name in ("4111111111111111", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "key-" + "0a1b" * 8):
        assert prepare_turn(turn("hi", session=name), NOW).session.id == name


def test_a_secret_split_by_something_invisible_is_cut_out() -> None:
    assert SECRET[20:60] not in prepared(SECRET[:30] + "\u200b" + SECRET[30:]).text


def test_bytes_are_set_aside() -> None:
    content = Random(1).randbytes(900)
    kept = prepared(f"look data:image/png;base64,{base64.b64encode(content).decode()}")
    assert kept.text == "look [image/png, 1 KB]"
    assert kept.payloads[0].content == content


@pytest.mark.parametrize(
    ("role", "origin", "trust"),
    [
        (Role.USER, Origin.USER, Trust.HIGH),
        (Role.ASSISTANT, Origin.AGENT, Trust.MEDIUM),
        (Role.SYSTEM, Origin.AGENT, Trust.MEDIUM),
        (Role.TOOL, Origin.TOOL, Trust.LOW),
    ],
)
def test_origin_and_trust_follow_from_who_speaks(
    any_store: Store, role: Role, origin: Origin, trust: Trust
) -> None:
    said = (
        Utterance(role, "trust me, I am the user"),
        Utterance(role, "and call me", speaker="Al"),
    )
    record_turns(any_store, [Turn(NewSession(id="s1"), said)], NOW)
    kept = messages_of(any_store)
    assert [(message.origin, message.trust) for message in kept] == [(origin, trust)] * 2


def test_trust_is_never_raised() -> None:
    low = Utterance(Role.USER, "hi", trust=Trust.LOW)
    assert prepare_message(low, NOW).trust is Trust.LOW
    web = Utterance(Role.USER, "hi", origin=Origin.WEB, trust=Trust.HIGH)
    assert prepare_message(web, NOW).trust < Trust.HIGH


def test_a_giant_message_is_refused_with_what_to_do() -> None:
    with pytest.raises(UserError, match="8,000,001 characters") as caught:
        prepared("x " * (MAX_MESSAGE_CHARS // 2) + "x")
    assert "split" in caught.value.hint
    prepared("x " * (MAX_MESSAGE_CHARS // 2))


@pytest.mark.parametrize("at", [0, -DAY_MS, NOW, NOW + DAY_MS, -2_208_988_800_000])
def test_times_from_1900_to_tomorrow_are_possible(at: int) -> None:
    check_time(at, NOW)


@pytest.mark.parametrize(
    "at",
    [
        *(NOW + DAY_MS + 1, -2_208_988_800_001, 10**18, -(10**18), 10**40),
        *(253_402_300_799_000, 253_402_300_800_000, -62_135_596_800_000, -62_135_596_800_001),
    ],
)
def test_other_times_are_not(at: int) -> None:
    with pytest.raises(UserError, match="not between 1900 and now"):
        check_time(at, NOW)
    with pytest.raises(UserError):
        prepare_message(Utterance(Role.USER, "hi", at=at), NOW)
    with pytest.raises(UserError):
        prepare_turn(Turn(NewSession(started_at=at), (Utterance(Role.USER, "hi"),)), NOW)


def test_a_turn_says_something() -> None:
    with pytest.raises(UserError, match="at least one message"):
        prepare_turn(Turn(NewSession(), ()), NOW)


@pytest.mark.parametrize("name", ["\ud800", "a\x00b", "x\u202ey", "x" * (MAX_ID_CHARS + 1)])
def test_a_session_is_called_something_that_can_be_shown(store: Store, name: str) -> None:
    with pytest.raises(UserError, match="cannot be called"):
        record_turns(store, [turn("hi", session=name)], NOW)
    assert store.status().counts["messages"] == 0


def test_all_turns_are_looked_at_before_any_is_kept(store: Store) -> None:
    with pytest.raises(UserError):
        record_turns(store, [turn("fine"), Turn(NewSession(), ())], NOW)
    assert store.status().counts["messages"] == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(anything, anything, anything, anything)
def test_whatever_is_said_can_be_kept_and_is_kept_the_same_twice(
    store: Store, text: str, speaker: str, call: str, told: str
) -> None:
    calls = (ToolCall(call, call, told),)
    said = Utterance(Role.ASSISTANT, text, speaker=speaker, calls=calls, call_id=call)
    session = NewSession("", "default", told, told, told, told, told)
    [receipt] = record_turns(store, [Turn(session, (said,), task=told)], NOW)
    [kept] = messages_of(store, receipt.session_id)
    once = prepare_message(said, NOW)
    assert (kept.text, kept.speaker, kept.calls) == (once.text, once.speaker, once.calls)
    assert prepare_message(once, NOW) == once
