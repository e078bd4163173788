"""Where things lie, who may read them, and what is not let in."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.config.files import (
    inside,
    is_private,
    list_links,
    locked,
    refuse_links,
    write_atomic,
    write_new,
)
from hermes.config.paths import Home, ProfilePaths, check_name, ensure_layout, read_home
from hermes.errors import Conflict, Refused, UserError


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_home_is_the_option_then_the_variable_then_the_dot_folder(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "HERMES_HOME": str(tmp_path / "var")}
    assert read_home(environ, str(tmp_path / "opt")).root == tmp_path / "opt"
    assert read_home(environ).root == tmp_path / "var"
    assert read_home({"HOME": str(tmp_path)}).root == tmp_path / ".hermes"
    assert read_home({"HOME": str(tmp_path), "HERMES_HOME": "~/h"}).root == tmp_path / "h"
    assert read_home({"HOME": str(tmp_path), "HERMES_HOME": "~"}).root == tmp_path


def test_the_home_itself_may_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    assert read_home({"HERMES_HOME": str(tmp_path / "link")}).root == tmp_path / "disk"


def test_profiles_lie_in_the_home_and_below_it(home: Home) -> None:
    assert home.profile("default").root == home.root
    work = home.profile("work")
    assert work.root == home.root / "profiles" / "work"
    assert work.database == work.root / "memory.db"
    assert work.memory_note == work.root / "memories" / "MEMORY.md"
    assert work.env_file == work.root / ".env"


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("name", ["default", "work"])
def test_the_layout_is_private_whatever_the_umask(home: Home, name: str) -> None:
    paths = home.profile(name)
    ensure_layout(paths)
    ensure_layout(paths)
    for folder in (home.root, *paths.folders()):
        assert mode(folder) == 0o700, folder


def test_loose_modes_are_tightened_but_env_is_left_to_be_warned_of(paths: ProfilePaths) -> None:
    for file in (paths.config_file, paths.database, paths.memory_note, paths.env_file):
        file.write_text("")
        file.chmod(0o644)
    paths.root.chmod(0o755)
    ensure_layout(paths)
    assert mode(paths.root) == 0o700
    assert mode(paths.config_file) == mode(paths.database) == mode(paths.memory_note) == 0o600
    assert mode(paths.env_file) == 0o644


@pytest.mark.parametrize("place", ["memories", "run", "config.json", ".env", "memory.db", "keys"])
def test_a_link_in_the_layout_is_refused(home: Home, tmp_path: Path, place: str) -> None:
    home.root.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (home.root / place).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="symbolic link"):
        ensure_layout(home.profile("default"))


def test_a_linked_profiles_folder_is_refused(home: Home, tmp_path: Path) -> None:
    home.root.mkdir()
    home.profiles.symlink_to(tmp_path)
    with pytest.raises(Refused):
        ensure_layout(home.profile("work"))
    assert not (tmp_path / "work").exists()


def test_a_file_in_the_way_is_named(home: Home) -> None:
    home.root.mkdir()
    (home.root / "run").write_text("")
    with pytest.raises(UserError, match="run is in the way"):
        ensure_layout(home.profile("default"))


@pytest.mark.parametrize("name", ["a", "0", "a-b_c", "x" * 64])
def test_good_names(name: str) -> None:
    assert check_name(name, "profile") == name


@pytest.mark.parametrize(
    "name",
    ["", "A", "-a", "_a", "a b", "a/b", "..", ".", "a\n", "é", "x" * 65, "a\x00", "١", "a@b"],
)
def test_bad_names(home: Home, name: str) -> None:
    with pytest.raises(UserError, match="not a profile name"):
        home.profile(name)


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=3))
def test_no_parts_lead_out_of_a_folder(parts: list[str]) -> None:
    root = Path("/nowhere/root")
    try:
        path = inside(root, *parts)
    except Refused:
        return
    assert Path(os.path.normpath(path)).is_relative_to(root) and path != root


@pytest.mark.parametrize("part", ["..", "../x", "a/../../x", "/etc", "a//b", "a\\b", "", "a\x00"])
def test_traversal_is_refused(tmp_path: Path, part: str) -> None:
    with pytest.raises(Refused):
        inside(tmp_path, part)


def test_links_are_refused_at_any_depth_and_listed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "link").symlink_to("/etc")
    assert list_links(tmp_path) == [tmp_path / "a" / "link"]
    with pytest.raises(Refused, match="symbolic link"):
        inside(tmp_path, "a", "link", "passwd")
    with pytest.raises(Refused, match="outside"):
        refuse_links(tmp_path, Path("/etc/passwd"))


@pytest.mark.usefixtures("umask")
def test_an_atomic_write_is_private_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("old")
    file.chmod(0o644)
    write_atomic(file, "new ⚕\r\n")
    assert file.read_bytes() == "new ⚕\r\n".encode()
    assert mode(file) == 0o600 and is_private(file)
    assert os.listdir(tmp_path) == ["f"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomic(file, "\ud800")
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["f"]


def test_an_atomic_write_replaces_a_link_rather_than_its_target(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("keep")
    (tmp_path / "f").symlink_to(tmp_path / "target")
    write_atomic(tmp_path / "f", "new")
    assert (tmp_path / "target").read_text() == "keep"
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "f", "again")


def test_a_lock_is_held_alone_and_let_go(tmp_path: Path) -> None:
    lock = tmp_path / "x.lock"
    with locked(lock):
        with pytest.raises(Conflict, match=r"x\.lock"), locked(lock, wait_s=0):
            pytest.fail("both hold it")
        assert mode(lock) == 0o600
    with locked(lock, wait_s=0):
        pass
