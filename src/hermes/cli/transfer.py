"""Conversations in and out: `hermes sessions import`, `export` and `record`."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO, TextIO

import typer

from hermes.app import App
from hermes.app.conversations import ConversationActions
from hermes.app.shapes import imported_shape, recorded_shape
from hermes.cli.layout import fit
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, InBank, Yes
from hermes.cli.progress import progress
from hermes.cli.render import aside, confirm, count, print_json
from hermes.config.running import find_daemon
from hermes.errors import UserError
from hermes.memory.banks import Belonging
from hermes.memory.importing import Import, Imported
from hermes.memory.transcript import MAX_LINE_BYTES, json_fault, parse_messages
from hermes.store.base import SessionFilter
from hermes.types import NewSession, Origin, Turn

STDIN = "-"

ToBank = Annotated[str, typer.Option("--bank", metavar="NAME", help="The bank to put it in.")]
ToSession = Annotated[str, typer.Option("--session", metavar="ID", help="The session's id.")]
Platform = Annotated[str, typer.Option(metavar="NAME", help="Where it took place.")]
Identity = Annotated[str, typer.Option(metavar="NAME", help="With whom it took place.")]
Title = Annotated[str, typer.Option(metavar="TEXT", help="A title for the session.")]
User = Annotated[str, typer.Option(metavar="NAME", help="Whose it is: may name the bank.")]
Project = Annotated[str, typer.Option(metavar="NAME", help="Its project: may name the bank.")]
Customer = Annotated[str, typer.Option(metavar="NAME", help="Its customer: may name the bank.")]


class Format(StrEnum):
    """What an export can be written as."""

    JSONL = "jsonl"
    TRAJECTORY = "trajectory"


def import_files(  # noqa: PLR0913 (options of a command line)
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="JSONL files; - is stdin.")],
    *,
    session: ToSession = "",
    bank: ToBank = "",
    platform: Platform = "",
    identity: Identity = "",
    title: Title = "",
    user: User = "",
    project: Project = "",
    customer: Customer = "",
    as_json: AsJson = False,
) -> None:
    """Take in conversations: OpenAI-style messages, one JSON object a line.

    What was taken in before is not taken in again. A line that cannot be read ends the import: all
    before it is kept, and the same command goes on once the line is mended.
    """
    done = []
    with opened() as hermes:
        about = NewSession(
            id=session,
            bank=bank or _bank_by_strategy(hermes, Belonging(user, project, customer)),
            platform=platform,
            identity=identity,
            title=title,
        )
        for file in files:
            imported = _import_one(hermes.conversations, file, about)
            done.append(imported_shape(file, imported))
            if not as_json:
                _say_imported(file, imported)
        is_read = find_daemon(hermes.paths) is not None
        waits = hermes.embedder is not None and not is_read
    if as_json:
        print_json(done)
    if waits and any(each["messages"] for each in done):
        aside("found by its words now; `hermes start`, or `hermes memory reindex`, by its meaning")
    if any(each["messages"] for each in done):
        reading = "are read within the hour" if is_read else "come by `hermes memory extract`"
        aside(f"facts {reading}; those about you wait for `hermes memory approve --all`")


def _bank_by_strategy(hermes: App, belonging: Belonging) -> str:
    """The bank the strategy gives, "" (what the file says) where nothing was said to go by."""
    if belonging == Belonging():
        return ""
    return hermes.conversations.bank_for(belonging)


def _import_one(talk: ConversationActions, file: str, about: NewSession) -> Imported:
    with _reading(file) as source, progress(fit(source.name, 30), source.size) as advance:
        counted = _Counted(source.stream)
        wanted = Import(about, Origin.IMPORT, lambda _: advance(counted.bytes_read))
        try:
            return talk.import_stream(counted, source.name, wanted, began_at=source.written_at)
        except KeyboardInterrupt:
            aside("what was read so far is kept; the same command goes on")
            raise


class _Counted:
    """A stream that knows how far it was read, also where it cannot tell."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.bytes_read = 0

    def readline(self, limit: int = -1) -> bytes:
        line = self._stream.readline(limit)
        self.bytes_read += len(line)
        return line


@dataclass(frozen=True, slots=True)
class _Opened:
    """What is read, and what its file tells of it: how long it is, and when it was written."""

    stream: BinaryIO
    name: str
    size: int | None = None
    written_at: int | None = None


@contextmanager
def _reading(file: str) -> Iterator[_Opened]:
    if file == STDIN:
        yield _Opened(sys.stdin.buffer, "stdin")
        return
    try:
        with Path(file).open("rb") as stream:
            told = os.fstat(stream.fileno())
            yield _Opened(stream, file, told.st_size, round(told.st_mtime * 1000))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise UserError(f"{file}: {error.strerror}", "Give the path of a JSONL file.") from error


