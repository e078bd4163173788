"""Loaders and runs of the retrieval benchmarks, on small made-up files of their form."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fixed_embedder import WordEmbedder
from hermes.bench.retrieval.locomo import load_locomo
from hermes.bench.retrieval.longmemeval import load_longmemeval, parse_date
from hermes.bench.retrieval.recast import ask_as_user, recast
from hermes.bench.retrieval.report import render_report, summarise
from hermes.bench.retrieval.run import run
from hermes.clock import parse_time
from hermes.errors import NotFound, UserError
from hermes.memory.recall.answers import asks_about_assistant
from hermes.store.vectors.coding import Floats
from hermes.types import Role


def turn(number: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"dia_id": number, "speaker": speaker, "text": text, **more}


def asked(question: str, category: int, *evidence: str) -> dict[str, object]:
    return {"question": question, "category": category, "evidence": list(evidence)}


LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bob",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                turn("D1:1", "Ann", "I adopted a ferret called Pip"),
                turn("D1:2", "Bob", "Lovely!", blip_caption="a photo of a canoe", query="boat"),
                turn("D1:3", "Ann", "And I started pottery"),
            ],
            "session_2_date_time": "9:05 am on 1 June, 2023",
            "session_2": [
                turn("D2:1", "Bob", "I moved to Oslo"),
                turn("D2:2", "Ann", "Cold there!"),
            ],
        },
        "qa": [
            asked("What is the ferret called?", 4, "D1:1"),
            asked("What boat did Bob show, a canoe?", 4, "D1:02"),
            asked("Where did Bob move, Oslo?", 1, "D2:1; D1:2"),
            asked("Nothing to find", 3),
            asked("Out of reach", 5, "D9:9"),
        ],
    }
]


def history(number: str, kind: str = "single-session-user") -> dict[str, object]:
    return {
        "question_id": number,
        "question_type": kind,
        "question": "What is my ferret called?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer_session_ids": ["answer_1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/10 (Wed) 12:00"],
        "haystack_session_ids": ["answer_1", "filler"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "My ferret is called Pip", "has_answer": True},
                {"role": "assistant", "content": "Cute! Ferrets sleep a lot.", "has_answer": False},
            ],
            [
                {"role": "user", "content": "How do I boil rice?"},
                {"role": "assistant", "content": "In water."},
            ],
        ],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "locomo10.json").write_text(json.dumps(LOCOMO), "utf-8")
    entries = [history("q1"), history("q2_abs")]
    (tmp_path / "longmemeval_s.json").write_text(json.dumps(entries), "utf-8")
    return tmp_path


def test_locomo_is_read_as_it_says_of_itself(data: Path) -> None:
    (case,) = load_locomo(data / "locomo10.json")
    assert [len(talk.said) for talk in case.talks] == [3, 2]
    second = case.talks[0].said[1]
    assert second.text == "Lovely! [shares a photo of a canoe]"
    assert (second.speaker, second.role) == ("Bob", Role.USER)
    assert case.talks[0].said[0].at == parse_time("2023-05-08T13:56:00")
    wanted = [sorted(question.evidence) for question in case.questions]
    assert wanted == [["D1:1"], ["D1:2"], ["D1:2", "D2:1"]]
    assert case.questions[2].category == "multi-hop"


def test_longmemeval_is_read_in_order_of_time_without_abstentions(data: Path) -> None:
    (case,) = load_longmemeval(data / "longmemeval_s.json")
    assert [talk.id for talk in case.talks] == ["filler", "answer_1"]
    (question,) = case.questions
    assert question.evidence == {"answer_1#0"}
    assert question.sessions == {"answer_1"}
    assert question.asked_at == parse_time("2023-05-30T23:40:00")


def test_dates_of_longmemeval() -> None:
    assert parse_date("2023/05/20 (Sat) 02:21") == parse_time("2023-05-20T02:21:00")


def test_a_run_goes_through_the_product_and_reports(data: Path) -> None:
    found = run(data, embedder=WordEmbedder())
    report = summarise(found)
    assert (report.cases, report.messages) == (1, 5)
    systems = {each.system for each in report.figures}
    assert systems == {"hermes", "given", "grep", "bm25", "dense", "rrf"}
    ours = next(f for f in report.figures if f.system == "hermes" and f.part == "all")
    assert ours.questions == 3
    assert ours.score.recall[5] == 1
    assert ours.ms > 0
    assert set(ours.by_category) == {"multi-hop", "single-hop"}
    text = render_report(report)
    assert "hermes" in text
    assert "single-hop" in text
    assert "3 questions asked; n counts those with a marked answer\n" in text
    assert is_narrow(text)


def is_narrow(text: str) -> bool:
    return max(map(len, text.splitlines())) <= 80


def test_conversations_in_one_bank_are_told_apart(data: Path) -> None:
    other = json.loads(json.dumps(LOCOMO[0]).replace("Pip", "Pop"))
    (data / "locomo10.json").write_text(json.dumps([*LOCOMO, other]), "utf-8")
    found = run(data, dataset="locomo-one", embedder=None, baselines=False)
    assert (found.cases, found.messages) == (1, 10)
    wanted = [sorted(each.question.evidence) for each in found.rankings if each.system == "hermes"]
    assert wanted[0] == ["0/D1:1"] and wanted[3] == ["1/D1:1"]
    assert {key[0] for each in found.rankings for key in each.keys} == {"0", "1"}
    assert summarise(found).figures[0].questions == 6


def test_a_run_of_longmemeval_judges_turns_and_sessions(data: Path) -> None:
    report = summarise(run(data, dataset="longmemeval-s", embedder=None))
    levels = {(each.system, each.level): each.at[5] for each in report.haystack}
    assert levels["hermes", "turn"].all == 1
    assert levels["hermes", "session"].any == 1
    assert is_narrow(render_report(report))


def test_a_missing_file_and_an_unknown_set_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"locomo10\.json"):
        run(tmp_path, embedder=None)
    with pytest.raises(NotFound, match=r"longmemeval_m\.json"):
        run(tmp_path, dataset="longmemeval-m", embedder=None)
    with pytest.raises(UserError, match="trivia"):
        run(tmp_path, dataset="trivia", embedder=None)
    with pytest.raises(UserError, match="no data set 'foo'"):
        run(None, dataset="foo", embedder=None)


def test_a_chat_is_retold_as_a_log(data: Path) -> None:
    (case,) = load_locomo(data / "locomo10.json")
    by_ann, by_bob = recast(case, ["unrelated talk"], seed=1)
    first = by_ann.talks[0].said
    assert [said.role for said in first] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert "Lovely! [shares a photo of a canoe]" in first[1].text
    assert "unrelated talk" in first[1].text
    assert not any(said.speaker for said in first)
    (of_bob,) = by_ann.questions
    assert of_bob.text.endswith("What boat did you show, a canoe?")
    assert asks_about_assistant(of_bob.text)
    assert [question.text for question in by_bob.questions] == [
        "What boat did I show, a canoe?",
        "Where did I move, Oslo?",
    ]


@pytest.mark.parametrize(
    ("told", "asked_again"),
    [
        ("What does Ann like?", "What do I like?"),
        ("Where is Ann's bike?", "Where is my bike?"),
        ("Has she seen her sister?", "Has I seen my sister?"),
        ("When has Ann met Annabel?", "When have I met Annabel?"),
    ],
)
def test_a_question_in_the_first_person(told: str, asked_again: str) -> None:
    assert ask_as_user(told, "Ann") == asked_again


class CountingEmbedder(WordEmbedder):
    """Notes what it is asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        self.asked += texts
        return super().embed_passages(texts)


def test_a_session_of_several_histories_is_embedded_once(tmp_path: Path) -> None:
    entries = [history(f"q{number}") for number in range(3)]
    (tmp_path / "longmemeval_s.json").write_text(json.dumps(entries), "utf-8")
    embedder = CountingEmbedder()
    found = run(tmp_path, dataset="longmemeval-s", embedder=embedder, baselines=False)
    assert found.messages == 12
    assert len(embedder.asked) == len(set(embedder.asked)) == 4
    ours = [each.keys for each in found.rankings if each.system == "hermes"]
    assert len(ours) == 3
    assert ours[0] == ours[1] == ours[2]
    assert ours[0][0] == "answer_1#0"
