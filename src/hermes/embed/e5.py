"""E5-small in memory: a tokenizer and an onnxruntime session, checked before they are run.

The session has one thread, because a single question gains nothing from more (measured: 3.0 ms
with one, 2.9 with two, and with two three times slower on a busy machine); batches of passages run
side by side instead. Activations are quantised over a whole batch, so the same text in another
batch gets a vector with a cosine of 0.997 to the first; recall does not feel it (LoCoMo recall@10
0.657 with batches, 0.653 without). This module imports the heavy libraries and is itself imported
on first use.
"""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from hermes.embed.runtime import onnxruntime
from hermes.errors import Corrupt, Unavailable

MODEL_SHA256 = "1470d2d8a959be30de5d36a6251c62b9f0ad489a3a03563a8275a28bf278afaf"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

DIMENSIONS = 384
MAX_TOKENS = 512
MAX_CHARS = 16_384  # beyond any text of 512 tokens but one of blanks; tokenizing more is waste
MAX_ROWS = 32
# Larger batches overflow the cache: 16 x 62 tokens run 10 % faster than 32 x 62, and attention
# grows with the square of the length, so this also bounds memory (+80 MB at 2 x 512).
MAX_BATCH_TOKENS = 1_024
LONG_TOKENS = (
    128  # after texts longer than this the memory they needed is given back (60 MB at 512)
)
WINDOW = 1_024  # texts tokenized at a time, so that a long list costs bounded memory

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class E5:
    """The loaded model; safe to use from several threads at once."""

    tokenizer: Tokenizer
    session: onnxruntime.InferenceSession
    threads: int
    max_rows: int

    def embed(self, prefix: str, texts: Sequence[str]) -> Vectors:
        """A unit row for each text, in order."""
        rows = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for start in range(0, len(texts), WINDOW):
            window = [prefix + clean_text(text) for text in texts[start : start + WINDOW]]
            self._fill(rows[start : start + WINDOW], window)
        return rows

    def prepare(self, prefix: str, text: str) -> Callable[[], Vectors]:
        """What embeds one text: it is tokenized here, and hardly needs the interpreter then."""
        (encoding,) = self.tokenizer.encode_batch_fast([prefix + clean_text(text)])
        return partial(self._run, [encoding.ids])

    def _fill(self, rows: Vectors, texts: Sequence[str]) -> None:
        tokens = [encoding.ids for encoding in self.tokenizer.encode_batch_fast(texts)]

        def fill_batch(batch: list[int]) -> None:
            rows[batch] = self._run([tokens[index] for index in batch])

        batches = plan_batches([len(each) for each in tokens], self.max_rows)
        if len(batches) == 1 or self.threads == 1:
            for batch in batches:
                fill_batch(batch)
            return
        with ThreadPoolExecutor(self.threads, thread_name_prefix="hermes-embed") as pool:
            for _ in pool.map(fill_batch, batches):
                pass

    def _run(self, batch: Sequence[list[int]]) -> Vectors:
        width = max(map(len, batch))
        ids = np.zeros((len(batch), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        options = _giving_back() if width > LONG_TOKENS else None
        rows: Vectors = self.session.run(None, {"input_ids": ids, "attention_mask": mask}, options)[
            0
        ]
        return rows


def load_e5(model_dir: Path, *, threads: int, max_rows: int) -> E5:
    """Check both files against their digests, then load them."""
    model_path, tokenizer_path = check_files(model_dir)
    tokenizer = Tokenizer.from_file(str(tokenizer_path))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        str(model_path), options, providers=["CPUExecutionProvider"]
    )
    return E5(tokenizer, session, threads, min(max_rows, MAX_ROWS))


def check_files(model_dir: Path) -> tuple[Path, Path]:
    """The model and its tokenizer, if they are what Hermes was shipped with."""
    model, tokenizer = model_dir / "e5-small-int8.onnx", model_dir / "tokenizer.json"
    check_digest(model, MODEL_SHA256)
    check_digest(tokenizer, TOKENIZER_SHA256)
    return model, tokenizer


def _giving_back() -> onnxruntime.RunOptions:
    options = onnxruntime.RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


def check_digest(path: Path, sha256: str) -> None:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Unavailable(
            f"The bundled model cannot be read: {error}.", "Install hermes-memory again."
        ) from error
    if found != sha256:
        raise Corrupt(
            f"{path.name} is not the file Hermes was shipped with.", "Install hermes-memory again."
        )


def clean_text(text: str) -> str:
    """What the tokenizer can take: no lone surrogates, and no more than can matter."""
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")


def plan_batches(lengths: Sequence[int], max_rows: int) -> list[list[int]]:
    """Indices grouped by similar length, longest first, none over its share of rows and tokens."""
    batches: list[list[int]] = []
    room = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if room == 0:
            batches.append([])
            room = max(1, min(max_rows, MAX_BATCH_TOKENS // max(1, lengths[index])))
        batches[-1].append(index)
        room -= 1
    return batches
