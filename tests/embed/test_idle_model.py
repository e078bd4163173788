"""A model is given back by itself, whoever loaded it, and no timer runs while there is none."""

import os
import threading

import pytest

from hermes.clock import FixedClock
from hermes.embed.idle_model import Idling, start_timer
from hermes.errors import Unavailable
from ringing import Timer

IDLE_S = 60.0


def opened(clock: FixedClock, timer: Timer) -> Idling[str]:
    return Idling("thing", lambda: "model", clock, IDLE_S, timer=timer)


def test_it_is_given_back_after_its_idle_time_and_comes_again() -> None:
    clock, timer = FixedClock(), Timer()
    model = opened(clock, timer)
    assert not timer.is_set, "nothing is loaded"
    for _ in range(2):
        assert model.use(str.upper) == "MODEL"
        assert timer.is_set
        clock.advance(60_000)
        timer.ring()
        assert not model.is_loaded
        assert not timer.is_set
    assert timer.delays_s == [60.0, 60.0]


def test_use_puts_it_off_by_what_is_left() -> None:
    clock, timer = FixedClock(), Timer()
    model = opened(clock, timer)
    model.use(str)
    clock.advance(45_000)
    model.find()
    clock.advance(15_000)
    timer.ring()
    assert model.is_loaded
    assert timer.delays_s == [60.0, 45.0]
    clock.advance(45_000)
    timer.ring()
    assert not model.is_loaded


def test_what_runs_keeps_it_however_long_it_takes() -> None:
    clock, timer = FixedClock(), Timer()
    model = opened(clock, timer)

    def work(_: str) -> bool:
        clock.advance(600_000)
        timer.ring()
        return model.is_loaded

    assert model.use(work)
    assert timer.is_set


def test_a_clock_that_is_set_back_keeps_it_no_longer_than_its_idle_time() -> None:
    clock, timer = FixedClock(), Timer()
    model = opened(clock, timer)
    model.use(str)
    clock.advance(-3_600_000)
    timer.ring()
    assert timer.delays_s == [60.0, 60.0]


def test_closing_ends_the_timer() -> None:
    clock, timer = FixedClock(), Timer()
    model = opened(clock, timer)
    model.use(str)
    model.close()
    assert not timer.is_set
    with pytest.raises(Unavailable):
        model.use(str)


def test_what_loads_it_while_it_is_closed_leaves_nothing_behind() -> None:
    timer, inside, go = Timer(), threading.Event(), threading.Event()
    model = Idling("thing", lambda: "model", FixedClock(), IDLE_S, timer=timer)

    def work() -> str:
        inside.set()
        assert go.wait(20)
        with pytest.raises(Unavailable):  # closing has begun
            while True:
                model.run(str)
        return model._get()

    running = threading.Thread(target=model.run, args=(work,))
    running.start()
    assert inside.wait(20)
    closing = threading.Thread(target=model.close)
    closing.start()
    go.set()
    for thread in (running, closing):
        thread.join(20)
        assert not thread.is_alive()
    assert timer.delays_s == [IDLE_S], "it was loaded"
    assert not model.is_loaded
    assert not timer.is_set


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_gives_back_what_it_uses() -> None:
    timer = Timer()
    model = opened(FixedClock(), timer)
    model.use(str)
    if not (child := os.fork()):
        model.run(model.find)  # as questions do
        model.use(str)
        os._exit(len(timer.delays_s))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 2, "its own timer, once"
    model.use(str)
    assert timer.delays_s == [IDLE_S]


def test_a_real_timer_rings_once_and_leaves_no_thread() -> None:
    rung = threading.Event()
    start_timer(0.0, rung.set)
    assert rung.wait(20)
    before = set(threading.enumerate())
    cancel = start_timer(600, rung.set)
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon
    cancel()
    thread.join(20)
    assert not thread.is_alive()
