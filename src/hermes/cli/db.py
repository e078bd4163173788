"""`hermes db`: bring the database up to date, look at it, plan how to spread it, copy it."""

from typing import Annotated

import typer

from hermes.app.db import DatabaseStatus
from hermes.app.shapes import time_shape
from hermes.cli.layout import print_columns
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.progress import counted
from hermes.cli.render import print_json, render_local, tell
from hermes.counted import many_of

Address = Annotated[
    str, typer.Argument(help="sqlite: (this profile's own), sqlite:FILE or postgres://…")
]

app = typer.Typer(help="Migrate, look at, copy and spread the database.", no_args_is_help=True)


@app.command("migrate")
def migrate(
    *,
    ann: Annotated[
        bool,
        typer.Option(
            "--ann", help="Also build an HNSW index of vectors (pgvector), for very large banks."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the database to the schema this Hermes needs; safe to run twice, or at once."""
    with opened() as hermes:
        done = hermes.db.migrate()
        built = hermes.db.build_ann() if ann else []
        status = hermes.db.status()
    if as_json:
        print_json({"migrated": done, "schema": status.schema, "ann": built})
        return
    steps = f"went through {', '.join(map(str, done))}" if done else "nothing to do"
    typer.echo(f"{status.location}: schema {status.schema} ({steps})")
    for line in built:
        typer.echo(line)


@app.command("status")
def status(as_json: AsJson = False) -> None:
    """Show which database is in use, its schema, and what it holds."""
    with opened(looking=True) as hermes:
        found, cut = hermes.db.status(), hermes.db.find_cut_short()
    if as_json:
        print_json(_shape(found) | {"copy_cut_short": cut.target if cut else None})
        return
    typer.echo(f"backend   {found.backend}")
    typer.echo(f"location  {found.location}")
    if found.server:
        typer.echo(f"server    {found.server}")
    behind = ""
    if not found.is_current:
        is_older = found.schema < found.newest
        todo = "hermes db migrate" if is_older else "pip install -U hermes-memory"
        behind = f" (this Hermes needs {found.newest}: `{todo}`)"
    typer.echo(f"schema    {found.schema}{behind}")
    if found.store is not None:
        typer.echo(f"holds     {many_of(found.store.counts)}")
        typer.echo(f"size      {found.store.size_bytes / 1e6:,.1f} MB")
    if cut is not None:
        typer.echo(f"copy      cut short: {cut.source} to {cut.target}; `hermes db copy` goes on")
    for home in found.homes:
        behind = ", has yet to follow an erasure" if home.is_behind else ""
        typer.echo(f"home      {home.name}, followed {render_local(home.at)}{behind}")


@app.command("forget-home")
def forget_home(
    name: Annotated[str, typer.Argument(help="As `hermes db status` names it: host:/path.")],
    as_json: AsJson = False,
) -> None:
    """Let go of a home that is no more, so that no proof of erasing waits for it."""
    with opened() as hermes:
        hermes.db.forget_home(name)
    tell(f"forgot {name}", as_json=as_json, forgot=name)


@app.command("plan")
def plan(
    *,
    partitions: Annotated[
        int, typer.Option(metavar="N", min=0, max=1_024, help="Native partitions of each table.")
    ] = 0,
    citus: Annotated[bool, typer.Option("--citus", help="Distribution over Citus nodes.")] = False,
) -> None:
    """Print the statements that spread the database; run them with psql, in a quiet hour."""
    with opened(looking=True) as hermes:
        statements = hermes.db.plan(partitions=partitions, citus=citus)
    typer.echo("\n".join(statements))


@app.command("copy")
def copy(
    source: Address,
    target: Address,
    *,
    anew: Annotated[
        bool, typer.Option("--anew", help="Clear away what a copy brought that was cut short.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Copy a memory to another, new store, and prove that both hold the same.

    A copy that was cut short goes on where it was. The old store is only read.
    """
    with opened() as hermes, counted("copying", 3 * hermes.db.count(source)) as show:
        done = 0

        def advance(_: str, count: int) -> None:
            nonlocal done
            done += count
            show(done)

        proofs = hermes.db.copy(source, target, advance, anew=anew)
        left = hermes.db.list_left(source)
    if as_json:
        rows = [{"section": p.section, "count": p.count, "sha256": p.digest} for p in proofs]
        print_json({"sections": rows, "source": left[0]})
        return
    shown = [(p.section, f"{p.count:,}", p.digest[:16]) for p in proofs if p.count]
    print_columns(("section", "records", "sha256"), shown, wide=0)
    typer.echo(f"copied {sum(p.count for p in proofs):,} records; both stores hold the same")
    if target.startswith("postgres"):
        typer.echo("To use it, put the address into .env as HERMES_DB_URL, then:")
        typer.echo("  hermes config set memory.connectionString '${HERMES_DB_URL}'")
        typer.echo("  hermes config set memory.backend postgres")
    for line in left:
        typer.echo(line)


def _shape(found: DatabaseStatus) -> dict[str, object]:
    return {
        "backend": found.backend,
        "location": found.location,
        "server": found.server,
        "schema": found.schema,
        "newest": found.newest,
        "counts": dict(found.store.counts) if found.store else {},
        "size_bytes": found.store.size_bytes if found.store else 0,
        "homes": [
            {"name": home.name, "followed_at": time_shape(home.at), "behind": home.is_behind}
            for home in found.homes
        ],
    }
