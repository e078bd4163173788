"""An answer without a model: what was just said counts before what it corrects."""

import asyncio
from pathlib import Path

from talking import opened

from hermes.agent.events import End, Outcome
from hermes.app.agent import ChatOptions
from hermes.app.facts import NewFact

SAID = ("Actually I live in Lund now, we moved there yesterday.", "where do I live?")


def ask(home: Path, *said: str, incognito: bool = False) -> Outcome:
    with opened(home) as app:
        app.facts.add(NewFact("User lives in Gothenburg"))
        chat = app.agent.open_chat(ChatOptions(incognito=incognito))

        async def go() -> Outcome:
            for text in said or SAID:
                outcome = await chat.say(text)
            await chat.close()
            return outcome

        return asyncio.run(go())


def test_what_was_just_said_answers_before_what_it_corrects(tmp_path: Path) -> None:
    outcome = ask(tmp_path)
    assert outcome.end is End.MEMORY
    told = [line for line in outcome.text.splitlines() if line.startswith("- ")]
    assert "Lund" in told[0]
    assert "in place of" in told[0]
    assert [receipt.ref for receipt in outcome.receipts] == ["fact:002"]


def test_incognito_nothing_is_read_for_facts(tmp_path: Path) -> None:
    assert ask(tmp_path, incognito=True).receipts == ()
    with opened(tmp_path) as app:
        assert [fact.text for fact in app.facts.list()] == ["User lives in Gothenburg"]


def test_asked_to_forget_it_says_that_it_did_not_and_how_to(tmp_path: Path) -> None:
    text = ask(tmp_path, "please forget that I live in Gothenburg").text
    assert text.startswith("Nothing was forgotten") and "/forget" in text
    assert "Kept." in ask(tmp_path, "forget it, the tram in Gothenburg came after all").text
