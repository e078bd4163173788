"""No way of telling a change is passed over for want of a word that it does not need."""

from pathlib import Path

import pytest

from hermes.memory.facts.change_ways import BOTH, CALLED_OFF, GONE, IS, MOVED, WENT, Way, stems_of

HERE = Path(__file__).parent
SENTENCES = [
    part
    for name in ("plain/changes.tsv", "plain/told.tsv", "plain/both.tsv", "statements.tsv")
    for line in (HERE / name).read_text("utf-8").splitlines()
    for part in line.split("\t")
] + [
    "we went from Vim to Helix",
    "the rota is Tuesday, not Monday",
    "Jira -> Linear",
    "Billing isn't Luca's but Mara's",
    "the demo got pushed to Friday",
    "moved btw, Ghent now",
]


@pytest.mark.parametrize("ways", [BOTH, CALLED_OFF, GONE, IS, MOVED, WENT])
def test_a_way_that_fits_has_one_of_its_words(ways: tuple[Way, ...]) -> None:
    fitting = [
        (way, sentence) for sentence in SENTENCES for way in ways if way.pattern.search(sentence)
    ]
    assert fitting
    assert [s for way, s in fitting if stems_of(s).isdisjoint(way.stems)] == []
