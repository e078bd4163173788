"""`hermes bench`: measures what the documentation claims, and prints it beside its target."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hermes.bench.agent import measure_agent
from hermes.bench.compress import measure_compress
from hermes.bench.dashboard import measure_dashboard
from hermes.bench.doors import measure_doors
from hermes.bench.ending import ending_tidily
from hermes.bench.facts.loader import Half
from hermes.bench.facts.runner import render_result, run_facts
from hermes.bench.guard import score_guard
from hermes.bench.guard_corpus import list_notes, list_payloads
from hermes.bench.keep import measure_keep
from hermes.bench.recall_speed import measure_recall
from hermes.bench.retrieval.report import render_report, summarise
from hermes.bench.retrieval.run import run as run_retrieval
from hermes.bench.spine import Figure, measure_spine
from hermes.bench.vectors import measure_vectors
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import print_json
from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.errors import UserError
from hermes.memory.facts.extraction import ModelReader

app = typer.Typer(help="Measure what the documentation claims.", no_args_is_help=True)

Messages = Annotated[int, typer.Option(min=20_000, help="Size of the large history.")]
Sizes = Annotated[
    list[int] | None, typer.Option("--size", min=100, help="How many episodes; may be repeated.")
]
BOTH_SIZES = (100_000, 1_000_000)
DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The folder with locomo10.json (github.com/snap-research/locomo) and the like.",
        file_okay=False,
        exists=True,
    ),
]


@app.command("spine")
def spine(messages: Messages = 1_000_000, as_json: AsJson = False) -> None:
    """Durable writes, ingest, search, size and start-up."""
    with _scratch() as folder:
        show_figures(measure_spine(folder, messages=messages, say=_say), as_json=as_json)


@app.command("keep")
def keep(
    megabytes: Annotated[int, typer.Option(min=10, help="Size of the backed-up memory.")] = 1_000,
    episodes: Annotated[int, typer.Option(min=1_000, help="How many are carried.")] = 100_000,
    as_json: AsJson = False,
) -> None:
    """Backups of a live memory, export and import."""
    with _scratch() as folder:
        figures = measure_keep(folder, megabytes=megabytes, episodes=episodes, say=_say)
        show_figures(figures, as_json=as_json)


@app.command("agent")
def agent(
    episodes: Annotated[int, typer.Option(min=100, help="Size of the history.")] = 100_000,
    larger: Annotated[int, typer.Option(min=0, help="Size of the larger one; 0: none.")] = 500_000,
    as_json: AsJson = False,
) -> None:
    """What a turn costs besides the model, and when the prompt of the chat is there."""
    with _scratch() as folder:
        figures = measure_agent(folder, episodes=episodes, larger=larger, say=_say)
        show_figures(figures, as_json=as_json)


@app.command("compress")
def compress(
    days: Annotated[int, typer.Option(min=30, help="Length of the invented history.")] = 120,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """What compression saves, and which answers are still found; with --data on LoCoMo, too."""
    embedder = open_embedder(EmbedderOptions())
    locomo = None if data is None else data / "locomo10.json"
    if locomo is not None and not locomo.is_file():
        raise UserError(f"There is no {locomo.name} in {data}.", "Give the folder with --data.")
    with _scratch() as folder:
        figures = measure_compress(folder, embedder, locomo=locomo, days=days, say=_say)
        show_figures(figures, as_json=as_json)
    embedder.close()


@app.command("vectors")
def vectors(
    sizes: Sizes = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Embedding throughput, and the vector index: time, recall and memory."""
    with _scratch() as folder:
        wanted = sizes or BOTH_SIZES
        show_figures(measure_vectors(folder, sizes=wanted, data=data, say=_say), as_json=as_json)


