"""Checkpoints: what Hermes changed can be taken back, what a person wrote stays."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.agent.checkpoints import Checkpoints, Outcome, Scope
from hermes.agent.checkpoints.merge import merge
from hermes.clock import FixedClock
from hermes.errors import Corrupt, NotFound


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def vault(tmp_path: Path) -> Checkpoints:
    return Checkpoints(tmp_path / "checkpoints", FixedClock())


def change(vault: Checkpoints, path: Path, text: str) -> None:
    with vault.around(Scope(path.parent, (path,)), why=f"write {path.name}", session_id="s"):
        path.write_text(text)


def test_a_changed_file_comes_back_exactly(vault: Checkpoints, work: Path) -> None:
    path = work / "a.sh"
    path.write_bytes(b"one\r\ntwo")
    path.chmod(0o755)
    change(vault, path, "other")
    path.chmod(0o644)
    (undone,) = vault.rollback(1)
    assert undone.outcome is Outcome.RESTORED
    assert path.read_bytes() == b"one\r\ntwo"
    assert path.stat().st_mode & 0o777 == 0o755


def test_a_new_file_is_removed_and_a_deleted_one_returns(vault: Checkpoints, work: Path) -> None:
    old, new = work / "old.txt", work / "new.txt"
    old.write_text("kept")
    with vault.around(Scope(work), why="mv old.txt new.txt"):
        old.rename(new)
    outcomes = {Path(u.path).name: u.outcome for u in vault.rollback(1)}
    assert outcomes == {"old.txt": Outcome.RESTORED, "new.txt": Outcome.REMOVED}
    assert old.read_text() == "kept"
    assert not new.exists()


def test_hand_edits_made_since_are_kept(vault: Checkpoints, work: Path) -> None:
    path = work / "notes.md"
    path.write_text("title\n\nfirst\nsecond\nthird\n\nend\n")
    change(vault, path, "title\n\nfirst\nHERMES\nthird\n\nend\n")
    path.write_text("title\n\nfirst\nHERMES\nthird\n\nend, by hand\n")
    (undone,) = vault.rollback(1)
    assert undone.outcome is Outcome.MERGED
    assert path.read_text() == "title\n\nfirst\nsecond\nthird\n\nend, by hand\n"


def test_a_hand_edit_between_two_steps_survives_both(vault: Checkpoints, work: Path) -> None:
    path = work / "f.txt"
    path.write_text("a\nb\nc\nd\ne\n")
    change(vault, path, "A\nb\nc\nd\ne\n")
    path.write_text("A\nb\nmine\nd\ne\n")
    change(vault, path, "A\nb\nmine\nd\nE\n")
    vault.rollback(1)
    assert path.read_text() == "a\nb\nmine\nd\ne\n"


def test_a_collision_leaves_the_file_alone_and_says_so(vault: Checkpoints, work: Path) -> None:
    path = work / "f.txt"
    path.write_text("old\n")
    change(vault, path, "new\n")
    path.write_text("mine\n")
    (undone,) = vault.rollback(1)
    assert undone.outcome is Outcome.KEPT
    assert path.read_text() == "mine\n"
    assert "left alone" in vault.diff(1)


def test_a_rollback_can_be_rolled_back(vault: Checkpoints, work: Path) -> None:
    path = work / "f.txt"
    path.write_text("old")
    change(vault, path, "new")
    vault.rollback(1)
    vault.rollback(2)
    assert path.read_text() == "new"


def test_one_file_of_several(vault: Checkpoints, work: Path) -> None:
    a, b = work / "a.txt", work / "b.txt"
    a.write_text("a")
    b.write_text("b")
    with vault.around(Scope(work), why="both"):
        a.write_text("A")
        b.write_text("B")
    vault.rollback(1, "a.txt")
    assert (a.read_text(), b.read_text()) == ("a", "B")
    with pytest.raises(NotFound, match="no checkpoint from 1 on changed"):
        vault.rollback(1, "c.txt")


def test_nothing_changed_leaves_no_checkpoint(vault: Checkpoints, work: Path) -> None:
    (work / "a").write_text("x")
    with vault.around(Scope(work), why="ls"):
        pass
    assert vault.list_recent() == []


def test_a_step_that_fails_can_still_be_taken_back(vault: Checkpoints, work: Path) -> None:
    path = work / "f.txt"
    path.write_text("old")
    with pytest.raises(OSError, match="full"), vault.around(Scope(work), why="break"):
        path.write_text("half")
        raise OSError("disk full")
    vault.rollback(1)
    assert path.read_text() == "old"


def test_a_step_cut_by_the_death_of_the_process(vault: Checkpoints, work: Path) -> None:
    path = work / "f.txt"
    path.write_text("old")
    step = vault.around(Scope(work), why="rm")
    step.__enter__()  # and never left
    path.unlink()
    assert not vault.list_recent()[0].is_sealed
    vault.rollback(1)
    assert path.read_text() == "old"


def test_the_diff_shows_what_a_rollback_would_do(vault: Checkpoints, work: Path) -> None:
    path = work / "f.txt"
    path.write_text("one\ntwo\n")
    change(vault, path, "one\nthree\n")
    assert "-three\n+two\n" in vault.diff(1)
    assert path.read_text() == "one\nthree\n"


def test_a_damaged_content_is_refused(vault: Checkpoints, work: Path, tmp_path: Path) -> None:
    path = work / "f.txt"
    path.write_text("old")
    change(vault, path, "new")
    for blob in (tmp_path / "checkpoints" / "blobs").glob("??/*"):
        blob.write_bytes(b"garbage")
    with pytest.raises(Corrupt, match="missing or damaged"):
        vault.rollback(1)
    assert path.read_text() == "new"


def test_an_unknown_number_says_where_to_look(vault: Checkpoints) -> None:
    with pytest.raises(NotFound, match="no checkpoint 9"):
        vault.rollback(9)


lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d"]), max_size=6).map("".join)


@given(lines, lines)
def test_merging_without_a_hand_edit_gives_the_other_side(base: str, theirs: str) -> None:
    assert merge(base.encode(), base.encode(), theirs.encode()) == theirs.encode()
    assert merge(base.encode(), theirs.encode(), base.encode()) == theirs.encode()


@given(lines, st.text(max_size=5), st.text(max_size=5))
def test_edits_far_apart_merge_and_close_ones_never_lose_a_line(
    middle: str, top: str, end: str
) -> None:
    base = f"1\nx\ny\n{middle}\nz\n9\n"
    mine = f"1{top!r}\nx\ny\n{middle}\nz\n9\n"
    theirs = f"1\nx\ny\n{middle}\nz\n9{end!r}\n"
    merged = merge(base.encode(), mine.encode(), theirs.encode())
    assert merged == f"1{top!r}\nx\ny\n{middle}\nz\n9{end!r}\n".encode()


def test_lines_changed_next_to_each_other_are_both_kept() -> None:
    merged = merge(b"a\nb\nc\n", b"a\nb by hand\nc\n", b"a before\nb\nc\n")
    assert merged == b"a before\nb by hand\nc\n"
    assert merge(b"a\nb\nc\n", b"a\nb by hand\nc\n", b"a\nnew\nb\nc\n") is None
    assert merge(b"a\nb\n", b"a mine\nb\n", b"a theirs\nb\n") is None
