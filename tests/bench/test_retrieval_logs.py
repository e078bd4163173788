"""The made-up logs: every question has its answer in the log, and the dice always fall alike."""

import pytest

from hermes.bench.retrieval.logs import (
    ASKED_AT,
    FIRST,
    NEVER_SAID,
    SECOND,
    is_fitted_on,
    load_asked,
    load_logs,
    parse_asked,
    parse_topics,
)
from hermes.bench.retrieval.report import render_report, summarise
from hermes.bench.retrieval.run import run
from hermes.errors import UserError
from hermes.types import Role


@pytest.mark.parametrize(("sessions", "of"), [(50, FIRST), (300, FIRST), (50, SECOND)])
def test_each_answer_stands_where_the_question_says(sessions: int, of: str) -> None:
    told = {each.id: each.told for each in load_asked(of)}
    for case in load_logs(sessions, of):
        assert len(case.talks) == sessions
        said = {each.key: each for talk in case.talks for each in talk.said}
        for question in case.questions:
            texts = [said[key].text for key in sorted(question.evidence)]
            for each in told[question.id]:
                assert any((each.reply or each.user) in text for text in texts)
            assert all(said[key].at < ASKED_AT for key in question.evidence)
            assert all(said[key].role is Role.USER for key in question.targets)


def test_every_kind_is_asked_in_both_halves() -> None:
    halves = [
        {e.kind for e in load_asked() if is_fitted_on(e.id) is half} for half in (True, False)
    ]
    assert halves[0] == halves[1]
    assert len(halves[0]) == 7
    assert sum(each.kind == NEVER_SAID for each in load_asked()) == 24


def test_the_second_set_asks_other_things_of_every_kind() -> None:
    first, second = load_asked(FIRST), load_asked(SECOND)
    assert {each.kind for each in first} == {each.kind for each in second}
    assert not {each.text for each in first} & {each.text for each in second}
    assert not {t.user for e in first for t in e.told} & {t.user for e in second for t in e.told}


def test_of_the_second_set_nothing_is_reported_as_fitted_on() -> None:
    report = summarise(run(None, dataset="logs2-50", embedder=None, baselines=False, limit=1))
    assert {each.part for each in report.figures} == {"all"}


def test_the_same_log_every_time() -> None:
    assert load_logs(60) == load_logs(60)
    assert load_logs(60)[0].talks != load_logs(61)[0].talks


def test_questions_and_topics_are_read_from_lines() -> None:
    first, second = parse_asked(
        "?? kind | Who?\n+ 2026-01-02 | tea | It was I. Why?\n"
        "* 2026-01-03 | tea | Go on | a\\nb\n! No?"
    )
    assert [told.reply for told in first.told] == ["", "a\nb"]
    assert (first.kind, first.text, second.kind, second.told) == ("kind", "Who?", NEVER_SAID, ())
    topics = parse_topics("== tea\n> Which?\n- Green.\n")
    assert topics["tea"].tips == ("Green.",)


def test_a_run_reports_both_halves_and_sessions() -> None:
    report = summarise(run(None, dataset="logs-50", embedder=None, limit=1))
    shown = render_report(report)
    assert {each.part for each in report.figures} == {"all", "dev", "held"}
    assert "session" in shown
    assert f"{report.asked} questions asked" in shown and "have none" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_set_of_files_needs_their_folder() -> None:
    with pytest.raises(UserError, match=r"locomo10\.json") as locomo:
        run(None, dataset="locomo", embedder=None)
    assert "github.com/snap-research/locomo" in locomo.value.hint
    assert "--data" in locomo.value.hint and "chats" in locomo.value.hint
    with pytest.raises(UserError, match=r"longmemeval_s\.json"):
        run(None, dataset="longmemeval-s", embedder=None)
