"""The real daemon: started, stopped, killed, doubled, and worked beside."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from real_program import HERMES, Program

from hermes.app import open_app
from hermes.clock import HOUR_MS, SystemClock
from hermes.config.paths import Home, ProfilePaths
from hermes.config.running import find_address, find_daemon
from hermes.memory.indexing import count_backlog
from hermes.store.base.jobs import Lease

WAIT_S = 60.0
TALK = [
    {"role": "user", "content": "We paddle on the Elbe every Sunday."},
    {"role": "assistant", "content": "I will remember the kayaks."},
]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    found = Program((tmp_path / "home").resolve(), {"HOME": str(tmp_path)})
    yield found
    running = find_daemon(paths_of(found))
    if running is not None and running.pid:
        with contextlib.suppress(ProcessLookupError):  # it was about to end
            os.kill(running.pid, signal.SIGKILL)


def paths_of(program: Program) -> ProfilePaths:
    return Home(program.home).profile("default")


def pid_of(program: Program) -> int:
    running = find_daemon(paths_of(program))
    assert running is not None
    return running.pid


def until(is_so: Callable[[], bool], what: str) -> None:
    """Wait for a condition of another process."""
    give_up_s = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < give_up_s, f"never came: {what}"
        time.sleep(0.05)


def log_of(program: Program) -> str:
    return (program.home / "logs" / "daemon.log").read_text()


def is_running(pid: int) -> bool:
    """Whether a process does anything; a dead one nobody asked after does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def record(program: Program) -> str:
    receipt: dict[str, Any] = program.json("sessions", "record", stdin=json.dumps(TALK))
    return str(receipt["session_id"])


def backlog(program: Program) -> int:
    """How many messages have no vector yet, read beside whoever else has the store open."""
    with open_app(paths_of(program), {}) as app:
        return app.store.read(count_backlog)


