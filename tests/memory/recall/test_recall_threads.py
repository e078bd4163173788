"""Threads that nobody has to wait for."""

import threading
from concurrent.futures import CancelledError

import pytest

from hermes.memory.recall.threads import Threads

WAIT_S = 20.0


def test_what_was_worked_out_comes_back_and_so_does_what_went_wrong() -> None:
    threads = Threads(2, "test")
    assert threads.submit(lambda: 7).result(WAIT_S) == 7
    failed = threads.submit(lambda: 1 // 0)
    assert isinstance(failed.exception(WAIT_S), ZeroDivisionError)
    assert threads.submit(lambda: 8).result(WAIT_S) == 8
    threads.close()


def test_no_more_threads_run_than_were_asked_for() -> None:
    threads, go = Threads(2, "test"), threading.Event()
    running = [threads.submit(lambda: go.wait(WAIT_S)) for _ in range(5)]
    alive = [each for each in threading.enumerate() if each.name.startswith("test_")]
    assert len(alive) == 2
    assert all(each.daemon for each in alive), "a program that ends would wait for them"
    go.set()
    assert all(each.result(WAIT_S) for each in running)
    threads.close()


def test_closing_waits_for_nothing_and_cancels_what_has_not_begun() -> None:
    threads, begun, go = Threads(1, "test"), threading.Event(), threading.Event()

    def hang() -> bool:
        begun.set()
        return go.wait(WAIT_S)

    hung, queued = threads.submit(hang), threads.submit(lambda: True)
    assert begun.wait(WAIT_S)
    threads.close()
    assert not hung.done()
    with pytest.raises(CancelledError):
        queued.result(WAIT_S)
    go.set()
    assert hung.result(WAIT_S)
