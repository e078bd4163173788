"""MiniLM, taught to compare two texts: a tokenizer and an onnxruntime session, checked first.

Activations are quantised over a whole batch, so that the same pair in another batch would get
another figure; each pair is therefore run by itself, which on one thread costs hardly more. The
tokenizer is the one of E5-small. This module imports the heavy libraries and is itself imported on
first use.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from hermes.embed.e5 import TOKENIZER_SHA256, check_digest, clean_text
from hermes.embed.runtime import onnxruntime

MODEL = "reading-gate-int8.onnx"
MODEL_SHA256 = "9599edb4efd7556bf96ee203c658f70867b455f0385c92a98e981fe1b9490bc8"
MAX_TOKENS = 112  # as it was taught


@dataclass(frozen=True, slots=True)
class MiniLM:
    """The loaded model; safe to use from several threads at once."""

    tokenizer: Tokenizer
    session: onnxruntime.InferenceSession

    def compare(self, first: str, second: str) -> float:
        """How likely the texts go together, in log odds."""
        told = self.tokenizer.encode(clean_text(first), clean_text(second))
        ids = np.array([told.ids], dtype=np.int64)
        types = np.array([told.type_ids], dtype=np.int64)
        (logits,) = self.session.run(None, {"input_ids": ids, "token_type_ids": types})
        return float(logits[0])


def load_minilm(model_dir: Path) -> MiniLM:
    """Check both files against their digests, then load them."""
    model, tokens = check_files(model_dir)
    tokenizer = Tokenizer.from_file(str(tokens))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    return MiniLM(tokenizer, session)


def check_files(model_dir: Path) -> tuple[Path, Path]:
    """The model and its tokenizer, if they are what Hermes was shipped with."""
    model, tokenizer = model_dir / MODEL, model_dir / "tokenizer.json"
    check_digest(model, MODEL_SHA256)
    check_digest(tokenizer, TOKENIZER_SHA256)
    return model, tokenizer
