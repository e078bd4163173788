"""A small transformer that learns to compare two texts, for teaching the reading gate.

It begins as all-MiniLM-L6-v2. The words and the lower layers stay as they are, so that what they
give is computed once a text; the upper layers and a head learn. torch, safetensors and tokenizers
are needed here and nowhere else in the package. It knows nothing of facts.
"""

import math
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional

LAYERS, WIDTH, HEADS = 6, 384, 12
STILL = 3  # layers that do not learn
MAX_TOKENS = 112
TOGETHER = 32  # pairs a step

Weights = dict[str, Any]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A pair, whether it goes together, and what it counts."""

    pair: Pair
    kept: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Course:
    """How it is taught; `smooth` is how far from certain an answer is wanted."""

    epochs: int = 3
    rate: float = 1.2e-4
    head_rate: float = 3.6e-4
    drop: float = 0.1
    smooth: float = 0.05
    seed: int = 0


class Encoder:
    """The base, and what its still layers make of each pair, kept for the next to learn."""

    def __init__(self, folder: Path) -> None:
        torch.set_num_threads(1)  # two threads wait for each other where others work, too
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        read = load_file(str(folder / "model.safetensors"))
        self.base: Weights = {name.removeprefix("bert."): w.float() for name, w in read.items()}
        self._still: dict[Pair, Any] = {}

    def prepare(self, pairs: Sequence[Pair]) -> None:
        """Compute what the still layers make of the pairs that are not known yet."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._still]
        told = {pair: self._tokenizer.encode(*pair) for pair in fresh}
        fresh.sort(key=lambda pair: len(told[pair].ids))
        for start in range(0, len(fresh), TOGETHER):
            batch = fresh[start : start + TOGETHER]
            ids = _padded([torch.tensor(told[pair].ids) for pair in batch])
            types = _padded([torch.tensor(told[pair].type_ids) for pair in batch])
            with torch.no_grad(), _halved():
                rows = _below(self.base, ids, types, ids > 0)
            for pair, row in zip(batch, rows, strict=True):
                self._still[pair] = row[: len(told[pair].ids)].bfloat16().clone()

    def batch(self, pairs: Sequence[Pair]) -> tuple[Any, Any]:
        rows = [self._still[pair].float() for pair in pairs]
        return _padded(rows), _padded([torch.ones(len(row), dtype=torch.bool) for row in rows])

    def length(self, pair: Pair) -> int:
        return len(self._still[pair])


def teach(encoder: Encoder, lessons: Sequence[Lesson], course: Course) -> Weights:
    """The weights that learnt from the lessons, the same for the same seed."""
    random.seed(course.seed)
    torch.manual_seed(course.seed)
    encoder.prepare([lesson.pair for lesson in lessons])
    weights = {name: w.clone() for name, w in encoder.base.items()}
    weights["head.weight"] = torch.randn(1, WIDTH) * 0.02
    weights["head.bias"] = torch.zeros(1)
    descent = torch.optim.AdamW(_groups(weights, course), fused=True)
    steps, step = course.epochs * math.ceil(len(lessons) / TOGETHER), 0
    for epoch in range(course.epochs):
        lost = 0.0
        for batch in _batches(encoder, lessons):
            share = min(1.0, step / (0.1 * steps + 1)) * max(0.02, 1 - step / steps)
            for group in descent.param_groups:
                group["lr"] = group["own"] * share
            lost += _step(encoder, weights, batch, descent, course)
            step += 1
        sys.stdout.write(f"  epoch {epoch + 1}: loss {lost * TOGETHER / len(lessons):.4f}\n")
        sys.stdout.flush()
    return {name: w.detach() for name, w in weights.items()}


def compare(encoder: Encoder, weights: Weights, pairs: Sequence[Pair]) -> list[float]:
    """How likely each pair goes together, in log odds."""
    encoder.prepare(pairs)
    order = sorted(range(len(pairs)), key=lambda n: encoder.length(pairs[n]))
    found = [0.0] * len(pairs)
    for start in range(0, len(order), TOGETHER):
        places = order[start : start + TOGETHER]
        with torch.no_grad(), _halved():
            told = _above(weights, *encoder.batch([pairs[n] for n in places]), 0.0)
        for place, value in zip(places, told.float().tolist(), strict=True):
            found[place] = float(value)
    return found


