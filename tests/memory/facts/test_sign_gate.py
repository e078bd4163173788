"""The gate keeps what plainly lasts and leaves what nobody would want to find again."""

from dataclasses import replace

import pytest

from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.errors import Unavailable
from hermes.memory.facts.clauses.gate import MEANING, Gate, Judge, judge_with, load_gate, signs_of
from hermes.memory.facts.clauses.pair import Said
from hermes.memory.facts.clauses.reader import RuleExtractor, propose
from hermes.types import Confidence, Message, Role

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


def test_meaning_is_weighed_beside_the_signs() -> None:
    gate = Gate({"a": 1.0}, bias=0.5, threshold=0.0, meaning=(2.0, -1.0))
    assert gate.score(["a"], (0.5, 0.25)) == 2.25
    assert gate.score(["a"]) == 1.5


def test_the_weights_of_meaning_fit_the_bundled_model() -> None:
    gate, embedder = load_gate(MEANING), open_embedder(EmbedderOptions())
    assert gate.space == str(embedder.space)
    assert len(gate.meaning) == embedder.space.dimensions


def test_without_the_model_the_signs_decide() -> None:
    def out_of_reach(_: str) -> list[float]:
        raise Unavailable("The embedder is closed.", "Open it again.")

    said = [Message(1, "s", 1, AT, Role.USER, "My name is Priya and I live in Utrecht")]
    told = [each.text for each in RuleExtractor(judge=Judge(out_of_reach)).extract(said)]
    assert told == [each.text for each in RuleExtractor(judge=Judge()).extract(said)]
    assert told == [each.text for each in RuleExtractor(judge=judge_with(None)).extract(said)]
    assert told


def judged(text: str) -> Confidence | None:
    found = Judge()(propose(text, AT)[0], Said(text, AT))
    return found.confidence if found else None


def test_what_is_not_among_the_surest_is_kept_with_less_confidence() -> None:
    candidate = propose("I live in Utrecht", AT)[0]
    score, gate = load_gate().score(signs_of(candidate)), load_gate()
    assert gate.threshold <= score < gate.sure
    assert judged("I live in Utrecht") is Confidence.MEDIUM


@pytest.mark.parametrize("text", ["Remember that I live in Utrecht", "My name is Priya"])
def test_what_was_asked_to_be_kept_and_a_given_name_are_sure(text: str) -> None:
    assert judged(text) is Confidence.HIGH


def test_a_sentence_that_no_reader_understood_has_an_edge_of_its_own() -> None:
    gate = Gate({}, bias=0.0, threshold=1.0, as_said=2.0)
    assert gate.edge(["by:table"]) == 1.0
    assert gate.edge(["by:as_said", "tense:none"]) == 2.0


def test_a_score_between_the_edges_is_of_medium_confidence() -> None:
    candidate = propose("I live in Utrecht", AT)[0]
    gate = load_gate(MEANING)
    lacking = gate.score(signs_of(candidate)) - (gate.threshold + gate.sure) / 2
    length = sum(weight * weight for weight in gate.meaning)
    judge = Judge(lambda _: [-lacking * weight / length for weight in gate.meaning])
    found = judge(candidate, Said(candidate.quote, AT))
    assert found is not None
    assert found.confidence is Confidence.MEDIUM


@pytest.mark.parametrize(
    "text",
    [
        "Due before the 21st",
        "6 min 40 s in total",
        "ours is due 9 April",
        "she files quarterly for me",
        "it's always DNS",
        "starting 1 May",
        "0 errors since 14:41",
        "bro why does my ps5 sound like a jet engine",
        "Oh sure, I just LOVE being paged at 4am for a disk that is full. Best job ever.",
        "The doc says the limit is 5 MB but that's wrong",
        "The mass production start is 1st October, is it correct?",
        "I have to be in Porto by the 20th",
        "I prefer not to say",
    ],
)
def test_what_no_stranger_could_understand_or_was_not_meant_is_left(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("my laptop: ThinkPad T14", "User's laptop: ThinkPad T14"),
        ("decision from the board: all new services in Go", "Decision from the board: all new"),
        ("no exclamation marks", "User wants no exclamation marks"),
        ("support contract with Oakline runs until May", "Support contract with Oakline runs"),
    ],
)
def test_a_fragment_is_made_whole_by_what_stands_around_it(text: str, whole: str) -> None:
    assert any(each.text.startswith(whole) for each in propose(text, AT))


def test_an_answer_is_told_with_its_question() -> None:
    found = propose("pgbouncer in front", AT, question="Noted. Do you use a pooler?")
    assert found[0].text == 'Asked "Do you use a pooler?", User answered: pgbouncer in front'


def test_a_scene_is_not_the_users_life() -> None:
    played = "Practise a job interview with me, you're the hiring manager"
    assert read(played, "I'm Dennis and I live in Essen") == []
    assert read(played, "ok stop", "my name is Dennis")


@pytest.mark.parametrize("said", ["I prefer tea.", "I prefer dark mode. Thanks", "I live in Oslo"])
def test_a_sentence_of_its_own_needs_no_comparer_to_agree(said: str) -> None:
    doubting = Judge(compare=lambda _said, _read: -1.5)
    message = Message(1, "s", 1, 1_770_000_000_000, Role.USER, said)
    assert not RuleExtractor(judge=Judge(compare=lambda _said, _read: -20.0)).extract([message])
    [found] = RuleExtractor(judge=doubting).extract([message])
    assert found.text.startswith("User ")
    longer = replace(message, text=f"she said that {said}")
    assert RuleExtractor(judge=doubting).extract([longer]) == []
