"""A worker in a process of its own, killed by itself at the place its arguments name.

    python job_child.py PLACE KILL_AT

The job has three steps and a last effect. KILL_AT is one of the places below; "" lives on.
"""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hermes.clock import SystemClock
from hermes.jobs.work import Effect, Terms, Work
from hermes.jobs.worker import Worker, WorkerOptions
from hermes.store.base import Tx
from places import parse_place

STEPS = 3
PLACES = (
    "claimed",
    *(f"{place} {step}" for step in range(1, STEPS + 1) for place in ("before", "inside", "after")),
    "finishing",
    "done",
)


class Climb:
    """Adds one line to the log at each step, and one with its completion."""

    kind = "climb"
    limit_s = 600.0

    def __init__(self, kill_at: str) -> None:
        self._kill_at = kill_at

    def run(self, work: Work) -> Effect:
        self._pass("claimed")
        for step in range(int(str(work.saved.get("reached", 0))) + 1, STEPS + 1):
            self._pass(f"before {step}")
            work.commit(self._line(f"step {step}", f"inside {step}"), saved={"reached": step})
            self._pass(f"after {step}")
        return self._line("last", "finishing")

    def _line(self, text: str, place: str) -> Effect:
        def keep(tx: Tx) -> None:
            tx.events.add("result", text, at=1)
            self._pass(place)

        return keep

    def _pass(self, place: str) -> None:
        if place == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    store = parse_place(sys.argv[1]).open()
    store.write(lambda tx: tx.jobs.release_owner("child", now=SystemClock().now()))
    options = WorkerOptions(Terms("child"), poll_s=0.01)
    Worker(store, SystemClock(), [Climb(sys.argv[2])], [], options).run(until_idle=True)
    if sys.argv[2] == "done":
        os.kill(os.getpid(), signal.SIGKILL)
    store.close()


if __name__ == "__main__":
    main()
