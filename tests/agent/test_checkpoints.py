"""Checkpoints: what Hermes changed can be taken back, what a person wrote stays."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.agent.checkpoints import Checkpoints, Limits, Outcome, Scope
from hermes.agent.checkpoints.merge import merge
from hermes.agent.checkpoints.vault import KEEP
from hermes.clock import FixedClock
from hermes.errors import NotFound


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


def test_a_damaged_content_is_told_and_costs_no_other_file(
    vault: Checkpoints, work: Path, tmp_path: Path
) -> None:
    paths = [work / name for name in ("f.txt", "g.txt")]
    for path in paths:
        path.write_text(f"old {path.name}")
        change(vault, path, f"new {path.name}")
    blob_of(tmp_path, b"old f.txt").write_bytes(b"garbage")
    assert outcomes_of(vault) == {"f.txt": Outcome.LOST, "g.txt": Outcome.RESTORED}
    assert [path.read_text() for path in paths] == ["new f.txt", "old g.txt"]


def test_a_content_damaged_on_the_disk_is_mended_when_it_is_kept_again(
    vault: Checkpoints, work: Path, tmp_path: Path
) -> None:
    path = work / "f.txt"
    path.write_text("old")
    change(vault, path, "new")
    blob_of(tmp_path, b"old").write_bytes(b"")  # as a power cut leaves it
    path.write_text("old")
    change(vault, path, "newer")
    assert outcomes_of(vault) == {"f.txt": Outcome.RESTORED}
    assert path.read_text() == "old"


def blob_of(tmp_path: Path, content: bytes) -> Path:
    digest = hashlib.sha256(content).hexdigest()
    return tmp_path / "checkpoints" / "blobs" / digest[:2] / digest[2:]


def change_two(vault: Checkpoints, work: Path) -> tuple[Path, Path]:
    """One file in a folder and one beside it, both changed by one step."""
    inner, beside = work / "folder" / "inner", work / "beside"
    inner.parent.mkdir()
    for path in (inner, beside):
        path.write_text("before")
    with vault.around(Scope(work), why="x"):
        for path in (inner, beside):
            path.write_text("after")
    return inner, beside


def test_a_folder_that_became_a_link_costs_no_other_file(vault: Checkpoints, work: Path) -> None:
    inner, beside = change_two(vault, work)
    moved = inner.parent.rename(work / "moved")
    inner.parent.symlink_to(moved)
    assert f"{Outcome.BARRED}\n" in vault.diff(1)
    assert outcomes_of(vault) == {"inner": Outcome.BARRED, "beside": Outcome.RESTORED}
    assert (inner.read_text(), beside.read_text()) == ("after", "before")


def test_a_file_whose_folder_became_a_file_is_named(vault: Checkpoints, work: Path) -> None:
    inner, beside = work / "folder" / "inner", work / "beside"
    inner.parent.mkdir()
    for path in (inner, beside):
        path.write_text("before")
    with vault.around(Scope(work), why="rm -r folder"):
        inner.unlink()
        inner.parent.rmdir()
        beside.write_text("after")
    inner.parent.write_text("mine")
    assert outcomes_of(vault) == {"inner": Outcome.BARRED, "beside": Outcome.RESTORED}
    assert inner.parent.read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_costs_no_other_file(
    vault: Checkpoints, work: Path
) -> None:
    inner, beside = change_two(vault, work)
    inner.parent.chmod(0o500)
    try:
        found = outcomes_of(vault)
    finally:
        inner.parent.chmod(0o700)
    assert found == {"inner": Outcome.FAILED, "beside": Outcome.RESTORED}
    assert (inner.read_text(), beside.read_text()) == ("after", "before")


def test_an_unknown_number_says_where_to_look(vault: Checkpoints) -> None:
    with pytest.raises(NotFound, match="no checkpoint 9"):
        vault.rollback(9)


@pytest.fixture
def small(tmp_path: Path) -> Checkpoints:
    limits = Limits(files=3, file_bytes=100, total_bytes=200)
    return Checkpoints(tmp_path / "checkpoints", FixedClock(), limits=limits)


def outcomes_of(vault: Checkpoints, number: int = 1) -> dict[str, Outcome]:
    return {Path(undone.path).name: undone.outcome for undone in vault.rollback(number)}


@pytest.mark.parametrize(("files", "size"), [(24, 90), (24, 1), (4, 101)])
def test_what_was_there_before_is_never_removed(
    small: Checkpoints, work: Path, files: int, size: int
) -> None:
    """More than may be kept in all, more files than that, and files too large each."""
    for n in range(files):
        (work / f"f{n:02}").write_text("x" * size)
    (work / "zz-thesis").write_text("never touched")
    with small.around(Scope(work), why="rm f00 f01"):
        (work / "f00").unlink()
        (work / "f01").unlink()
    assert {Path(c.path).name for c in small.list_recent()[0].changes} == {"f00", "f01"}
    outcomes_of(small)
    assert {f"f{n:02}" for n in range(2, files)} <= {path.name for path in work.iterdir()}
    assert (work / "zz-thesis").read_text() == "never touched"


def test_what_was_too_large_to_keep_is_named_and_left_alone(small: Checkpoints, work: Path) -> None:
    changed, gone, same = work / "changed", work / "gone", work / "same"
    for path in (changed, gone, same):
        path.write_text("row " * 100)
    with small.around(Scope(work), why="sed"):
        changed.write_text("row")
        gone.unlink()
    assert "too large to keep" in small.diff(1)
    assert outcomes_of(small) == {"changed": Outcome.UNKEPT, "gone": Outcome.UNKEPT}
    assert (changed.read_text(), same.exists()) == ("row", True)


def test_a_file_that_grew_too_large_comes_back(small: Checkpoints, work: Path) -> None:
    grown, touched, made = work / "grown", work / "touched", work / "made"
    grown.write_text("one")
    touched.write_text("two")
    with small.around(Scope(work), why="append"):
        for path in (grown, touched, made):
            path.write_text("x" * 150)
    touched.write_text("x" * 140)
    assert outcomes_of(small) == {
        "grown": Outcome.RESTORED,
        "made": Outcome.REMOVED,
        "touched": Outcome.KEPT,
    }
    assert (grown.read_text(), len(touched.read_text())) == ("one", 140)
    small.rollback(2)
    assert (grown.read_text(), made.read_text()) == ("x" * 150, "x" * 150)


def test_what_came_with_a_folder_nobody_looked_into_does_not_count_as_made(
    vault: Checkpoints, work: Path
) -> None:
    (work / "dist" / "js").mkdir(parents=True)
    (work / "dist" / "js" / "app.js").write_text("built")
    os.utime(work / "dist" / "js" / "app.js", (1, 1))
    with vault.around(Scope(work), why="mv dist release"):
        (work / "dist").rename(work / "release")
        (work / "release" / "new.txt").write_text("made by the step")
    assert [Path(u.path).name for u in vault.rollback(1)] == ["new.txt"]
    assert (work / "release" / "js" / "app.js").read_text() == "built"
    assert not (work / "release" / "new.txt").exists()


def test_a_file_taken_out_of_such_a_folder_can_be_brought_back(
    vault: Checkpoints, work: Path
) -> None:
    (work / "dist").mkdir()
    (work / "dist" / "app.js").write_text("built")
    with vault.around(Scope(work), why="mv dist/app.js ."):
        (work / "dist" / "app.js").rename(work / "app.js")
    vault.rollback(1)
    vault.rollback(2)
    assert (work / "app.js").read_text() == "built"


def test_what_could_not_be_looked_at_before_does_not_count_as_made(
    small: Checkpoints, work: Path
) -> None:
    (work / "target.txt").write_text("target")
    (work / "link").symlink_to("target.txt")
    (work / "locked").mkdir()
    (work / "locked" / "inner").write_text("inner")
    (work / "locked").chmod(0)
    with small.around(Scope(work), why="chmod, sed -i"):
        (work / "locked").chmod(0o755)
        (work / "link").unlink()
        (work / "link").write_text("a file now")
    assert outcomes_of(small)["link"] is Outcome.UNKEPT
    assert (work / "link").read_text() == "a file now"
    assert (work / "locked" / "inner").exists()


def test_more_files_than_can_be_noted_are_left_where_they_are(tmp_path: Path, work: Path) -> None:
    vault = Checkpoints(tmp_path / "checkpoints", FixedClock(), limits=Limits(paths=5))
    for n in range(8):
        (work / f"f{n}").write_text("old")
    with vault.around(Scope(work), why="rm f0"):
        (work / "f0").unlink()
        (work / "a").write_text("new")
    assert outcomes_of(vault) == {"f0": Outcome.RESTORED}
    assert {f"f{n}" for n in range(8)} <= {path.name for path in work.iterdir()}


def test_what_a_step_that_was_cut_took_and_was_not_kept_is_named(
    small: Checkpoints, work: Path
) -> None:
    for name in ("gone", "there"):
        (work / name).write_text("x" * 150)
    step = small.around(Scope(work), why="rm")
    step.__enter__()  # and never left
    (work / "gone").unlink()
    assert outcomes_of(small) == {"gone": Outcome.UNKEPT, "there": Outcome.SAME}


def fill(vault: Checkpoints, folder: Path, steps: int = KEEP + 2) -> None:
    """Take so many checkpoints that older ones are dropped."""
    folder.mkdir()
    for n in range(steps):
        with vault.around(Scope(folder), why="x"):
            (folder / "n").write_text(str(n))


def test_another_process_that_drops_old_contents_does_not_cost_a_way_back(
    vault: Checkpoints, work: Path, tmp_path: Path
) -> None:
    path = work / "thesis.txt"
    path.write_text("years of work")
    with vault.around(Scope(work), why="make"):
        pass  # nothing changed: no checkpoint holds what was looked at
    fill(Checkpoints(tmp_path / "checkpoints", FixedClock()), tmp_path / "other")
    with vault.around(Scope(work), why="rm thesis.txt"):
        path.unlink()
    vault.rollback(vault.list_recent(1)[0].number)
    assert path.read_text() == "years of work"


def test_dropping_old_contents_leaves_what_is_kept_at_that_moment(
    vault: Checkpoints, work: Path, tmp_path: Path
) -> None:
    fill(vault, tmp_path / "other", KEEP + 1)
    path = work / "f.txt"
    path.write_text("old")
    change(vault, path, "new")
    vault.rollback(vault.list_recent(1)[0].number)
    assert path.read_text() == "old"


def test_a_long_step_outlives_many_short_ones_of_another_process(
    vault: Checkpoints, work: Path, tmp_path: Path
) -> None:
    path = work / "f.txt"
    path.write_text("old")
    with vault.around(Scope(work), why="a long one"):
        fill(Checkpoints(tmp_path / "checkpoints", FixedClock()), tmp_path / "other")
        path.write_text("new")
    vault.rollback(1, "f.txt")
    assert path.read_text() == "old"


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
