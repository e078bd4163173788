"""Commands that only look make nothing: no home, no memory, no key."""

import json
from pathlib import Path

import pytest

from conftest import Hermes
from hermes.config.paths import Home

READING = [
    *("status", "usage", "model", "model list", "bank list", "bank show default", "token list"),
    *("sessions list", "sessions search hello", "sessions export --all", "backup list"),
    *("memory recall hello", "memory recall hello --trace", "memory status", "memory facts list"),
    *("memory pending", "memory export", "memory compact --dry-run", "memory compact --list"),
    *("memory erase --matching foo --dry-run", "memory entities list", "memory reflections list"),
    *("memory notes show", "user show", "log", "log verify", "jobs list", "db status"),
    *("config list", "profile list", "doctor"),
]


@pytest.mark.parametrize("command", READING)
def test_reading_makes_no_home(hermes: Hermes, home: Home, command: str) -> None:
    outcome = hermes(*command.split())
    assert outcome.code == 0, outcome.err
    assert not home.root.exists()


@pytest.mark.parametrize("command", ["status", "sessions list", "memory pending"])
def test_reading_makes_no_memory_beside_settings(hermes: Hermes, home: Home, command: str) -> None:
    hermes("config", "set", "memory.poolSize", "7")
    before = sorted(home.root.rglob("*"))
    outcome = hermes(*command.split())
    assert f"there is no memory at {home.root / 'memory.db'}" in outcome.err
    assert sorted(home.root.rglob("*")) == before


def test_status_says_where_the_memory_will_be(hermes: Hermes, home: Home) -> None:
    shape = json.loads(hermes("status", "--json").out)
    assert shape["store"]["location"] == str(home.root / "memory.db")
    assert "none yet" in hermes("status").out


def test_a_dry_import_into_nothing_says_what_is_new(
    hermes: Hermes, home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "memory.json"
    other = {"HERMES_HOME": str(tmp_path / "other")}
    hermes("memory", "fact", "add", "My sister Mina lives in Rome.", **other)
    hermes("memory", "export", "-o", str(file), **other)
    outcome = hermes("memory", "import", "--dry-run", str(file))
    assert outcome.code == 0, outcome.err
    assert "1 new" in outcome.out
    assert not home.root.exists()
