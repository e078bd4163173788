"""Files of LoCoMo's and LongMemEval's form that are odd: read with sane figures, none made up."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from fixed_embedder import WordEmbedder
from hermes.bench.retrieval.dataset import Case
from hermes.bench.retrieval.locomo import load_locomo
from hermes.bench.retrieval.longmemeval import load_longmemeval, parse_date
from hermes.bench.retrieval.report import RetrievalReport, render_report, summarise
from hermes.bench.retrieval.run import BM25, HERMES, RetrievalRun, run
from hermes.clock import parse_time
from hermes.errors import UserError

Entry = dict[str, Any]
Change = Callable[[Entry], object]

CHAT: Entry = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"dia_id": "D1:1", "speaker": "Ann", "text": "I adopted a ferret called Pip"},
            {"dia_id": "D1:2", "speaker": "Bob", "text": "Lovely!", "blip_caption": "a canoe"},
            {"dia_id": "D1:3", "speaker": "Ann", "text": "And I started pottery"},
        ],
        "session_2_date_time": "9:05 am on 1 June, 2023",
        "session_2": [{"dia_id": "D2:1", "speaker": "Bob", "text": "I moved to Oslo"}],
    },
    "qa": [
        {"question": "What is the ferret called?", "category": 4, "evidence": ["D1:1"]},
        {"question": "Where did Bob move, Oslo?", "category": 1, "evidence": ["D2:1; D1:2"]},
    ],
}
LOG: Entry = {
    "question_id": "q1",
    "question_type": "single-session-user",
    "question": "What is my ferret called?",
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_dates": ["2023/05/10 (Wed) 12:00", "2023/05/20 (Sat) 02:21"],
    "haystack_session_ids": ["filler", "answer_1"],
    "haystack_sessions": [
        [
            {"role": "user", "content": "How do I boil rice?"},
            {"role": "assistant", "content": "In water."},
        ],
        [
            {"role": "user", "content": "My ferret is called Pip", "has_answer": True},
            {"role": "assistant", "content": "Cute! Ferrets sleep a lot."},
        ],
    ],
}


def write(folder: Path, name: str, *entries: Entry) -> Path:
    path = folder / name
    path.write_text(json.dumps(entries), "utf-8")
    return path


def changed(entry: Entry, change: Change) -> Entry:
    other = deepcopy(entry)
    change(other)
    return other


def chat(folder: Path, change: Change) -> Case:
    (case,) = load_locomo(write(folder, "locomo10.json", changed(CHAT, change)))
    return case


def run_chats(folder: Path, *entries: Entry) -> RetrievalRun:
    write(folder, "locomo10.json", *entries)
    return run(folder, embedder=WordEmbedder())


def run_logs(folder: Path, *entries: Entry, baselines: bool = True) -> RetrievalRun:
    write(folder, "longmemeval_s.json", *entries)
    return run(folder, dataset="longmemeval-s", embedder=WordEmbedder(), baselines=baselines)


def assert_sane(found: RetrievalRun, asked: int) -> RetrievalReport:
    report = summarise(found)
    assert report.asked == asked
    for each in report.figures:
        figures = (*each.score.recall.values(), each.score.ndcg, each.score.mrr, each.ndcg_macro)
        assert all(0 <= figure <= 1 for figure in figures)
    for own in report.haystack:
        assert all(0 <= figure <= 1 for at in own.at.values() for figure in (at.any, at.ndcg))
    ours = next(each for each in report.figures if (each.system, each.part) == (HERMES, "all"))
    assert ours.score.recall[10] == 1
    return report


@pytest.mark.parametrize("name", ["conv-1", "CONV-1", "会話", "", "x" * 300])
def test_conversations_are_apart_whatever_their_names(tmp_path: Path, name: str) -> None:
    report = assert_sane(run_chats(tmp_path, CHAT, {**CHAT, "sample_id": name}), asked=4)
    assert (report.cases, report.messages) == (2, 8)


@pytest.mark.parametrize("name", ["q1", "Q1", "会話", "", "x" * 300])
def test_histories_are_apart_whatever_their_names(tmp_path: Path, name: str) -> None:
    report = assert_sane(run_logs(tmp_path, LOG, {**LOG, "question_id": name}), asked=2)
    assert (report.cases, report.messages) == (2, 8)


@pytest.mark.parametrize(
    "name", ["filler", "FILLER", "", 7, "a\nb", "x" * 300, "sk-ant-api03-" + "a1B2" * 20]
)
def test_a_session_may_be_called_anything(tmp_path: Path, name: object) -> None:
    entry = changed(LOG, lambda e: e["haystack_session_ids"].__setitem__(1, name))
    report = assert_sane(run_logs(tmp_path, entry), asked=1)
    assert report.messages == 4
    assert {each.at[5].all for each in report.haystack if each.system == HERMES} == {1}


def test_a_turn_whose_id_another_has_is_another_turn(tmp_path: Path) -> None:
    entry = changed(
        CHAT, lambda e: e["conversation"]["session_1"][2].update(dia_id="D1:1", text="ferret Pip")
    )
    assert_sane(run_chats(tmp_path, entry), asked=2)
    (case,) = load_locomo(tmp_path / "locomo10.json")
    keys = [said.key for talk in case.talks for said in talk.said]
    assert len(set(keys)) == 4
    assert keys[0] == "D1:1"


def test_every_session_there_is_is_read_in_the_order_of_numbers(tmp_path: Path) -> None:
    def renumber(entry: Entry) -> None:
        told = entry["conversation"]
        told["session_10"], told["session_10_date_time"] = (
            told.pop("session_2"),
            told.pop("session_2_date_time"),
        )
        told["session_4"] = [{"dia_id": "D4:1", "speaker": "Ann", "text": "Rain"}]
        told["session_4_date_time"] = "2023-05-20 09:05"
        told["session_5_date_time"] = "9:05 am on 21 May, 2023"

    case = chat(tmp_path, renumber)
    assert [talk.said[0].key for talk in case.talks] == ["D1:1", "D4:1", "D2:1"]
    assert case.talks[1].said[0].at == parse_time("2023-05-20T09:05:00")


@pytest.mark.parametrize(
    ("told", "named"),
    [("4", "single-hop"), (6, "category 6"), ("6", "category 6"), (None, "category unknown")],
)
def test_a_category_of_another_kind_has_its_own_name(
    tmp_path: Path, told: object, named: str
) -> None:
    case = chat(tmp_path, lambda e: e["qa"][0].update(category=told))
    assert [each.category for each in case.questions] == [named, "multi-hop"]


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda q: q.pop("evidence"), [["D1:2", "D2:1"]]),
        (lambda q: q.update(evidence=None), [["D1:2", "D2:1"]]),
        (lambda q: q.update(question=""), [["D1:2", "D2:1"]]),
        (lambda q: q.update(evidence="D1:1"), [["D1:1"], ["D1:2", "D2:1"]]),
        (lambda q: q.update(question=12), [["D1:1"], ["D1:2", "D2:1"]]),
    ],
)
def test_a_question_without_words_or_evidence_is_not_asked(
    tmp_path: Path, change: Change, wanted: list[list[str]]
) -> None:
    case = chat(tmp_path, lambda e: change(e["qa"][0]))
    assert [sorted(each.evidence) for each in case.questions] == wanted
    assert all(isinstance(each.text, str) for each in case.questions)


def test_a_turn_without_text_is_its_picture_or_left_out(tmp_path: Path) -> None:
    def silence(entry: Entry) -> None:
        first = entry["conversation"]["session_1"]
        first[0]["text"] = " "
        del first[1]["text"]

    case = chat(tmp_path, silence)
    texts = [said.text for said in case.talks[0].said]
    assert texts == ["[shares a canoe]", "And I started pottery"]
    assert [sorted(each.evidence) for each in case.questions] == [["D1:2", "D2:1"]]


def test_a_turn_without_an_id_is_named_by_its_place(tmp_path: Path) -> None:
    case = chat(tmp_path, lambda e: e["conversation"]["session_1"][0].pop("dia_id"))
    assert case.talks[0].said[0].key == "D1:1"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda e: e["conversation"].update(session_1_date_time="soon"), "'soon' is no date"),
        (lambda e: e["conversation"].pop("session_1_date_time"), "no 'session_1_date_time'"),
        (lambda e: e["qa"][0].update(question=["a"]), "stands where a text should"),
        (lambda e: e["conversation"].update(session_1=[], session_2=None), "nothing is said"),
        (lambda e: e["qa"][0].update(evidence=3), "entry 2 cannot be read"),
    ],
)
def test_what_cannot_be_read_of_a_conversation_is_told(
    tmp_path: Path, change: Change, told: str
) -> None:
    with pytest.raises(UserError, match="entry 2") as failed:
        run_chats(tmp_path, CHAT, changed(CHAT, change))
    assert told in failed.value.message


def test_what_nothing_is_asked_of_in_one_bank_is_told(tmp_path: Path) -> None:
    write(tmp_path, "locomo10.json", {**CHAT, "qa": []})
    with pytest.raises(UserError, match="no question has a marked answer"):
        run(tmp_path, dataset="locomo-one", embedder=None)


@pytest.mark.parametrize("content", [None, "", " "])
def test_a_message_that_says_nothing_is_left_out(tmp_path: Path, content: object) -> None:
    entry = changed(LOG, lambda e: e["haystack_sessions"][1][1].update(content=content))
    assert assert_sane(run_logs(tmp_path, entry), asked=1).messages == 3
    entry = changed(LOG, lambda e: e["haystack_sessions"][1][0].update(content=content))
    with pytest.raises(UserError, match="no question has a marked answer"):
        run_logs(tmp_path, entry)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda e: e["haystack_sessions"][0][0].update(content={"a": 1}), "a text should"),
        (lambda e: e["haystack_sessions"][0][0].update(role="bot"), "'bot'"),
        (lambda e: e["haystack_sessions"][0][0].pop("content"), "no 'content'"),
        (lambda e: e.update(question=["a"]), "a text should"),
        (lambda e: e.update(question_date=None), "is no date"),
    ],
)
def test_what_cannot_be_read_of_a_history_is_told_before_any_work(
    tmp_path: Path, change: Change, told: str
) -> None:
    write(tmp_path, "longmemeval_s.json", *[LOG] * 9, changed(LOG, change))
    progress: list[str] = []
    with pytest.raises(UserError, match="entry 10") as failed:
        run(tmp_path, dataset="longmemeval-s", embedder=None, on_progress=progress.append)
    assert told in failed.value.message
    assert not progress


def test_a_question_that_is_a_number_is_asked_as_text(tmp_path: Path) -> None:
    write(tmp_path, "longmemeval_s.json", {**LOG, "question": 12}, {**LOG, "question": ""})
    (case,) = load_longmemeval(tmp_path / "longmemeval_s.json")
    assert case.questions[0].text == "12"


def test_a_session_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    def repeat(entry: Entry) -> None:
        for name in ("haystack_dates", "haystack_session_ids", "haystack_sessions"):
            entry[name] *= 2

    assert assert_sane(run_logs(tmp_path, changed(LOG, repeat)), asked=1).messages == 4


@pytest.mark.parametrize("asked", ["2023/05/01 (Mon) 00:00", "2023/05/20 (Sat) 02:21"])
def test_nothing_of_a_haystack_is_hidden_from_its_question(tmp_path: Path, asked: str) -> None:
    """The published code ranks all of it, whatever the question's date."""
    found = run_logs(tmp_path, {**LOG, "question_date": asked})
    assert_sane(found, asked=1)
    ours = next(each for each in found.rankings if each.system == HERMES)
    assert set(ours.keys) == {"filler#0", "filler#1", "answer_1#0", "answer_1#1"}


