"""`hermes profile`: make, choose, show and put away profiles."""

from typing import Annotated

import typer

from hermes.cli.context import current_home, invocation
from hermes.cli.render import aside, confirm, print_json, print_table, tell
from hermes.clock import SystemClock
from hermes.config.paths import ensure_layout, read_home
from hermes.config.profiles import (
    active_profile,
    create_profile,
    delete_profile,
    get_profile,
    list_profiles,
    list_trash,
    restore_profile,
    use_profile,
)

app = typer.Typer(help="Make, choose and put away profiles.", no_args_is_help=True)


def complete_profile(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of profiles, for the shell."""
    root = ctx.find_root()
    home = read_home(root.obj.environ, root.params.get("home"))
    return [p.name for p in list_profiles(home) if p.name.startswith(incomplete)]


Name = Annotated[str, typer.Argument(help="The profile.", autocompletion=complete_profile)]
NewName = Annotated[str, typer.Argument(help="1 to 64 of a-z, 0-9, '-' and '_'.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command("create")
def create(
    name: NewName,
    use: Annotated[bool, typer.Option("--use", help="Make it the active one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a new profile, with a memory, notes, keys and settings of its own."""
    home = current_home()
    paths = create_profile(home, name)
    if use:
        use_profile(home, name)
    told = {"name": name, "path": paths.root, "active": use}
    tell(f"made profile {name} in {paths.root}", as_json=as_json, **told)
    if not use:
        aside(f"work in it with `hermes -p {name} …` or `hermes profile use {name}`")


@app.command("list")
def list_all(
    deleted: Annotated[bool, typer.Option("--deleted", help="Those that were deleted.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the profiles; the active one is marked."""
    home = current_home()
    if deleted:
        trashed = list_trash(home)
        print_json(trashed) if as_json else print_table(
            ["id", "name", "path"], ([t.id, t.name, t.path] for t in trashed)
        )
        return
    profiles = list_profiles(home)
    print_json(profiles) if as_json else print_table(
        ["active", "name", "path"], (["*" if p.active else "", p.name, p.path] for p in profiles)
    )


@app.command("use")
def use(name: Name, as_json: AsJson = False) -> None:
    """Make a profile the one that commands work in."""
    use_profile(current_home(), name)
    tell(f"profile {name} is active", as_json=as_json, active=name)


@app.command("show")
def show(
    name: Annotated[
        str | None,
        typer.Argument(
            help="The profile; the one in use if left out.", autocompletion=complete_profile
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show where a profile keeps its things."""
    home = current_home()
    paths = get_profile(home, name) if name else invocation().paths
    places = {
        "name": paths.name,
        "active": paths.name == active_profile(home),
        "path": paths.root,
        "config": paths.config_file,
        "database": paths.database,
        "notes": paths.notes,
        "workspace": paths.workspace,
        "skills": paths.skills,
        "backups": paths.backups,
    }
    print_json(places) if as_json else print_table(["what", "where"], places.items())


@app.command("delete")
def delete(name: Name, yes: Yes = False, as_json: AsJson = False) -> None:
    """Move a profile to the trash, from which `restore` brings it back."""
    home = current_home()
    paths = get_profile(home, name)
    confirm(f"Delete profile {name} ({paths.root})?", yes=yes)
    trashed = delete_profile(home, name, SystemClock())
    text = f"deleted profile {name}; it is kept in {trashed.path}"
    tell(text, as_json=as_json, deleted=name, id=trashed.id, path=trashed.path)
    aside(f"bring it back with `hermes profile restore {name}`")


@app.command("restore")
def restore(
    which: Annotated[str, typer.Argument(metavar="NAME", help="Its name, or its id in the trash.")],
    as_json: AsJson = False,
) -> None:
    """Bring a deleted profile back."""
    paths = restore_profile(current_home(), which)
    ensure_layout(paths)
    text = f"profile {paths.name} is back in {paths.root}"
    tell(text, as_json=as_json, restored=paths.name, path=paths.root)