@app.command("recall")
def recall(
    sizes: Sizes = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Recall end to end beside the query embedding alone, and the memory it takes."""
    with _scratch() as folder:
        wanted = sizes or BOTH_SIZES
        show_figures(measure_recall(folder, sizes=wanted, data=data, say=_say), as_json=as_json)


@app.command("postgres")
def postgres(
    url: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="A PostgreSQL server on which databases may be created."
        ),
    ],
    episodes: Annotated[int, typer.Option(min=5_000, help="Size of the history.")] = 100_000,
    as_json: AsJson = False,
) -> None:
    """The PostgreSQL store: writers, visibility, ingest beside COPY, recall beside SQLite's."""
    # Its driver is an extra: the other figures need none.
    from hermes.bench.postgres import measure_postgres  # noqa: PLC0415

    with _scratch() as folder:
        figures = measure_postgres(folder, url, episodes=episodes, say=_say)
        show_figures(figures, as_json=as_json)


@app.command("retrieval")
def retrieval(
    data: DataFolder = None,
    dataset: Annotated[
        str,
        typer.Option(
            help="locomo (-one: in one bank), longmemeval-oracle, -s, -m; "
            "or chats, chats2, lives, years (-one), years2, logs-50, … (no --data)."
        ),
    ] = "locomo",
    *,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first so many histories.")
    ] = None,
    baselines: Annotated[bool, typer.Option(help="Measure grep, BM25, dense and RRF, too.")] = True,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep vectors here: a run that was stopped goes on.",
            file_okay=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Recall of the evidence, through record → index → recall, beside four baselines."""
    embedder = open_embedder(EmbedderOptions())
    with ending_tidily():
        found = run_retrieval(
            data,
            dataset=dataset,
            embedder=embedder,
            baselines=baselines,
            limit=limit,
            folder=folder,
            on_progress=_say,
        )
    embedder.close()
    report = summarise(found)
    if as_json:
        print_json(asdict(report))
    else:
        typer.echo(render_report(report))


@app.command("facts")
def facts(
    half: Annotated[Half, typer.Option(help="Which half of the labelled chats.")] = Half.REPORT,
    *,
    light_model: Annotated[
        bool, typer.Option("--light-model", help="By the light model in place of the rules.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Precision, recall and junk of fact extraction on labelled chats."""
    if light_model:
        with opened() as profile:
            result = run_facts(half, ModelReader(profile.facts.light_model.ask))
    else:
        result = run_facts(half)
    if as_json:
        print_json(asdict(result))
    else:
        typer.echo(render_result(result))


@app.command("guard")
def guard(as_json: AsJson = False) -> None:
    """Poisoned text that would reach the prompt, and honest notes that would be held back."""
    show_figures(_guard_figures(), as_json=as_json)


def _guard_figures() -> Iterator[Figure]:
    score = score_guard(list_payloads(), list_notes())
    reached, share = len(score.reached), 100 * score.held_share
    alone = f"the patterns alone would notice {score.noticed} and stop {score.certain}"
    tried = f"{score.payloads} payloads by 4 channels; {alone}"
    yield Figure("payloads that reach a snapshot", reached, "", "0", reached == 0, tried)
    notes = f"{score.notes:,} notes in 12 languages; {len(score.altered)} altered"
    yield Figure("honest notes held back", share, "%", "<= 0.5", share <= 0.5, notes)


@app.command("doors")
def doors(
    seconds: Annotated[float, typer.Option(min=1, help="How long clients record.")] = 10.0,
    as_json: AsJson = False,
) -> None:
    """Durable turns over REST, idle connections, the daemon's start and memory."""
    with _scratch() as folder:
        show_figures(measure_doors(folder, seconds=seconds, say=_say), as_json=as_json)


@app.command("dashboard")
def dashboard(messages: Messages = 1_000_000, as_json: AsJson = False) -> None:
    """Search as you type over HTTP, and what the pages weigh."""
    with _scratch() as folder:
        show_figures(measure_dashboard(folder, messages=messages, say=_say), as_json=as_json)


@app.command("all")
def everything(messages: Messages = 1_000_000, data: DataFolder = None) -> None:
    """Everything above; some minutes."""
    spine(messages=messages)
    keep(megabytes=messages // 1_000, episodes=messages // 10)
    vectors(sizes=[messages // 10, messages], data=data)
    recall(sizes=[messages // 10, messages], data=data)
    if data is not None:
        retrieval(data=data)
    facts()
    guard()
    doors()


@contextmanager
def _scratch() -> Iterator[Path]:
    with ending_tidily(), tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder:
        yield Path(folder)


def _say(what: str) -> None:
    typer.echo(f"… {what}", err=True)


def show_figures(figures: Iterable[Figure], *, as_json: bool) -> None:
    """Print figures as they come, or all at once as JSON."""
    if as_json:
        print_json([asdict(figure) for figure in figures])
        return
    for figure in figures:
        mark = "ok  " if figure.met else "MISS"
        value = f"{figure.value:,.2f} {figure.unit}".rstrip()
        typer.echo(f"{mark} {figure.name}: {value} (target {figure.target})")
        if figure.note:
            typer.echo(f"     {figure.note}")
