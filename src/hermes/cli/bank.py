"""`hermes bank`: the scopes of a memory, one for each user, project or customer, or by name."""

from typing import Annotated

import typer

from hermes.app.shapes import bank_shape
from hermes.cli.layout import print_columns
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import print_json, print_table, render_local

app = typer.Typer(help="Show and make banks, the scopes of a memory.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The bank.")]


@app.command("list")
def list_banks(as_json: AsJson = False) -> None:
    """Show every bank."""
    with opened(looking=True) as hermes:
        banks = hermes.conversations.list_banks()
    if as_json:
        print_json([bank_shape(bank) for bank in banks])
        return
    rows = ((b.name, b.sessions, render_local(b.created_at), b.description) for b in banks)
    print_columns(["name", "sessions", "made", "description"], rows, wide=3)


@app.command("show")
def show(name: Name, as_json: AsJson = False) -> None:
    """Show one bank."""
    with opened(looking=True) as hermes:
        shape = bank_shape(hermes.conversations.get_bank(name))
    print_json(shape) if as_json else print_table(["what", "value"], shape.items())


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="1 to 64 of a-z, 0-9, '-' and '_'.")],
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a bank; recording into one that is not there makes it, too."""
    with opened() as hermes:
        bank = hermes.conversations.create_bank(name, description)
    print_json(bank_shape(bank)) if as_json else typer.echo(f"bank {bank.name} is there")
