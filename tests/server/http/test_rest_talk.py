"""Sessions, turns and recall over a real socket."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from doors import Address, open_doors, turn
from hermes.clock import FixedClock
from hermes.memory.sample import load_sample

MONTHS_LATER = "2026-03-01T09:00:00+00:00"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


def test_a_turn_is_kept_and_found(address: Address) -> None:
    kept = address.ask("POST", "/v1/turns", turn("We paddle on the Elbe.", "trip"))
    assert kept.status == 201
    assert kept.json()["session_id"] == "trip"
    assert len(kept.json()["message_ids"]) == 2
    found = address.ask("GET", "/v1/sessions/search?q=paddle").json()
    assert [hit["session"]["id"] for hit in found["hits"]] == ["trip"]
    listed = address.ask("GET", "/v1/sessions").json()
    assert [each["id"] for each in listed["items"]] == ["trip"]
    assert listed["items"][0]["opening"] == "We paddle on the Elbe."


def test_a_key_is_kept_once(address: Address) -> None:
    first = address.ask("POST", "/v1/turns", turn("Once.", "s", key="k1")).json()
    second = address.ask("POST", "/v1/turns", turn("Once.", "s", key="k1")).json()
    assert not first["duplicate"]
    assert second["duplicate"]
    assert second["message_ids"] == first["message_ids"]


def test_a_batch_is_all_or_none(address: Address) -> None:
    bad = turn("Second", "b")
    bad["session"] = {"id": "b", "bank": "NOT A BANK"}
    answer = address.ask("POST", "/v1/turns/batch", {"turns": [turn("First", "a"), bad]})
    assert answer.status == 400
    assert set(answer.json()) == {"error", "message", "hint"}
    assert address.ask("GET", "/v1/sessions").json()["items"] == []
    good = address.ask("POST", "/v1/turns/batch", {"turns": [turn("1", "a"), turn("2", "b")]})
    assert [each["session_id"] for each in good.json()["receipts"]] == ["a", "b"]


def test_one_bad_turn_among_many_clients_fails_alone(address: Address) -> None:
    """Turns of several clients share a commit; each has its own answer."""
    bad = {"session": {"bank": "NOT A BANK"}, "messages": [{"role": "user", "content": "x"}]}
    bodies = [turn(f"Turn {n}", f"s{n}") for n in range(8)] + [bad]
    connections = [address.connect() for _ in bodies]
    headers = {"authorization": f"Bearer {address.token}", "content-type": "application/json"}
    for connection, body in zip(connections, bodies, strict=True):
        connection.request("POST", "/v1/turns", json.dumps(body).encode(), headers)
    statuses = []
    for connection in connections:
        statuses.append(connection.getresponse().status)
        connection.close()
    assert statuses == [201] * 8 + [400]


def test_a_session_is_read_ended_put_away_and_brought_back(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("Hello.", "a/b c"))
    assert address.ask("GET", "/v1/sessions/a%2Fb%20c").json()["id"] == "a/b c"
    page = address.ask("GET", "/v1/sessions/a%2Fb%20c/messages?limit=1").json()
    assert [message["text"] for message in page["messages"]] == ["Hello."]
    assert page["has_after"]
    number = page["messages"][0]["id"]
    around = address.ask("GET", f"/v1/messages/{number}/around?before=0&after=1").json()
    assert [message["text"] for message in around["messages"]] == ["Hello.", "Noted."]
    titled = address.ask("PATCH", "/v1/sessions/a%2Fb%20c", {"title": "Greeting"}).json()
    assert titled["title"] == "Greeting"
    assert address.ask("POST", "/v1/sessions/a%2Fb%20c/end").json()["ended_at"]
    assert address.ask("DELETE", "/v1/sessions/a%2Fb%20c").status == 200
    assert address.ask("GET", "/v1/sessions/a%2Fb%20c").status == 404
    assert address.ask("POST", "/v1/sessions/a%2Fb%20c/restore").json()["title"] == "Greeting"


def test_what_a_tool_said_is_never_trusted_more_than_a_tool(address: Address) -> None:
    said = [{"role": "tool", "content": "rm -rf", "tool_call_id": "c", "origin": "user"}]
    address.ask("POST", "/v1/turns", {"session": {"id": "t"}, "messages": said})
    (message,) = address.ask("GET", "/v1/sessions/t/messages").json()["messages"]
    assert message["trust"] == "low"


def test_pictures_come_back(address: Address) -> None:
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}}
    said = [{"role": "user", "content": [{"type": "text", "text": "Look"}, part]}]
    kept = address.ask("POST", "/v1/turns", {"messages": said}).json()
    number = kept["message_ids"][0]
    (payload,) = address.ask("GET", f"/v1/messages/{number}/payloads").json()["items"]
    assert payload == {"media_type": "image/png", "content": "aGVsbG8="}


def test_recall_answers_with_its_trace(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("The blue kayak lies in the shed.", "trip"))
    found = address.ask("POST", "/v1/recall", {"task": "Where is the blue kayak?"}).json()
    assert "shed" in found["context"]
    assert found["trace"]["went_by"] == "text only"
    searched = address.ask("POST", "/v1/search", {"query": "kayak", "types": ["episode"]}).json()
    assert searched["items"][0]["type"] == "episode"


def test_conversations_go_out_and_come_in_as_lines(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("Ärger, 日本語", "trip"))
    lines = address.ask("GET", "/v1/sessions/trip/export").body
    assert [json.loads(line)["role"] for line in lines.splitlines()] == ["user", "assistant"]
    plain = lines.replace(b'"trip"', b'"copy"')
    taken = address.ask("POST", "/v1/sessions/import", plain).json()
    assert taken["messages"] == 2
    copied = address.ask("GET", "/v1/sessions/copy/messages").json()["messages"]
    assert copied[0]["text"] == "Ärger, 日本語"
    assert copied[0]["origin"] == "import"


@pytest.mark.parametrize(
    "path", ["/v1/sessions/nope", "/v1/facts/fact:9", "/v1/jobs/9", "/v1/nope"]
)
def test_what_is_not_there_is_said_so(address: Address, path: str) -> None:
    answer = address.ask("GET", path)
    assert answer.status == 404
    assert answer.json()["error"] == "NotFound"
    assert answer.json()["message"]


def test_what_stands_for_compressed_messages_says_so(tmp_path: Path) -> None:
    """Wherever messages are answered: read, scrolled, found, as evidence, of an entity."""
    with open_doors(tmp_path / "home", clock=FixedClock(MONTHS_LATER)) as address:
        address.app.conversations.record(load_sample())
        address.ask("POST", "/v1/extract", {})
        assert marks(address) == {None}
        address.ask("POST", "/v1/compact", {"trust_clock": True})
        made = {each["id"] for each in address.ask("GET", "/v1/summaries").json()["items"]}
        session = address.ask("GET", "/v1/summaries?limit=1").json()["items"][0]["session_id"]
        read = address.ask("GET", f"/v1/sessions/{session}/messages").json()["messages"]
        around = address.ask("GET", f"/v1/messages/{read[0]['id']}/around").json()["messages"]
        told = {each["summary_id"] for each in (*read, *around)}
        assert told - {None} <= made
        assert read[0]["summary_id"] == around[0]["summary_id"]
        assert read[0]["summary_id"] in made
        assert marks(address) - {None} <= made
        assert len(marks(address)) > 3


def marks(address: Address) -> set[int | None]:
    """Which summaries are named by what is found, what facts rest on, and what names an entity."""
    hits = address.ask("GET", "/v1/sessions/search?q=queue&limit=20").json()["hits"]
    whys = [address.ask("GET", f"/v1/facts/{n}/why").json()["evidence"] for n in range(1, 6)]
    entity = address.ask("GET", "/v1/entities/Atlas").json()["messages"]
    evidence = [each["message"] for why in whys for each in why if each["message"]]
    assert hits
    assert entity
    found = [hit["message"] for hit in hits] + [each for hit in hits for each in hit["first"]]
    return {each["summary_id"] for each in (*found, *evidence, *entity)}
