"""Writes a taught cross-encoder as an ONNX graph with int8 weights; it needs onnx to be installed.

The graph is put together by hand, of standard operators: there is little of it, and what wrote it
can be read. One pair at a time is compared, so it has no mask.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from hermes.bench.logistic import Floats

LAYERS, WIDTH, HEADS = 6, 384, 12
OPSET = 17


class _Graph:
    """Nodes and weights as they are added; each node is named after what it gives."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights
        self._kept: dict[str, np.ndarray] = {}
        self.nodes: list[onnx.NodeProto] = []

    def add(self, operator: str, *inputs: str, **settings: object) -> str:
        name = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, **settings))
        return name

    def constant(self, name: str, value: np.ndarray) -> str:
        self._kept[name] = value
        return name

    def weight(self, name: str, *, turned: bool = False) -> str:
        value = np.asarray(self._weights[name], dtype=np.float32)
        return self.constant(name, np.ascontiguousarray(value.T) if turned else value)

    def linear(self, place: str, x: str) -> str:
        product = self.add("MatMul", x, self.weight(f"{place}.weight", turned=True))
        return self.add("Add", product, self.weight(f"{place}.bias"))

    def normed(self, place: str, x: str) -> str:
        scale, shift = self.weight(f"{place}.weight"), self.weight(f"{place}.bias")
        return self.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-12)

    def model(self, result: str) -> onnx.ModelProto:
        ids, types = (
            helper.make_tensor_value_info(name, onnx.TensorProto.INT64, [1, "tokens"])
            for name in ("input_ids", "token_type_ids")
        )
        logit = helper.make_tensor_value_info(result, onnx.TensorProto.FLOAT, [1])
        kept = [numpy_helper.from_array(value, name) for name, value in self._kept.items()]
        graph = helper.make_graph(self.nodes, "compare", [ids, types], [logit], kept)
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8
        )


def export(weights: Mapping[str, Floats], file: Path) -> None:
    """Write the model with int8 weights."""
    model = _build(weights)
    onnx.checker.check_model(model)
    with tempfile.TemporaryDirectory(prefix="hermes-gate-") as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(model, str(whole))
        quantize_dynamic(str(whole), str(file), per_channel=True, weight_type=QuantType.QInt8)


def _build(weights: Mapping[str, Floats]) -> onnx.ModelProto:
    graph = _Graph(weights)
    x = _embedded(graph)
    shapes = (
        graph.constant("split", np.array([1, -1, HEADS, WIDTH // HEADS])),
        graph.constant("joined", np.array([1, -1, WIDTH])),
    )
    for layer in range(LAYERS):
        x = _layer(graph, f"encoder.layer.{layer}", x, shapes)
    mean = graph.add("ReduceMean", x, axes=[1], keepdims=0)
    logit = graph.linear("head", mean)
    return graph.model(graph.add("Reshape", logit, graph.constant("one", np.array([1]))))


def _embedded(graph: _Graph) -> str:
    place = "embeddings.{}_embeddings.weight".format
    zero, one = graph.constant("zero", np.array([0])), graph.constant("axis", np.array([1]))
    length = graph.add(
        "Slice", graph.add("Shape", "input_ids"), one, graph.constant("two", np.array([2]))
    )
    rows = graph.add("Slice", graph.weight(place("position")), zero, length, zero)
    words = graph.add("Gather", graph.weight(place("word")), "input_ids")
    types = graph.add("Gather", graph.weight(place("token_type")), "token_type_ids")
    return graph.normed(
        "embeddings.LayerNorm", graph.add("Add", graph.add("Add", words, rows), types)
    )


def _layer(graph: _Graph, place: str, x: str, shapes: tuple[str, str]) -> str:
    split, joined = shapes
    query, key, value = (
        graph.add("Reshape", graph.linear(f"{place}.attention.self.{name}", x), split)
        for name in ("query", "key", "value")
    )
    near = graph.add(
        "MatMul",
        graph.add("Transpose", query, perm=[0, 2, 1, 3]),
        graph.add("Transpose", key, perm=[0, 2, 3, 1]),
    )
    scale = graph.constant("scale", np.array((WIDTH // HEADS) ** -0.5, dtype=np.float32))
    likely = graph.add("Softmax", graph.add("Mul", near, scale), axis=-1)
    seen = graph.add("MatMul", likely, graph.add("Transpose", value, perm=[0, 2, 1, 3]))
    seen = graph.add("Reshape", graph.add("Transpose", seen, perm=[0, 2, 1, 3]), joined)
    told = graph.linear(f"{place}.attention.output.dense", seen)
    x = graph.normed(f"{place}.attention.output.LayerNorm", graph.add("Add", x, told))
    inner = _gelu(graph, graph.linear(f"{place}.intermediate.dense", x))
    told = graph.linear(f"{place}.output.dense", inner)
    return graph.normed(f"{place}.output.LayerNorm", graph.add("Add", x, told))


def _gelu(graph: _Graph, x: str) -> str:
    half = graph.constant("half", np.array(0.5, dtype=np.float32))
    whole = graph.constant("whole", np.array(1.0, dtype=np.float32))
    root = graph.constant("root", np.array(2**-0.5, dtype=np.float32))
    bent = graph.add("Add", graph.add("Erf", graph.add("Mul", x, root)), whole)
    return graph.add("Mul", graph.add("Mul", x, bent), half)
