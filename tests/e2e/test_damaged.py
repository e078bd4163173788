"""A damaged database by the real program: nobody says that all is well; each says it shortly."""

from pathlib import Path

import pytest
from real_program import Program, message

PAGE_BYTES = 4096


@pytest.fixture
def damaged(tmp_path: Path) -> Program:
    """A memory with a broken page that opening it does not touch."""
    hermes = Program(tmp_path / "home")
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(message("user", f"Note {n}: port {n * 7919}") for n in range(400)))
    hermes.ok("sessions", "import", file)
    hermes.ok("backup", "now")
    database = hermes.home / "memory.db"
    content = bytearray(database.read_bytes())
    at = 60 * PAGE_BYTES + 700
    content[at : at + 80] = b"garbage!" * 10
    database.write_bytes(content)
    return hermes


def test_start_says_why_it_cannot_and_status_what_is_damaged(damaged: Program) -> None:
    assert "damaged" not in damaged.ok("status")
    started = damaged.run("start")
    assert started.returncode == 1
    assert started.stdout == ""
    assert "memory.db is damaged: " in started.stderr
    assert "no daemon runs; the last one ended: " in damaged.ok("status")
    damaged.ok("backup", "restore", "--yes")
    assert "damaged" not in damaged.ok("status")
    damaged.ok("start")
    damaged.ok("stop")


def test_backup_and_doctor_say_it_shortly(damaged: Program) -> None:
    refused = damaged.run("backup", "now")
    assert refused.returncode == 1
    assert f"{damaged.home / 'memory.db'} is damaged: a page cannot be read" in refused.stderr
    told = damaged.run("doctor")
    assert told.returncode == 1
    assert "is damaged" in told.stdout
    assert "error code" not in told.stdout
    assert len(told.stdout.splitlines()) < 30