def test_times_are_told_from_the_questions_date(tmp_path: Path) -> None:
    """Also where a history goes on after it: "last month" is the one before the question."""
    told = {
        "2023/04/12 (Wed) 10:00": "I saw a heron",
        "2023/06/12 (Mon) 10:00": "I saw a heron again",
        "2023/09/12 (Tue) 10:00": "I saw a heron once more",
    }
    entry = {
        **LOG,
        "question": "What did I see last month?",
        "question_date": "2023/05/20 (Sat) 12:00",
        "haystack_dates": list(told),
        "haystack_session_ids": ["a", "b", "c"],
        "haystack_sessions": [
            [{"role": "user", "content": text, "has_answer": "again" not in text}]
            for text in told.values()
        ],
    }
    found = run_logs(tmp_path, entry, baselines=False)
    ours = next(each for each in found.rankings if each.system == HERMES)
    assert ours.keys[0] == "a#0"
    assert set(ours.keys) == {"a#0", "b#0", "c#0"}


def test_longmemeval_ranks_sessions_by_the_users_turns(tmp_path: Path) -> None:
    """What the assistant said about a ferret does not bring a session up in LongMemEval's figures,
    but is a message like another in ours."""
    babble = {"role": "assistant", "content": "What is my ferret called? My ferret is called Pip."}
    others: list[Entry] = [
        {"role": "user", "content": f"Tell of {word}"} for word in ("ice", "fog", "tea")
    ]
    entry = changed(LOG, lambda e: None)
    for place, other in enumerate(others):
        entry["haystack_sessions"].append([other, babble])
        entry["haystack_session_ids"].append(f"other_{place}")
        entry["haystack_dates"].append("2023/05/21 (Sun) 10:00")
    found = run_logs(tmp_path, entry)
    by_words = next(each for each in found.rankings if each.system == BM25)
    assert by_words.keys[0] != "answer_1#0"
    assert by_words.sessions[0] == "answer_1"
    report = summarise(found)
    own = next(e for e in report.haystack if (e.system, e.level) == (BM25, "session"))
    assert list(own.at) == [1, 3, 5, 10, 30, 50]
    assert own.at[1].all == 1
    told = render_report(report)
    assert "only the user's turns" in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize(
    "written",
    ["2023/05/20 (Sat) 02:21", "2023/05/20 02:21", "2023-05-20T02:21:00", "2023-05-20 02:21"],
)
def test_dates_may_be_iso(written: str) -> None:
    assert parse_date(written) == parse_time("2023-05-20T02:21:00")


def test_a_folder_in_place_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "locomo10.json").mkdir()
    with pytest.raises(UserError, match="cannot be read"):
        run(tmp_path, embedder=None)


def test_a_file_nested_without_end_is_told(tmp_path: Path) -> None:
    (tmp_path / "locomo10.json").write_text("[" * 100_000)
    with pytest.raises(UserError, match="is not JSON"):
        run(tmp_path, embedder=None)
