"""A benchmark's file that is not what was published says so, and gives no figures of nothing."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixed_embedder import WordEmbedder
from hermes.bench.retrieval.published import iter_entries
from hermes.bench.retrieval.report import summarise
from hermes.bench.retrieval.run import run
from hermes.errors import UserError

ENTRY = {
    "question_id": "q1",
    "question_type": "single-session-assistant",
    "question": "Which hostel did you name?",
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_dates": ["2023/05/22 (Mon) 20:03"],
    "haystack_session_ids": ["a"],
    "haystack_sessions": [
        [
            {"role": "user", "content": "Which hostel in Porto?"},
            {"role": "assistant", "content": "The Pilgrim Hostel.", "has_answer": True},
        ]
    ],
}
UNMARKED = [[{"role": "user", "content": "Which hostel in Porto?"}]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not json", "is not JSON"),
        ('{"question_id": 1}', "is not a list of objects"),
        ("[1]", "is not a list of objects"),
        ('[{"question_id": 1}]', "entry 1 has no 'haystack_session_ids'"),
        (json.dumps([ENTRY, {**ENTRY, "question_date": "soon"}]), "entry 2 cannot be read"),
        (json.dumps([{**ENTRY, "haystack_dates": []}]), "entry 1 cannot be read"),
        (json.dumps([{**ENTRY, "haystack_sessions": [["hi"]]}]), "entry 1 cannot be read"),
        (json.dumps([{**ENTRY, "haystack_sessions": UNMARKED}]), "no question has a marked answer"),
        (json.dumps([{**ENTRY, "question_id": "q1_abs"}]), "no question has a marked answer"),
        (json.dumps([ENTRY])[:-1], "the list has no end"),
        (json.dumps([ENTRY]) + "]", "more stands behind its end"),
        (json.dumps([ENTRY])[:-9], "is not JSON"),
        ("[]", "no question has a marked answer"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "longmemeval_s.json").write_text(text)
    with pytest.raises(UserError) as failed:
        run(tmp_path, dataset="longmemeval-s", embedder=WordEmbedder(), baselines=False)
    assert told in failed.value.message
    assert failed.value.hint


def test_a_conversation_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "locomo10.json").write_text('[{"conversation": {}, "qa": []}]')
    with pytest.raises(UserError, match="entry 1 cannot be read"):
        run(tmp_path, embedder=WordEmbedder(), baselines=False)


def test_figures_of_no_question_are_left_out(tmp_path: Path) -> None:
    """Of what the assistant said LongMemEval itself judges nothing."""
    (tmp_path / "longmemeval_s.json").write_text(json.dumps([ENTRY]))
    found = run(tmp_path, dataset="longmemeval-s", embedder=WordEmbedder(), baselines=False)
    report = summarise(found)
    assert {each.questions for each in report.figures} == {1}
    assert report.haystack == ()


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=30), max_size=3), max_size=8),
    st.sampled_from([None, 1, "\t"]),
    st.integers(1, 40),
)
def test_a_file_is_read_piece_by_piece_as_it_is_read_whole(
    entries: list[dict[str, str]], indent: int | str | None, piece: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "file.json")
        path.write_text(json.dumps(entries, indent=indent, ensure_ascii=False), "utf-8")
        assert list(iter_entries(path, piece)) == entries
