"""Work beside the program: it never fails the one who woke it, and never dies of a failure."""

import threading
from collections.abc import Callable

from hermes.app.background import Background
from hermes.errors import Unavailable

WAIT_S = 20.0


class Flaky:
    """Fails as an outside library does, as often as it was told to."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.done = 0

    def __call__(self, is_stopped: Callable[[], bool]) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("out of memory")
        self.done += 1


def told(indexer: Background) -> str:
    return indexer.trouble.message if isinstance(indexer.trouble, Unavailable) else ""


def test_the_thread_outlives_an_unforeseen_failure_and_tells_of_it() -> None:
    work = Flaky(failures=1_000_000)
    indexer = Background(work, "indexer", pause_s=0.001)
    indexer.wake()
    assert not indexer.wait(WAIT_S)
    assert "out of memory" in told(indexer)
    work.failures = 0
    indexer.wake()
    assert indexer.wait(WAIT_S)
    assert (work.done > 0, told(indexer)) == (True, "")
    indexer.close()


def test_what_failed_is_tried_again_though_nobody_asks() -> None:
    """Nothing more is recorded: what was last must not stay without a vector for good."""
    done = threading.Event()
    tries: list[int] = []

    def work(is_stopped: Callable[[], bool]) -> None:
        tries.append(1)
        if len(tries) < 4:
            raise Unavailable("the server is down")
        done.set()

    indexer = Background(work, "indexer", pause_s=0.001)
    indexer.wake()
    assert done.wait(WAIT_S)
    indexer.close()
    assert len(tries) == 4
    assert indexer.trouble is None


def test_the_gaps_between_tries_grow_from_half_a_minute_to_ten() -> None:
    gaps, gap, done = list[float](), [0.0], threading.Event()

    def wait(event: threading.Event, timeout_s: float) -> bool:
        gap[0] += timeout_s
        return event.is_set()

    def work(is_stopped: Callable[[], bool]) -> None:
        gaps.append(gap[0])
        gap[0] = 0.0
        if len(gaps) < 8:
            raise Unavailable("the server is down")
        done.set()

    indexer = Background(work, "indexer", wait=wait)
    indexer.wake()
    assert done.wait(WAIT_S)
    indexer.close()
    assert gaps == [0, 30, 60, 120, 240, 480, 600, 600]


def test_who_waits_is_told_of_a_failure_before_it_is_tried_again() -> None:
    work = Flaky(failures=1)
    indexer = Background(work, "indexer", pause_s=600)
    indexer.wake()
    assert not indexer.wait(WAIT_S)
    indexer.close()
    assert work.done == 0


def test_many_threads_may_wake_it_first() -> None:
    for _ in range(15):
        indexer, gate = Background(Flaky(0), "indexer"), threading.Barrier(16)
        failed: list[RuntimeError] = []

        def wake(
            indexer: Background = indexer,
            failed: list[RuntimeError] = failed,
            gate: threading.Barrier = gate,
        ) -> None:
            gate.wait()
            try:
                indexer.wake()
            except RuntimeError as error:
                failed.append(error)

        threads = [threading.Thread(target=wake) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        assert indexer.wait(WAIT_S)
        indexer.close()


def test_waking_what_is_closed_does_nothing() -> None:
    work = Flaky(0)
    indexer = Background(work, "indexer")
    indexer.close()
    indexer.wake()
    assert indexer.wait(WAIT_S)
    assert work.done == 0


def test_what_is_delayed_is_done_and_ends_with_the_program() -> None:
    work = Flaky(failures=0)
    indexer = Background(work, "indexer", delay_s=0.01)
    indexer.wake()
    assert indexer.wait(WAIT_S)
    assert work.done == 1
    indexer.close()
    later = Background(work, "indexer", delay_s=600)
    later.wake()
    later.close()
    assert work.done == 1, "what is closed begins nothing"


def test_it_closes_at_whatever_moment_it_is_asked_to() -> None:
    for n in range(300):
        work = Background(lambda _: None, "hermes-test", delay_s=n % 3 * 0.0005)
        work.wake()
        closing = threading.Thread(target=work.close, daemon=True)
        closing.start()
        closing.join(10.0)
        assert not closing.is_alive()


def test_what_hangs_is_left_behind_when_it_is_closed() -> None:
    begun, go, ended = threading.Event(), threading.Event(), threading.Event()

    def hang(is_stopped: Callable[[], bool]) -> None:
        begun.set()
        go.wait(WAIT_S)
        ended.set()

    indexer = Background(hang, "indexer", closing_s=0.01)
    indexer.wake()
    assert begun.wait(WAIT_S)
    indexer.close()
    assert not ended.is_set()
    go.set()
    assert ended.wait(WAIT_S)
