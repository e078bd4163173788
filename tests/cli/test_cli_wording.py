"""What is said of a value that an option does not take, and other words that once misled."""

import pytest

from chatting import open_home, say_all
from conftest import Hermes
from hermes.config.paths import Home
from hermes.memory.pending import _reason
from hermes.types import Origin, Trust


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "memory facts list --kind prefrence",
            "--kind: 'prefrence' is not one of identity, preference, decision, deadline, "
            "relationship, environment, event, other; did you mean preference?",
        ),
        ("jobs list --state foo", "--state: 'foo' is not one of waiting, running, done"),
        ("mcp install foo", "CLIENT: 'foo' is not one of claude-code, claude-desktop"),
        ("sessions list --limit x", "--limit must be a whole number\n"),
        ("sessions list --limit 0", "--limit must be 1 or more\n"),
        ("sessions search a --limit 99999999", "--limit must be 1"),
        ("memory recall x --budget 60", "--budget / --budget-tokens must be 150 or more\n"),
    ],
)
def test_a_value_that_does_not_fit_is_told_plainly(hermes: Hermes, command: str, told: str) -> None:
    outcome = hermes(*command.split())
    assert outcome.code == 2
    assert f"error: {told}" in outcome.err
    assert "Value error" not in outcome.err


@pytest.mark.parametrize(
    "command",
    [
        *(
            "memory facts list --as-of",
            "memory facts list --believed-on",
            "memory recall x --as-of",
        ),
        *(
            "log --since",
            "log --until",
            "memory fact add Mina --since",
            "memory fact edit 1 --until",
        ),
    ],
)
def test_an_empty_date_is_no_date(hermes: Hermes, command: str) -> None:
    hermes("memory", "fact", "add", "I prefer dark mode.")
    outcome = hermes(*command.split(), "")
    assert outcome.code == 2
    assert "error: '' is not a time Hermes can read." in outcome.err


@pytest.mark.parametrize("option", ["--resume", "-r", "--incognito"])
def test_an_option_of_the_chat_alone_leads_to_the_chat(hermes: Hermes, option: str) -> None:
    outcome = hermes(option)
    assert outcome.code == 2
    assert outcome.err.startswith(f"error: No such option: {option}\nhint: `hermes chat {option}` ")
    assert "hermes chat" not in hermes("status", option).err


@pytest.mark.parametrize("trust", Trust)
def test_why_a_write_waits_is_told_in_words(trust: Trust) -> None:
    told = _reason("Drinks tea.", Origin.WEB, trust)
    assert told.startswith("it came from a page, so it is ")
    assert "trusted none" not in told


def test_keys_that_others_can_read_are_told_of_once(home: Home, hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "Drinks tea.")
    env = home.profile("default").env_file
    env.write_text("OPENAI_API_KEY=sk-x\n")
    env.chmod(0o644)
    told = hermes("memory", "fact", "list").err
    assert told.count(f"chmod 600 {env}") == 1
    assert hermes("model", "list").err.count(f"chmod 600 {env}") == 1
    env.chmod(0o600)
    assert "chmod" not in hermes("memory", "fact", "list").err


def test_what_was_taken_back_comes_again_as_a_conversation_of_its_own(
    home: Home, hermes: Hermes
) -> None:
    with open_home(home.root) as app:
        heard = say_all(app, "hello", "good morning", "/undo")
        [trunk] = [each.session.id for each in app.agent.browse_recent(9)]
    [taken] = [line for line in heard if "hermes sessions restore" in line]
    done = hermes("sessions", "restore", taken.split()[-1])
    assert f"a conversation of its own: nothing was put back into {trunk}" in done.err
