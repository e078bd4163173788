"""Backups and exports when the disk is full, the file is no backup, or it was cut off."""

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Hermes
from hermes.app import open_app
from hermes.config.paths import Home
from talk import turn

TIMEOUT_S = 60


def _remember(home: Home, *texts: str) -> None:
    with open_app(home.profile("default"), {}) as app:
        app.conversations.record([turn(*texts)])


def _count(home: Home) -> int:
    with open_app(home.profile("default"), {}) as app:
        return app.store.status().counts["messages"]


def _limited(file_bytes: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))


def _run(home: Home, file_bytes: int, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run Hermes where no file may grow beyond so many bytes: as on a full disk."""
    return subprocess.run(
        [sys.executable, "-m", "hermes", *argv],
        check=False,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        env={"HERMES_HOME": str(home.root)},
        preexec_fn=_limited(file_bytes),
    )


def test_a_file_that_is_no_backup_is_called_so(hermes: Hermes, home: Home, tmp_path: Path) -> None:
    _remember(home, "Hello", "Hi")
    file = tmp_path / "notes.txt"
    file.write_text("not a backup")
    for verb in ("verify", "restore"):
        done = hermes("backup", verb, str(file))
        assert done.code == 2
        assert f"{file} is not a Hermes backup." in done.err
    assert "is no file" in hermes("backup", "verify", str(tmp_path)).err
    assert "There is no backup nowhere." in hermes("backup", "verify", "nowhere").err


def test_a_backup_on_a_full_disk_leaves_nothing_behind(hermes: Hermes, home: Home) -> None:
    _remember(home, "Hello", "Hi")
    done = _run(home, 65_536, "backup", "now")
    assert done.returncode == 1
    assert "the disk is full" in done.stderr
    assert [file.name for file in (home.root / "backups").iterdir()] == [".lock"]
    assert hermes("backup", "now").code == 0


@pytest.mark.parametrize("share", [0.1, 0.5, 0.98])
def test_a_restore_on_a_full_disk_changes_nothing(hermes: Hermes, home: Home, share: float) -> None:
    _remember(home, "Hello", "Hi")
    assert hermes("backup", "now").code == 0
    _remember(home, "More", "and more")
    size = (home.root / "memory.db").stat().st_size
    done = _run(home, round(share * size), "backup", "restore", "--yes")
    assert done.returncode == 1, done.stdout
    assert "no room left on the disk" in done.stderr or "cannot be written" in done.stderr
    assert _count(home) == 4
    assert not (home.root / "replaced").exists()
    assert hermes("backup", "restore", "--yes").code == 0
    assert _count(home) == 2


def test_an_export_on_a_full_disk_leaves_nothing_behind(home: Home, tmp_path: Path) -> None:
    _remember(home, *(f"Message {n} " + "x" * 2_000 for n in range(400)))
    done = _run(home, 600_000, "memory", "export", "--output", str(tmp_path / "all.json"))
    assert done.returncode == 1
    assert "Nothing was exported: there is no room left on the disk." in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["home"]


def test_an_export_to_no_folder_names_the_folder(hermes: Hermes, home: Home) -> None:
    _remember(home, "Hello", "Hi")
    done = hermes("memory", "export", "--output", "/nowhere/at/all.json")
    assert done.code == 2
    assert "There is no folder /nowhere/at." in done.err


def test_a_backup_that_was_cut_off_is_refused(hermes: Hermes, home: Home, tmp_path: Path) -> None:
    _remember(home, "Hello", "Hi")
    assert hermes("backup", "now").code == 0
    (whole,) = (home.root / "backups").glob("*.age")
    half = tmp_path / "half.tar.age"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    done = hermes("backup", "restore", str(half), "--yes")
    assert done.code == 1
    assert "half.tar.age is damaged" in done.err
    assert _count(home) == 2
