"""The two lives with questions: each answer was said before it is asked for, in both halves."""

from collections import Counter

from hermes.bench.retrieval.lives import load_lives
from hermes.bench.retrieval.logs import NEVER_SAID, is_fitted_on
from hermes.bench.retrieval.report import summarise
from hermes.bench.retrieval.run import GIVEN, HERMES, run


def test_each_answer_was_said_before_it_is_asked_for() -> None:
    for case in load_lives():
        said = {each.key: each for talk in case.talks for each in talk.said}
        assert len(case.talks) == 32
        for question in case.questions:
            assert bool(question.evidence) == (question.category != NEVER_SAID)
            assert all(said[key].at < question.asked_at for key in question.evidence)


def test_the_halves_hold_every_kind() -> None:
    asked = [question for case in load_lives() for question in case.questions]
    assert len(asked) == len({question.id for question in asked}) == 94
    halves = [
        Counter(q.category for q in asked if is_fitted_on(q.id) is half) for half in (True, False)
    ]
    assert halves[0].keys() == halves[1].keys()
    assert sum(half[NEVER_SAID] for half in halves) == 25


def test_by_words_alone_half_is_given_among_the_first_ten() -> None:
    figures = summarise(run(None, dataset="lives", embedder=None, baselines=False)).figures
    found = {(each.system, each.part): each.score.recall[10] for each in figures}
    assert found[HERMES, "all"] > 0.6
    assert found[GIVEN, "held"] > 0.9 * found[HERMES, "held"]
