"""A text that a model refuses keeps no other from its vector; a model that fails blames none.

The fuse is the usual one: with a wider one a search that blows it would not be seen to.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from hermes.clock import FixedClock
from hermes.embed.apart import HANDFUL, Answer, embed_each
from hermes.embed.base import PLAIN, Embedder, EmbedderOptions
from hermes.embed.http import Pauses, open_ollama, open_openai
from hermes.errors import HermesError
from hermes.net.breaker import Breaker
from hermes.net.faults import EndpointError, Fault
from hermes.testing import Fail, Garbage, Html, Received, ScriptedServer, Step

BAD = "a bad text"
TOO_LARGE = Fail(500, "input is too large to process. increase the physical batch size")
NO_NUMBER = Fail(500, "failed to encode response: json: unsupported value: NaN")


def sent(received: Received) -> list[str]:
    texts = received.body["input"]
    assert isinstance(texts, list)
    return texts


def embed(embedder: Embedder, texts: list[str]) -> Answer:
    """Each text as one passage."""
    return embed_each(embedder, [[text] for text in texts])


def without_direction(received: Received) -> Step:
    rows = ", ".join("[NaN, 1]" if text == BAD else "[1, 2]" for text in sent(received))
    return Garbage(f'{{"embeddings": [{rows}]}}')


@contextmanager
def opened(
    answer: Callable[[Received], Step | None], opener: Callable[..., Embedder] = open_openai
) -> Iterator[tuple[Embedder, ScriptedServer]]:
    with ScriptedServer(answer) as server:
        url = server.url if opener is open_ollama else server.base_url
        pauses = Pauses(sleep=lambda _: None, roll=lambda: 1.0, breaker=Breaker(FixedClock()))
        embedder = opener(EmbedderOptions(model="m", base_url=url, batch_size=8), pauses)
        try:
            yield embedder, server
        finally:
            embedder.close()


def refuses_bad(said: Step) -> Callable[[Received], Step | None]:
    return lambda received: said if BAD in sent(received) else None


@pytest.mark.parametrize(
    "answer",
    [
        refuses_bad(Fail(400, "invalid input")),
        refuses_bad(Fail(413, "too much")),
        refuses_bad(NO_NUMBER),
        refuses_bad(TOO_LARGE),
        refuses_bad(Html()),
        refuses_bad(Garbage('{"embeddings": [[0.1, 0.')),
        without_direction,
    ],
)
@pytest.mark.parametrize("bad", [{0}, {5}, {7}, {1, 6}, set(), set(range(8))])
def test_the_others_have_their_vectors(
    answer: Callable[[Received], Step | None], bad: set[int]
) -> None:
    texts = [BAD if n in bad else f"text {n}" for n in range(8)]
    with opened(answer, open_ollama) as (embedder, _):
        given = embed(embedder, texts)
        alone = {n: embedder.embed_passages([texts[n]])[0] for n in range(8) if n not in bad}
    assert {n for n, row in enumerate(given.rows) if row is None} == bad
    assert all(np.array_equal(given.rows[n] or [], [row]) for n, row in alone.items())
    assert (given.refusal is None) == (not bad)


def test_few_requests_find_the_one_of_many() -> None:
    with opened(refuses_bad(Fail(400))) as (embedder, server):
        embed(embedder, [f"text {n}" for n in range(7)] + [BAD])
    assert len(server.requests) == 1 + 1 + 2 * 3 + 1  # all, two of each half; before, after: plain
    assert [n for n, each in enumerate(server.requests) if sent(each) == [PLAIN]] == [1, 8]


def test_a_reply_that_makes_no_sense_is_asked_for_again_only_before_the_search() -> None:
    with opened(refuses_bad(Html())) as (embedder, server):
        embed(embedder, [BAD] + [f"text {n}" for n in range(7)])
    assert [len(sent(each)) for each in server.requests] == [8] * 4 + [1, 4, 2, 1, 1, 1, 2, 4]


def test_a_text_is_one_of_however_many_passages() -> None:
    long = [f"{BAD} {n}" for n in range(20)]
    bad = {BAD, *long}
    answer = lambda received: Fail(400) if bad.intersection(sent(received)) else None  # noqa: E731
    with opened(answer) as (embedder, server):
        given = embed_each(embedder, [["one", "two"], long, ["three"]])
    assert [None if rows is None else len(rows) for rows in given.rows] == [2, None, 1]
    assert len(server.requests) < 12, "its passages are not looked through one by one"


@pytest.mark.parametrize("lasts", [1, 2, 1_000])
def test_an_outage_in_the_middle_of_the_search_puts_no_text_away(lasts: int) -> None:
    """It begins once a plain text was taken; as short as to be over before the search is."""
    texts, seen, left = [BAD, *(f"text {n}" for n in range(7))], list[list[str]](), [lasts]

    def answer(received: Received) -> Step | None:
        seen.append(sent(received))
        is_out = len(seen) > 5 and left[0] > 0  # all, plain, three halves down to the bad one
        left[0] -= is_out
        return Fail(400, "backend unavailable") if is_out or BAD in seen[-1] else None

    with opened(answer) as (embedder, _), pytest.raises(EndpointError, match="backend unavail"):
        embed(embedder, texts)


@pytest.mark.parametrize("failure", [Fail(400), Fail(400, "maximum context length is 8")])
def test_a_model_that_refuses_most_texts_is_told_of_before_all_were_tried(failure: Step) -> None:
    texts = [f"text {n}" for n in range(8 * HANDFUL)]
    with opened(lambda received: None if sent(received) == [PLAIN] else failure) as (embedder, it):
        with pytest.raises(EndpointError, match=f"most texts are refused, 33 of {len(texts)}"):
            embed(embedder, texts)
    assert len(it.requests) < 2 * len(texts)
    with opened(lambda received: None if sent(received) == [PLAIN] else failure) as (embedder, it):
        assert embed(embedder, texts[:HANDFUL]).rows == [None] * HANDFUL


@pytest.mark.parametrize("failure", [Fail(400, "no such setting"), Html()])
def test_where_a_plain_text_is_refused_no_other_is_blamed(failure: Step) -> None:
    with opened(lambda _: failure) as (embedder, server):
        with pytest.raises(EndpointError) as caught:
            embed(embedder, ["one", "two", "three"])
    assert caught.value.fault in {Fault.REJECTED, Fault.CUT_OFF}  # a garbled reply blows the fuse
    assert {len(sent(each)) for each in server.requests} == {3, 1}, "nothing was halved"


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
def test_what_is_the_servers_is_raised_at_once(status: int) -> None:
    with opened(lambda _: Fail(status)) as (embedder, server):
        with pytest.raises(EndpointError):
            embed(embedder, ["one", "two"])
    assert all(sent(each) == ["one", "two"] for each in server.requests)


def test_a_server_that_goes_away_meanwhile_is_raised() -> None:
    def answer(received: Received) -> Step | None:
        if BAD not in sent(received):
            return None
        return Fail(400) if len(sent(received)) > 1 else Fail(401)

    with opened(answer) as (embedder, _), pytest.raises(EndpointError) as caught:
        embed(embedder, ["one", BAD])
    assert caught.value.fault in {Fault.WRONG_KEY, Fault.NO_KEY}


def test_a_vector_without_a_direction_has_a_hint_of_its_own() -> None:
    for answer in (without_direction, refuses_bad(NO_NUMBER)):
        with opened(answer, open_ollama) as (embedder, server):
            with pytest.raises(HermesError) as caught:
                embedder.embed_passages([BAD])
            assert len(server.requests) == 1, "the same text fails each time"
        assert caught.value.kind == "Unavailable"
        assert "vectors without a direction" in caught.value.message
        assert "web page" not in caught.value.hint
        assert "another memory.embeddings.model" in caught.value.hint
