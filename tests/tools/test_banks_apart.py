"""What lies in another bank is not there for a tool, and a note on one person is no other's."""

import asyncio
import json
from pathlib import Path

import pytest

from hermes.app import App
from hermes.app.agent_desk import AppDesk
from hermes.app.facts import NewFact
from hermes.errors import NotFound, UserError
from hermes.memory.facts.listing import FactQuery
from hermes.memory.facts.reference import render_ref
from hermes.tools.base import ToolContext, ToolResult
from hermes.tools.registry import load_toolbox, parse_arguments
from hermes.types import NewSession, Role, Trust, Turn, Utterance

TOOLBOX = load_toolbox()


def use(
    app: App, bank: str, name: str, trust: Trust = Trust.HIGH, /, **arguments: object
) -> ToolResult:
    context = ToolContext(AppDesk(app), "s", bank, Path.cwd(), trust=trust)
    tool = TOOLBOX.get(name)
    parsed = parse_arguments(tool, json.dumps(arguments))

    async def go() -> ToolResult:
        result: ToolResult = await tool.run(parsed, context)
        return result

    return asyncio.run(go())


@pytest.fixture
def fact(app: App) -> str:
    kept = app.facts.add(NewFact("Acme pays 90000 euros per year", bank="acme"))
    assert kept.fact is not None
    return render_ref(kept.fact.number)


@pytest.mark.parametrize("name", ["fact_why", "fact_forget", "fact_revise"])
@pytest.mark.parametrize("bank", ["globex", "default"])
def test_a_fact_of_another_bank_is_not_there(app: App, fact: str, bank: str, name: str) -> None:
    more = {"text": "Acme pays nothing"} if name == "fact_revise" else {}
    with pytest.raises(NotFound) as foreign:
        use(app, bank, name, fact=fact, **more)
    with pytest.raises(NotFound) as unknown:
        use(app, bank, name, fact="fact:999", **more)
    assert foreign.value.message == unknown.value.message.replace("fact:999", fact)
    assert app.facts.get(fact).text == "Acme pays 90000 euros per year"
    assert app.facts.get(fact).retracted_at is None
    assert not use(app, "acme", name, fact=fact, **more).failed


def test_a_conversation_of_another_bank_is_not_there(app: App) -> None:
    said = (Utterance(Role.USER, "The contract of Acme is worth 90000 euros."),)
    [told] = app.conversations.record([Turn(NewSession("talk", bank="acme"), said)])
    [number] = told.message_ids
    places: list[dict[str, object]] = [
        {"around": number},
        {"session": "talk"},
        {"session": "talk", "query": "contract"},
    ]
    for place in places:
        assert "90000" in use(app, "acme", "session_search", **place).text
        with pytest.raises(NotFound, match=r"There is no (message|session)"):
            use(app, "globex", "session_search", **place)


def test_a_note_on_the_person_of_a_bank_is_a_fact_of_that_bank(app: App) -> None:
    added = use(app, "globex", "memory", target="user", action="add", content="Is called Bob")
    [receipt] = added.receipts
    kept = app.facts.get(receipt.ref)
    assert (kept.bank, kept.text, kept.subject) == ("globex", "User is called Bob", "user")
    assert receipt.text == "User is called Bob (a fact of the bank globex)"
    assert "facts are kept, not notes" in added.text
    assert "Bob" in app.agent.snapshot("globex").notes
    assert "Bob" not in app.agent.snapshot("default").notes
    assert not app.paths.user_note.exists() or "Bob" not in app.paths.user_note.read_text()


def test_several_notes_on_the_person_of_a_bank_are_kept_each(app: App) -> None:
    both = [{"action": "add", "content": text} for text in ("Prefers tea", "Timezone is CET")]
    added = use(app, "globex", "memory", target="user", operations=both)
    texts = [app.facts.get(receipt.ref).text for receipt in added.receipts]
    assert texts == ["User prefers tea", "Timezone is CET"]


def test_several_notes_on_the_person_of_a_bank_are_all_kept_or_none(app: App) -> None:
    notes = [{"action": "add", "content": text} for text in ("Prefers tea", "Tea")]
    with pytest.raises(UserError, match="alone states nothing"):
        use(app, "globex", "memory", target="user", operations=notes)
    assert app.facts.list(FactQuery(bank="globex")) == []


def test_what_was_read_elsewhere_waits_in_another_bank_too(app: App) -> None:
    note = {"target": "user", "action": "add", "content": "Prefers evil.example"}
    [receipt] = use(app, "globex", "memory", Trust.LOW, **note).receipts
    assert receipt.held
    assert "evil" not in app.agent.snapshot("globex").notes


def test_a_note_that_is_no_note_is_corrected_as_the_fact_it_is(app: App) -> None:
    for action in ("replace", "remove"):
        change = {"action": action, "old_text": "tea", "content": "coffee"}
        with pytest.raises(UserError, match="no page on the person") as error:
            use(app, "globex", "memory", target="user", **change)
        assert "fact_revise" in error.value.hint


def test_the_notebook_is_the_same_in_every_bank(app: App) -> None:
    use(app, "globex", "memory", target="memory", action="add", content="Deploys by Ansible")
    assert "Ansible" in app.paths.memory_note.read_text()
