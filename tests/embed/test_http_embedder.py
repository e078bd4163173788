"""Embedders over HTTP, against a scripted server on a real socket."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import FixedClock
from hermes.embed.base import Embedder, EmbedderOptions, Space, find_trouble
from hermes.embed.dialects import OLLAMA, OPENAI, VOYAGE, Purpose
from hermes.embed.http import Pauses, _batches, _cut, open_ollama, open_openai, open_voyage
from hermes.errors import HermesError, Refused, Unavailable, UserError
from hermes.net.breaker import Breaker, new_waiting_breaker
from hermes.net.faults import EndpointError, Fault
from hermes.testing import (
    Fail,
    Flood,
    Garbage,
    Hang,
    Html,
    Received,
    ScriptedServer,
    Step,
    Truncate,
    hash_vector,
)

Open = Callable[[EmbedderOptions, Pauses], Embedder]
OPENERS: dict[str, Open] = {"openai": open_openai, "ollama": open_ollama, "voyage": open_voyage}


@dataclass
class Rest:
    """Sleeps that take no time, and are remembered."""

    slept: list[float] = field(default_factory=list)
    breaker: Breaker = field(default_factory=lambda: Breaker(FixedClock(), threshold=100))

    def pauses(self) -> Pauses:
        return Pauses(sleep=self.slept.append, roll=lambda: 1.0, breaker=self.breaker)


@pytest.fixture(params=list(OPENERS))
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def embedder(
    provider: str, server: ScriptedServer, rest: Rest | None = None, **options: object
) -> Iterator[Embedder]:
    base = EmbedderOptions(provider, "m", base_url=server.url, timeout_s=0.3)
    chosen = replace(base, **options)  # type: ignore[arg-type]
    with closing(OPENERS[provider](chosen, (rest or Rest()).pauses())) as opened:
        yield opened


def unit(text: str, dimensions: int) -> list[float]:
    vector = np.array(hash_vector(text, dimensions))
    return [float(number) for number in vector / np.linalg.norm(vector)]


def test_vectors_come_in_order_of_length_one_and_as_float32(provider: str) -> None:
    salt = "document: " if provider == "voyage" else ""
    with ScriptedServer(dimensions=16) as server, embedder(provider, server) as made:
        vectors = made.embed_passages(["one", "two", "three"])
        assert made.space == Space(provider, "m", 16)
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, 16)
    for row, text in zip(vectors, ["one", "two", "three"], strict=True):
        assert row == pytest.approx(unit(salt + text, 16), abs=1e-6)


def test_texts_go_in_batches(provider: str) -> None:
    with ScriptedServer() as server, embedder(provider, server, batch_size=4) as made:
        vectors = made.embed_passages([f"text {n}" for n in range(10)])
    sizes = [len(r.body["input"]) for r in server.requests]  # type: ignore[arg-type]
    assert sizes == [4, 4, 2]
    assert len(vectors) == 10


def test_no_texts_are_no_vectors(provider: str) -> None:
    with ScriptedServer(dimensions=8) as server, embedder(provider, server) as made:
        assert made.embed_queries([]).shape == (0, 8)


def test_the_space_is_asked_for_where_it_is_not_told(provider: str) -> None:
    with ScriptedServer(dimensions=12) as server, embedder(provider, server) as made:
        assert made.space.dimensions == 12
        assert made.space.dimensions == 12
        assert len(server.requests) == 1
    with ScriptedServer() as server, embedder(provider, server, dimensions=24) as made:
        assert made.space.dimensions == 24
        assert server.requests == []
        assert made.embed_queries(["x"]).shape == (1, 24)


def test_trouble_is_remembered_until_it_is_over(provider: str) -> None:
    script: list[Step] = [Fail(401), Fail(400)]
    with ScriptedServer(script) as server, embedder(provider, server, dimensions=8) as made:
        assert find_trouble(made) == ""
        with pytest.raises(Refused) as refused:
            made.embed_passages(["x"])
        assert find_trouble(made) == refused.value.message
        with pytest.raises(UserError):
            made.embed_passages(["a text that it does not take"])
        assert find_trouble(made) == "", "of that text, not of the model"
        made.embed_passages(["x"])
        assert find_trouble(made) == ""


def test_a_missing_key_is_a_trouble_before_anybody_is_asked() -> None:
    with closing(open_openai(EmbedderOptions("openai"), Rest().pauses())) as made:
        assert find_trouble(made).endswith(": no key")


def test_each_api_is_asked_in_its_own_words() -> None:
    asked: dict[str, Received] = {}
    for provider in OPENERS:
        with ScriptedServer() as server:
            with embedder(provider, server, dimensions=6, api_key="key-1") as made:
                made.embed_queries(["why"])
            asked[provider] = server.requests[0]
    assert {name: received.path for name, received in asked.items()} == {
        "openai": "/v1/embeddings",
        "ollama": "/api/embed",
        "voyage": "/v1/embeddings",
    }
    assert asked["openai"].body == {
        "model": "m",
        "input": ["why"],
        "encoding_format": "float",
        "dimensions": 6,
    }
    assert asked["ollama"].body == {
        "model": "m",
        "input": ["why"],
        "truncate": True,
        "dimensions": 6,
    }
    assert asked["voyage"].body == {
        "model": "m",
        "input": ["why"],
        "input_type": "query",
        "truncation": True,
        "output_dimension": 6,
    }
    assert asked["voyage"].headers["authorization"] == "Bearer key-1"


def test_a_vector_of_another_length_is_said_plainly(provider: str) -> None:
    def ignore_the_wish(received: Received) -> Step:
        if received.path == "/api/embed":
            return Garbage('{"embeddings": [[1, 2, 3]]}')
        return Garbage('{"data": [{"index": 0, "embedding": [1, 2, 3]}]}')

    with ScriptedServer(ignore_the_wish) as server:
        with embedder(provider, server, dimensions=8) as made:
            with pytest.raises(UserError) as caught:
                made.embed_queries(["x"])
    assert "vectors of 3 numbers, not of 8" in caught.value.message
    assert "memory.embeddings.dimensions to 3" in caught.value.hint


def test_a_model_that_changes_its_length_is_caught(provider: str) -> None:
    with ScriptedServer(dimensions=8) as server, embedder(provider, server) as made:
        made.embed_queries(["x"])
        server.dimensions = 9
        with pytest.raises(UserError, match="of 9 numbers, not of 8"):
            made.embed_queries(["x"])


NONSENSE = [
    "null",
    "[]",
    "[null]",
    "[[]]",
    "[[1, 2], [3]]",
    '[["a", "b"]]',
    "[[0, 0]]",
    "[[1e39, 1]]",
    "[[1, NaN]]",
    "[[1, null]]",
    f"[[{'9' * 400}, 1]]",
    "[[1, 2], [3, 4]]",
    "{}",
    "7",
]


@pytest.mark.parametrize("rows", NONSENSE)
def test_vectors_that_are_none_are_refused(rows: str) -> None:
    body = f'{{"embeddings": {rows}}}'
    with ScriptedServer(lambda _: Garbage(body)) as server:
        with embedder("ollama", server) as made, pytest.raises(HermesError) as caught:
            made.embed_queries(["x"])
    assert caught.value.kind in {"Unavailable", "UserError"}


@pytest.mark.parametrize(
    "rows",
    [
        '[{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]',
        '[{"index": 1, "embedding": [1, 2]}, {"index": 2, "embedding": [1, 2]}]',
        '[{"index": [0], "embedding": [1, 2]}, {"index": 1, "embedding": [1, 2]}]',
        '["x", "y"]',
    ],
)
def test_numbers_that_do_not_add_up_are_refused(rows: str) -> None:
    with ScriptedServer(lambda _: Garbage(f'{{"data": {rows}}}')) as server:
        with embedder("openai", server) as made, pytest.raises(Unavailable):
            made.embed_queries(["x", "y"])


def test_rows_without_numbers_are_taken_in_their_order() -> None:
    body = '{"data": [{"embedding": [2, 0]}, {"embedding": [0, 3]}]}'
    with ScriptedServer([Garbage(body)]) as server, embedder("openai", server) as made:
        assert made.embed_queries(["x", "y"]).tolist() == [[1, 0], [0, 1]]


def test_passing_faults_are_waited_out(provider: str) -> None:
    rest = Rest()
    steps: list[Step] = [Fail(429, "slow", {"retry-after": "3"}), Fail(500), Truncate()]
    with ScriptedServer(steps) as server, embedder(provider, server, rest) as made:
        assert made.embed_passages(["x"]).shape == (1, 8)
    assert rest.slept == [pytest.approx(3.3), 1.0, 2.0]


def test_a_question_is_not_kept_waiting_long(provider: str) -> None:
    rest = Rest()
    with ScriptedServer(lambda _: Fail(503)) as server, embedder(provider, server, rest) as made:
        with pytest.raises(Unavailable):
            made.embed_queries(["x"])
    assert len(server.requests) == 2
    assert sum(rest.slept) < 1


def test_a_question_that_was_waited_for_twice_in_vain_is_not_asked_for_a_while() -> None:
    clock = FixedClock()
    pauses = replace(Rest().pauses(), of_questions=new_waiting_breaker(clock))
    base = EmbedderOptions("openai", "m", timeout_s=0.2)
    with ScriptedServer([Hang(), Hang(), Hang()], dimensions=8) as server:
        with closing(open_openai(replace(base, base_url=server.url), pauses)) as made:
            for _ in range(2):
                with pytest.raises(EndpointError) as slow:
                    made.embed_queries(["x"])
                assert slow.value.fault is Fault.SLOW
            for _ in range(2):
                with pytest.raises(EndpointError) as paused:
                    made.embed_queries(["x"])
                assert paused.value.fault is Fault.CUT_OFF
                assert "too slow" in paused.value.message
            asked = len(server.requests)
            clock.advance(30_000)
            with pytest.raises(EndpointError, match="too slow"):  # asked again, in vain: 60 s now
                made.embed_queries(["x"])
            assert len(server.requests) == asked + 1
            clock.advance(45_000)
            with pytest.raises(EndpointError, match="paused"):
                made.embed_queries(["x"])
            assert len(made.embed_passages(["what is stored can wait"])) == 1
            clock.advance(15_000)
            assert len(made.embed_queries(["x"])) == 1
            assert len(made.embed_queries(["y"])) == 1


FAULTS: list[tuple[Step, Fault, type[HermesError]]] = [
    (Fail(401), Fault.NO_KEY, Refused),
    (Fail(404, "model 'm' not found"), Fault.UNKNOWN_MODEL, UserError),
    (Fail(400, "nonsense"), Fault.REJECTED, UserError),
    (Html(), Fault.GARBLED, Unavailable),
    (Garbage(), Fault.GARBLED, Unavailable),
    (Truncate(), Fault.TRUNCATED, Unavailable),
    (Hang(), Fault.SLOW, Unavailable),
    (Flood(), Fault.TOO_LARGE, Unavailable),
]


@pytest.mark.parametrize(("step", "fault", "kind"), FAULTS)
def test_every_fault_is_named(
    provider: str, step: Step, fault: Fault, kind: type[HermesError]
) -> None:
    with ScriptedServer(lambda _: step) as server, embedder(provider, server) as made:
        with pytest.raises(EndpointError) as caught:
            made.embed_queries(["x"])
        assert server.url in caught.value.message
    assert caught.value.fault is fault
    assert isinstance(caught.value, kind)


def test_who_does_not_answer_a_question_is_asked_once(provider: str) -> None:
    with ScriptedServer(lambda _: Hang()) as server, embedder(provider, server) as made:
        with pytest.raises(EndpointError):
            made.embed_queries(["x"])
        assert len(server.requests) == 1
        with pytest.raises(EndpointError):
            made.embed_passages(["x"])
        assert len(server.requests) > 2, "what is stored can wait"


@pytest.mark.parametrize("name", ["openai", "voyage"])
def test_without_a_key_a_service_is_not_called(name: str) -> None:
    with closing(OPENERS[name](EmbedderOptions(name), Rest().pauses())) as made:
        with pytest.raises(Refused) as caught:
            made.embed_queries(["x"])
    assert f"{name.upper()}_API_KEY" in caught.value.hint


def test_an_endpoint_that_is_down_is_soon_left_alone(provider: str) -> None:
    clock = FixedClock()
    rest = Rest(breaker=Breaker(clock, threshold=4, cooldown_s=30))
    with ScriptedServer() as server:
        gone = EmbedderOptions(provider, "m", base_url=server.url)
    with closing(OPENERS[provider](gone, rest.pauses())) as made:
        faults = []
        for _ in range(3):
            with pytest.raises(EndpointError) as caught:
                made.embed_queries(["x"])
            faults.append(caught.value.fault)
    assert faults == [Fault.NO_CONNECTION, Fault.NO_CONNECTION, Fault.CUT_OFF]


def test_texts_too_long_for_the_endpoint_are_cut_until_they_fit() -> None:
    def answer(received: Received) -> Step:
        if len(str(received.body["input"])) > 7_000:
            return Fail(400, "This model's maximum context length is 8192 tokens")
        return Garbage('{"data": [{"index": 0, "embedding": [1, 0]}]}')

    with ScriptedServer(answer) as server, embedder("openai", server) as made:
        assert made.embed_passages(["x" * 100_000]).tolist() == [[1, 0]]
    assert [len(r.body["input"][0]) for r in server.requests] == [24_000, 12_000, 6_000]  # type: ignore[index]


def test_what_is_too_long_is_not_sent_again_as_it_was() -> None:
    with ScriptedServer(lambda _: Fail(400, "maximum context length is 8")) as server:
        with embedder("openai", server) as made:
            for texts in (["short"], ["x" * 2_500, "short"]):
                with pytest.raises(UserError):
                    made.embed_passages(texts)
    assert [len(r.body["input"][0]) for r in server.requests] == [5, 2_500, 1_500]  # type: ignore[index]


def test_any_string_can_be_embedded(provider: str) -> None:
    odd = ["", "   ", "\ud800 lone", "\x00", "👩‍👩‍👧" * 20_000, "می‌خواهم"]
    with ScriptedServer() as server, embedder(provider, server) as made:
        vectors = made.embed_passages(odd)
    assert np.isfinite(vectors).all()
    sent = [text for r in server.requests for text in r.body["input"]]  # type: ignore[attr-defined]
    assert all(text.strip() for text in sent)


def test_an_embedder_is_shared_between_threads(provider: str) -> None:
    with ScriptedServer() as server, embedder(provider, server) as made:
        with ThreadPoolExecutor(8) as pool:
            rows = list(pool.map(lambda n: made.embed_queries([str(n)])[0], range(40)))
        again = made.embed_queries([str(n) for n in range(40)])
    assert np.allclose(rows, again)


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("nomic-embed-text:v1.5", "search_query: t", "search_document: t"),
        ("intfloat/multilingual-e5-large", "query: t", "passage: t"),
        ("text-embedding-3-small", "t", "t"),
    ],
)
def test_models_see_the_prefix_they_were_trained_with(model: str, query: str, passage: str) -> None:
    assert OLLAMA.word("t", model, Purpose.QUERY) == query
    assert OLLAMA.word("t", model, Purpose.PASSAGE) == passage


def test_an_address_is_taken_in_its_usual_spellings() -> None:
    assert OPENAI.address("") == "https://api.openai.com/v1"
    assert OPENAI.address("http://localhost:8000") == "http://localhost:8000/v1"
    assert OPENAI.address("http://localhost:8000/v1/") == "http://localhost:8000/v1"
    assert OLLAMA.address("http://localhost:11434/v1") == "http://localhost:11434"
    assert OLLAMA.address("http://localhost:11434/") == "http://localhost:11434"
    assert VOYAGE.address("https://proxy.test/voyage") == "https://proxy.test/voyage"


@given(st.text(), st.integers(1, 50))
def test_a_cut_text_is_a_beginning_of_it(text: str, longest: int) -> None:
    cut = _cut(text, longest)
    assert text.startswith(cut)
    assert len(cut.encode()) <= longest
    assert len(cut.encode()) > longest - 4 or cut == text


@given(st.lists(st.text(max_size=20)), st.integers(1, 5))
def test_batches_hold_every_text_once_in_order(texts: list[str], most: int) -> None:
    batches = list(_batches(texts, most))
    assert [text for batch in batches for text in batch] == texts
    assert all(1 <= len(batch) <= most for batch in batches)
