"""Programs beside ours: what they write, how they end, and that they do end."""

import asyncio
from pathlib import Path

import pytest

from hermes.tools.side_program import run_aside


def run(folder: Path, code: str, timeout_s: float = 20.0) -> tuple[bytes, int]:
    program = folder / "program.py"
    program.write_text(code)
    return asyncio.run(run_aside(str(program), b"asked", {}, timeout_s=timeout_s))


def test_what_it_writes_and_how_it_ends(tmp_path: Path) -> None:
    told = "import sys; sys.stdout.write(sys.stdin.read().upper() + '\u00e9'); sys.exit(3)"
    assert run(tmp_path, told) == ("ASKED\u00e9".encode(), 3)


def test_what_lies_beside_it_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(7)")
    assert run(tmp_path, "import json") == (b"", 0)


def test_it_is_stopped_in_the_end(tmp_path: Path) -> None:
    here = tmp_path / "pid"
    code = f"import os; open({str(here)!r}, 'w').write(str(os.getpid()))\nwhile True: pass"
    with pytest.raises(TimeoutError):
        run(tmp_path, code, timeout_s=2.0)
    assert not Path("/proc", here.read_text()).exists()
