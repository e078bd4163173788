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
    ],
)
def test_a_value_that_does_not_fit_is_told_plainly(hermes: Hermes, command: str, told: str) -> None:
    outcome = hermes(*command.split())
    assert outcome.code == 2
    assert f"error: {told}" in outcome.err
    assert "Value error" not in outcome.err
