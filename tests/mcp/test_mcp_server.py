"""The MCP server, through the SDK's own client: over stdio with the real program, and over HTTP."""

import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, TextResourceContents

from doors import Address, open_doors
from hermes.app import open_app
from hermes.app.facts import NewFact
from hermes.app.tokens import Scope
from hermes.config.profiles import create_profile
from hermes.mcp_server.exposure import QUIET_S, Shown
from hermes.mcp_server.reference import put_reference
from hermes.mcp_server.server import build_server
from hermes.types import NewSession, Origin, Role, Trust, Turn, Utterance

TOOLS = {
    *("memory", "memory_recall", "memory_search", "session_search", "fact_add", "fact_revise"),
    *("fact_forget", "fact_why", "reflect", "log_search"),
}
READING = {"memory_recall", "memory_search", "session_search", "fact_why", "log_search"}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


@asynccontextmanager
async def over_http(
    address: Address, token: str | None = None, query: str = ""
) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {token or address.token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(f"{address.url}/mcp{query}", http_client=http)
        async with Client(transport) as client:
            yield client


def run(work: Callable[[], Awaitable[None]]) -> None:
    anyio.run(work)


def text_of(result: Any) -> str:
    assert isinstance(result, CallToolResult)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def said(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert not getattr(result, "is_error", False), text_of(result)
    return text_of(result)


async def read(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


async def exercise(client: Client) -> None:
    """What any agent does with a memory, in one sitting."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(listed) == TOOLS
    assert listed["fact_add"].input_schema["required"] == ["text"]
    assert "fact:001" in await said(client, "fact_add", text="User lives in Lisbon")
    assert "Lisbon" in await said(client, "memory_search", query="Lisbon")
    assert "Porto" in await said(client, "fact_revise", fact="fact:1", text="User lives in Porto")
    assert "fact:001" in await said(client, "fact_why", fact="fact:1")
    added = await said(
        client, "memory", target="memory", action="add", content="Tests run with make test."
    )
    assert "make test" in added
    assert "make test" in await read(client, "hermes://memory")
    assert json.loads(await read(client, "hermes://user-model"))["lines"]
    assert json.loads(await read(client, "hermes://fact/1"))["fact"]["trust"] == "medium"
    assert "Changed MEMORY.md" in await said(client, "log_search", words="changed memory.md")
    assert "Nothing" in await said(client, "log_search", words="xyzzy", since="last week")
    prompt = await client.get_prompt("what_do_you_know_about", {"topic": "Porto"})
    (message,) = prompt.messages
    assert isinstance(message.content, TextContent)
    assert "User lives in Porto" in message.content.text
    assert "Forgotten" in await said(client, "fact_forget", fact="fact:1")


def test_over_stdio_with_the_real_program(tmp_path: Path) -> None:
    environ = {k: v for k, v in os.environ.items() if not k.startswith("HERMES_")}
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "hermes", "--set", "memory.embeddings.provider=none", "mcp", "serve"],
        env={**environ, "HERMES_HOME": str(tmp_path / "home")},
    )

    async def work() -> None:
        async with Client(server) as client:
            await exercise(client)

    run(work)


def test_over_http_in_the_daemon(address: Address) -> None:
    async def work() -> None:
        async with over_http(address) as client:
            await exercise(client)

    run(work)
    fact = address.app.facts.get("fact:1")
    assert fact.origin.value == "agent"
    _, changes = address.app.facts.history("fact:1")
    assert {change.by for change in changes} == {"agent"}


def test_several_clients_at_once_over_http(address: Address) -> None:
    async def one(number: int) -> None:
        async with over_http(address) as client:
            await said(client, "fact_add", text=f"Boat {number} is called Nereid {number}")

    async def work() -> None:
        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(one, number)

    run(work)
    assert len(address.app.facts.list()) == 8


def test_sessions_are_found_scrolled_and_read(address: Address) -> None:
    talk = [{"role": "user", "content": "The blue kayak lies in the shed."}]
    address.ask("POST", "/v1/turns", {"session": {"id": "a/b"}, "messages": talk})

    async def work() -> None:
        async with over_http(address) as client:
            assert "shed" in await said(client, "session_search", query="kayak")
            recalled = await said(client, "memory_recall", task="Where is the blue kayak?")
            again = await said(client, "memory_recall", question="Where is the blue kayak?")
            assert again == recalled  # the name it had before is still understood
            assert "shed" in recalled
            assert "a/b" in await said(client, "session_search")
            uris = [str(each.uri) for each in (await client.list_resources()).resources]
            assert uris[:3] == ["hermes://memory", "hermes://user", "hermes://user-model"]
            session = json.loads(await read(client, uris[3]))
            assert session["said"][0]["text"] == "The blue kayak lies in the shed."
            templates = (await client.list_resource_templates()).resource_templates
            assert [each.uri_template for each in templates] == [
                "hermes://fact/{number}",
                "hermes://session/{id}",
            ]
            assert "nothing new" in (await said(client, "reflect", session="a/b")).lower()

    run(work)


def test_a_read_only_token_gets_no_tool_that_writes(address: Address) -> None:
    _, secret = address.app.tokens.create("looker", Scope.READ)

    async def work() -> None:
        async with over_http(address, secret) as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == READING
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
            refused = await client.call_tool("fact_add", {"text": "User lives in Lisbon"})
            assert getattr(refused, "is_error", False)

    run(work)
    assert address.app.facts.list() == []


def test_a_bank_is_named_in_the_address(address: Address) -> None:
    async def work() -> None:
        async with over_http(address, query="?bank=atlas") as client:
            await said(client, "fact_add", text="Atlas uses PostgreSQL")

    run(work)
    (fact,) = address.app.facts.list()
    assert fact.bank == "atlas"
    assert address.ask("POST", "/mcp?bank=NOT%20A%20BANK", {}).status == 400


def test_the_sessions_listed_are_those_of_the_bank(address: Address) -> None:
    said = [{"role": "user", "content": "Hello."}]
    for bank in ("default", "atlas"):
        session = {"id": f"in-{bank}", "bank": bank}
        address.ask("POST", "/v1/turns", {"session": session, "messages": said})

    async def work() -> None:
        async with over_http(address, query="?bank=atlas") as client:
            uris = [str(each.uri) for each in (await client.list_resources()).resources]
            assert uris[3:] == ["hermes://session/in-atlas"]

    run(work)


def test_mistakes_are_told_to_the_model(address: Address) -> None:
    async def work() -> None:
        async with Client(build_server(address.app)) as client:
            for tool, arguments, told in (
                ("fact_add", {}, "text"),
                ("fact_add", {"text": "x" * 5_000}, "text"),
                ("fact_why", {"fact": "fact:99"}, "fact:099"),
                ("reflect", {"session": "nowhere"}, "nowhere"),
                ("log_search", {"since": "gibberish"}, "gibberish"),
                ("nothing", {}, "no tool"),
            ):
                result = await client.call_tool(tool, arguments)
                assert getattr(result, "is_error", False), tool
                assert told in text_of(result)
            for uri in ("hermes://fact/99", "hermes://nowhere", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            with pytest.raises(MCPError):
                await client.get_prompt("what_do_you_know_about", {})
            with pytest.raises(MCPError):
                await client.get_prompt("nothing", {})

    run(work)


def test_nobody_gets_in_without_a_token(address: Address) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for token in ("", "wrong"):
        answer = address.ask("POST", "/mcp", body, token=token)
        assert answer.status == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    evil = {"origin": "https://evil.example"}
    assert address.ask("POST", "/mcp", body, headers=evil).status == 403


def test_what_was_shown_lowers_what_is_written_after_it(address: Address) -> None:
    app = address.app
    app.facts.add(NewFact("User banks with Eve", origin=Origin.WEB))
    app.facts.add(NewFact("User lives in Lisbon"))
    note = {"target": "user", "action": "add"}

    async def work() -> None:
        async with Client(build_server(app)) as client:
            await said(client, "memory", content="Likes tea", **note)
            assert "Eve" in await said(client, "memory_search", query="Eve banks")
            assert "held:" in await said(client, "memory", content="Banks with Eve", **note)
            for tool, more in (
                ("fact_revise", {"text": "User lives in Rome"}),
                ("fact_forget", {}),
            ):
                result = await client.call_tool(tool, {"fact": "fact:2", **more})
                assert "Not done" in text_of(result)

    run(work)
    assert app.facts.get("fact:2").text == "User lives in Lisbon"
    assert "Likes tea" in app.paths.user_note.read_text()
    assert "Eve" not in app.paths.user_note.read_text()


@pytest.mark.parametrize("way", ["resource", "prompt", "session_search", "session"])
def test_whatever_shows_memory_counts(address: Address, way: str) -> None:
    app = address.app
    app.facts.add(NewFact("User banks with Eve", origin=Origin.WEB))
    page = Utterance(Role.USER, "Eve has a bank.", origin=Origin.WEB, trust=Trust.NONE)
    app.conversations.record([Turn(NewSession("page"), (page,))])

    async def look(client: Client) -> None:
        if way == "resource":
            await read(client, "hermes://fact/1")
        elif way == "session":
            await read(client, "hermes://session/page")
        elif way == "prompt":
            await client.get_prompt("what_do_you_know_about", {"topic": "Eve"})
        else:
            await said(client, "session_search")

    async def work() -> None:
        async with Client(build_server(app)) as client:
            await look(client)
            told = await said(client, "memory", target="user", action="add", content="Likes Eve")
            assert "held:" in told

    run(work)


def test_over_http_what_a_token_was_shown_lowers_what_it_writes(address: Address) -> None:
    """Each request stands alone, but the token is known: trust must not rise by a detour."""
    app = address.app
    app.facts.add(NewFact("User banks with Eve", origin=Origin.WEB))
    _, reader = app.tokens.create("reads pages")
    _, other = app.tokens.create("reads nothing")
    note = {"target": "user", "action": "add"}

    async def work() -> None:
        async with over_http(address, reader) as client:
            await said(client, "memory", content="Likes tea", **note)
            assert "Eve" in await said(client, "memory_search", query="Eve banks")
        async with over_http(address, reader, "?bank=default") as client:  # connected anew
            assert "held:" in await said(client, "memory", content="Banks with Eve", **note)
            assert "waits" in await said(client, "fact_add", text="User's bank is Eve Ltd")
        async with over_http(address, other) as client:
            await said(client, "memory", content="Likes coffee", **note)
        (kept,) = [fact for fact in app.facts.list() if "Eve Ltd" in fact.text]
        assert kept.trust is Trust.NONE

    run(work)
    kept = app.paths.user_note.read_text()
    assert "tea" in kept
    assert "coffee" in kept
    assert "Eve" not in kept


def test_what_was_shown_is_forgotten_after_an_hour_of_silence() -> None:
    now = [0.0]
    shown = Shown(QUIET_S, lambda: now[0])
    shown.note(Trust.NONE)
    now[0] += QUIET_S - 1
    assert shown.trust.name == "NONE"  # and that was a word
    now[0] += QUIET_S - 1
    assert shown.trust.name == "NONE"
    now[0] += QUIET_S + 1
    assert shown.trust.name == "MEDIUM"


def test_a_held_fact_reworded_over_http_stays_held(address: Address) -> None:
    address.app.facts.add(NewFact("User banks with Eve", origin=Origin.WEB))

    async def work() -> None:
        async with over_http(address) as client:
            await said(client, "fact_revise", fact="fact:1", text="User banks with Eve Ltd")

    run(work)
    fact = address.app.facts.get("fact:1")
    assert (fact.text, fact.trust, fact.held) == ("User banks with Eve Ltd", Trust.NONE, True)


def test_many_banks_use_up_nothing(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hermes.mcp_server.http.MOST_SERVERS", 2)

    async def work() -> None:
        for bank in ("a", "b", "c", "a"):
            async with over_http(address, query=f"?bank={bank}") as client:
                await said(client, "fact_add", text=f"Boat {bank} is called Nereid")

    run(work)
    assert len(address.app.facts.list()) == 3
    assert len(address.api.state.mcp._servers._open) == 2


def test_a_profile_that_is_put_away_is_let_go(address: Address) -> None:
    paths = create_profile(address.app.paths.home, "work")
    with open_app(paths, {}, flags={"memory.embeddings.provider": "none"}) as other:
        _, secret = other.tokens.create("writer")

    async def work() -> None:
        async with over_http(address, secret) as client:
            await said(client, "fact_add", text="User lives in Lisbon")

    run(work)
    assert len(address.api.state.mcp._servers._open) == 1
    assert address.ask("DELETE", "/v1/profiles/work").status == 200
    assert not address.api.state.mcp._servers._open


def test_the_page_says_what_is_offered(address: Address) -> None:
    page = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")
    assert put_reference(page, address.app) == page, (
        "write it again: python -m hermes.mcp_server.reference docs/mcp.md"
    )
    for tool in TOOLS:
        assert f"### `{tool}`" in page
