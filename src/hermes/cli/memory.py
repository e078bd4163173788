"""`hermes memory`: ask what is remembered, and see to what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hermes.app import App
from hermes.app.memory_status import (
    memory_status_shape,
    read_memory_status,
    render_memory_status,
)
from hermes.cli import entities, extract, fact, notes, pending, reflections
from hermes.cli.compact import compact
from hermes.cli.erase import erase, reset
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.portable import export_memory, import_memory
from hermes.cli.progress import counted
from hermes.cli.render import aside, print_json, render_local, tell
from hermes.cli.zone import local_zone
from hermes.counted import many
from hermes.errors import Unavailable
from hermes.memory.banks import DEFAULT
from hermes.memory.indexing import Progress
from hermes.memory.recall.when import parse_when
from hermes.types import Kind

if TYPE_CHECKING:
    from hermes.memory.recall.answer import Recall

app = typer.Typer(help="Ask what is remembered, correct it, keep it.", no_args_is_help=True)

app.add_typer(fact.app, name="fact")
app.add_typer(fact.app, name="facts")
app.add_typer(entities.app, name="entities")
app.add_typer(notes.app, name="notes")
app.add_typer(reflections.app, name="reflections")
app.command("compact")(compact)
app.command("why")(fact.why)
app.command("extract")(extract.extract)
app.command("pending")(pending.pending)
app.command("approve")(pending.approve)
app.command("reject")(pending.reject)
app.command("export")(export_memory)
app.command("import")(import_memory)
app.command("erase")(erase)
app.command("reset")(reset)


TYPES = tuple(f"{kind.value}s" for kind in Kind)


def parse_type(text: str) -> Kind:
    """A type by its name, in the plural or in the singular."""
    try:
        return Kind(text.strip().lower())
    except ValueError:
        names = ", ".join(TYPES)
        raise typer.BadParameter(f"{text!r} is not one of {names}") from None


Bank = Annotated[str, typer.Option("--bank", metavar="NAME", help="The bank to look in.")]

AsBlock = Annotated[
    bool,
    typer.Option(
        "--context",
        help="The block exactly as a model would get it; --json holds it as well.",
    ),
]


@app.command("recall")
def recall(
    task: Annotated[list[str], typer.Argument(help="The task or question, in any words.")],
    *,
    bank: Bank = DEFAULT,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            "--budget-tokens",
            metavar="TOKENS",
            min=150,
            help="How much may be given back.",
        ),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            metavar="DATE",
            help="As it was then, without what was told later: 2026-03-01, last week.",
        ),
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="How the answer came about.")] = False,
    context: AsBlock = False,
    as_json: AsJson = False,
) -> None:
    """Give back what bears on a task, as it would be put before a model."""
    from hermes.app.recall_shapes import recall_shape  # noqa: PLC0415 - brings numpy
    from hermes.cli import recall_view  # noqa: PLC0415

    with opened(looking=True) as hermes:
        hermes.conversations.get_bank(bank)
        at = None if as_of is None else _end_of(as_of, hermes.clock.now())
        hermes.memory.catch_up()
        found = hermes.memory.recall(" ".join(task), bank=bank, budget_tokens=budget, as_of=at)
        others = _other_banks(hermes, bank)
        least = _find_least(hermes, found, at)
        is_earlier = at is not None and hermes.memory.has_later(bank, at)
    if as_json:
        print_json(recall_shape(found))
    elif context:
        recall_view.print_block(found, least)
    else:
        recall_view.print_items(found.items, found.trace, least)
        recall_view.print_trace(found.trace, in_full=trace, items=found.items)
        recall_view.print_elsewhere(found.items, bank, others)
    if is_earlier:
        aside(f"as of {_render_end(at)}: what was first told later is left out")


def _find_least(hermes: App, found: Recall, as_of: int | None) -> int | None:
    """The budget that something would fit into, where nothing fits into the one given."""
    if found.context() or not (found.items or found.trace.dropped.get("budget")):
        return None
    above, bank = found.budget_tokens, found.trace.bank
    return hermes.memory.find_least_budget(found.task, bank=bank, above=above, as_of=as_of)


def _end_of(text: str, now: int) -> int:
    return parse_when(text, now, zone=local_zone()).end_at - 1


def _render_end(at: int | None) -> str:
    """A day by its date, and a time of a day by the clock."""
    return render_local(at).removesuffix(" 23:59")


@app.command("search")
def search(
    query: Annotated[list[str], typer.Argument(help="Any words, in any language.")],
    *,
    bank: Bank = DEFAULT,
    types: Annotated[
        list[Kind] | None,
        typer.Option(
            "--type",
            parser=parse_type,
            metavar=f"[{'|'.join(TYPES)}]",
            help="Only of this type; may be repeated.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="How many at most.")] = 10,
    trace: Annotated[bool, typer.Option("--trace", help="How the answer came about.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find memories by meaning and by words, best first."""
    from hermes.app.recall_shapes import search_items_shape  # noqa: PLC0415
    from hermes.cli.recall_view import print_elsewhere, print_items, print_trace  # noqa: PLC0415

    text = " ".join(query)
    with opened(looking=True) as hermes:
        hermes.conversations.get_bank(bank)
        hermes.memory.catch_up()
        items, how = hermes.memory.search(text, bank=bank, limit=limit, kinds=types or ())
        others = _other_banks(hermes, bank)
    if as_json:
        print_json(search_items_shape(text, items, how))
        return
    print_items(items, how)
    print_trace(how, in_full=trace, items=items)
    print_elsewhere(items, bank, others)


def _other_banks(hermes: App, bank: str) -> list[str]:
    return [each.name for each in hermes.conversations.list_banks() if each.name != bank]


@app.command("status")
def status(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Everything counted.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what memory is made of."""
    with opened(looking=True) as hermes:
        found = read_memory_status(hermes)
    if as_json:
        print_json(memory_status_shape(found))
        return
    typer.echo("\n".join(render_memory_status(found, in_full=verbose)))


@app.command("reindex")
def reindex(as_json: AsJson = False) -> None:
    """Give a vector to everything that has none, after a change of model too.

    What the model refused is tried again; it ends with 1 where some is left.
    """
    with opened() as hermes:
        if hermes.embedder is None:
            text = "memory.embeddings.provider is none: recall goes by text only"
            tell(text, as_json=as_json, vectors=0, refused=0, space=None)
            return
        with counted("embedding", hermes.memory.backlog()) as advance:
            now = Progress(0, 0)

            def show(progress: Progress) -> None:
                nonlocal now
                now = progress
                advance(progress.done)

            done = hermes.memory.reindex(show)
        space = str(hermes.embedder.space)
        told = f"{many(done, 'vector')} made with {space}"
        tell(told, as_json=as_json, vectors=done, refused=now.refused, space=space)
        if now.refusal is not None:
            refused = many(now.refused, "text")
            told = f"the model gave {refused} no vector; of one: {now.refusal.message}"
            raise Unavailable(told, now.refusal.hint)
