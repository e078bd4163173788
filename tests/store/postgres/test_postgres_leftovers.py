"""Servers whose tests were killed leave folders of gigabytes: the next run removes them."""

import os
from pathlib import Path

from postgres_server import LONGEST_RUN_S, remove_leftovers

LONG_AGO = LONGEST_RUN_S * 10


def folder(place: Path, name: str, pid: str, *, age_s: int = LONG_AGO) -> Path:
    made = place / f"hermes-pg-{name}"
    (made / "data").mkdir(parents=True)
    (made / "data" / "postmaster.pid").write_text(f"{pid}\n{made}/data\n")
    at = made.stat().st_mtime - age_s
    os.utime(made, (at, at))
    return made


def test_only_folders_of_servers_that_are_gone_are_removed(tmp_path: Path) -> None:
    dead = folder(tmp_path, "dead", "4194303")
    broken = folder(tmp_path, "broken", "")
    alive = folder(tmp_path, "alive", str(os.getpid()))
    young = folder(tmp_path, "young", "4194303", age_s=0)
    other = tmp_path / "other"
    other.mkdir()
    assert set(remove_leftovers(tmp_path)) == {dead, broken}
    assert set(tmp_path.iterdir()) == {alive, young, other}
