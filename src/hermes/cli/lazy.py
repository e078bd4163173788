"""Commands that are imported when they are run, so that `hermes --help` imports none of them."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand
from typer.main import get_command, get_group

if TYPE_CHECKING:
    from typer._click import Command, Context


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a command lives, as `module:attribute`, and the line that says what it does."""

    target: str
    help: str


class LazyCommand(TyperCommand):
    """Stands for a command in help and completion; becomes the real one when it gets arguments."""

    def __init__(self, name: str, entry: Entry) -> None:
        super().__init__(name, help=entry.help, rich_markup_mode=None)
        self.entry = entry

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: "Context | None" = None,
        **extra: Any,
    ) -> "Context":
        return self.load().make_context(info_name, args, parent=parent, **extra)

    def load(self) -> "Command":
        """Import the command."""
        module, _, attribute = self.entry.target.partition(":")
        target = getattr(import_module(module), attribute)
        if isinstance(target, typer.Typer):
            target.rich_markup_mode = None  # plain help throughout: rich costs 0.2 s to import
            command: Command = get_group(target)
            command.help = command.help or self.entry.help
        else:
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            single.command(self.name)(target)
            command = get_command(single)
        command.name = self.name
        return command
