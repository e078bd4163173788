"""Teaching the reading gate: readings survive a file, edges lie where they should."""

from pathlib import Path

import pytest

from hermes.bench.facts.loader import Half
from hermes.bench.fit_reading_gate import edge, judge_by_signs, load_readings, main, save_readings
from hermes.bench.readings import AUTHORS, Reading, list_readings
from hermes.errors import UserError


def reading(author: str, number: int, *, kept: bool) -> Reading:
    pair = (f"« it is {number} »", f"It is {number}")
    signs = frozenset({"by:table", "good" if kept else "bad"})
    return Reading(author, pair, kept, False, True, 1.0, signs, frozenset({f"{author}.{number}"}))


def readings() -> list[Reading]:
    authors = ("a", "b", "c", "d")
    return [reading(author, n, kept=n % 2 == 0) for author in authors for n in range(20)]


def test_readings_are_kept_with_what_the_signs_say_of_them(tmp_path: Path) -> None:
    save_readings(readings(), tmp_path)
    found = load_readings(tmp_path)
    assert [each for each, _ in found] == readings()
    assert all((score > 0) == each.kept for each, score in found)


def test_the_signs_of_an_author_teach_nothing_about_that_author() -> None:
    strange = [*readings(), *(reading("d", 100 + n, kept=False) for n in range(50))]
    of_d = [n for n, each in enumerate(strange) if each.author == "d"]
    usual = [each for each in strange if each.author != "d"]
    without = judge_by_signs([*usual, reading("d", 1, kept=False)])[-1]
    assert judge_by_signs(strange)[of_d[1]] == pytest.approx(without)


def test_an_edge_lies_as_low_as_enough_above_it_are_right() -> None:
    scored = [(100.0 - n, reading("a", n, kept=n < 90)) for n in range(100)]
    assert edge(scored, 0.9) == 1.0
    assert edge(scored, 1.0) == 11.0
    assert edge(scored[90:], 0.5) == 99.0


def test_every_author_has_judged_readings() -> None:
    found = list_readings((Half.DEV12,))
    assert {each.author for each in found} == {"dev12", *AUTHORS}
    for author in AUTHORS:
        own = [each for each in found if each.author == author]
        assert len(own) > 400
        assert 0.1 < sum(each.kept for each in own) / len(own) < 0.6
        assert sum("«" in each.pair[0] for each in own) > 0.95 * len(own)


def test_a_step_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError):
        main(["judge", "work", "base", "9"])
