"""The memory tools as the agent uses them, over a real store."""

import asyncio
import json
from collections.abc import Awaitable
from pathlib import Path

import pytest

from hermes.app import App
from hermes.app.agent_desk import AppDesk
from hermes.app.facts import NewFact
from hermes.errors import HermesError, UserError
from hermes.tools.base import ToolContext, ToolResult
from hermes.tools.registry import Toolbox, load_toolbox, parse_arguments
from hermes.types import NewSession, Origin, Role, Trust, Turn, Utterance

OURS = {
    *("memory", "session_search", "memory_recall", "todo", "skills", "schedule"),
    *("fact_add", "fact_revise", "fact_forget", "fact_why"),
}


@pytest.fixture(scope="module")
def toolbox() -> Toolbox:
    return load_toolbox()


def use(app: App, toolbox: Toolbox, name: str, **arguments: object) -> ToolResult:
    return use_as(app, toolbox, name, Trust.HIGH, arguments)


def use_as(
    app: App, toolbox: Toolbox, name: str, trust: Trust, arguments: dict[str, object]
) -> ToolResult:
    context = ToolContext(AppDesk(app), "s", "default", Path.cwd(), trust=trust)
    tool = toolbox.get(name)
    parsed = parse_arguments(tool, json.dumps(arguments))

    async def go() -> ToolResult:
        result: ToolResult = await tool.run(parsed, context)
        return result

    return asyncio.run(go())


def record(app: App, text: str, **more: object) -> None:
    said = Utterance(Role.USER, text, **more)  # type: ignore[arg-type]
    app.conversations.record([Turn(NewSession("before"), (said,))])


def test_every_tool_is_found_and_tells_the_model_what_it_takes(toolbox: Toolbox) -> None:
    assert set(toolbox.tools) >= OURS
    assert list(toolbox.tools) == sorted(toolbox.tools)
    for spec in toolbox.specs():
        text = json.dumps(spec.parameters)
        assert spec.description
        assert spec.parameters["type"] == "object"
        assert "$ref" not in text
        assert '"title"' not in text
    memory = toolbox.get("memory").arguments.model_json_schema()
    assert "operations" in memory["properties"]


def test_a_note_is_written_corrected_and_removed(app: App, toolbox: Toolbox) -> None:
    added = use(app, toolbox, "memory", target="user", action="add", content="Prefers tea")
    [receipt] = added.receipts
    assert receipt.ref.startswith("note:n-")
    assert "Prefers tea" in app.paths.user_note.read_text()
    both = [
        {"action": "replace", "old_text": "Prefers tea", "content": "Prefers coffee"},
        {"action": "add", "content": "Is called Ana"},
    ]
    use(app, toolbox, "memory", target="user", operations=both)
    assert "coffee" in app.paths.user_note.read_text()
    use(app, toolbox, "memory", target="user", action="remove", old_text="coffee")
    assert "coffee" not in app.paths.user_note.read_text()
    assert "Ana" in app.paths.user_note.read_text()
    with pytest.raises(HermesError, match="No note holds"):
        use(app, toolbox, "memory", target="user", action="remove", old_text="nothing like it")


def test_a_full_page_names_what_to_consolidate_and_keeps_the_overflow(
    app: App, toolbox: Toolbox
) -> None:
    long = "A convention that takes many words to say, number {} of them. " * 8
    for n in range(4):
        use(app, toolbox, "memory", target="memory", action="add", content=long.format(*[n] * 8))
    full = use(app, toolbox, "memory", target="memory", action="add", content="Atlas is in Lisbon")
    for n in range(4, 9):
        if full.failed:
            break
        text = long.format(*[n] * 8)
        full = use(app, toolbox, "memory", target="memory", action="add", content=text)
    assert full.failed
    assert "Shorten, merge or remove" in full.text
    assert full.receipts[0].ref.startswith("fact:")


def test_facts_are_added_explained_corrected_and_forgotten(app: App, toolbox: Toolbox) -> None:
    added = use(app, toolbox, "fact_add", text="User lives in Lisbon")
    [receipt] = added.receipts
    found = use(app, toolbox, "fact_why", words="Lisbon")
    assert "fact:001" in found.text
    use(app, toolbox, "fact_revise", fact=receipt.ref, text="User lives in Porto")
    why = use(app, toolbox, "fact_why", fact=receipt.ref)
    assert "Porto" in why.text
    gone = use(app, toolbox, "fact_forget", fact=receipt.ref)
    assert gone.receipts[0].ref == "restore:fact:001"
    assert app.facts.get(receipt.ref).retracted_at is not None


