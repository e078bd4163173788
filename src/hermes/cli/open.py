"""`hermes open`: the dashboard, in the person's browser."""

import webbrowser
from typing import Annotated

import typer

from hermes.cli.context import invocation
from hermes.config.load import load_config
from hermes.config.running import find_daemon


def open_dashboard(
    show: Annotated[
        bool, typer.Option("--print", help="Print the link instead of opening a browser.")
    ] = False,
) -> None:
    """Open the dashboard: starts the daemon if none runs, and logs this browser in.

    The link works once, within a minute; after that the browser keeps a cookie.
    """
    # The client brings pydantic and an HTTP library, which few commands need.
    from hermes.client import Client  # noqa: PLC0415

    called = invocation()
    if find_daemon(called.paths) is None:
        _start()
    certificate = load_config(called.paths, called.environ, called.flags).server.tls_cert
    ca_file = str(called.paths.resolve(certificate, called.paths.root)) if certificate else None
    with Client.local(called.paths, ca_file=ca_file) as hermes:
        link = hermes.login_link().url
    if show or not webbrowser.open(link):
        typer.echo(link)
    else:
        typer.echo("the dashboard is open in your browser")


def _start() -> None:
    from hermes.cli.daemon import start  # noqa: PLC0415 (only where none runs)

    start()
