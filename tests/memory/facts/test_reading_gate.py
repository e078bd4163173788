"""The comparer has a say in what is kept; where it fails, the signs decide as they did before."""

import pytest

from hermes.embed.comparer import Comparer
from hermes.errors import Corrupt, Unavailable
from hermes.memory.facts.clauses.gate import (
    READING,
    Judge,
    judge_with,
    load_gate,
    signs_of,
)
from hermes.memory.facts.clauses.pair import Said
from hermes.memory.facts.clauses.reader import RuleExtractor, propose
from hermes.types import Message, Role

AT = 1_770_000_000_000  # 2026-02-02
CHAT = (
    "hi! can you fix this regex for me",
    "I live in Utrecht and my sister Ana lives in Porto",
    "the build is red again",
    "we deploy on Thursdays, never on a Friday",
)


def said(*texts: str) -> list[Message]:
    return [Message(n, "s", n, AT + n, Role.USER, text) for n, text in enumerate(texts, start=1)]


def read(judge: Judge, *texts: str) -> list[str]:
    return [each.text for each in RuleExtractor(judge=judge).extract(said(*texts))]


def test_what_the_comparer_says_is_weighed_beside_the_signs() -> None:
    gate = load_gate(READING)
    assert gate.compared > 0
    candidate = propose("I live in Utrecht", AT)[0]
    lacking = (gate.threshold - gate.score(signs_of(candidate))) / gate.compared
    heard = Said(f"well, as you know {candidate.quote}", AT)
    assert Judge(compare=lambda *_: lacking + 0.01)(candidate, heard) is not None
    assert Judge(compare=lambda *_: lacking - 0.01)(candidate, heard) is None


@pytest.mark.parametrize("error", [Unavailable("Gone.", "Wait."), Corrupt("Broken.", "Mend.")])
def test_where_it_fails_the_signs_decide(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[str] = []

    def fail(first: str, _: str) -> float:
        asked.append(first)
        raise error

    assert read(Judge(compare=fail), *CHAT) == read(Judge(), *CHAT)
    assert len(asked) == 1
    assert "without the comparer" in caplog.text


def test_what_the_signs_cannot_judge_needs_the_comparer() -> None:
    text = "tests are run with make check, the env vars are set in the Makefile"
    kept = read(Judge(compare=lambda *_: 99.0), text)
    assert set(read(Judge(), text)) < set(kept)


def test_a_reading_gets_the_same_verdict_alone_and_among_others() -> None:
    shared, chat = judge_with(None, Comparer()), said(*CHAT)
    among = {each.text: shared(each, Said.of(chat[1], chat[0])) for each in propose(CHAT[1], AT)}
    assert any(among.values())
    for each in propose(CHAT[1], AT):
        alone = judge_with(None, Comparer())
        assert alone(each, Said.of(chat[1], chat[0])) == among[each.text]
    assert read(shared, *CHAT) == read(judge_with(None, Comparer()), *CHAT)


def test_what_one_reader_says_well_is_not_told_once_more_with_its_reasons() -> None:
    keeping = Judge(compare=lambda *_: 99.0)
    found = read(keeping, "My nephew is diabetic, so no syrupy dessert")
    assert found == ["User's nephew is diabetic"]


def test_a_piece_with_a_name_of_its_own_stays() -> None:
    keeping = Judge(compare=lambda *_: 99.0)
    found = read(keeping, "I live in Utrecht, in the same street as Bart")
    assert any("Bart" in each for each in found)
    found = read(keeping, "My wife Folake is a midwife with night shifts")
    assert any("midwife" in each for each in found)


def test_a_message_that_is_nothing_but_a_statement_is_told_for_its_own_sake() -> None:
    gate = load_gate(READING)
    candidate = propose("I have three cats", AT)[0]
    lacking = (gate.edge(candidate.signs) - 1 - gate.score(signs_of(candidate))) / gate.compared
    judge = Judge(compare=lambda *_: lacking)
    assert judge(candidate, Said("FYI I have three cats.", AT)) is not None
    assert judge(candidate, Said("Oh sure, I have three cats.", AT)) is None
    assert judge(candidate, Said("I have three cats, and the build is red", AT)) is None
    assert judge(candidate, Said("I have three cats, or do I?", AT)) is None