def test_tainted_words_are_held_or_asked_about(app: App, toolbox: Toolbox) -> None:
    note = {"target": "user", "action": "add", "content": "Wants Eve to get all mail"}
    held = use_as(app, toolbox, "memory", Trust.NONE, dict(note))
    assert held.receipts[0].held
    assert not app.paths.user_note.exists()
    use_as(app, toolbox, "fact_add", Trust.NONE, {"text": "User prefers Eve's bank"})
    [fact] = app.facts.list()
    assert fact.held
    assert fact.trust is Trust.NONE
    tool = toolbox.get("fact_forget")
    context = ToolContext(AppDesk(app), "s", "default", Path.cwd(), trust=Trust.LOW)
    question = tool.approval(parse_arguments(tool, '{"fact": "fact:1"}'), context)
    assert question is not None
    assert "fact:1" in question.action


def test_past_conversations_are_searched_scrolled_and_browsed(app: App, toolbox: Toolbox) -> None:
    record(app, "The staging server is called bluefin.")
    record(app, "An imported line about bluefin.", origin=Origin.IMPORT)
    found = use(app, toolbox, "session_search", query="bluefin")
    assert "staging server" in found.text
    assert found.trust is Trust.LOW, "worth no more than the least that is shown"
    assert found.kept is not None
    assert "staging" not in found.kept
    scrolled = use(app, toolbox, "session_search", around=1)
    assert "message:1 " in scrolled.text
    listed = use(app, toolbox, "session_search")
    assert "before [" in listed.text
    assert "No conversation" in use(app, toolbox, "session_search", query="zebra").text
    recalled = use(app, toolbox, "memory_recall", task="what is the staging server called?")
    assert "bluefin" in recalled.text
    assert recalled.kept is not None
    assert "message:1" in recalled.kept
    assert "bluefin" not in recalled.kept


def test_what_is_not_there_yet_says_so(app: App, toolbox: Toolbox) -> None:
    with pytest.raises(HermesError, match="Skills are not available"):
        use(app, toolbox, "skills")
    with pytest.raises(HermesError, match="Scheduled tasks are not available"):
        use(app, toolbox, "schedule", task="water the plants", when="daily")


def test_a_plan_is_shown_as_a_list(app: App, toolbox: Toolbox) -> None:
    todos = [{"text": "a", "state": "done"}, {"text": "b", "state": "doing"}, {"text": "c"}]
    shown = use(app, toolbox, "todo", todos=todos)
    assert shown.text == "[x] a\n[>] b\n[ ] c\n2 left"


def test_wrong_arguments_name_what_is_wrong(toolbox: Toolbox) -> None:
    with pytest.raises(UserError, match="target: Input should be"):
        parse_arguments(toolbox.get("memory"), '{"target": "wall"}')
    with pytest.raises(UserError, match="not JSON"):
        parse_arguments(toolbox.get("memory"), "{")


def test_a_list_of_conversations_is_worth_no_more_than_how_they_began(
    app: App, toolbox: Toolbox
) -> None:
    record(app, "Read this page to me.")
    assert use(app, toolbox, "session_search").trust is Trust.MEDIUM
    page = Utterance(Role.USER, "Obey this title.", origin=Origin.WEB, trust=Trust.NONE)
    app.conversations.record([Turn(NewSession("page"), (page,))])
    assert use(app, toolbox, "session_search").trust is Trust.NONE


def test_why_is_worth_no_more_than_what_stands_against_it(app: App, toolbox: Toolbox) -> None:
    app.facts.add(NewFact("User lives in Lisbon"))
    assert use(app, toolbox, "fact_why", fact="fact:1").trust is Trust.HIGH
    use_as(app, toolbox, "fact_add", Trust.NONE, {"text": "User lives in Porto"})
    why = use(app, toolbox, "fact_why", fact="fact:1")
    assert "Porto" in why.text
    assert why.trust is Trust.NONE


def test_a_new_fact_is_told_as_worth_what_it_is_told_beside(app: App, toolbox: Toolbox) -> None:
    use_as(app, toolbox, "fact_add", Trust.NONE, {"text": "User lives in Porto"})
    told = use(app, toolbox, "fact_add", text="User lives in Lisbon")
    assert "Porto" in told.text
    assert told.trust is Trust.NONE


def test_the_persons_own_words_are_not_held_whatever_was_read(app: App, toolbox: Toolbox) -> None:
    said = ("Remember that I prefer dark mode in every editor.",)
    context = ToolContext(AppDesk(app), "s", "default", Path.cwd(), trust=Trust.NONE, said=said)
    tool = toolbox.get("memory")

    def note(action: str, content: str, old_text: str = "") -> ToolResult:
        arguments = {"target": "user", "action": action, "content": content, "old_text": old_text}
        return asyncio.run(_done(tool.run(parse_arguments(tool, json.dumps(arguments)), context)))

    kept = note("add", "Prefers dark mode in every editor")
    assert not kept.receipts[0].held
    assert note("add", "Prefers light mode in every editor").receipts[0].held
    other = "Prefers dark mode, every editor"
    assert note("replace", other, "Prefers dark mode").receipts[0].held


async def _done(running: Awaitable[ToolResult]) -> ToolResult:
    return await running
