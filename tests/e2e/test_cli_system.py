"""Status, doctor, banks and first use through the real program, on sound and on damaged homes."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from real_program import HERMES, Program

from hermes.app import open_app
from hermes.config.paths import Home

RECOVERY_KEY = re.compile(r"(?:[0-9A-Z]{4}-?\s*){14}")
TURN = '{"role": "user", "content": "The launch is on 21 November."}'


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def levels(program: Program) -> dict[str, str]:
    """Each part and how it is, by `doctor --json`."""
    done = program.run("doctor", "--json")
    return {finding["part"]: finding["level"] for finding in json.loads(done.stdout)}


def shown_key(stderr: str) -> str:
    found = RECOVERY_KEY.search(stderr)
    assert found is not None, stderr
    return "".join(found[0].split())


def test_the_recovery_key_is_shown_once_and_never_in_the_json(program: Program) -> None:
    first = program.run("sessions", "record", "--json", stdin=TURN)
    key = shown_key(first.stderr)
    assert json.loads(first.stdout)["message_ids"] == [1]
    assert str(program.home / "keys" / "database.key") in first.stderr
    again = program.run("status", "--json")
    assert again.stderr == "" and key not in again.stdout


def test_a_lost_key_is_put_back_from_the_recovery_key(program: Program) -> None:
    key = shown_key(program.run("sessions", "record", stdin=TURN).stderr)
    (program.home / "keys" / "database.key").unlink()
    lost = program.run("sessions", "list")
    assert lost.returncode == 1 and "its key is not" in lost.stderr
    wrong = program.run(
        "doctor", "--restore-key", stdin=key.replace(key[0], "Z" if key[0] != "Z" else "Y", 1)
    )
    assert wrong.returncode == 2 and "typing error" in wrong.stderr
    half = (len(key) + 1) // 2
    shown = f"  {key[:half]}\n  {key[half:]}\n"  # on two lines, as printed
    assert shown.splitlines()[0].endswith("-")
    mended = program.run("doctor", "--restore-key", stdin="\n" + shown.lower())
    assert mended.returncode == 0, mended.stdout + mended.stderr
    assert len(program.json("sessions", "list")) == 1


def test_doctor_on_a_sound_home(program: Program) -> None:
    program.ok("sessions", "record", stdin=TURN)
    done = program.run("doctor")
    assert done.returncode == 0
    assert "✓ database" in done.stdout and str(program.home / "keys") in done.stdout
    found = levels(program)
    assert set(found.values()) == {"ok"}
    assert {"config", "home", "disk", "sqlite", "key", "database", "embeddings", "search"} <= set(
        found
    )


def test_doctor_names_an_import_that_was_cut_short(program: Program) -> None:
    program.ok("sessions", "record", stdin=TURN)
    stage = program.home / "run" / "import-0123456789abcdef.db"
    stage.parent.mkdir(mode=0o700, exist_ok=True)
    stage.write_bytes(b"half of a file")
    assert levels(program)["import"] == "warning"
    program.ok("memory", "import", "--undo")
    assert not stage.exists()
    assert "import" not in levels(program)
    with open_app(Home(program.home.resolve()).profile("default"), {}) as app:
        plan = '{"name": "import-1", "is_fresh": false}'
        app.store.write(lambda tx: tx.portable.save_arrival(plan))
    assert levels(program)["import"] == "warning"
    program.ok("memory", "import", "--undo")
    assert "import" not in levels(program)


def test_doctor_makes_nothing(program: Program) -> None:
    assert program.run("doctor").returncode == 0
    assert not program.home.exists()


def test_doctor_writes_plainly_where_marks_cannot_be_written(program: Program) -> None:
    done = program.run("doctor", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert "ok database" in done.stdout and "\\u2713" not in done.stdout


def flip(file: Path, at: int) -> None:
    """Change one byte, as a bad disk would."""
    content = bytearray(file.read_bytes())
    content[at] ^= 0x40
    file.write_bytes(content)


def test_a_damaged_database_is_named_and_the_rest_is_checked(program: Program) -> None:
    program.ok("sessions", "record", stdin=TURN)
    flip(program.home / "memory.db", 4096 * 2 + 100)
    found = levels(program)
    assert program.run("doctor").returncode == 1
    assert found["database"] == "failed"
    assert found["embeddings"] == found["config"] == found["sqlite"] == found["home"] == "ok"


def test_a_database_that_is_none_stops_commands_and_not_the_doctor(program: Program) -> None:
    program.ok("sessions", "record", stdin=TURN)
    (program.home / "memory.db").write_bytes(b"this is no database" * 500)
    searched = program.run("sessions", "search", "launch")
    assert searched.returncode == 1 and "hint:" in searched.stderr
    assert levels(program) | {"key": "ok", "embeddings": "ok"} == levels(program)
    assert levels(program)["database"] == "failed"


def test_settings_that_cannot_be_read_hide_no_other_part(program: Program) -> None:
    program.home.mkdir(mode=0o700)
    (program.home / "config.json").write_text('{"memroy": {}}')
    found = levels(program)
    assert program.run("doctor").returncode == 1
    assert (found["config"], found["sqlite"], found["database"]) == ("failed", "ok", "warning")


def test_what_others_can_read_and_what_leads_elsewhere(program: Program, tmp_path: Path) -> None:
    program.ok("sessions", "record", stdin=TURN)
    (program.home / ".env").write_text("X=1\n")
    (program.home / ".env").chmod(0o644)
    program.home.chmod(0o755)
    found = levels(program)
    assert (found[".env"], found["home"]) == ("warning", "warning")
    assert program.run("doctor").returncode == 0
    (program.home / "skills" / "elsewhere").symlink_to(tmp_path)
    assert levels(program)["home"] == "failed"


def test_status_beside_a_process_that_holds_the_store(program: Program) -> None:
    program.ok("sessions", "record", stdin=TURN)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from hermes.app import open_app\n"
        "from hermes.config.paths import Home\n"
        "from hermes.types import NewSession, Role, Turn, Utterance\n"
        "home = Home(Path(sys.argv[1]).resolve())\n"
        "with open_app(home.profile('default'), {}) as app:\n"
        "    said = (Utterance(Role.USER, 'from the other process'),)\n"
        "    app.conversations.record([Turn(NewSession(), said)])\n"
        "    print('open', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, program.home],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=program.environment(),
    ) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        assert program.json("status")["store"]["counts"]["messages"] == 2
        assert program.json("sessions", "search", "other process")["found"] == 1
        program.ok("sessions", "record", stdin=TURN)
        holder.stdin.close()
    assert holder.returncode == 0
    assert program.json("status")["store"]["counts"]["messages"] == 3


def test_banks(program: Program) -> None:
    made = program.json("bank", "create", "work", "--description", "Atlas and the rest")
    assert made["description"] == "Atlas and the rest"
    assert [bank["name"] for bank in program.json("bank", "list")] == ["default", "work"]
    assert program.json("bank", "show", "work")["sessions"] == 0
    assert program.run("bank", "show", "nope").returncode == 1
    assert program.run("bank", "create", "../x").returncode == 2


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("status",), 0),
        (("sessions", "show", "nope"), 1),
        (("sessions", "restore", "nope"), 1),
        (("sessions", "search"), 2),
        (("sessions", "search", "x", "--limit", "0"), 2),
        (("sessions", "search", "x", "--role", "queen"), 2),
        (("sessions", "import"), 2),
        (("nope",), 2),
    ],
)
def test_exit_codes(program: Program, argv: tuple[str, ...], code: int) -> None:
    done = program.run(*argv)
    assert done.returncode == code
    assert ("error:" in done.stderr) == (code != 0)


def test_an_error_is_json_where_json_was_asked_for(program: Program) -> None:
    program.ok("sessions", "record", stdin='{"role": "user", "content": "hello"}')
    done = program.run("sessions", "show", "nope", "--json")
    error = json.loads(done.stderr)["error"]
    assert error["kind"] == "NotFound" and error["hint"] and done.stdout == ""


def complete(program: Program, words: str) -> list[str]:
    environ = {"_HERMES_COMPLETE": "complete_bash", "COMP_WORDS": words}
    done = program.run(**environ, COMP_CWORD=str(len(words.split(" ")) - 1))
    return done.stdout.split()


def test_the_shell_completes_commands_and_sessions(program: Program) -> None:
    assert complete(program, "hermes sessions se") == ["search"]
    assert complete(program, "hermes sessions show at") == []
    assert not program.home.exists()
    program.ok("sessions", "record", "--session", "atlas-1", "--title", "One", stdin=TURN)
    assert complete(program, "hermes sessions show at") == ["atlas-1"]


def shown_in_readme() -> list[str]:
    """The pieces of what the demo prints that the README shows, word by word."""
    page = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    (block,) = re.findall(r"```\n(  \$ hermes .*?)```", page, re.DOTALL)
    pieces: list[str] = block.split("…\n  $")
    assert len(pieces) == 2
    return pieces


def test_the_demo_plays_in_a_home_of_its_own(program: Program, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environ = program.environment(HOME=str(tmp_path), TMPDIR=str(scratch), TZ="UTC")
    del environ["HERMES_HOME"]
    environ["COLUMNS"] = "80"
    done = subprocess.run(
        [HERMES, "demo"], check=False, capture_output=True, text=True, env=environ
    )
    assert done.returncode == 0, done.stderr
    assert "NATS JetStream" in done.stdout and "数据库迁移" in done.stdout
    for shown in shown_in_readme():
        assert shown in done.stdout, "the README shows what is printed"
    assert not (tmp_path / ".hermes").exists()
    (home,) = scratch.glob("hermes-demo-*")
    assert oct(home.stat().st_mode & 0o777) == "0o700"
    printed = [line.strip() for line in done.stdout.splitlines() if f"--home {home}" in line]
    assert len(printed) == 4
    for line in printed:
        ran = subprocess.run(
            shlex.split(line), check=True, capture_output=True, text=True, env=environ
        )
        assert ran.stdout


def test_the_demo_fails_if_the_others_find_nothing(program: Program) -> None:
    play = ("--home", str(program.home), "demo")
    program.ok(*play)
    again = program.run(*play)
    assert again.returncode == 0 and "314 messages" in again.stdout
    assert program.json("status")["store"]["counts"]["messages"] == 314
    hidden = [s["id"] for s in program.json("sessions", "list", "--limit", "100")]
    for session in hidden:
        if session.startswith("atlas-202509"):
            program.ok("sessions", "delete", session, "--yes")
    failed = program.run(*play)
    assert failed.returncode == 1 and "error:" in failed.stderr


def test_python_dash_m_is_the_same_program(program: Program) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hermes", "--version"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "HERMES_HOME": str(program.home)},
    )
    assert done.stdout == program.ok("--version")


def test_searching_is_quick_and_loads_nothing_heavy(program: Program) -> None:
    program.ok("sessions", "record", stdin=TURN)
    script = (
        "import sys, time\n"
        "sys.argv = ['hermes', 'sessions', 'search', 'launch']\n"
        "from hermes.cli.main import run\n"
        "try: run()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'numpy', 'rich', 'onnxruntime', 'httpx2', 'tokenizers'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        env=program.environment(),
    )
    assert done.stdout.splitlines()[-1] == "[]"
