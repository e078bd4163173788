"""The list of commands the guard knows is the one there is."""

from hermes.cli.main import COMMANDS as CALLED
from hermes.guard.door import COMMANDS


def test_every_command_is_known() -> None:
    assert frozenset(CALLED) == COMMANDS
