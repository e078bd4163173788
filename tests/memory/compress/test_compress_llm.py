"""A summary by a model: what is asked, what is taken, what is refused."""

import json

import pytest

from hermes.errors import Unavailable
from hermes.llm.base import Finish, ModelReply, ModelRequest
from hermes.memory.compress.clusters import Cluster
from hermes.memory.compress.llm import ModelSummariser, apply, request
from hermes.store.base.summaries import SummaryPart
from hermes.types import Episode, EpisodeState, Message, Origin, Role, Session, Trust

SESSION = Session("s1", "default", 0, 0, title="Queue")


def cluster(*texts: str) -> Cluster:
    messages = tuple(
        Message(n + 5, "s1", 1, n * 1_000, Role.USER if n % 2 == 0 else Role.ASSISTANT, text)
        for n, text in enumerate(texts)
    )
    return Cluster(SESSION, (Episode(1, "s1", "default", 0, "", EpisodeState.RAW, messages),))


TALK = cluster("We lost 40 jobs in Redis.", "Sorry to hear.", "So NATS JetStream it is, by 3 May.")


def reply(*lines: tuple[int, str]) -> ModelReply:
    return ModelReply(json.dumps({"lines": [{"message": n, "text": t} for n, t in lines]}))


def test_what_is_asked_is_fenced() -> None:
    asked = request(TALK)
    assert asked is not None
    shown = asked.messages[1].text
    assert '<recalled message="2" from="user"' in shown
    assert request(cluster("long " * 40_000, *["x " * 4_000] * 30)) is None


def test_lines_become_dated_parts() -> None:
    (part,) = apply(
        reply((0, "lost 40 jobs in Redis"), (2, "decision NATS JetStream by 3 May")), TALK
    )
    assert (part.first_id, part.last_id) == (5, 7)
    assert part.text.splitlines()[1:] == [
        "U: lost 40 jobs in Redis",
        "decision NATS JetStream by 3 May",
    ]
    assert part.trust is Trust.MEDIUM


def test_what_is_invented_is_cut() -> None:
    (part,) = apply(
        reply((0, "lost 41 jobs"), (0, "lost jobs at Acme"), (2, "NATS by 3 May")), TALK
    )
    assert "41" not in part.text
    assert "Acme" not in part.text
    assert "NATS" in part.text


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        '{"lines": 3}',
        '{"lines": [{"message": 9, "text": "x"}]}',
        '{"lines": [{"message": 0, "text": 7}]}',
        '{"lines": [{"message": true, "text": "x"}]}',
        '{"lines": [{"text": "x"}]}',
    ],
)
def test_a_malformed_reply_is_refused_whole(text: str) -> None:
    with pytest.raises(Unavailable):
        apply(ModelReply(text), TALK)


def test_a_reply_cut_off_is_refused() -> None:
    with pytest.raises(Unavailable):
        apply(ModelReply('{"lines": []}', finish=Finish.LENGTH), TALK)


def test_the_least_trusted_message_decides() -> None:
    first, *rest = TALK.messages
    page = Message(9, "s1", 1, 9_000, Role.TOOL, "NATS", origin=Origin.WEB, trust=Trust.NONE)
    episode = Episode(1, "s1", "default", 0, "", EpisodeState.RAW, (first, *rest, page))
    parts = apply(reply((0, "lost 40 jobs")), Cluster(SESSION, (episode,)))
    assert parts[0].trust is Trust.NONE


def test_a_cluster_without_lines_falls_back() -> None:
    spare = (SummaryPart(5, 7, "spare"),)

    def ask(_: ModelRequest) -> ModelReply:
        return reply()

    assert ModelSummariser(ask, lambda *_: spare).write(TALK) == spare
