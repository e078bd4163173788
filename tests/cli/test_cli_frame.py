"""The frame around the commands: help, errors, exit codes, completion, and what is imported."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import typer

from conftest import Hermes
from hermes import __version__
from hermes.cli.context import invocation
from hermes.cli.lazy import Entry, LazyCommand
from hermes.cli.main import COMMANDS, main
from hermes.errors import Unavailable

TEST_PATH = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[1])])
HERMES = Path(sys.executable).with_name("hermes")


def fail() -> None:
    """A command whose part is not there."""
    raise Unavailable("the daemon does not answer", "Run `hermes start`.")


def interrupt() -> None:
    raise KeyboardInterrupt


def leave() -> None:
    raise typer.Exit(3)


def deny() -> None:
    raise PermissionError(errno.EACCES, "Permission denied", "/root/x")


def seal() -> None:
    raise OSError(errno.EROFS, "Read-only file system", "/ro/memories/.MEMORY.md.lock")


def explode() -> None:
    raise ZeroDivisionError("by zero")


def show(json_: bool = typer.Option(False, "--json")) -> None:
    typer.echo(f"{invocation().profile} {dict(invocation().flags)}")


def flood() -> None:
    for _ in range(100_000):
        typer.echo("x" * 100)


HERE = __name__
TABLE = {
    name: Entry(f"{HERE}:{name}", f"Does {name}")
    for name in ("fail", "interrupt", "leave", "deny", "seal", "explode", "show", "flood")
}


def run(*argv: str, environ: Mapping[str, str], table: Mapping[str, Entry] = TABLE) -> int:
    return main(argv, environ, table)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HERMES_HOME": str(tmp_path)}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_line_of_the_table_leads_to_a_command(name: str) -> None:
    entry = COMMANDS[name]
    assert entry.help and not entry.help.endswith(".")
    command = LazyCommand(name, entry).load()
    assert command.name == name
    assert command.help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_that_works(hermes: Hermes, name: str) -> None:
    outcome = hermes(name, "--help")
    assert outcome.code == 0
    assert f"Usage: hermes {name}" in outcome.out


def test_help_lists_every_command_and_version_is_told(hermes: Hermes) -> None:
    text = hermes("--help").out
    assert hermes("-h").out == text
    for name, entry in COMMANDS.items():
        assert f"  {name} " in text and entry.help in text
    assert hermes("--version").out == f"hermes {__version__}\n"


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    script = (
        "import sys, time\n"
        "sys.argv = ['hermes', '--help']\n"
        "from hermes.cli.main import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'apsw', 'pydantic', 'rich', 'onnxruntime', 'httpx2', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)), time.process_time())\n"
    )
    seconds = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", script], check=True, capture_output=True, text=True
        )
        heavy, _, spent = done.stdout.splitlines()[-1].rpartition(" ")
        assert heavy == "[]", done.stderr
        seconds.append(float(spent))
    assert min(seconds) <= 0.25


def test_a_failure_is_two_lines_and_its_code(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fail", environ=environ) == 1
    assert capsys.readouterr().err == (
        "error: the daemon does not answer\nhint: Run `hermes start`.\n"
    )


def test_a_failure_is_json_where_json_was_asked_for(hermes: Hermes) -> None:
    outcome = hermes("-p", "nope", "config", "list", "--json")
    error = json.loads(outcome.err)["error"]
    assert (error["kind"], error["message"]) == ("NotFound", "there is no profile 'nope'")
    assert error["hint"] and outcome.out == ""
    usage = json.loads(hermes("config", "lst", "--json").err)["error"]
    assert usage["kind"] == "UserError"


def test_exit_codes(environ: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("interrupt", environ=environ) == 130
    assert run("leave", environ=environ) == 3
    assert run("nope", environ=environ) == 2
    assert run("fail", "extra", environ=environ) == 2
    capsys.readouterr()
    assert run("deny", environ=environ) == 1
    assert capsys.readouterr().err.startswith("error: Permission denied: /root/x\nhint: ")
    assert run("seal", environ=environ) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: Nothing can be written in /ro/memories: the file system is")
    assert "set HERMES_HOME" in told


def test_a_misspelt_command_or_option_is_set_right(hermes: Hermes) -> None:
    assert "Did you mean 'config'?" in hermes("confg").err
    assert "Did you mean 'list'" in hermes("config", "lst").err
    misplaced = hermes("config", "list", "-p", "work")
    assert misplaced.code == 2
    assert "hermes -p … config list" in misplaced.err


def test_a_command_of_a_group_asked_for_at_the_top_is_pointed_to(hermes: Hermes) -> None:
    outcome = hermes("recall", "flat")
    assert outcome.code == 2
    assert "hint: There is `hermes memory recall`" in outcome.err
    outcome = hermes("search", "x")
    assert "`hermes sessions search` or `hermes memory search`" in outcome.err
    assert "Did you mean" not in outcome.err
    assert ", among others." in hermes("list").err
    assert "`hermes --help`" in hermes("nothing-like-it").err
    assert "There is" not in hermes("memory", "verify").err


def test_a_group_alone_shows_its_help(hermes: Hermes) -> None:
    outcome = hermes("config")
    assert outcome.code == 2 and "Usage: hermes config" in outcome.err


def test_hermes_alone_chats_or_shows_help(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(environ=environ) == 0
    assert "Usage: hermes" in capsys.readouterr().out
    assert run(environ=environ, table={"chat": TABLE["show"]}) == 0
    assert capsys.readouterr().out == "default {}\n"


def test_commands_see_profile_and_flags(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--set", "a.b=c=d", "--set", "e=", "show", environ=environ) == 0
    assert capsys.readouterr().out == "default {'a.b': 'c=d', 'e': ''}\n"
    assert run("--set", "oops", "show", environ=environ) == 2


def program(code: str, *argv: str, environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """The real entry point in a process of its own, with the commands of this file."""
    script = (
        "import sys; from hermes.cli import main\n"
        f"from {HERE} import TABLE\n"
        f"main.COMMANDS.update(TABLE); sys.argv = ['hermes', *{list(argv)!r}]; {code}"
    )
    return subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": TEST_PATH, **environ},
    )


def test_a_mistake_in_hermes_is_one_line_and_a_traceback_in_the_log(
    environ: dict[str, str], tmp_path: Path
) -> None:
    done = program("main.run()", "explode", environ=environ)
    assert done.returncode == 1
    assert done.stderr.startswith("error: unexpected: ZeroDivisionError: by zero\nhint: ")
    assert "Traceback" not in done.stderr
    log = tmp_path / "logs" / "crash.log"
    assert "Traceback" in log.read_text() and str(log) in done.stderr
    assert log.stat().st_mode & 0o777 == 0o600
    loud = program("main.run()", "explode", environ={**environ, "HERMES_DEBUG": "1"})
    assert loud.returncode == 1 and "Traceback" in loud.stderr


def test_a_reader_who_leaves_is_no_error(environ: dict[str, str]) -> None:
    code = f"from hermes.cli.main import main; from {HERE} import TABLE; import sys, os\n"
    code += "sys.exit(main(['flood'], dict(os.environ), TABLE))"
    writer = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": TEST_PATH, **environ},
    )
    assert writer.stdout is not None and writer.stderr is not None
    writer.stdout.readline()
    writer.stdout.close()
    assert writer.stderr.read() == b""
    writer.stderr.close()
    assert writer.wait() == 141  # as of any program whose reader left


def complete(words: str, environ: Mapping[str, str]) -> list[str]:
    """What bash would offer after these words."""
    done = subprocess.run(
        [HERMES],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            **environ,
            "_HERMES_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        },
    )
    return done.stdout.split()


def test_completion(environ: dict[str, str]) -> None:
    assert complete("hermes conf", environ) == ["config"]
    assert complete("hermes config ", environ) == ["get", "set", "unset", "list", "edit"]
    assert complete("hermes config get memory.ret", environ)[0].startswith("memory.retrieval.")
    assert complete("hermes config set memory.poolS", environ) == ["memory.poolSize"]
    assert "--profile" in complete("hermes --pro", environ)
    main(["profile", "create", "work"], environ)
    assert complete("hermes profile use w", environ) == ["work"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_can_be_shown(shell: str) -> None:
    done = subprocess.run(
        [HERMES],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "_HERMES_COMPLETE": f"source_{shell}"},
    )
    assert "_HERMES_COMPLETE" in done.stdout


@pytest.mark.parametrize("command", ["status", "log", "jobs list", "sessions list"])
def test_a_named_home_that_is_not_there_is_not_made_by_looking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    home = tmp_path / "nowhere"
    assert main(["--home", str(home), *command.split()], {}) == 1
    assert f"There is no home at {home}." in capsys.readouterr().err
    assert not home.exists()


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "2> >(true)"])
def test_streams_that_nobody_reads_are_no_crash(tmp_path: Path, closed: str) -> None:
    command = f"{HERMES} --home {tmp_path} config get no.such.key {closed}"
    done = subprocess.run(["bash", "-c", command], check=False, capture_output=True)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr
    assert not (tmp_path / "logs" / "crash.log").exists()
