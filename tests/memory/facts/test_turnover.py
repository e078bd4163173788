"""Changes that no list of patterns knows are told by few things weighed at once."""

from collections.abc import Sequence

import pytest

from hermes.clock import parse_time
from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.errors import Unavailable
from hermes.memory.facts.turnover import (
    NEAREST,
    Turnover,
    can_stay,
    load_weights,
    nearest,
    turnover_with,
)
from hermes.memory.facts.turnover_signs import Earlier, Later, tells_turn

SAID = parse_time("2026-03-02T09:00:00Z")
DAY = 24 * 3600 * 1000


def _earlier(text: str, kind: str = "environment", attribute: str = "said:be") -> Earlier:
    return Earlier(text, text, attribute, text.rpartition(" is ")[2], "user", kind, SAID)


def _later(text: str, *, is_question: bool = False) -> Later:
    return Later(text, text, SAID + 9 * DAY, is_question)


def _find(earlier: Sequence[Earlier], later: Later) -> int | None:
    turnover = turnover_with(open_embedder(EmbedderOptions()))
    assert turnover is not None
    return turnover.find(earlier, later)


KNOWN = (
    _earlier("The ingress is traefik"),
    _earlier("User's manager is Henrike", "relationship", "manager"),
    _earlier("The moving date is 30 June", "event"),
)


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("traefik is out, the ingress is envoy gateway now", 0),
        ("Henrike is out, my new manager is Kasimir from now on", 1),
        ("the moving date is 25 July now", 2),
    ],
)
def test_a_sentence_changes_the_statement_that_it_fits(said: str, place: int) -> None:
    assert _find(KNOWN, _later(said)) == place


@pytest.mark.parametrize(
    "said",
    [
        "thinking about replacing traefik with envoy now",
        "i got a second manager now, Kasimir, as well",
        "traefik stays, no change",
        "the cat is asleep now",
        "the ingress works fine",
    ],
)
def test_what_changes_nothing_is_left(said: str) -> None:
    assert _find(KNOWN, _later(said)) is None


def test_a_question_changes_nothing() -> None:
    said = _later("is the moving date 25 July now", is_question=True)
    assert _find(KNOWN, said) is None


def test_a_name_and_ones_kin_stay() -> None:
    said = _later("I moved to Leeds, Paula is here now")
    assert can_stay(_earlier("User's name is Paula", "identity", "name"), said)
    assert can_stay(_earlier("User's sister is Paula", "relationship", "sister"), said)
    assert not can_stay(_earlier("User's sister Paula takes him on Sundays"), said)


def test_a_sentence_without_a_word_of_a_change_is_not_weighed() -> None:
    assert not tells_turn("thanks, that helps")
    assert tells_turn("envoy from now on")


def test_only_the_nearest_in_words_are_weighed() -> None:
    many = [_earlier(f"The box number {n} is blue") for n in range(30)]
    found = nearest([*many, KNOWN[0]], _later("the ingress is envoy now"), {})
    assert found[0] == len(many)
    assert len(found) == NEAREST


def test_a_text_is_embedded_once() -> None:
    asked: list[str] = []

    def embed(text: str) -> tuple[float, ...]:
        asked.append(text)
        return (1.0, 0.0)

    turnover = Turnover(embed)
    for _ in range(2):
        turnover.find(KNOWN, _later("the ingress is envoy now"))
    assert sorted(asked) == sorted(set(asked))


def test_where_the_embedder_fails_nothing_is_found() -> None:
    def embed(text: str) -> tuple[float, ...]:
        raise Unavailable("It is away.", "Wait.")

    assert Turnover(embed).find(KNOWN, _later("the ingress is envoy now")) is None


def test_without_an_embedder_there_is_no_judge() -> None:
    assert turnover_with(None) is None
    assert load_weights().edge > 0
