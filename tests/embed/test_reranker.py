"""Rerankers over HTTP, against a small server on a real socket, and what recall makes of them."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from hermes.clock import FixedClock
from hermes.embed.reranker import HttpReranker, RerankerOptions
from hermes.errors import HermesError, Refused
from hermes.memory.recall.rerank import NAME, rerank
from hermes.memory.recall.result import Item
from hermes.net.breaker import new_waiting_breaker
from hermes.types import Kind

Answer = Callable[[dict[str, object]], tuple[int, object]]


@contextmanager
def serving(answer: Answer) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """A server that answers `/rerank`; its address, and what it was sent."""
    seen: list[dict[str, object]] = []

    class Exchange(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            seen.append({"path": self.path, "key": self.headers.get("authorization"), **body})
            status, reply = answer(body)
            raw = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Exchange)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def by_length(body: dict[str, object]) -> tuple[int, object]:
    """As Cohere and those who follow it: numbered results, the best first."""
    texts = body["documents"]
    assert isinstance(texts, list)
    scored = [{"index": n, "relevance_score": 1 / (1 + len(t))} for n, t in enumerate(texts)]
    return 200, {"results": sorted(scored, key=lambda row: -float(row["relevance_score"]))}


def ask(url: str, texts: Sequence[str] = ("long text", "short"), key: str = "") -> list[float]:
    options = RerankerOptions(url, "m", key, timeout_s=2.0)
    with closing(HttpReranker(options)) as made:
        return made.score("task", texts)


def test_scores_come_in_the_order_of_the_texts() -> None:
    with serving(by_length) as (url, seen):
        assert ask(url, key="s3cret") == [pytest.approx(0.1), pytest.approx(1 / 6)]
    (sent,) = seen
    assert sent["path"] == "/rerank"
    assert sent["key"] == "Bearer s3cret"
    assert (sent["model"], sent["query"], sent["top_n"]) == ("m", "task", 2)


def test_a_server_that_takes_texts_is_understood() -> None:
    """As text-embeddings-inference: another name for the texts, and a bare list of scores."""

    def answer(body: dict[str, object]) -> tuple[int, object]:
        if "texts" not in body:
            return 422, {"error": "missing field `texts`"}
        return 200, [{"index": 1, "score": 0.9}, {"index": 0, "score": 0.2}]

    with serving(answer) as (url, seen), closing(HttpReranker(RerankerOptions(url))) as made:
        assert made.score("task", ["a", "b"]) == [0.2, 0.9]
        assert made.score("task", ["a", "b"]) == [0.2, 0.9]
    assert len(seen) == 3  # the second question asks as the server likes it


def test_logits_become_probabilities() -> None:
    rows = [{"index": 0, "relevance_score": -4.0}, {"index": 1, "relevance_score": 3.0}]
    with serving(lambda _: (200, {"data": rows})) as (url, _):
        low, high = ask(url)
    assert 0 < low < 0.1
    assert 0.9 < high < 1


@pytest.mark.parametrize(
    "reply",
    [
        b"not json",
        {},
        {"results": "none"},
        {"results": [{"index": 0, "relevance_score": 0.5}]},
        {"results": [{"index": 0, "relevance_score": 0.5}, {"index": 7, "relevance_score": 0.5}]},
        {"results": [{"index": 0}, {"index": 1}]},
        [1, 2],
    ],
)
def test_a_reply_that_is_none_is_an_error(reply: object) -> None:
    with serving(lambda _: (200, reply)) as (url, _), pytest.raises(HermesError) as raised:
        ask(url)
    assert raised.value.hint


def test_a_wrong_key_says_which_setting() -> None:
    with serving(lambda _: (401, {"message": "bad key"})) as (url, _), pytest.raises(Refused) as no:
        ask(url, key="wrong")
    assert "memory.reranker" in no.value.hint


ITEMS = [Item(Kind.FACT, f"fact:{n}", 0.8, 1.0, 0, f"text {n}") for n in range(3)]


class Fixed:
    def __init__(self, answer: Callable[[], Sequence[float]]) -> None:
        self._answer = answer

    def score(self, task: str, texts: Sequence[str]) -> Sequence[float]:
        return self._answer()


def test_the_order_is_the_rerankers_and_the_relevance_stays() -> None:
    ranked, reason = rerank(Fixed(lambda: [0.1, 0.9, 0.5]), "task", ITEMS, 1_000)
    assert [item.ref for item in ranked] == ["fact:1", "fact:2", "fact:0"]
    assert {item.relevance for item in ranked} == {0.8}
    assert ranked[0].found[-1].by == NAME
    assert not reason


def boom() -> Sequence[float]:
    raise RuntimeError("out of memory")


def refuse() -> Sequence[float]:
    raise Refused("no", "yes")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (boom, "RuntimeError"),
        (refuse, "no"),
        (lambda: [0.1], "no score"),
        (lambda: [0.1, float("nan"), 0.2], "no score"),
    ],
)
def test_whatever_goes_wrong_the_order_stands(
    answer: Callable[[], Sequence[float]], told: str
) -> None:
    ranked, reason = rerank(Fixed(answer), "task", ITEMS, 1_000)
    assert ranked == ITEMS
    assert told in reason


def test_a_late_reranker_is_not_waited_for() -> None:
    release = Event()

    def late() -> Sequence[float]:
        release.wait(10)
        return [0.1, 0.2, 0.3]

    ranked, reason = rerank(Fixed(late), "task", ITEMS, 20)
    release.set()
    assert ranked == ITEMS
    assert reason == "the reranker took too long"


def test_one_that_was_waited_for_twice_in_vain_is_not_asked_for_a_while() -> None:
    release, clock = Event(), FixedClock()

    def late(body: dict[str, object]) -> tuple[int, object]:
        release.wait(10)
        return by_length(body)

    with serving(late) as (url, seen):
        options = RerankerOptions(url, "m", timeout_s=0.2)
        with closing(HttpReranker(options, new_waiting_breaker(clock))) as made:
            for _ in range(2):
                with pytest.raises(HermesError):
                    made.score("task", ["long text"])
            ranked, reason = rerank(made, "task", ITEMS, 5_000)
            assert ranked == ITEMS
            assert "paused until" in reason
            assert len(seen) == 2
            release.set()
            clock.advance(30_000)
            assert made.score("task", ["long text"]) == [pytest.approx(0.1)]
