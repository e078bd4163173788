"""`hermes demo`: the main job shown on a sample history, recorded in one process, found in others.

What is shown is a list of acts, run in order; each fails loudly if it does not see what it expects.
"""

import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from hermes.app import open_app
from hermes.cli.context import current_environ, current_home, is_home_given
from hermes.cli.layout import Spans, dim, embolden, fit, screen_width, tame, wrap
from hermes.cli.render import count, render_local
from hermes.clock import parse_time
from hermes.config.paths import Home
from hermes.errors import HermesError
from hermes.memory.sample import BANK, load_sample

TIMEOUT_S = 180
PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the demo plays: a home, the environment, and how the program is called."""

    home: Home
    environ: Mapping[str, str]
    program: str
    is_temporary: bool

    @property
    def prefix(self) -> str:
        """How a command is written so that it works on this home."""
        return f"{self.program} --home {shlex.quote(str(self.home.root))}"


@dataclass(frozen=True, slots=True)
class Question:
    """Words to search for, and what the answer must hold."""

    words: str
    answer: str


QUESTIONS = (
    Question("database decision", "PostgreSQL 16 with PostGIS"),
    Question("is the launch still on 14 November", "21 November"),
    Question("what replaced Redis for the queue", "NATS JetStream"),
    Question("数据库迁移", "周四晚上十点"),
)
RECALLED = Question("which queue did we move to when jobs were lost", "NATS JetStream")
SHOWN_MEMORIES = 2
SHOWN_FACTS = 6


def demo() -> None:
    """Show Hermes remember: a sample history is recorded here and found by other processes.

    It plays in a temporary home, never in your own memory, unless --home names one.
    """
    stage = _set_stage()
    typer.echo("Three months of Lena, a developer, and her project Atlas (invented).\n")
    for act in ACTS:
        act(stage)
        typer.echo()
    _print_next(stage)


def record(stage: Stage) -> None:
    """This process keeps the history and lets go of it."""
    turns = load_sample()
    started = time.monotonic()
    with open_app(stage.home.profile("default"), stage.environ) as hermes:
        receipts = hermes.conversations.record(turns)
    took = time.monotonic() - started
    messages = sum(len(receipt.message_ids) for receipt in receipts)
    sessions = len({receipt.session_id for receipt in receipts})
    typer.echo(typer.style("One process records", bold=True))
    kept = f"{count(messages, 'message')} of {count(sessions, 'conversation')}"
    typer.echo(f"  {kept}, on disk in {took:.2f} s")
    typer.echo(dim(f"  encrypted, in {stage.home.root / 'memory.db'}"))


def search(stage: Stage) -> None:
    """Other processes, which know nothing but the home, find what was recorded."""
    typer.echo(typer.style("Other processes find it again", bold=True))
    with ThreadPoolExecutor(PROCESSES) as pool:
        hits = list(pool.map(lambda question: _ask(stage, question.words), QUESTIONS))
    for question, hit in zip(QUESTIONS, hits, strict=True):
        typer.echo(f"\n  {dim('$')} hermes sessions search {shlex.quote(question.words)}")
        _print_hit(hit)
        if question.answer not in hit["message"]["text"]:
            raise HermesError(
                f"The search for {question.words!r} did not find {question.answer!r}.",
                f"Run `{stage.prefix} doctor`.",
            )


def recall(stage: Stage) -> None:
    """A process that embeds what was said, and one that recalls it by meaning."""
    typer.echo(typer.style("By meaning, not only by words", bold=True))
    started = time.monotonic()
    _run(stage, "memory", "reindex")
    took = time.monotonic() - started
    typer.echo(dim(f"  every message and fact embedded on this machine in {took:.1f} s"))
    asked = ("memory", "recall", RECALLED.words, "--bank", BANK, "--json")
    items = json.loads(_run(stage, *asked))["items"]
    typer.echo(f"\n  {dim('$')} hermes memory recall {shlex.quote(RECALLED.words)}")
    best = items[:SHOWN_MEMORIES]
    for item in best:
        _print_memory(item)
        typer.echo()
    if RECALLED.answer not in best[0]["text"]:
        raise HermesError(
            f"Recall of {RECALLED.words!r} did not give {RECALLED.answer!r}.",
            f"Run `{stage.prefix} memory recall --trace {shlex.quote(RECALLED.words)}`.",
        )


def learn(stage: Stage) -> None:
    """Facts that can be proved: each has the sentence it was read from."""
    typer.echo(typer.style("What was learnt, each with its proof", bold=True))
    _run(stage, "memory", "extract")
    listed = _run(stage, "memory", "facts", "list", "--bank", BANK).splitlines()
    if not listed:
        raise HermesError("No fact was learnt from the sample.", f"Run `{stage.prefix} doctor`.")
    typer.echo(f"\n  {dim('$')} hermes memory facts list")
    for line in listed[:SHOWN_FACTS]:
        typer.echo("    " + fit(line, screen_width() - 4))
    number = listed[0].partition("]")[0].removeprefix("[")
    typer.echo(f"\n  {dim('$')} hermes memory why {number}")
    for line in _run(stage, "memory", "why", number).splitlines():
        typer.echo("    " + fit(line, screen_width() - 4))


ACTS: tuple[Callable[[Stage], None], ...] = (record, search, learn, recall)
"""What is shown, in order. What Hermes learns to do next joins here."""


def _set_stage() -> Stage:
    if is_home_given():
        return Stage(current_home(), current_environ(), find_program(), is_temporary=False)
    folder = Path(tempfile.mkdtemp(prefix="hermes-demo-"))
    return Stage(Home(folder.resolve()), current_environ(), find_program(), is_temporary=True)


def find_program() -> str:
    """What to type to get this very program."""
    called = Path(sys.argv[0])
    if called.name != "hermes":
        return f"{shlex.quote(sys.executable)} -m hermes"
    known = shutil.which("hermes")
    if known is not None and Path(known).resolve() == called.resolve():
        return "hermes"
    here = Path.cwd()
    absolute = called.absolute()
    shown = absolute.relative_to(here) if absolute.is_relative_to(here) else absolute
    return shlex.quote(str(shown))


def _ask(stage: Stage, words: str) -> dict[str, Any]:
    """The best hit of a search made by a process of its own."""
    asked = ("sessions", "search", words, "--limit", "1", "--json")
    hits = json.loads(_run(stage, *asked))["hits"]
    if not hits:
        raise HermesError(
            f"Another process found nothing for {words!r}.", f"Run `{stage.prefix} doctor`."
        )
    found: dict[str, Any] = hits[0]
    return found


def _run(stage: Stage, *arguments: str) -> str:
    """What another process prints, which knows nothing but the home."""
    done = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-m", "hermes", "--home", str(stage.home.root), *arguments],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        env={**stage.environ, "PYTHONIOENCODING": "utf-8"},
    )
    if done.returncode != 0:
        raise HermesError(
            f"`hermes {' '.join(arguments)}` failed in another process.", done.stderr.strip()
        )
    return done.stdout


def _print_hit(hit: Mapping[str, Any]) -> None:
    session, message = hit["session"], hit["message"]
    day = render_local(parse_time(message["at"]))
    typer.echo(dim(f"    {day} · {session['platform']} · {fit(session['title'], 40)}"))
    marks: Spans = [(start, end) for start, end in hit["snippet"]["highlights"]]
    _print_wrapped(hit["snippet"]["text"], marks)


def _print_memory(item: Mapping[str, Any]) -> None:
    """What is recalled, and what must be told with it."""
    _print_wrapped(item["text"])
    note = tame(item["note"])
    for start, end in wrap(note, screen_width() - 6) if note else ():
        typer.echo(dim(f"      {note[start:end].rstrip()}"))


def _print_wrapped(said: str, marks: Spans = ()) -> None:
    text = tame(said)
    for start, end in wrap(text, screen_width() - 4):
        typer.echo("    " + embolden(text, start, end, marks))


def _print_next(stage: Stage) -> None:
    typer.echo(typer.style("Go on", bold=True))
    typer.echo("  on the sample:")
    for rest in (
        'sessions search "why not MongoDB"',
        "sessions show atlas-202510211145",
        f'memory recall "what does Lena prefer" --bank {BANK} --trace',
        "status",
    ):
        typer.echo(f"    {stage.prefix} {rest}")
    where = stage.environ.get("HERMES_HOME") or "~/.hermes"
    typer.echo(f"  with a memory of your own, in {where}:")
    turn = '{"role": "user", "content": "I prefer tea"}'
    typer.echo(f"    echo '{turn}' | {stage.program} sessions record")
    typer.echo(f"    {stage.program} sessions search tea")
    typer.echo(f"    {stage.program}                # a chat that remembers, also without a model")
    typer.echo(f"    {stage.program} model          # pick and test the model that answers")
    typer.echo(f"    {stage.program} open           # the dashboard; starts the daemon")
    if stage.is_temporary:
        typer.echo(dim(f"\n  the sample goes away with: rm -r {stage.home.root}"))