def _groups(weights: Weights, course: Course) -> list[dict[str, Any]]:
    learning = {name: w for name, w in weights.items() if _learns(name)}
    for w in learning.values():
        w.requires_grad_(True)
    return [
        {
            "params": [w],
            "own": course.head_rate if name.startswith("head") else course.rate,
            "weight_decay": 0.01 if w.ndim > 1 else 0.0,
        }
        for name, w in learning.items()
    ]


def _learns(name: str) -> bool:
    layer = name.split(".")[2] if name.startswith("encoder.layer.") else ""
    return name.startswith("head.") or (bool(layer) and int(layer) >= STILL)


def _batches(encoder: Encoder, lessons: Sequence[Lesson]) -> list[list[Lesson]]:
    """All lessons in another order each time, those of like length together."""
    mixed = random.sample(lessons, len(lessons))
    batches: list[list[Lesson]] = []
    for start in range(0, len(mixed), TOGETHER * 16):
        near = sorted(mixed[start : start + TOGETHER * 16], key=lambda e: encoder.length(e.pair))
        batches += [near[n : n + TOGETHER] for n in range(0, len(near), TOGETHER)]
    random.shuffle(batches)
    return batches


def _step(
    encoder: Encoder, weights: Weights, batch: Sequence[Lesson], descent: Any, course: Course
) -> float:
    wanted = torch.tensor([1 - course.smooth if e.kept else course.smooth for e in batch])
    counts = torch.tensor([each.weight for each in batch])
    with _halved():
        told = _above(weights, *encoder.batch([each.pair for each in batch]), course.drop)
    losses = functional.binary_cross_entropy_with_logits(told.float(), wanted, reduction="none")
    loss = (losses * counts).mean()
    descent.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([w for w in weights.values() if w.requires_grad], 1.0)
    descent.step()
    return float(loss.detach())


def _below(weights: Weights, ids: Any, types: Any, mask: Any) -> Any:
    """What the words and the still layers make of a batch."""
    place = "embeddings.{}_embeddings.weight".format
    x = weights[place("word")][ids] + weights[place("position")][: ids.shape[1]]
    x = _normed(weights, "embeddings.LayerNorm", x + weights[place("token_type")][types])
    for layer in range(STILL):
        x = _layer(weights, f"encoder.layer.{layer}", x, mask, 0.0)
    return x


def _above(weights: Weights, x: Any, mask: Any, drop: float) -> Any:
    """What the learning layers and the head make of that: one figure a row."""
    x = functional.dropout(x, drop)
    for layer in range(STILL, LAYERS):
        x = _layer(weights, f"encoder.layer.{layer}", x, mask, drop)
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    return _linear(weights, "head", functional.dropout(mean, drop))[:, 0]


def _layer(weights: Weights, place: str, x: Any, mask: Any, drop: float) -> Any:
    rows, tokens, _ = x.shape
    query, key, value = (
        _linear(weights, f"{place}.attention.self.{name}", x)
        .view(rows, tokens, HEADS, WIDTH // HEADS)
        .transpose(1, 2)
        for name in ("query", "key", "value")
    )
    seen = functional.scaled_dot_product_attention(
        query, key, value, attn_mask=mask[:, None, None, :], dropout_p=drop
    )
    seen = seen.transpose(1, 2).reshape(rows, tokens, WIDTH)
    told = functional.dropout(_linear(weights, f"{place}.attention.output.dense", seen), drop)
    x = _normed(weights, f"{place}.attention.output.LayerNorm", x + told)
    inner = functional.gelu(_linear(weights, f"{place}.intermediate.dense", x))
    told = functional.dropout(_linear(weights, f"{place}.output.dense", inner), drop)
    return _normed(weights, f"{place}.output.LayerNorm", x + told)


def _linear(weights: Weights, place: str, x: Any) -> Any:
    return functional.linear(x, weights[f"{place}.weight"], weights[f"{place}.bias"])


def _normed(weights: Weights, place: str, x: Any) -> Any:
    return functional.layer_norm(
        x, (WIDTH,), weights[f"{place}.weight"], weights[f"{place}.bias"], 1e-12
    )


def _padded(rows: Sequence[Any]) -> Any:
    return torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True)


def _halved() -> Any:
    return torch.autocast("cpu", dtype=torch.bfloat16)
