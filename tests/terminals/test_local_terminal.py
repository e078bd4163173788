"""Commands on this machine: limits hold, nothing is left running, long output is cut, told."""

import asyncio
import gc
import os
import re
import resource
import signal
import sys
import time
import warnings
from pathlib import Path

import pytest

from hermes.errors import UserError
from hermes.terminals.base import Command, Finished
from hermes.terminals.environment import public_environ
from hermes.terminals.local import LocalTerminal


def run(line: str, folder: Path, *, timeout_s: float = 20.0, limit: int = 2_000) -> Finished:
    path = {"PATH": "/usr/bin:/bin"}
    command = Command(line, folder, timeout_s, path, max_output_bytes=limit)
    return asyncio.run(LocalTerminal().run(command))


def test_output_of_both_streams_and_the_exit_code(tmp_path: Path) -> None:
    done = run("echo out; echo err >&2; pwd; exit 3", tmp_path)
    assert done.exit_code == 3
    assert done.output == f"out\nerr\n{tmp_path}\n"


def test_a_command_that_reads_input_gets_none(tmp_path: Path) -> None:
    assert run("cat; echo done", tmp_path).output == "done\n"


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_time_limit_stops_children_too(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    done = run(f"(sleep 60 & echo $! > {mark}; wait) & sleep 60", tmp_path, timeout_s=3.0)
    assert done.exit_code is None
    give_up_at = time.monotonic() + 30
    while is_running(int(mark.read_text())) and time.monotonic() < give_up_at:
        time.sleep(0.01)
    assert not is_running(int(mark.read_text()))


def test_a_child_that_does_not_listen_is_stopped_all_the_same(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    deaf = f"(trap '' TERM; echo $BASHPID > {mark}; exec sleep 60) & sleep 60"
    command = Command(deaf, tmp_path, timeout_s=3.0, environ={"PATH": "/usr/bin:/bin"})
    asyncio.run(LocalTerminal("/bin/bash").run(command))
    give_up_at = time.monotonic() + 30
    while is_running(int(mark.read_text())) and time.monotonic() < give_up_at:
        time.sleep(0.01)
    assert not is_running(int(mark.read_text()))


def test_a_child_that_holds_the_pipe_does_not_hold_us(tmp_path: Path) -> None:
    done = run("sleep 30 & echo started", tmp_path)
    assert done.output == "started\n"
    assert done.seconds < 10


def test_what_a_command_left_running_goes_on_after_its_end(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    assert run(f"sleep 60 & echo $! > {mark}", tmp_path).exit_code == 0
    child = int(mark.read_text())
    try:
        assert is_running(child)
    finally:
        os.kill(child, signal.SIGKILL)


def test_long_output_keeps_its_start_and_end(tmp_path: Path) -> None:
    done = run("echo FIRST; yes | head -c 500000; echo LAST", tmp_path)
    assert done.output.startswith("FIRST")
    assert done.output.endswith("LAST\n")
    assert done.dropped_bytes > 490_000
    assert "bytes left out" in done.output
    assert len(done.output) < 2_100


def test_cancelling_stops_the_command(tmp_path: Path) -> None:
    mark = tmp_path / "alive"

    async def interrupt() -> None:
        command = Command(f"echo go; sleep 60; touch {mark}", tmp_path)
        started = asyncio.Event()
        run = LocalTerminal().run(command, lambda text: started.set())
        task = asyncio.create_task(run)
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    began = time.monotonic()
    asyncio.run(interrupt())
    assert time.monotonic() - began < 30
    assert not mark.exists()


def test_an_interrupt_while_a_command_is_being_stopped_leaves_no_process_behind(
    tmp_path: Path,
) -> None:
    """Who presses Ctrl-C twice: what is left open shows as a warning once it is collected."""

    async def interrupt() -> None:
        started = asyncio.Event()
        command = Command("trap '' TERM; echo go; while :; do sleep 1; done", tmp_path)
        task = asyncio.create_task(LocalTerminal().run(command, lambda text: started.set()))
        await started.wait()
        while not task.done():
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        asyncio.run(interrupt())
        gc.collect()
    assert [str(each.message) for each in told] == []


def test_bytes_that_are_no_text_do_not_break_it(tmp_path: Path) -> None:
    assert "\ufffd" in run(r"printf '\377\376'", tmp_path).output


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="could not be started"):
        run("true", tmp_path / "nowhere")


def test_secrets_are_not_passed_on() -> None:
    environ = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "sk",
        "HERMES_HOME": "/h",
        "GITHUB_TOKEN": "t",
        "DB_PASSWORD": "p",
        "PGPASSWORD": "p",
        "REDIS_URL": "redis://me:secret@host/0",
        "KEYBOARD": "us",
        "SSH_AUTH_SOCK": "/s",
    }
    assert set(public_environ(environ)) == {"PATH", "KEYBOARD", "SSH_AUTH_SOCK"}


def count_open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_command_that_is_interrupted_while_it_starts_leaves_no_pipe_open(tmp_path: Path) -> None:
    command = Command("true", tmp_path, environ={"PATH": "/usr/bin:/bin"})

    async def run_and_interrupt() -> int:
        await LocalTerminal().run(command)
        before = count_open()
        for steps in range(20):
            running = asyncio.create_task(LocalTerminal().run(command))
            for _ in range(steps):
                await asyncio.sleep(0)
            running.cancel()
            await asyncio.wait([running])
        for _ in range(1_000):  # what ends is closed by the loop, a little later
            if count_open() == before:
                break
            await asyncio.sleep(0.01)
        return count_open() - before

    assert asyncio.run(run_and_interrupt()) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets limits of others")
def test_hard_limits_hold_for_all_it_starts(tmp_path: Path) -> None:
    line = "grep 'Max open files' /proc/self/limits; setsid sh -c 'ulimit -n'"
    limits = {resource.RLIMIT_NOFILE: 99}
    command = Command(line, tmp_path, 20.0, {"PATH": "/usr/bin:/bin"}, limits=limits)
    done = asyncio.run(LocalTerminal().run(command))
    assert re.sub(r" +", " ", done.output) == "Max open files 99 99 files \n99\n"
