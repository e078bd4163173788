"""LongMemEval's files in their published shape, written by hand, and its own figures of them."""

import json
from pathlib import Path

import pytest

from fixed_embedder import WordEmbedder
from hermes.bench.retrieval.longmemeval import load_longmemeval
from hermes.bench.retrieval.report import RetrievalReport, summarise
from hermes.bench.retrieval.run import run
from hermes.clock import parse_time
from hermes.types import Role

Turn = dict[str, object]


def said(role: str, content: str, has_answer: bool | None = None) -> Turn:
    """In sessions with an answer every turn is marked, in others none is."""
    turn: Turn = {"role": role, "content": content}
    return turn if has_answer is None else {**turn, "has_answer": has_answer}


SESSIONS: dict[str, tuple[str, list[Turn]]] = {
    "answer_280352e9": (
        "2023/05/25 (Thu) 09:12",
        [
            said("user", "My degree is in Business Administration", has_answer=True),
            said("assistant", "A degree in business opens many doors.", has_answer=False),
            said("user", "Help me sort my papers", has_answer=False),
            said("assistant", "Start with the oldest folder.", has_answer=False),
        ],
    ),
    "answer_assist_1": (
        "2023/05/22 (Mon) 20:03",
        [
            said("user", "Which hostel in Porto?", has_answer=False),
            said("assistant", "The Pilgrim Hostel in Porto is quiet.", has_answer=True),
        ],
    ),
    "sharegpt_yywfIrx_0": (
        "2023/05/20 (Sat) 02:21",
        [said("user", "Boil rice how long"), said("assistant", "Twelve minutes.")],
    ),
    "ultrachat_390870": (
        "2023/05/29 (Mon) 17:40",
        [
            said("user", "Tell of glaciers"),
            said("assistant", "Glaciers move slowly. " * 200),
        ],
    ),
}


def entry(
    number: str, kind: str, question: str, *answers: str, held: list[str]
) -> dict[str, object]:
    return {
        "question_id": number,
        "question_type": kind,
        "question": question,
        "answer": 4 if number.endswith("_abs") else "some text",  # some answers are bare numbers
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": held,
        "haystack_dates": [SESSIONS[each][0] for each in held],
        "haystack_sessions": [SESSIONS[each][1] for each in held],
        "answer_session_ids": list(answers),
    }


DEGREE = ("e47becba", "single-session-user", "What is my degree in, Business Administration?")
HOSTEL = ("7161e7e2", "single-session-assistant", "Which Porto hostel did you tell me of, Pilgrim?")
GONE = ("e47becba_abs", "single-session-user", "What is my sister's degree in?")


def entries(held: list[str]) -> list[dict[str, object]]:
    """A history holds the evidence of its own question only."""
    degree = [each for each in held if each != "answer_assist_1"]
    hostel = [each for each in held if each != "answer_280352e9"]
    return [
        entry(*DEGREE, "answer_280352e9", held=degree),
        entry(*HOSTEL, "answer_assist_1", held=hostel),
        entry(*GONE, "answer_280352e9_abs", held=degree),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    everything = sorted(SESSIONS, key=lambda each: SESSIONS[each][0])
    evidence = ["ultrachat_390870", "answer_280352e9", "answer_assist_1"]  # not sorted by time
    for name, held in (("oracle", evidence), ("s_cleaned", everything), ("m", everything * 2)):
        path = tmp_path / f"longmemeval_{name}.json"
        path.write_text(json.dumps(entries(held)), "utf-8")
    return tmp_path


def test_evidence_is_of_both_and_targets_are_the_users(folder: Path) -> None:
    degree, hostel = load_longmemeval(folder / "longmemeval_oracle.json")
    (asked,) = degree.questions
    assert asked.evidence == asked.targets == {"answer_280352e9#0"}
    assert asked.sessions == {"answer_280352e9"}
    assert asked.asked_at == parse_time("2023-05-30T23:40:00")
    (asked,) = hostel.questions
    assert asked.evidence == {"answer_assist_1#1"}
    assert not asked.targets
    assert not asked.sessions


def test_sessions_come_in_order_of_time_and_once(folder: Path) -> None:
    for name in ("oracle", "s_cleaned", "m"):
        for case in load_longmemeval(folder / f"longmemeval_{name}.json"):
            times = [each.at for talk in case.talks for each in talk.said]
            assert times == sorted(times)
            assert len({talk.id for talk in case.talks}) == len(case.talks)
            assert {each.role for talk in case.talks for each in talk.said} == {
                Role.USER,
                Role.ASSISTANT,
            }


@pytest.mark.parametrize("size", ["oracle", "s", "m"])
def test_a_run_gives_its_own_figures(folder: Path, size: str) -> None:
    found = run(folder, dataset=f"longmemeval-{size}", embedder=WordEmbedder())
    report = summarise(found)
    assert report.cases == 2  # the abstention question is left out
    by_level = {(each.system, each.level): each for each in report.haystack}
    for level in ("turn", "session"):
        ours = by_level["hermes", level]
        assert ours.questions == 1  # what only the assistant said does not count there
        assert (ours.at[5].any, ours.at[5].all, ours.at[5].ndcg) == (1, 1, 1)
    assert _own(report) == {"single-session-user": 1, "single-session-assistant": 1}


def _own(report: RetrievalReport) -> dict[str, float]:
    """Recall@5 by type of question, of what both said."""
    ours = next(each for each in report.figures if each.system == "hermes")
    return {kind: score.recall[5] for kind, score in ours.by_category.items()}
