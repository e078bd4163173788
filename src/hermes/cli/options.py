"""Options that several commands share, so that they are spelt and explained alike."""

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
KeepSecrets = Annotated[
    bool,
    typer.Option(
        "--keep-secrets", help="Keep passwords and keys as they are; USER.md shows none of them."
    ),
]
InBank = Annotated[str, typer.Option("--bank", metavar="NAME", help="Only in this bank.")]
