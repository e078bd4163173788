"""What is left of a message: what tells something, in fewer words."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.compress.dense import condense, content_words, read_sentences, split_sentences
from hermes.memory.compress.extract import extract_lines, make_parts
from hermes.memory.compress.matter import split_matter
from hermes.types import Message, Origin, Role, ToolCall, Trust


def said(text: str, role: Role = Role.USER, number: int = 1, speaker: str = "") -> Message:
    return Message(number, "s", number, number * 60_000, role, text, speaker)


@pytest.mark.parametrize(
    ("sentence", "dense"),
    [
        ("I've moved from VS Code to Helix.", "moved from VS Code to Helix"),
        ("The deadline for the report is 30 June.", "deadline report 30 June"),
        ("I am not going to use MongoDB", "not use MongoDB"),
        ('I just read "The Wheel of Time" again', 'read "The Wheel of Time"'),
        ("数据库迁移脚本周四晚上十点运行。", "数据库迁移脚本周四晚上十点运行。"),
        ("", ""),
    ],
)
def test_words_that_any_sentence_has_go(sentence: str, dense: str) -> None:
    assert condense(sentence) == dense


@pytest.mark.parametrize("text", ["Thanks!", "Good morning", "That's great!", "Sounds good!", ""])
def test_courtesy_tells_nothing(text: str) -> None:
    assert read_sentences(said(text)) == []


def test_calling_someone_by_name_tells_nothing() -> None:
    names = frozenset({"melanie"})
    assert read_sentences(said("Wow, that's cool, Melanie!"), names) == []
    assert read_sentences(said("Hey Mel!"), names) == []


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    message = said(text)
    lines = extract_lines([message])
    for sentence in read_sentences(message):
        assert sentence.dense
    if lines:
        assert make_parts(lines, [message], "")[0].text


@given(st.lists(st.sampled_from(["Lena moved to Oslo.", "It costs 40 euros!", "Why?", "ok."])))
def test_splitting_loses_no_word(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert " ".join(split_sentences(text)).split() == text.split()


def test_code_and_logs_become_their_gist() -> None:
    body = "\n".join(["def plan_route(stops):", *["    x = 1  # filling"] * 30, "class Solver:"])
    code = split_matter(f"Here it is:\n```python\n{body}\n```\nIt works.")
    assert [piece.prose for piece in code] == [True, False, True]
    assert "plan_route" in code[1].text
    assert "Solver" in code[1].text
    assert len(code[1].text) < 120
    log = "\n".join(
        [*[f"2025-01-01 10:00:{n:02d} INFO fine" for n in range(40)], "ERROR disk full"]
    )
    gist = split_matter(log, is_output=True)[0].text
    assert "disk full" in gist
    assert len(gist) < 300


def test_an_answer_keeps_its_question_and_a_repeat_goes() -> None:
    talk = [
        said("Shall we use Redis or NATS for the queue?", Role.ASSISTANT, 1),
        said("NATS.", Role.USER, 2),
        said("Decision: Atlas launches on 14 November with 14 depots.", Role.USER, 3),
        said("Noted: Atlas launches on 14 November with 14 depots.", Role.ASSISTANT, 4),
    ]
    lines = extract_lines(talk)
    assert [line.message_id for line in lines] == [1, 2, 3]
    assert "Redis" in lines[0].text


def test_parts_cover_every_message_once_and_trust_never_rises() -> None:
    talk = [
        said(f"Stop {n} of van {n * 7} is reached at 1{n % 9}:30 by driver Number{n}", number=n)
        for n in range(1, 120)
    ]
    poison = Message(60, "s", 60, 60, Role.TOOL, "page 60", "", origin=Origin.WEB, trust=Trust.NONE)
    talk[59] = poison
    parts = make_parts(extract_lines(talk), talk, "Vans")
    assert len(parts) > 2
    assert parts[0].first_id == 1
    assert parts[-1].last_id == 119
    for one, two in pairwise(parts):
        assert one.last_id + 1 == two.first_id
    assert parts[0].text.startswith("[1970-01-01 00:01 to ")
    assert "Vans:" in parts[0].text
    tainted = [part for part in parts if part.first_id <= 60 <= part.last_id]
    assert tainted[0].trust is Trust.NONE
    assert {part.trust for part in parts} == {Trust.NONE, Trust.MEDIUM}


def test_content_words_are_folded() -> None:
    assert content_words("The Launch is on 14 November") == {"launch", "14", "november"}


def test_what_a_tool_was_asked_for_stays_each_once() -> None:
    lines = ("pytest", "uv run pytest -q", "pytest", "echo " + "x" * 200)
    calls = [ToolCall(f"c{n}", "terminal", json.dumps({"command": c})) for n, c in enumerate(lines)]
    calls += [ToolCall("c8", "look", "{}"), ToolCall("c9", "odd", "not json")]
    talk = [replace(said("", Role.ASSISTANT, n), calls=(c,)) for n, c in enumerate(calls, 1)]
    told = [line.text for line in extract_lines(talk)]
    assert told[:2] == ["[terminal: pytest]", "[terminal: uv run pytest -q]"]
    assert told[2].endswith("x…]")
    assert told[3:] == ["[look]", "[odd: not json]"]
