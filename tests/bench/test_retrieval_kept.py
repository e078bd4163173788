"""A run that is stopped goes on with the vectors it made, and leaves nothing it was not told to."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from fixed_embedder import WordEmbedder
from hermes.bench.retrieval.pace import Pace
from hermes.bench.retrieval.remembering import open_remembering
from hermes.bench.retrieval.run import run
from hermes.errors import Conflict
from hermes.store.vectors.coding import Floats

TEXTS = ("user: ferret", "user: canoe", "user: rice")


class Stopped(Exception):
    """The run was stopped here."""


class CountingEmbedder(WordEmbedder):
    """Stops after so many calls."""

    def __init__(self, model: str = "words", calls: int = 1_000) -> None:
        super().__init__(model)
        self.calls = calls

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        if not self.calls:
            raise Stopped
        self.calls -= 1
        return super().embed_passages(texts)


def history(number: int) -> dict[str, object]:
    said = [{"role": "user", "content": f"My ferret is called Pip {number}", "has_answer": True}]
    return {
        "question_id": f"q{number}",
        "question_type": "single-session-user",
        "question": "What is my ferret called?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_session_ids": ["a"],
        "haystack_sessions": [said],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    entries = [history(number) for number in range(20)]
    (tmp_path / "longmemeval_s.json").write_text(json.dumps(entries), "utf-8")
    return tmp_path


def embed(folder: Path | None, embedder: WordEmbedder, texts: Sequence[str] = TEXTS) -> Floats:
    with open_remembering(embedder, folder) as remembering:
        return remembering.embed_passages(texts)


def vectors_in(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_vectors_are_kept_in_a_folder_and_made_once(tmp_path: Path) -> None:
    first, second = CountingEmbedder(), CountingEmbedder()
    made = embed(tmp_path / "new" / "kept", first)
    again = embed(tmp_path / "new" / "kept", second, (*TEXTS, "user: new", TEXTS[0]))
    assert first.texts == ["ferret", "canoe", "rice"]
    assert second.texts == ["new"]
    assert np.array_equal(again[:3], made)
    assert np.array_equal(again[4], made[0])


@pytest.mark.parametrize("lost", [1, 16, 100, 144, 145, 300, 432])
def test_what_a_kill_cut_off_is_made_again(tmp_path: Path, lost: int) -> None:
    whole = embed(tmp_path, CountingEmbedder())
    file = vectors_in(tmp_path)
    record = 16 + 2 * 64
    assert file.stat().st_size == 3 * record
    os.truncate(file, 3 * record - lost)
    second = CountingEmbedder()
    assert np.array_equal(embed(tmp_path, second), whole)
    assert len(second.texts) == -(-lost // record)
    assert file.stat().st_size == 3 * record
    third = CountingEmbedder()
    assert np.array_equal(embed(tmp_path, third), whole)
    assert not third.texts


def test_each_model_has_its_own_vectors(tmp_path: Path) -> None:
    embed(tmp_path, CountingEmbedder())
    other = CountingEmbedder("others")
    embed(tmp_path, other)
    assert len(other.texts) == 3
    assert len(list(tmp_path.iterdir())) == 2


def test_two_runs_do_not_write_to_one_file(tmp_path: Path) -> None:
    with (
        open_remembering(WordEmbedder(), tmp_path),
        pytest.raises(Conflict, match="Another run"),
        open_remembering(WordEmbedder(), tmp_path),
    ):
        pass


def test_a_run_that_was_stopped_goes_on(data: Path, tmp_path: Path) -> None:
    kept, stopping, whole = tmp_path / "kept", CountingEmbedder(calls=1), CountingEmbedder()
    with pytest.raises(Stopped):
        run(data, dataset="longmemeval-s", embedder=stopping, folder=kept)
    run(data, dataset="longmemeval-s", embedder=whole, folder=kept)
    assert len(stopping.texts) == 8
    assert len(whole.texts) == 12
    again = CountingEmbedder(calls=0)
    assert run(data, dataset="longmemeval-s", embedder=again, folder=kept).cases == 20


def test_progress_counts_histories_and_tells_the_time_left(data: Path) -> None:
    told: list[str] = []
    run(data, dataset="longmemeval-s", embedder=WordEmbedder(), on_progress=told.append)
    assert told[0] == "0 of 20 histories done; 0 messages of the next to embed"
    assert told[1].startswith("1 of 20 histories done, about ")
    assert told[-1] == "20 of 20 histories done"


def test_the_time_left_is_of_preparing_and_of_asking() -> None:
    times: Iterator[float] = iter([0.0, 800.0, 810.0, 820.0])
    pace = Pace(80, lambda: next(times))
    pace.prepare(8)
    pace.ask()
    assert pace.tell() == "1 of 80 histories done, about 2.2 h left"  # 72 × 100 s and 79 × 10 s
    pace.ask()
    assert pace.tell() == "2 of 80 histories done, about 2.2 h left"


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.2, "1 s"), (59, "59 s"), (125, "2 min"), (7_300, "2.0 h")]
)
def test_spans_are_told_roughly(seconds: float, told: str) -> None:
    times = iter([0.0, 0.0, seconds])
    pace = Pace(2, lambda: next(times))
    pace.prepare(2)
    pace.ask()
    assert pace.tell() == f"1 of 2 histories done, about {told} left"


RUNS_ON = """
import sys, time
from pathlib import Path
from hermes.bench.ending import ending_tidily
from hermes.bench.retrieval.run import run

def wait(told):
    print(told, flush=True)
    time.sleep(60)

with ending_tidily():
    run(Path(sys.argv[1]), dataset="longmemeval-s", embedder=None, on_progress=wait)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_leaves_no_folder(
    data: Path, tmp_path: Path, how: signal.Signals
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-c", RUNS_ON, str(data)]
    environ = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(
        command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        assert list(scratch.glob("hermes-bench-*"))
        running.send_signal(how)
        assert running.wait(30) != 0
    assert not list(scratch.iterdir())
