"""What is said of a value that an option does not take."""

import pytest

from conftest import Hermes


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
        ("memory recall x --budget 60", "--budget / --budget-tokens must be 100 or more\n"),
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
