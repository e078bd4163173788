"""Profiles: made apart, put away whole, brought back."""

from pathlib import Path

import pytest

from hermes.clock import FixedClock
from hermes.config.paths import Home
from hermes.config.profiles import (
    active_profile,
    create_profile,
    delete_profile,
    get_profile,
    list_profiles,
    list_trash,
    restore_profile,
    use_profile,
)
from hermes.errors import Conflict, NotFound, Refused, UserError


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


def names(home: Home) -> list[str]:
    return [profile.name for profile in list_profiles(home)]


def test_an_empty_home_has_the_default_profile(home: Home) -> None:
    assert names(home) == ["default"]
    assert active_profile(home) == "default"
    assert not home.root.exists()


def test_create_use_and_list(home: Home) -> None:
    paths = create_profile(home, "work")
    create_profile(home, "alpha")
    use_profile(home, "work")
    assert paths.notes.is_dir()
    assert [(p.name, p.active) for p in list_profiles(home)] == [
        ("default", False),
        ("alpha", False),
        ("work", True),
    ]
    assert home.active_file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["default", "work"])
def test_a_profile_is_made_once(home: Home, name: str) -> None:
    create_profile(home, "work")
    with pytest.raises(Conflict):
        create_profile(home, name)


def test_what_does_not_exist_is_not_used_shown_or_deleted(home: Home, clock: FixedClock) -> None:
    for act in (use_profile, get_profile):
        with pytest.raises(NotFound, match="no profile 'nope'"):
            act(home, "nope")
    with pytest.raises(NotFound):
        delete_profile(home, "nope", clock)


def test_delete_moves_away_and_restore_brings_back(home: Home, clock: FixedClock) -> None:
    note = create_profile(home, "work").memory_note
    note.write_text("mine")
    trashed = delete_profile(home, "work", clock)
    assert names(home) == ["default"]
    assert (trashed.path / "memories" / "MEMORY.md").read_text() == "mine"
    assert trashed.path.parent.stat().st_mode & 0o777 == 0o700
    assert list_trash(home) == [trashed]
    restore_profile(home, "work")
    assert note.read_text() == "mine"
    assert list_trash(home) == []


def test_the_latest_of_one_name_comes_back_unless_the_id_is_given(
    home: Home, clock: FixedClock
) -> None:
    deleted = []
    for text in ("first", "second"):
        create_profile(home, "work").memory_note.write_text(text)
        clock.advance(1)
        deleted.append(delete_profile(home, "work", clock))
    assert restore_profile(home, "work").memory_note.read_text() == "second"
    with pytest.raises(Conflict):
        restore_profile(home, deleted[0].id)
    clock.advance(1)
    delete_profile(home, "work", clock)
    assert restore_profile(home, deleted[0].id).memory_note.read_text() == "first"


def test_default_and_the_active_profile_stay(home: Home, clock: FixedClock) -> None:
    create_profile(home, "work")
    use_profile(home, "work")
    with pytest.raises(UserError, match="active"):
        delete_profile(home, "work", clock)
    with pytest.raises(UserError, match="default"):
        delete_profile(home, "default", clock)


@pytest.mark.parametrize("which", ["nope", "../x", "work@../../x", ""])
def test_restore_takes_only_what_is_in_the_trash(home: Home, which: str) -> None:
    with pytest.raises(NotFound):
        restore_profile(home, which)


def test_a_profile_that_is_a_link_is_no_profile(home: Home, tmp_path: Path) -> None:
    create_profile(home, "work")
    (home.profiles / "other").symlink_to(tmp_path)
    assert names(home) == ["default", "work"]
    with pytest.raises(Refused):
        get_profile(home, "other")


@pytest.mark.parametrize("content", [b"../x", b"", b"\xff", b"Work"])
def test_a_broken_pointer_says_how_to_mend_it(home: Home, content: bytes) -> None:
    home.root.mkdir()
    home.active_file.write_bytes(content)
    with pytest.raises(UserError) as caught:
        active_profile(home)
    assert "hermes profile use default" in caught.value.hint
    use_profile(home, "default")
    assert active_profile(home) == "default"
