"""The gate keeps what plainly lasts and leaves what nobody would want to find again."""

import pytest

from hermes.memory.facts.clauses.gate import Gate, load_gate, signs_of
from hermes.memory.facts.clauses.reader import RuleExtractor, propose
from hermes.types import Message, Role

AT = 1_770_000_000_000  # 2026-02-02


def read(*texts: str) -> list[str]:
    said = [Message(n, "s", n, AT + n, Role.USER, text) for n, text in enumerate(texts, start=1)]
    return [each.text for each in RuleExtractor().extract(said)]


@pytest.mark.parametrize(
    "text",
    [
        "My name is Priya",
        "I live in Utrecht",
        "I'm allergic to peanuts",
        "we moved from Heroku to Fly.io last week",
        "my sister Ana lives in Porto",
    ],
)
def test_plain_statements_pass(text: str) -> None:
    assert read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'd rather be done",
        "Playing guitar in a rock band is awesome, Dave",
        "Wow, that's awesome",
        "run the e2e suite",
        "I'm here for you",
        "no wait",
        "ich bin bis 8. Mai im Urlaub, Vertretung macht Silke",
    ],
)
def test_what_nobody_would_keep_is_left(text: str) -> None:
    assert read(text) == []


def test_a_pronoun_never_makes_a_person_of_a_thing() -> None:
    told = read("Priya is the product owner. The review is late. It moves to 21 November")
    assert not any(text.startswith("Priya moves") for text in told)


def test_the_same_person_does_not_answer_their_own_question() -> None:
    assert read("Which editor do you prefer?", "Wow, Joanna") == []


def test_a_sum_of_signs_is_weighed_once_each() -> None:
    gate = Gate({"a": 1.5, "b": -1.0}, bias=0.25, threshold=0.5)
    assert gate.score(["a", "a", "unknown"]) == 1.75
    assert gate.score(["a", "b"]) == 0.75


def test_every_candidate_says_who_read_it() -> None:
    found = propose("I live in York. the choir rehearses on Tuesdays", AT)
    assert all(any(sign.startswith("by:") for sign in each.signs) for each in found)
    assert {"by:table", "by:as_said"} <= {sign for each in found for sign in each.signs}
    assert all(signs_of(each) >= set(each.signs) for each in found)


def test_the_weights_are_there() -> None:
    gate = load_gate()
    assert len(gate.weights) > 100
    assert gate.weights["by:as_said"] < 0