def _say_imported(file: str, imported: Imported) -> None:
    name = "stdin" if file == STDIN else file
    there = "was" if imported.duplicates == 1 else "were"
    known = f"; {count(imported.duplicates, 'message')} {there} there already"
    known = known if imported.duplicates else ""
    if not imported.messages:
        typer.echo(f"{name}: nothing new{known}")
        return
    counts = f"{count(imported.messages, 'message')} in {count(imported.sessions, 'session')}"
    typer.echo(f"{name}: kept {counts}{known}")


def export_sessions(
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="SESSION", help="Which sessions.")
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every session.")] = False,
    bank: InBank = "",
    form: Annotated[Format, typer.Option("--format", help="How it is written.")] = Format.JSONL,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write, instead of stdout."
        ),
    ] = None,
    yes: Yes = False,
) -> None:
    """Write conversations as OpenAI-style messages, which `import` reads again.

    As trajectories, each is one ShareGPT line with its tool calls and whether it went well.
    """
    if bool(sessions) == every:
        raise UserError("export needs sessions, or --all", "See `hermes sessions list`.")
    with opened(looking=True) as hermes:
        talk = hermes.conversations
        ids = sessions or [s.id for s in reversed(talk.list_sessions(SessionFilter(bank=bank)))]
        for session_id in ids:
            talk.get_session(session_id)
        with _writing(output, yes=yes) as stream:
            if form is Format.TRAJECTORY:
                written = _write_trajectories(hermes, ids, stream)
            else:
                written = _write_lines(talk, ids, stream)
    if output is not None:
        typer.echo(f"wrote {count(written, 'message')} of {count(len(ids), 'session')} to {output}")


def _write_trajectories(hermes: App, ids: list[str], stream: TextIO) -> int:
    count = 0
    for session_id in ids:
        line = hermes.agent.export_trajectory(session_id)
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")
        count += len(line["conversations"])
    return count


def _write_lines(talk: ConversationActions, ids: list[str], stream: TextIO) -> int:
    count = 0
    for session_id in ids:
        for line in talk.export(session_id):
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return count


@contextmanager
def _writing(output: Path | None, *, yes: bool) -> Iterator[TextIO]:
    """stdout, or a file that only its owner may read and that appears whole or not at all."""
    if output is None:
        yield sys.stdout
        return
    if output.exists():
        confirm(f"Replace {output}?", yes=yes)
    draft = output.with_name(f".{output.name}.part")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            yield stream
        draft.replace(output)
    finally:
        draft.unlink(missing_ok=True)


def record_turn(  # noqa: PLR0913 (options of a command line)
    *,
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="The session; a new one if left out.")
    ] = "",
    bank: ToBank = "",
    platform: Platform = "cli",
    identity: Identity = "",
    title: Title = "",
    parent: Annotated[
        str, typer.Option(metavar="ID", help="The session that this one is part of.")
    ] = "",
    user: User = "",
    project: Project = "",
    customer: Customer = "",
    task: Annotated[str, typer.Option(metavar="TEXT", help="What the turn is about.")] = "",
    key: Annotated[
        str, typer.Option(metavar="KEY", help="Kept once, however often it is sent.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Keep one turn, read from stdin as JSON: a message, a list of them, or {"messages": [...]}.

    On return it is on disk.
    """
    messages = parse_messages(_read_json())
    with opened() as hermes:
        about = NewSession(
            id=session,
            bank=bank or _bank_by_strategy(hermes, Belonging(user, project, customer)),
            platform=platform,
            identity=identity,
            title=title,
            parent_id=parent,
        )
        turn = Turn(about, messages, task=task, key=key)
        receipt = hermes.conversations.record([turn])[0]
    if as_json:
        print_json(recorded_shape(receipt))
    elif receipt.duplicate:
        typer.echo(f"{receipt.session_id}: was kept before")
    else:
        typer.echo(f"{receipt.session_id}: kept {count(len(receipt.message_ids), 'message')}")


def _read_json() -> object:
    if sys.stdin.isatty():
        typer.echo("reading a turn as JSON; end with Ctrl-D", err=True)
    raw = sys.stdin.buffer.read(MAX_LINE_BYTES + 1)
    if len(raw) > MAX_LINE_BYTES:
        raise UserError(
            f"stdin holds more than {MAX_LINE_BYTES / 1e6:,.0f} MB", "Send one turn at a time."
        )
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise UserError(
            f"stdin is not JSON: {json_fault(error)}",
            'Send {"role": "user", "content": "…"} or a list.',
        ) from error
