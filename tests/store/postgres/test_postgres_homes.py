"""Homes that share a profile: what they go by, and what a restore that fails leaves of itself."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app.root import App, open_app
from hermes.app.sharing import follow, this_home
from hermes.config.paths import read_home
from hermes.errors import HermesError
from hermes.memory.notes.request import Target
from hermes.memory.notes.shared import list_homes
from hermes.store.base.notes import PageCopy
from postgres_server import as_url, execute, new_database

NOW = 1_767_603_600_000


@pytest.fixture
def database() -> str:
    return new_database()


@pytest.fixture
def app(tmp_path: Path, database: str) -> Iterator[App]:
    opened = _open(tmp_path / "home", database)
    yield opened
    opened.store.close()


def _open(root: Path, database: str) -> App:
    root.mkdir(mode=0o700, exist_ok=True)
    settings = {"memory": {"backend": "postgres", "connectionString": as_url(database)}}
    (root / "config.json").write_text(json.dumps(settings))
    environ = {"HERMES_HOME": str(root)}
    return open_app(read_home(environ).profile("default"), environ)


def _names(app: App) -> list[str]:
    return [home.name for home in app.store.read(list_homes)]


def test_two_homes_of_one_machine_name_and_folder_are_two(
    app: App, database: str, tmp_path: Path
) -> None:
    app.notes.add(Target.MEMORY, "Deploys go through Fly.")
    moved = tmp_path / "moved"
    app.paths.root.rename(moved)
    other = _open(app.paths.root, database)
    shutil.copytree(moved / "keys", other.paths.keys, dirs_exist_ok=True)
    follow(other)
    assert len(set(_names(other))) == 2
    assert this_home(other).name != (moved / "run" / "home").read_text()
    other.store.close()


@pytest.mark.parametrize("left", ["", "\n"])
def test_a_home_whose_name_a_power_cut_left_empty_gets_one(app: App, left: str) -> None:
    file = app.paths.run / "home"
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.write_text(left)
    name = this_home(app).name
    assert "#" in name
    assert file.read_text() == name == this_home(app).name


def test_a_machine_that_is_renamed_stays_the_home_it_was(app: App) -> None:
    name = "oldhost:/home/mara/.hermes#0badcafe"
    app.paths.run.mkdir(exist_ok=True)
    (app.paths.run / "home").write_text(name)
    app.notes.add(Target.MEMORY, "Deploys go through Fly.")
    assert _names(app) == [name]


def test_a_home_known_by_machine_and_folder_goes_on_under_its_new_name(app: App) -> None:
    name = this_home(app).name
    old = name.rpartition("#")[0]
    store = app.store
    store.write(lambda tx: tx.notes.save("MEMORY.md", "- Fly.\n", now=NOW))
    store.write(lambda tx: tx.notes.forget_home(name))
    store.write(lambda tx: tx.notes.note_copy(PageCopy(old, "MEMORY.md", 1, NOW)))
    follow(app)
    assert _names(app) == [name]
    assert app.paths.memory_note.read_text() == "- Fly.\n"


def test_a_restore_the_server_does_not_take_over_changes_nothing(app: App, database: str) -> None:
    app.notes.add(Target.MEMORY, "From before.")
    backup, _ = app.backups.make()
    app.notes.add(Target.MEMORY, "From after.")

    def say(step: str) -> None:
        if step == "swapping":
            execute(database, "ALTER TABLE hermes.profiles RENAME TO away")

    with pytest.raises(HermesError):
        app.backups.restore(backup.name, say=say)
    execute(database, "ALTER TABLE hermes.away RENAME TO profiles")
    root = app.paths.root
    assert not list(root.glob(".restoring*"))
    assert app.backups.list_replaced() == []
    assert "From after." in app.paths.memory_note.read_text()
    assert [note.text for note in app.notes.list(Target.MEMORY)] == ["From before.", "From after."]
    done = app.backups.restore(backup.name)
    assert done.manifest is not None
    assert "From after." not in app.paths.memory_note.read_text()
