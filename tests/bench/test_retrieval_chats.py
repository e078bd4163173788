"""The chats with questions: every question has its answer in them, said before it is asked."""

import pytest

from hermes.bench.retrieval.chats import YEARS, load_chats, load_years, load_years_together
from hermes.bench.retrieval.run import HERMES, run


def test_each_answer_was_said_before_it_is_asked_for() -> None:
    [case] = load_chats()
    said = {each.key: each for talk in case.talks for each in talk.said}
    assert len(case.questions) == len({question.id for question in case.questions}) == 150
    for question in case.questions:
        assert question.evidence
        assert question.sessions == {key.partition("#")[0] for key in question.evidence}
        assert max(said[key].at for key in question.evidence) < question.asked_at


def test_by_words_alone_a_third_is_found_among_the_first_ten() -> None:
    found = run(None, dataset="chats", embedder=None, baselines=False)
    ranked = [each for each in found.rankings if each.system == HERMES]
    hits = [not each.question.evidence.isdisjoint(each.keys[:10]) for each in ranked]
    assert sum(hits) / len(hits) > 0.33


@pytest.mark.parametrize(("names", "asked"), [("years", 60), ("years2", 70)])
def test_each_year_answers_what_is_asked_of_it(names: str, asked: int) -> None:
    cases = list(load_years(names))
    assert len(cases) == len(YEARS[names])
    for case in cases:
        said = {each.key: each for talk in case.talks for each in talk.said}
        times = [each.at for talk in case.talks for each in talk.said]
        assert len(case.questions) == asked
        assert times == sorted(times)
        for question in case.questions:
            assert question.evidence
            assert max(said[key].at for key in question.evidence) < question.asked_at


def test_years_among_all_chats_are_asked_as_they_were() -> None:
    [case] = load_years_together()
    apart = list(load_years())
    keys = {each.key for talk in case.talks for each in talk.said}
    assert [each.text for each in case.questions] == [
        q.text for one in apart for q in one.questions
    ]
    assert case.messages > 5 * sum(one.messages for one in apart) / 2
    for question in case.questions:
        assert question.evidence <= keys
        assert question.sessions == {key.partition("#")[0] for key in question.evidence}
