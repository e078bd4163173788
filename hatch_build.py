"""Compiles the loops of the vector search when Hermes is installed, where there is a C compiler.

Without one, and where it fails, nothing is missing but speed: numpy does the same.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VECTORS = Path("src", "hermes", "store", "vectors")
FLAGS = ("-O3", "-shared", "-fPIC", "-ffp-contract=off")


class CompileLoops(BuildHookInterface[Any]):
    """The wheel holds the library, and then is one for this kind of machine, with any Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library = Path(self.root, VECTORS, "_loops.so")
        problem = compile_loops(Path(self.root, VECTORS, "loops.c"), library)
        if problem:
            self.app.display_warning(f"The vector search runs on numpy: {problem}")
            return
        build_data["artifacts"].append(str(VECTORS / library.name))
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"


def compile_loops(source: Path, library: Path, *, search: str | None = None) -> str:
    """Put the library in its place, whole or not at all; what was in the way, if anything was.

    One that a running program has loaded goes on as it was: its file is replaced, not changed.
    """
    compiler = _find_compiler(search)
    try:
        library.unlink(missing_ok=True)
        return _compile(compiler, source, library) if compiler else "there is no C compiler."
    except OSError as error:  # a folder that may not be written to
        return f"{error}."


def _compile(compiler: Sequence[str], source: Path, library: Path) -> str:
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        made = Path(folder, library.name)
        command = [*compiler, *FLAGS, "-o", str(made), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            return f"{compiler[0]} failed. {done.stderr.strip()[:500]}"
        made.replace(library)
    return ""


def _find_compiler(search: str | None) -> list[str] | None:
    """What CC says, or one of the usual; looked for along PATH, or along `search`."""
    if sys.platform == "win32":  # ctypes would want another kind of library
        return None
    wanted = [shlex.split(os.environ.get("CC", "")), ["cc"], ["gcc"], ["clang"]]
    return next((each for each in wanted if each and shutil.which(each[0], path=search)), None)
