"""A job killed at any step leaves each of its effects once or not at all, and is finished later."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from job_child import PLACES, STEPS

from hermes.clock import SystemClock
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import JobFilter, JobState
from places import Place

CHILD = Path(__file__).with_name("job_child.py")


def run_child(place: Place, kill_at: str) -> int:
    return subprocess.run(
        [sys.executable, str(CHILD), place.render(), kill_at], timeout=60, check=False
    ).returncode


@pytest.mark.parametrize("kill_at", PLACES)
def test_each_effect_is_kept_once(place: Place, kill_at: str) -> None:
    store = place.open()
    store.write(lambda tx: tx.jobs.add("climb", now=SystemClock().now()))
    store.close()
    assert run_child(place, kill_at) == -signal.SIGKILL
    assert run_child(place, "") == 0
    store = place.open()
    lines = store.read(lambda tx: tx.events.list(EventFilter(), 99))
    steps = [f"step {n}" for n in range(1, STEPS + 1)]
    assert [line.summary for line in reversed(lines)] == [*steps, "last"]
    (job,) = store.read(lambda tx: tx.jobs.list(JobFilter(), 9))
    assert job.state is JobState.DONE
    assert job.attempts == (1 if kill_at == "done" else 2)
    store.close()