def jobs(program: Program, *argv: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program.json("jobs", "list", *argv)
    return found


def test_it_starts_works_and_stops(program: Program) -> None:
    program.home.mkdir()
    (program.home / "workspace").mkdir()
    (program.home / "workspace" / "MEMORY.md").write_text("I live in Dresden.")
    first = program.run("start")
    assert first.returncode == 0, first.stderr
    assert "recovery key" in first.stderr
    pid = pid_of(program)
    assert str(pid) in first.stdout
    log = log_of(program)
    assert "workspace/MEMORY.md has 18 characters" in log
    for name in ("daemon.pid", "daemon.lock", "token"):
        assert (program.home / "run" / name).stat().st_mode & 0o777 == 0o600
    for name in ("daemon.log", "daemon.out"):
        assert (program.home / "logs" / name).stat().st_mode & 0o777 == 0o600
    assert len((program.home / "run" / "token").read_text().strip()) >= 32
    stopped = program.ok("stop")
    assert str(pid) in stopped
    assert not is_running(pid)
    assert not (program.home / "run" / "daemon.pid").exists()
    assert log_of(program).rstrip().endswith("stopped")
    assert not (program.home / "memory.db-wal").exists()  # the store was closed in order


def test_it_answers_once_start_has_returned_and_says_where(program: Program) -> None:
    """Also while another program has the port it is known by."""
    with holding(8765):
        started = program.run("start")
        assert started.returncode == 0, started.stderr
        url = str(find_address(paths_of(program)))
        assert f"at {url}," in started.stdout
        assert "port 8765 is taken by another program" in started.stderr
        assert "hermes config set server.port 8765" in started.stderr
        log = log_of(program)
        assert f"serving {url}" in log  # said by the server once it answers
        refused = program.run("--set", "server.port=8765", "restart")
        assert refused.returncode == 1
        assert "Port 8765" in refused.stderr


@contextlib.contextmanager
def holding(port: int) -> Iterator[None]:
    """Hold a port; daemons of other tests that have it soon end, and someone else's stays."""
    give_up_s = time.monotonic() + WAIT_S
    with contextlib.ExitStack() as held:
        while time.monotonic() < give_up_s:
            try:
                held.enter_context(socket.create_server(("127.0.0.1", port)))
                break
            except OSError:
                time.sleep(0.05)
        yield


def test_without_http_start_says_so(program: Program) -> None:
    assert "without HTTP" in program.ok("--set", "server.enabled=false", "start")


def test_what_is_recorded_beside_it_gets_its_vectors(program: Program) -> None:
    program.ok("start")
    record(program)
    until(lambda: backlog(program) == 0, "vectors")
    program.ok("stop")


def test_facts_are_extracted_once_a_session_has_ended(program: Program) -> None:
    program.ok("start")
    said = [{"role": "user", "content": "My name is Kaja and I live in Tallinn."}]
    receipt = program.json("sessions", "record", stdin=json.dumps(said))
    with open_app(paths_of(program), {}) as app:
        app.conversations.end(receipt["session_id"])
        until(lambda: bool(app.facts.list()), "facts")
        found = " ".join(fact.text for fact in app.facts.list())
    assert "Kaja" in found
    assert "Tallinn" in found
    program.ok("stop")


def test_a_second_daemon_is_refused_by_name(program: Program) -> None:
    program.ok("start")
    pid = pid_of(program)
    for argv in (["start"], ["start", "--foreground"]):
        second = program.run(*argv)
        assert second.returncode == 1
        assert f"pid {pid}" in second.stderr
        assert "hermes restart" in second.stderr
    assert pid_of(program) == pid


def test_a_second_daemon_of_one_database_is_refused_whatever_its_home(
    program: Program, tmp_path: Path
) -> None:
    program.ok("start")
    memory, key = program.home / "memory.db", program.home / "keys" / "database.key"
    place = ("--set", f"memory.path={memory}", "--set", f"memory.keyPath={key}")
    refused = program.run("--home", tmp_path / "other", *place, "start")
    assert refused.returncode == 1
    assert f"A daemon already serves {memory}" in refused.stderr


def test_profiles_have_daemons_of_their_own(program: Program) -> None:
    program.ok("profile", "create", "work")
    program.ok("start")
    program.ok("-p", "work", "start")
    work = Home(program.home).profile("work")
    running = find_daemon(work)
    assert running is not None
    assert running.pid != pid_of(program)
    program.ok("-p", "work", "stop")
    assert find_daemon(work) is None
    assert pid_of(program)


def test_restart_gives_a_new_one_whether_one_ran_or_not(program: Program) -> None:
    program.ok("restart")
    before = pid_of(program)
    token = (program.home / "run" / "token").read_text()
    program.ok("restart")
    assert pid_of(program) != before
    assert not is_running(before)
    assert (program.home / "run" / "token").read_text() == token


def test_a_killed_daemon_leaves_nothing_in_the_way(program: Program) -> None:
    program.ok("start")
    pid = pid_of(program)
    os.kill(pid, signal.SIGKILL)
    until(lambda: find_daemon(paths_of(program)) is None, "its lock to be free")
    assert (program.home / "run" / "daemon.pid").exists()
    assert "No daemon" in program.ok("stop")
    program.ok("start")
    assert pid_of(program) != pid


def test_a_pid_file_of_another_process_is_no_daemon(program: Program) -> None:
    program.ok("start")
    program.ok("stop")
    (program.home / "run" / "daemon.pid").write_text(f"{os.getpid()} 1\n")
    assert "No daemon" in program.ok("stop")
    program.ok("start")
    assert pid_of(program) != os.getpid()


def test_what_a_killed_daemon_held_is_taken_up_at_once(program: Program) -> None:
    program.ok("start")
    program.ok("stop")
    hold_job(program)
    (held,) = jobs(program, "--state", "running")
    program.ok("start")
    until(lambda: jobs(program)[0]["state"] == "done", "the job to be done")
    done = program.json("jobs", "show", str(held["id"]))
    assert (done["state"], done["attempts"]) == ("done", 2)


def hold_job(program: Program) -> None:
    """Leave the store as a daemon that was killed at work leaves it: with a job in its name."""
    lease = Lease(f"daemon@{socket.gethostname()}", SystemClock().now(), HOUR_MS)
    with open_app(paths_of(program), {}) as app:
        app.store.write(lambda tx: tx.jobs.add("vacuum", now=lease.now))
        assert app.store.write(lambda tx: tx.jobs.claim(["vacuum"], lease)) is not None


def test_it_says_why_it_cannot_start(program: Program) -> None:
    program.ok("start")
    program.ok("stop")
    database = program.home / "memory.db"
    database.write_bytes(b"not a database at all" * 1000)
    (program.home / "memory.db.mark").unlink(missing_ok=True)
    failed = program.run("start")
    assert failed.returncode == 1
    assert "cannot be read with this key" in failed.stderr
    assert find_daemon(paths_of(program)) is None


def test_a_wrong_setting_is_named_before_anything_starts(program: Program) -> None:
    failed = program.run("--set", "memory.poolSize=many", "start")
    assert failed.returncode == 2
    assert "poolSize" in failed.stderr
    assert not (program.home / "run" / "daemon.pid").exists()


@contextlib.contextmanager
def started(argv: list[str | Path], environ: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """A program that does not outlive the test, however that ends."""
    with subprocess.Popen(argv, env=environ, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_in_the_foreground_it_ends_in_order(program: Program, number: signal.Signals) -> None:
    with started([HERMES, "start", "--foreground"], program.environment()) as process:
        assert process.stderr is not None
        said = ""
        while "jobs to do" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        assert find_daemon(paths_of(program)) is not None
        process.send_signal(number)
        said += process.stderr.read()
        assert process.wait(WAIT_S) == 0
    assert number.name in said
    assert find_daemon(paths_of(program)) is None


def test_it_tells_systemd_when_it_is_ready(program: Program, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(tmp_path / "notify"))
        notify.settimeout(WAIT_S)
        environ = program.environment(NOTIFY_SOCKET=str(tmp_path / "notify"))
        with started([sys.executable, "-m", "hermes", "start", "--foreground"], environ) as process:
            assert notify.recv(100) == b"READY=1"
            process.terminate()
            assert process.wait(WAIT_S) == 0


@pytest.mark.slow
def test_stopping_waits_for_the_running_step(program: Program) -> None:
    """A long job is given back where it was, not lost and not begun anew."""
    lines = [
        json.dumps({"role": "user", "content": f"note {n} " + "word " * 60}) for n in range(4000)
    ]
    file = program.home.parent / "talk.jsonl"
    file.write_text("\n".join(lines))
    program.ok("sessions", "import", str(file))
    program.ok("start")
    until(lambda: any(job["progress"]["done"] for job in jobs(program)), "the first vectors")
    program.ok("stop")
    (job,) = jobs(program, "--kind", "index", "--state", "waiting")
    assert (job["attempts"], job["error"]) == (0, "")
    assert 0 < backlog(program) < 4000
    assert "did not stop in time" not in log_of(program)


def test_jobs_can_be_run_without_a_daemon(program: Program) -> None:
    record(program)
    ran = program.json("jobs", "run", "vacuum")
    assert {job["kind"]: job["state"] for job in ran} == {"index": "done", "vacuum": "done"}
    assert backlog(program) == 0
    (event,) = program.json("log", "--kind", "memory")
    assert event["summary"].startswith("Gave space back")
    assert program.json("log", "verify")["sound"]
    assert program.run("jobs", "run", "nonsense").returncode == 2


def test_a_backup_is_a_job_like_any_other(program: Program) -> None:
    record(program)
    ran = program.json("jobs", "run", "backup")
    assert ("backup", "done") in [(job["kind"], job["state"]) for job in ran]
    assert [file.suffix for file in (program.home / "backups").iterdir()].count(".age") == 1


def test_the_log_is_read_by_time_as_people_say_it(program: Program) -> None:
    program.ok("jobs", "run", "vacuum")
    assert len(program.json("log", "--since", "today")) == 1
    assert program.json("log", "--until", "last tuesday") == []
    assert program.json("log", "--since", "yesterday", "--kind", "decision") == []
    wrong = program.run("log", "--since", "blursday")
    assert wrong.returncode == 2
    assert "blursday" in wrong.stderr


def test_a_service_file_is_shown_written_and_removed(program: Program) -> None:
    shown = program.json("service", "show", "--platform", "linux")
    assert not shown["installed"]
    assert 'start" "--foreground' in shown["text"]
    refused = program.run("service", "install", "--platform", "linux")
    assert refused.returncode == 2
    assert "+Type=notify" in refused.stderr
    assert not Path(shown["path"]).exists()
    program.ok("service", "install", "--platform", "linux", "--yes")
    assert Path(shown["path"]).read_text() == shown["text"]
    assert "already" in program.ok("service", "install", "--platform", "linux")
    link = Path(shown["path"]).parent / "default.target.wants" / "hermes.service"
    link.parent.mkdir()
    link.symlink_to(shown["path"])  # as `systemctl enable` does
    program.ok("service", "uninstall", "--platform", "linux", "--yes")
    assert not Path(shown["path"]).exists()
    assert not link.is_symlink()
    assert program.run("service", "uninstall", "--platform", "linux").returncode == 1
