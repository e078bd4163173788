"""The figures of the agent: what a turn costs besides the model, and when the prompt is there.

The history is made up, and so are its vectors (their number is what costs time, not what they
mean); the question is embedded by the real model, recorded by the real store, recalled and sent.
"""

import asyncio
import os
import pty
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from hermes.app import App, open_app
from hermes.app.agent import ChatOptions
from hermes.bench.corpus import NOW, Speech, turns
from hermes.bench.spine import Figure
from hermes.clock import FixedClock
from hermes.config.paths import Home
from hermes.embed.base import Embedder, EmbedderOptions, Space
from hermes.embed.local import open_embedder
from hermes.llm.base import Finished, ModelEvents, ModelRequest
from hermes.memory.indexing import index_pending
from hermes.memory.record import record_turns
from hermes.store.vectors.coding import Floats
from hermes.testing import ScriptedModel

BATCH = 1_000
TURNS = 100
TURNS_A_CHAT = 10
STARTS = 5
MODEL_S = 0.2
PROMPT = "❯".encode()
TURN_MS = 40.0
START_S = 0.6
FLAGS = {"backups.enabled": "false"}


class SlowModel(ScriptedModel):
    """Answers after a while, as models do: what Hermes does meanwhile delays nobody."""

    def __init__(self) -> None:
        super().__init__(lambda request: "Noted.")
        self.took_ms = 0.0

    async def stream(self, request: ModelRequest) -> ModelEvents:
        begun = time.perf_counter()
        await asyncio.sleep(MODEL_S)
        reply = await self.complete(request)
        self.took_ms = (time.perf_counter() - begun) * 1000
        yield Finished(reply)


class MadeUpVectors:
    """Vectors by the dice in the space of the real model; questions are embedded by that."""

    def __init__(self, real: Embedder) -> None:
        self._real = real
        self._dice = np.random.default_rng(7)
        self.space: Space = real.space

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        drawn = self._dice.standard_normal((len(texts), self.space.dimensions), np.float32)
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        return np.asarray(self._real.embed_queries(texts))

    def close(self) -> None:
        """The real one is closed by whoever opened it."""


def measure_agent(
    folder: Path, *, episodes: int, larger: int, say: Callable[[str], None]
) -> Iterator[Figure]:
    """At `episodes`, then with a history of `larger`, if that is more."""
    home = Home(folder.resolve())
    _fill(home, 0, episodes, say)
    turn_ms, start_s = _measure_turns(home), _measure_start(home)
    yield _turn_figure(episodes, turn_ms)
    yield _start_figure(episodes, start_s)
    if larger <= episodes:
        return
    _fill(home, episodes, larger, say)
    grown_ms, grown_s = _measure_turns(home), _measure_start(home)
    for name, now, before in (
        ("turn", _p95(grown_ms), _p95(turn_ms)),
        ("first prompt", statistics.median(grown_s), statistics.median(start_s)),
    ):
        ratio = now / before
        told = f"{larger:,} against {episodes:,} episodes"
        yield Figure(f"{name}, larger history", ratio, "x", "<= 2", ratio <= 2, told)


def _turn_figure(episodes: int, turn_ms: Sequence[float]) -> Figure:
    p95 = _p95(turn_ms)
    told = f"median {statistics.median(turn_ms):.1f} ms, {len(turn_ms)} turns"
    name = f"turn besides the model, {episodes:,} episodes, p95"
    return Figure(name, p95, "ms", f"<= {TURN_MS:g}", p95 <= TURN_MS, told)


def _start_figure(episodes: int, start_s: Sequence[float]) -> Figure:
    median = statistics.median(start_s)
    told = f"best {min(start_s):.2f} s, worst {max(start_s):.2f} s of {len(start_s)}"
    name = f"first prompt of hermes chat, {episodes:,} episodes"
    return Figure(name, median, "s", f"<= {START_S:g}", median <= START_S, told)


def _fill(home: Home, done: int, wanted: int, say: Callable[[str], None]) -> None:
    say(f"a history of {wanted:,} episodes")
    real = open_embedder(EmbedderOptions())
    with _opened(home) as app:
        source = islice(turns(wanted), done, None)
        while batch := list(islice(source, BATCH)):
            record_turns(app.store, batch, NOW)
        index_pending(app.store, MadeUpVectors(real), app.clock)
    real.close()


def _opened(home: Home) -> App:
    return open_app(home.profile("default"), {}, flags=FLAGS, clock=FixedClock(NOW))


def _measure_turns(home: Home) -> list[float]:
    """Milliseconds of each turn, less those the model took."""
    speech = Speech(23)

    async def go(app: App) -> list[float]:
        taken: list[float] = []
        for _ in range(TURNS // TURNS_A_CHAT + 1):
            model = SlowModel()
            chat = app.agent.open_chat(ChatOptions(model=model))
            for _ in range(TURNS_A_CHAT):
                question = speech.question(8)
                begun = time.perf_counter()
                await chat.say(question)
                taken.append((time.perf_counter() - begun) * 1000 - model.took_ms)
                app.agent.wait_until_indexed(60.0)  # as it is while one types
            await chat.close()
        return taken[TURNS_A_CHAT:]  # the first chat loads the models

    with _opened(home) as app:
        return asyncio.run(go(app))


def _measure_start(home: Home) -> list[float]:
    return [_start_once(home) for _ in range(STARTS + 1)][1:]  # the first one reads the disk


def _start_once(home: Home) -> float:
    """Seconds from starting the program in a terminal until its prompt is drawn."""
    ours, theirs = pty.openpty()
    environ = {**os.environ, "HERMES_HOME": str(home.root), "TERM": "xterm-256color"}
    begun = time.perf_counter()
    program = subprocess.Popen(
        [sys.executable, "-m", "hermes", "chat"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environ,
    )
    os.close(theirs)
    try:
        _read_until(ours, PROMPT, 60.0)
        return time.perf_counter() - begun
    finally:
        program.kill()
        program.wait()
        os.close(ours)


def _read_until(handle: int, wanted: bytes, timeout_s: float) -> None:
    seen = b""
    ends = time.monotonic() + timeout_s
    while wanted not in seen:
        ready, _, _ = select.select([handle], [], [], max(0.0, ends - time.monotonic()))
        if not ready:
            raise TimeoutError(f"no prompt after {timeout_s:g} s")
        seen += os.read(handle, 65_536)


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]
