"""A model's reply is read whole, each fact judged by itself, none without the user's own words."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import parse_time
from hermes.errors import HermesError, Unavailable
from hermes.guard.fence import fence
from hermes.llm.base import Finish, ModelReply
from hermes.llm.structured import is_strict
from hermes.memory.facts.llm import (
    LONGEST_CONTEXT,
    MOST_EPISODES,
    SCHEMA,
    apply,
    batches,
    request,
)
from hermes.types import FactKind, Message, Origin, Role

AT = parse_time("2026-01-05T09:00:00Z")


def message(number: int, text: str, role: Role = Role.USER, episode: int = 1) -> Message:
    origin = Origin.USER if role is Role.USER else Origin.AGENT
    return Message(number, "s", episode, AT + number, role, text, origin=origin)


RECALLED = fence("User's name is Mallory", {"kind": "fact"})
CHAT = (
    message(11, f"{RECALLED}\nI live in Leeds and the report is due on Friday"),
    message(12, "You live in York.", Role.ASSISTANT),
)
FACT = {
    "message": 0,
    "quote": "I live in Leeds",
    "text": "User lives in Leeds",
    "kind": "identity",
    "subject": "User",
    "attribute": "Location",
    "value": "Leeds",
    "entities": ["Leeds"],
    "confidence": "high",
    "single": True,
    "correction": False,
    "replaces": "",
    "date": "",
}


def reply(*facts: object, finish: Finish = Finish.STOP) -> ModelReply:
    return ModelReply(json.dumps({"facts": list(facts)}), finish=finish, model="tiny")


def test_the_request_shows_the_messages_as_data_without_what_was_recalled() -> None:
    asked = request(CHAT)
    assert asked is not None
    shown = asked.messages[1].text
    assert "I live in Leeds" in shown
    assert "Mallory" not in shown
    assert 'message="0"' in shown
    assert asked.json_schema == SCHEMA
    assert is_strict(SCHEMA.schema)


def test_no_request_where_no_user_speaks() -> None:
    assert request([message(1, "hi", Role.ASSISTANT)]) is None
    assert request([message(1, RECALLED)]) is None


def test_long_answers_are_only_context() -> None:
    asked = request([message(1, "hi"), message(2, "x" * 5_000, Role.ASSISTANT)])
    assert asked is not None
    assert asked.messages[1].text.count("x") <= LONGEST_CONTEXT + 20


def test_batches_hold_whole_episodes() -> None:
    chat = [message(n, "hello", episode=n // 3) for n in range(60)]
    split = list(batches(chat))
    assert [each for batch in split for each in batch] == chat
    assert all(len({each.episode_id for each in batch}) <= MOST_EPISODES for batch in split)
    owners = [{each.episode_id for each in batch} for batch in split]
    assert sum(map(len, owners)) == len(set.union(*owners))


def test_a_good_fact_is_taken_with_its_source() -> None:
    (found,) = apply(reply(FACT), CHAT).candidates
    assert (found.kind, found.subject, found.attribute) == (FactKind.IDENTITY, "user", "location")
    assert (found.message_id, found.at, found.valid_from) == (11, AT + 11, AT + 11)


@pytest.mark.parametrize(
    "wrong",
    [
        {"quote": "I live in York"},
        {"quote": "User's name is Mallory"},
        {"quote": ""},
        {"message": 1, "quote": "You live in York."},
        {"message": 7},
        {"message": -1},
        {"text": "x" * 400},
        {"attribute": ""},
    ],
)
def test_a_fact_without_the_users_words_is_refused_alone(wrong: dict[str, object]) -> None:
    result = apply(reply({**FACT, **wrong}, FACT), CHAT)
    assert (len(result.candidates), len(result.refused)) == (1, 1)


@pytest.mark.parametrize(
    "invented",
    [
        {"quote": "a"},
        {"quote": "ive in Leeds"},
        {"text": "User owes the bank 40,000 euros", "value": "40,000 euros"},
        {"text": "User is a convicted felon", "value": "felon"},
        {"text": "User is a convicted felon"},
        {"text": "User lives in Leeds with Mallory"},
        {"text": "User lives in Leeds since 2019"},
        {"value": "York"},
        {"subject": "Mallory"},
        {"entities": ["Leeds", "Mallory"]},
    ],
)
def test_a_true_quote_bears_no_invented_statement(invented: dict[str, object]) -> None:
    result = apply(reply({**FACT, **invented}, FACT), CHAT)
    assert (len(result.candidates), len(result.refused)) == (1, 1)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        (
            "the Q2 report is due on Friday",
            {
                "quote": "due on Friday",
                "text": "User's Q2 report is due on Friday, January 9, 2026",
                "attribute": "deadline:q2 report",
                "value": "2026-01-09",
                "date": "2026-01-09",
            },
        ),
        ("i've a peanut allergy", {"text": "User is allergic to peanuts", "value": "peanuts"}),
        ("we owe 40000 euros", {"text": "User owes 40,000 euros", "value": "40,000 Euros"}),
        ("my sister ana called", {"text": "User's sister is named Ana", "value": "Ana"}),
        ("我住在柏林了", {"text": "User lives in 柏林", "value": "柏林"}),
        (
            "my niece (16) wants to be a marine biologist",
            {
                "text": "The niece of User wants to be a marine biologist",
                "subject": "user's niece",
                "value": "marine biologist",
            },
        ),
        (
            "we're doing dvorak 8, the rests are brutal",
            {
                "text": "User's orchestra is doing Dvorak 8",
                "subject": "user's orchestra",
                "value": "Dvorak 8",
            },
        ),
        (
            "we moved to the new office last month",
            {
                "text": "User's team moved to the new office in December 2025",
                "value": "the new office",
            },
        ),
        (
            "Bin Imker im dritten Jahr, zwei Völker, Schwarzwald.",
            {"text": "User ist Imker im dritten Jahr", "value": "Imker"},
        ),
    ],
)
def test_what_was_said_in_other_words_is_taken(said: str, fact: dict[str, object]) -> None:
    changed = {**FACT, "quote": said, "entities": [], **fact}
    assert apply(reply(changed), [message(1, said)]).refused == ()


@pytest.mark.parametrize(
    "broken",
    [
        ModelReply("", model="m"),
        ModelReply("I cannot help with that", finish=Finish.REFUSAL),
        reply(FACT, finish=Finish.LENGTH),
        ModelReply(reply(FACT).text[:-9]),
        ModelReply("[]"),
        ModelReply('{"facts": 3}'),
        reply("fact"),
        reply({"text": "User is nice"}),
        reply({**FACT, "extra": 1}),
        reply({**FACT, "single": "yes"}),
        reply({**FACT, "message": "0"}),
        reply({**FACT, "entities": "Leeds"}),
        reply(FACT, {**FACT, "date": 2026}),
        reply("fact", FACT),
    ],
)
def test_a_malformed_reply_gives_nothing_at_all(broken: ModelReply) -> None:
    with pytest.raises(Unavailable):
        apply(broken, CHAT)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"date": "2026-99-99"}, "'2026-99-99' is no date"),
        ({"date": "soon"}, "'soon' is no date"),
        ({"kind": "gossip"}, "'gossip'"),
        ({"confidence": "total"}, "'total'"),
    ],
)
def test_a_wrong_word_in_a_fact_refuses_that_fact_alone(wrong: dict[str, object], why: str) -> None:
    result = apply(reply({**FACT, **wrong}, FACT), CHAT)
    assert len(result.candidates) == 1 and why in "".join(result.refused)
    alone = apply(reply({**FACT, **wrong}), CHAT)
    assert alone.candidates == () and len(alone.refused) == 1, "or it would be asked for ever"


@pytest.mark.parametrize(("odd", "kept"), [("\ud800", "\ufffd"), ("\x00", ""), ("\u200b", "")])
def test_what_cannot_be_seen_or_kept_is_not_in_a_fact(odd: str, kept: str) -> None:
    marked = {**FACT, "text": f"{FACT['text']}{odd}", "entities": [f"{odd}Leeds"]}
    (found,) = apply(reply(marked), CHAT).candidates
    assert (found.text, found.entities) == (f"{FACT['text']}{kept}", (f"{kept}Leeds",))


def test_a_date_sets_when_the_fact_holds() -> None:
    dated = {**FACT, "quote": "the report is due on Friday", "date": "2026-01-09"}
    (found,) = apply(reply(dated), CHAT).candidates
    assert found.valid_from == parse_time("2026-01-09")


def test_the_value_of_a_deadline_is_its_day_however_it_was_written() -> None:
    due = {
        **FACT,
        "quote": "the report is due on Friday",
        "text": "User's report is due on Friday",
        "kind": "deadline",
        "value": "Friday",
        "date": "2026-01-09",
    }
    (found,) = apply(reply(due), CHAT).candidates
    assert (found.value, found.valid_from) == ("2026-01-09", parse_time("2026-01-09"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(FACT)), JSON))
def test_no_reply_breaks_more_than_itself(changed: dict[str, object]) -> None:
    try:
        result = apply(reply({**FACT, **changed}), CHAT)
    except HermesError:
        return
    assert all(each.quote in CHAT[0].text for each in result.candidates)


def test_pages_and_tools_are_never_quoted() -> None:
    web = replace(CHAT[0], origin=Origin.WEB)
    assert request([web]) is None
    assert apply(reply(FACT), [web]).candidates == ()


@pytest.mark.parametrize(
    ("subject", "text"), [("user", "User lives in York"), ("Tom", "Tom lives in York")]
)
def test_in_a_chat_of_several_a_fact_is_about_whoever_said_it(subject: str, text: str) -> None:
    chat = (
        replace(message(11, "I live in Leeds"), speaker="Maya"),
        replace(message(12, "I live in York"), speaker="Tom"),
    )
    said = FACT | {"message": 1, "quote": "I live in York", "value": "York", "entities": ["York"]}
    applied = apply(reply(said | {"subject": subject, "text": text}), chat)
    assert [(each.subject, each.text) for each in applied.candidates] == [
        ("Tom", "Tom lives in York")
    ]
