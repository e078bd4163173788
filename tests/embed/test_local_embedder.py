"""The bundled model: right vectors, any text, any thread, checked files, memory given back."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.clock import FixedClock
from hermes.embed.base import EmbedderOptions, EmbedsInSteps, Space
from hermes.embed.e5 import MAX_BATCH_TOKENS, MAX_TOKENS, plan_batches
from hermes.embed.local import MODEL_DIR, LocalEmbedder, open_embedder
from hermes.errors import Corrupt, Unavailable, UserError
from ringing import Timer

TEXTS = [
    "Alice adopted a dog called Rex.",
    "The quarterly budget was approved on Friday.",
    "Le train pour Lyon part à huit heures.",
    "猫が好きです",
    "x",
    "The database migration failed twice before it went through. " * 9,
]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return open_embedder(EmbedderOptions())


def test_space_is_known_without_loading() -> None:
    fresh = open_embedder(EmbedderOptions())
    assert fresh.space == Space("local", "e5-small-int8", 384)
    assert not fresh.is_loaded


def test_rows_are_unit_float32_in_the_order_given(embedder: LocalEmbedder) -> None:
    rows = embedder.embed_passages(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-4)
    for text, row in zip(TEXTS, rows, strict=True):
        assert float(embedder.embed_passages([text])[0] @ row) > 0.98


def test_a_question_is_nearest_its_answer(embedder: LocalEmbedder) -> None:
    questions = ["What pet does Alice have?", "When did they agree the budget?"]
    scores = embedder.embed_queries(questions) @ embedder.embed_passages(TEXTS).T
    assert scores.argmax(axis=1).tolist() == [0, 1]


def test_a_query_is_not_a_passage(embedder: LocalEmbedder) -> None:
    query, passage = embedder.embed_queries(TEXTS[:1]), embedder.embed_passages(TEXTS[:1])
    assert not np.allclose(query, passage, atol=1e-3)


def test_nothing_in_nothing_out(embedder: LocalEmbedder) -> None:
    assert embedder.embed_queries([]).shape == (0, 384)


@pytest.mark.parametrize(
    "text",
    ["", " ", "\x00", "a\x00b", "\ud800", "ok \udfff ok", "🙂" * 3, "word " * 400_000, "a" * 10**6],
    ids=["empty", "blank", "nul", "nul inside", "surrogate", "low", "emoji", "huge", "one word"],
)
def test_any_text_has_a_vector(embedder: LocalEmbedder, text: str) -> None:
    row = embedder.embed_passages([text, "beside it"])[0]
    assert np.isfinite(row).all()
    assert float(row @ row) == pytest.approx(1.0, abs=1e-3)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_any_texts_have_vectors(texts: list[str]) -> None:
    rows = SHARED.embed_queries(texts)
    assert rows.shape == (len(texts), 384)
    assert np.isfinite(rows).all()


SHARED = open_embedder(EmbedderOptions())


def test_text_past_512_tokens_is_cut_not_refused(embedder: LocalEmbedder) -> None:
    start = "the harbour opens at dawn " * 300
    rows = embedder.embed_passages([start + "alpha", start + "something else entirely"])
    assert np.allclose(rows[0], rows[1], atol=1e-5)


def test_threads_share_one_embedder(embedder: LocalEmbedder) -> None:
    expected = embedder.embed_queries(["shared question"])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: embedder.embed_queries(["shared question"]), range(16)))
    assert all(np.allclose(rows, expected, atol=1e-5) for rows in found)


def test_one_thread_and_two_give_the_same() -> None:
    one = open_embedder(EmbedderOptions(threads=1))
    two = open_embedder(EmbedderOptions(threads=2))
    texts = TEXTS * 12
    assert np.allclose(one.embed_passages(texts), two.embed_passages(texts), atol=1e-5)


def test_model_is_given_back_when_idle_and_comes_again() -> None:
    clock, timer = FixedClock(), Timer()
    embedder = LocalEmbedder(EmbedderOptions(idle_s=60), clock, timer=timer)
    before = embedder.embed_queries(["again"])
    clock.advance(60_000)
    timer.ring()
    assert not embedder.is_loaded
    assert np.array_equal(embedder.embed_queries(["again"]), before)


def test_a_question_prepared_is_the_question_embedded() -> None:
    fresh = open_embedder(EmbedderOptions())
    assert isinstance(fresh, EmbedsInSteps)
    loading = fresh.prepare_query(TEXTS[0])
    assert not fresh.is_loaded
    assert np.array_equal(loading(), fresh.embed_queries(TEXTS[:1]))
    for text in (*TEXTS, "", "\ud800 lone"):
        assert np.array_equal(fresh.prepare_query(text)(), fresh.embed_queries([text]))


def test_closing_waits_for_what_is_under_way() -> None:
    embedder = open_embedder(EmbedderOptions())
    embedder.embed_queries(["load"])
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(embedder.embed_passages, ["a long text " * 200] * 40)
        while not embedder.is_busy and not under_way.done():
            pass
        embedder.close()
        assert not embedder.is_busy
        assert len(under_way.result()) == 40


def test_closed_is_unavailable() -> None:
    embedder = open_embedder(EmbedderOptions())
    embedder.close()
    with pytest.raises(Unavailable):
        embedder.embed_queries(["too late"])


@pytest.mark.parametrize("name", ["e5-small-int8.onnx", "tokenizer.json"])
def test_a_flipped_bit_is_corrupt(tmp_path: Path, name: str) -> None:
    model_dir = tmp_path / "model"
    shutil.copytree(MODEL_DIR, model_dir)
    damaged = bytearray((model_dir / name).read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (model_dir / name).write_bytes(damaged)
    embedder = LocalEmbedder(EmbedderOptions(), FixedClock(), model_dir)
    with pytest.raises(Corrupt, match=name):
        embedder.embed_queries(["hello"])


def test_a_missing_file_is_unavailable(tmp_path: Path) -> None:
    embedder = LocalEmbedder(EmbedderOptions(), FixedClock(), tmp_path)
    with pytest.raises(Unavailable):
        embedder.embed_queries(["hello"])


@pytest.mark.parametrize("options", [EmbedderOptions(model="bge"), EmbedderOptions(dimensions=8)])
def test_a_model_it_does_not_have_is_refused(options: EmbedderOptions) -> None:
    with pytest.raises(UserError):
        open_embedder(options)


@given(st.lists(st.integers(1, MAX_TOKENS), max_size=200), st.integers(1, 32))
def test_batches_hold_every_text_once_and_stay_small(lengths: list[int], max_rows: int) -> None:
    batches = plan_batches(lengths, max_rows)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) <= max_rows
        assert len(batch) * max(lengths[index] for index in batch) <= MAX_BATCH_TOKENS


def test_naming_the_embedder_imports_nothing_heavy() -> None:
    code = (
        "import hermes.embed.local, sys, json;"
        "print(json.dumps([m for m in ('numpy', 'onnxruntime', 'tokenizers') if m in sys.modules]))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert json.loads(answer.stdout) == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_long_texts_leave_no_large_memory_behind() -> None:
    code = """
import re
from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder

def resident_mb():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024

embedder = open_embedder(EmbedderOptions(threads=1))
embedder.embed_passages(["short text"] * 64)
before = resident_mb()
embedder.embed_passages(["a long text of many words " * 100] * 3)
print(resident_mb() - before)
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert int(answer.stdout) < 45


def test_the_runtime_tells_nobody_and_leaves_no_id_of_the_machine(tmp_path: Path) -> None:
    """As on a user's machine: where tests run, the runtime is silent by itself."""
    silent = ("CI", "ORT_", "GITHUB_", "TF_BUILD")
    environ = {k: v for k, v in os.environ.items() if not k.startswith(silent)}
    work = (
        "from hermes.embed.base import EmbedderOptions; from hermes.embed.local import *; "
        "open_embedder(EmbedderOptions()).embed_queries(['tea'])"
    )
    command = [sys.executable, "-c", work]
    environ |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run(command, env=environ, check=True, timeout=120)
    assert list(tmp_path.rglob("*")) == []
