"""A lock file may be removed by who holds it: still only one holds it at a time."""

import threading
import time
from pathlib import Path

import pytest

from hermes.config.files import locked
from hermes.errors import Conflict

WAIT_S = 10.0


def _open_handles(path: Path) -> int:
    """How often this process has the file open, under whatever name it has by now."""
    links = [each for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
    return sum(str(each.readlink()).startswith(str(path)) for each in links if each.exists())


def test_who_waited_for_a_lock_that_was_removed_holds_the_one_that_is_there(tmp_path: Path) -> None:
    lock = tmp_path / "import.lock"
    entered, leave = threading.Event(), threading.Event()

    def wait_in_line() -> None:
        with locked(lock):
            entered.set()
            leave.wait(WAIT_S)

    waiting = threading.Thread(target=wait_in_line)
    with locked(lock):
        waiting.start()
        give_up_s = time.monotonic() + WAIT_S
        while _open_handles(lock) < 2:
            assert time.monotonic() < give_up_s
        lock.unlink()
    assert entered.wait(WAIT_S)
    try:
        with pytest.raises(Conflict), locked(lock, wait_s=0):
            pass
    finally:
        leave.set()
        waiting.join()
    with locked(lock, wait_s=0):
        pass


def test_a_lock_that_is_held_is_given_up_on_in_time(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    with locked(lock), pytest.raises(Conflict), locked(lock, wait_s=0.05):
        pass
