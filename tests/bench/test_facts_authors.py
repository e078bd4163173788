"""What authors judged, looked up for what the product keeps of their chats."""

from dataclasses import replace

import pytest

from hermes.bench.facts.authors import TAUGHT_WITH_GOLD, UNSEEN, load_author, main, measure
from hermes.bench.facts.rulings import Word
from hermes.bench.facts.runner import rule_reader
from hermes.errors import NotFound


@pytest.mark.parametrize("name", [*TAUGHT_WITH_GOLD, *UNSEEN])
def test_every_right_reading_says_a_wanted_fact_and_every_copy_another_reading(name: str) -> None:
    author = load_author(name)
    for verdict in author.verdicts.values():
        assert verdict.finds <= author.gold
        assert bool(verdict.finds) == (verdict.word is Word.RIGHT)
        assert (verdict.copy_of in author.verdicts) == (verdict.word is Word.COPY)


def test_what_is_kept_counts_as_its_author_judged_it() -> None:
    author = load_author("e")
    few = replace(author, chats=author.chats[:12])
    fared = measure(few, rule_reader())
    assert 0 < fared.found <= fared.counts[Word.RIGHT] + fared.counts[Word.COPY]
    nobody = measure(replace(few, verdicts={}), rule_reader())
    assert nobody.found == 0
    assert nobody.counts.total() >= fared.counts.total()


def test_an_author_there_is_not_is_named() -> None:
    with pytest.raises(NotFound, match="'zz'"):
        main(["zz"])
