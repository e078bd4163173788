"""Known names are found fast, unknown ones by how they are written, and one is never two."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import UserError
from hermes.memory.entities import (
    Gazetteer,
    alias_key,
    find_entities,
    find_mentions,
    name_mentions,
)
from hermes.memory.entities.kinds import guess_kind
from hermes.memory.entities.merging import (
    Likeness,
    compare,
    merge,
    split,
    suggest_merges,
)
from hermes.types import Entity, EntityKind, FactKind


def entity(number: int, name: str, *aliases: str, mentions: int = 0) -> Entity:
    return Entity(number, "default", name, aliases=aliases, mentions=mentions)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("PostgreSQL", "postgres"),
        ("Fly.io", "fly io"),
        ("Ana's", "ana"),
        ("ＡＴＬＡＳ", "Atlas"),
        ("K8s", "Kubernetes"),
        ("C++", "c++"),
    ],
)
def test_spellings_of_one_name_have_one_key(left: str, right: str) -> None:
    assert alias_key(left) == alias_key(right)


def test_other_names_stay_apart() -> None:
    assert len({alias_key(name) for name in ("C", "C++", "C#", "Go", "Ana", "Anna")}) == 6


def test_known_names_are_found_longest_first_with_their_place() -> None:
    known = Gazetteer.of([entity(1, "Atlas"), entity(2, "Atlas Mountain", "AM"), entity(3, "大阪")])
    text = "is atlas mountain near Atlas's 大阪府 office?"
    hits = find_entities(text, known)
    assert [(hit.entity_id, text[hit.start : hit.end]) for hit in hits] == [
        (2, "atlas mountain"),
        (1, "Atlas"),
        (3, "大阪"),
    ]


def test_merged_entities_and_common_words_are_not_found() -> None:
    merged = Entity(1, "default", "Kestrel", merged_into=2)
    known = Gazetteer.of([merged, entity(2, "It"), entity(3, "Go", "Golang")])
    assert [hit.entity_id for hit in find_entities("it is kestrel in go and golang", known)] == [3]


def test_thousands_of_names_cost_less_than_a_millisecond() -> None:
    known = Gazetteer.of(
        [entity(n, f"Name{n} Of Thing{n % 50}", f"alias{n}") for n in range(5_000)]
    )
    question = "what did name17 of thing17 say about alias4999 and the report last week " * 3
    best = min(_timed(question, known) for _ in range(20))
    assert len(find_entities(question, known)) == 6
    assert best < 0.001


def _timed(question: str, known: Gazetteer) -> float:
    start = time.perf_counter()
    find_entities(question, known)
    return time.perf_counter() - start


@given(st.text())
def test_any_text_is_searched_and_hits_point_into_it(text: str) -> None:
    known = Gazetteer.of([entity(1, text), entity(2, "Atlas")])
    for hit in find_entities(text + " atlas", known):
        assert (text + " atlas")[hit.start : hit.end]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We met Sarah Connor in New York.", ["Sarah Connor", "New York"]),
        ("Yesterday the team shipped.", []),
        ("Working on it. Thanks!", []),
        ("The API of Fly.io and github.com/x/y", ["API", "Fly.io", "github.com"]),
        ("ask @maya about #launch and `parse_date`", ["@maya", "#launch", "parse_date"]),
        ("my book is 'The Left Hand of Darkness'", ["The Left Hand of Darkness"]),
        ("see user_model.py in FastAPI", ["user_model.py", "FastAPI"]),
        ("I think OK is fine, LOL", []),
    ],
)
def test_names_are_known_by_their_writing(text: str, names: list[str]) -> None:
    assert name_mentions(text) == names


@given(st.text())
def test_mentions_stand_in_the_text_in_order(text: str) -> None:
    mentions = find_mentions(text)
    assert all(mention.text in text for mention in mentions)
    assert [mention.start for mention in mentions] == sorted(mention.start for mention in mentions)
    assert all(one.end <= other.start for one, other in itertools.pairwise(mentions))


def test_likeness_needs_a_name_in_common() -> None:
    ana, long_ana = entity(1, "Ana"), entity(2, "Ana Lindqvist")
    assert compare(entity(1, "Postgres"), entity(2, "PostgreSQL")) is Likeness.SAME
    assert compare(ana, long_ana) is Likeness.MAYBE
    assert compare(entity(1, "SC"), entity(2, "Sarah Connor")) is Likeness.MAYBE
    assert compare(ana, entity(2, "Anna")) is Likeness.DIFFERENT
    place = Entity(3, "default", "Ana", EntityKind.PLACE)
    person = Entity(4, "default", "Ana", EntityKind.PERSON)
    assert compare(place, person) is Likeness.DIFFERENT


def test_merge_and_split_undo_each_other() -> None:
    keep, other = entity(1, "Postgres", mentions=3), entity(2, "PG", "psql", mentions=1)
    stays, gone = merge(keep, other)
    assert (stays.aliases, stays.mentions, gone.merged_into) == (("PG", "psql"), 4, 1)
    apart, again = split(stays, ["PG", "psql"], new_id=5)
    assert (apart.aliases, again.name, again.aliases) == ((), "PG", ("psql",))
    with pytest.raises(UserError):
        split(stays, ["nothing"], new_id=6)
    with pytest.raises(UserError):
        merge(keep, keep)


def test_suggestions_keep_the_better_known() -> None:
    (found,) = suggest_merges([entity(1, "Ana"), entity(2, "Ana Lindqvist", mentions=9)])
    assert (found.keep, found.merge) == (2, 1)


def test_kinds_are_guessed_from_the_fact() -> None:
    def kind(name: str, attribute: str, value: str, fact_kind: FactKind) -> EntityKind:
        return guess_kind(name, subject="user", attribute=attribute, value=value, kind=fact_kind)

    assert kind("Dana", "manager", "Dana", FactKind.RELATIONSHIP) is EntityKind.PERSON
    assert kind("Leeds", "location", "Leeds", FactKind.IDENTITY) is EntityKind.PLACE
    assert kind("Acme", "employer", "Acme", FactKind.IDENTITY) is EntityKind.ORGANISATION
    assert kind("Redis", "cache", "Redis", FactKind.ENVIRONMENT) is EntityKind.PRODUCT
