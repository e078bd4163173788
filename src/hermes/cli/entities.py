"""`hermes memory entities`: the people, projects, places and products that memories mention."""

from collections.abc import Sequence
from typing import Annotated

import typer

from hermes.app.fact_shapes import entity_shape, entity_view_shape
from hermes.cli.fact_view import told_line
from hermes.cli.layout import fit, print_columns, screen_width
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, InBank
from hermes.cli.render import clean, print_json, render_local
from hermes.memory.entities.merging import Suggestion
from hermes.types import Entity, EntityKind

app = typer.Typer(help="See and put right whom and what memories mention.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="ENTITY", help="A name, or entity:7.")]


@app.command("list")
def list_entities(
    *,
    kind: Annotated[
        list[EntityKind] | None, typer.Option(help="Only of this kind; may be repeated.")
    ] = None,
    bank: InBank = "",
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="How many at most.")] = 100,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Pairs that may be one and the same.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show known names, the most mentioned first."""
    with opened(looking=True) as hermes:
        if suggest:
            _print_suggestions(hermes.entities.suggest(bank), hermes.entities.list(bank, (), 10**6))
            return
        found = hermes.entities.list(bank, tuple(kind or ()), limit)
    if as_json:
        print_json([entity_shape(entity) for entity in found])
        return
    rows = ((e.id, e.name, e.kind, e.mentions, ", ".join(e.aliases)) for e in found)
    print_columns(["id", "name", "kind", "mentions", "also"], rows, wide=4)


def _print_suggestions(suggestions: Sequence[Suggestion], known: Sequence[Entity]) -> None:
    names = {entity.id: entity.name for entity in known}
    for each in suggestions:
        keep, merge = names[each.keep], names[each.merge]
        typer.echo(f'{keep} and {merge}: {each.reason} (`entities merge "{keep}" "{merge}"`)')


@app.command("show")
def show(name: Name, *, bank: InBank = "", as_json: AsJson = False) -> None:
    """Show one entity, the facts about it, and where it was last spoken of."""
    with opened(looking=True) as hermes:
        view = hermes.entities.show(name, bank)
        summaries = hermes.compressing.find_among(view.messages)
    if as_json:
        print_json(entity_view_shape(view, summaries))
        return
    entity = view.entity
    also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    typer.echo(clean(f"entity:{entity.id}  {entity.name} ({entity.kind}{also})"))
    for fact in view.facts:
        typer.echo(f"  {told_line(fact)}")
    for message in view.messages:
        said = f"{message.speaker or message.role.value}: {message.text}"
        typer.echo(fit(f"  {render_local(message.at)}  {said}", screen_width()))


@app.command("merge")
def merge(
    keep: Annotated[str, typer.Argument(help="The one that stays.")],
    other: Annotated[str, typer.Argument(help="The one that becomes a name of it.")],
    *,
    bank: InBank = "",
    as_json: AsJson = False,
) -> None:
    """Make one entity of two; `split` undoes it."""
    with opened() as hermes:
        entity = hermes.entities.merge(keep, other, bank)
    if as_json:
        print_json(entity_shape(entity))
        return
    typer.echo(clean(f"{entity.name} is also {', '.join(entity.aliases)}"))
    undo = f'`hermes memory entities split "{entity.name}" "{other}"` makes them two again'
    typer.echo(clean(undo), err=True)


@app.command("split")
def split(
    name: Name,
    aliases: Annotated[list[str], typer.Argument(help="The names that are another's.")],
    *,
    bank: InBank = "",
    as_json: AsJson = False,
) -> None:
    """Take names off an entity and make another one of them."""
    with opened() as hermes:
        left, fresh = hermes.entities.split(name, aliases, bank)
    if as_json:
        print_json([entity_shape(left), entity_shape(fresh)])
        return
    typer.echo(clean(f"{fresh.name} (entity:{fresh.id}) is apart from {left.name} now"))
