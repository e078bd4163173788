"""Facts read from what was taken back or made up, and what is told of them."""

from dataclasses import replace
from pathlib import Path

import pytest
from days import embed_all

from hermes.library import Hermes
from hermes.memory.recall.caveats import MADE_UP, MADE_UP_NOTE
from hermes.memory.recall.relevance import DOUBTFUL
from hermes.memory.recall.result import Item
from hermes.store.base import Tx
from hermes.types import Fact, FactKind, FactSource, Kind, Role, Utterance

DENTIST = "My dentist is Dr Bolitho in Penryn."
TEA = "My favourite tea is Lapsang. My sister is called Odile."
TAKES_ALL, TAKES_TEA = "Scratch that, I mixed it up.", "Forget what I said about my favourite tea."


def _memory(folder: Path, *sessions: tuple[str, ...]) -> Hermes:
    memory, at = Hermes(folder / "home"), 1_700_000_000_000
    for number, said in enumerate(sessions):
        for text in said:
            at += 60_000
            memory.record([Utterance(Role.USER, text, at)], session=str(number))
    list(memory.app.facts.extract(""))
    embed_all(memory)
    return memory


def _fact(memory: Hermes, task: str) -> Item:
    return next(item for item in memory.search(task) if item.kind is Kind.FACT)


def test_a_fact_of_what_was_taken_back_is_told_as_such_after_what_took_it(tmp_path: Path) -> None:
    with _memory(tmp_path, (DENTIST, TAKES_ALL), ("I drive a Volvo.",)) as memory:
        given = list(memory.recall("who is my dentist").items)
        fact = next(item for item in given if item.kind is Kind.FACT)
        taker = next(item for item in given if item.text == TAKES_ALL)
        assert fact.note == f"taken back on 2023-11-14 by {taker.ref}"
        assert fact.relevance == pytest.approx(DOUBTFUL)
        assert given.index(taker) < given.index(fact)
        assert not _fact(memory, "what car do I drive").note


def test_what_names_one_part_takes_back_no_fact_of_another(tmp_path: Path) -> None:
    with _memory(tmp_path, (TEA,), (TAKES_TEA,)) as memory:
        assert _fact(memory, "what is my favourite tea").note.startswith("taken back on 2023-11-14")
        sister = _fact(memory, "what is my sister called")
        assert (sister.text, sister.note) == ("User's sister is Odile", "")
        assert sister.relevance > DOUBTFUL


def test_a_fact_that_was_said_again_elsewhere_stands(tmp_path: Path) -> None:
    with _memory(tmp_path, (DENTIST, TAKES_ALL), (DENTIST,)) as memory:
        fact = _fact(memory, "who is my dentist")
        assert len(fact.sources) == 2
        assert not fact.note
        assert fact.relevance > DOUBTFUL


def test_a_fact_read_from_a_story_is_told_as_made_up(tmp_path: Path) -> None:
    story = "Let's write a story together. My name is Ragnar and I live in Oslo."
    with _memory(tmp_path, (story,), ("I drive a Volvo.",)) as memory:
        _keep(memory, "User lives in Oslo", FactSource("I live in Oslo", message_id=1))
        fact = _fact(memory, "where do I live")
        assert fact.note == MADE_UP_NOTE
        assert fact.relevance == pytest.approx(MADE_UP)


def _keep(memory: Hermes, text: str, source: FactSource) -> None:
    """Keep a fact as a model may have read it, which minds no story."""

    def write(tx: Tx) -> None:
        number, short = tx.facts.reserve()
        fact = Fact(number, short, "default", text, FactKind.OTHER, recorded_at=1, subject="user")
        tx.facts.add(replace(fact, sources=(source,)), subject_key="user")

    memory.app.store.write(write)
    embed_all(memory)
