"""`hermes token`: let other programs in, and take that back."""

from typing import Annotated

import typer

from hermes.app.tokens import Scope, Token
from hermes.cli.layout import print_columns
from hermes.cli.opening import opened, opened_settings
from hermes.cli.options import AsJson, Yes
from hermes.cli.render import clean, confirm, print_json, render_local, tell
from hermes.errors import UserError

app = typer.Typer(help="Let other programs in over HTTP.", no_args_is_help=True)


_MAY = {
    Scope.READ: "is read-only",
    Scope.WRITE: "may read and write",
    Scope.OWNER: "is an owner's",
}


@app.command("create")
def create(
    label: Annotated[str, typer.Argument(metavar="LABEL", help="What it is for.")] = "",
    *,
    read_only: Annotated[bool, typer.Option("--read-only", help="It may change nothing.")] = False,
    owner: Annotated[
        bool, typer.Option("--owner", help="It may erase, import, restore and see profiles, too.")
    ] = False,
    scope: Annotated[Scope | None, typer.Option(hidden=True)] = None,  # as it was said before
    as_json: AsJson = False,
) -> None:
    """Make a token for this profile, to read and write; it is shown once, only its hash is kept."""
    chosen = scope or _scope(read_only=read_only, owner=owner)
    with opened() as hermes:
        token, secret = hermes.tokens.create(label, chosen)
    if as_json:
        print_json(token_shape(token) | {"token": secret})
        return
    typer.echo(secret)
    told = f"token {token.id} {_MAY[token.scope]}; it is shown only now"
    typer.echo(f"{told}; take it back with `hermes token revoke {token.id}`", err=True)


def _scope(*, read_only: bool, owner: bool) -> Scope:
    if read_only and owner:
        raise UserError("A token is read-only or an owner's, not both.", "Choose one of them.")
    if owner:
        return Scope.OWNER
    return Scope.READ if read_only else Scope.WRITE


@app.command("list")
def list_tokens(as_json: AsJson = False) -> None:
    """Show the tokens of this profile, never what they are."""
    with opened_settings() as hermes:
        found = hermes.tokens.list()
    if as_json:
        print_json([token_shape(token) for token in found])
        return
    rows = ((t.id, t.scope.value, render_local(t.created_at), clean(t.label)) for t in found)
    print_columns(["id", "may", "made", "label"], rows, wide=3)
    if not found:
        typer.echo("no tokens; the daemon's own lies in run/token", err=True)


@app.command("revoke")
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `list` shows it.")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take a token back: it opens nothing from now on."""
    with opened() as hermes:
        confirm(f"Revoke token {clean(token_id)}?", yes=yes)
        gone = hermes.tokens.revoke(token_id)
    tell(f"token {gone.id} opens nothing any more", as_json=as_json, revoked=gone.id)


def token_shape(token: Token) -> dict[str, object]:
    return {
        "id": token.id,
        "scope": token.scope.value,
        "label": token.label,
        "created_at": token.created_at,
    }
