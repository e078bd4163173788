"""`hermes service`: have the system start the daemon with your session."""

import difflib
import sys
from typing import Annotated

import typer

from hermes.cli.context import invocation
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, Yes
from hermes.cli.render import aside, confirm, print_json, tell
from hermes.errors import NotFound
from hermes.server.launch import Profile, daemon_command
from hermes.server.service import ServiceFile, describe_service

app = typer.Typer(help="Have the system start the daemon with your session.", no_args_is_help=True)
Platform = Annotated[
    str, typer.Option("--platform", metavar="NAME", help="linux or darwin; this system's if unset.")
]


@app.command("show")
def show(platform: Platform = sys.platform, as_json: AsJson = False) -> None:
    """Show the service file, and where it goes."""
    service = _describe(platform)
    installed = service.path.exists()
    if as_json:
        print_json({"path": service.path, "installed": installed, "text": service.text})
        return
    typer.echo(f"# {service.path}{'' if installed else ' (not installed)'}")
    typer.echo(service.text, nl=False)


@app.command("install")
def install(platform: Platform = sys.platform, yes: Yes = False, as_json: AsJson = False) -> None:
    """Write the service file, after showing what would change."""
    service = _describe(platform)
    before = service.path.read_text("utf-8") if service.path.exists() else ""
    if before == service.text:
        text = f"{service.path} is already as it should be"
        tell(text, as_json=as_json, path=service.path, changed=False)
        return
    _show_change(service, before)
    confirm(f"Write {service.path}?", yes=yes)
    with opened():  # a new memory's recovery key is shown now, not in a system log
        pass
    service.path.parent.mkdir(parents=True, exist_ok=True)
    service.path.write_text(service.text, "utf-8")
    tell(f"wrote {service.path}", as_json=as_json, path=service.path, changed=True)
    _show_commands("to start it now and with every session:", service.enable)


@app.command("uninstall")
def uninstall(platform: Platform = sys.platform, yes: Yes = False, as_json: AsJson = False) -> None:
    """Remove the service file: the daemon is no longer started with your session."""
    service = _describe(platform)
    if not service.path.exists():
        raise NotFound(f"There is no {service.path}.", "Nothing is installed for this profile.")
    confirm(f"Remove {service.path}?", yes=yes)
    service.path.unlink()
    if service.link is not None:
        service.link.unlink(missing_ok=True)
    tell(f"removed {service.path}", as_json=as_json, removed=service.path)
    _show_commands("to stop it, if it still runs:", service.disable)


def _describe(platform: str) -> ServiceFile:
    called = invocation()
    profile = Profile(called.paths, called.environ, called.flags)
    return describe_service(called.paths, daemon_command(profile), called.environ, platform)


def _show_change(service: ServiceFile, before: str) -> None:
    """What would change, as a diff on stderr."""
    lines = difflib.unified_diff(
        before.splitlines(),
        service.text.splitlines(),
        str(service.path) if before else "/dev/null",
        str(service.path),
        lineterm="",
    )
    for line in lines:
        aside(line)


def _show_commands(purpose: str, commands: tuple[str, ...]) -> None:
    aside(purpose)
    for command in commands:
        aside(f"  {command}")
