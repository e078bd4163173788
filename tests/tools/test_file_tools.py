"""Reading, writing, patching and searching files: contained, reversible, told plainly."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from working import Working, open_working

from hermes.agent.checkpoints import Checkpoints, Scope
from hermes.clock import FixedClock
from hermes.errors import Conflict, NotFound, Refused, Unavailable, UserError
from hermes.tools import search_files
from hermes.tools.base import AnyTool, ToolResult
from hermes.tools.patch import TOOL as PATCH
from hermes.tools.patch import replace as replaced
from hermes.tools.read_file import TOOL as READ
from hermes.tools.search_files import TOOL as SEARCH
from hermes.tools.write_file import TOOL as WRITE


def replace_folder(working: Working, folder: Path) -> Working:
    return replace(working, folder=folder)


@pytest.fixture
def working(tmp_path: Path) -> Working:
    return open_working(tmp_path)


def test_lines_are_numbered_and_the_rest_is_told(working: Working) -> None:
    (working.folder / "a.txt").write_text("".join(f"line {n}\n" for n in range(1, 11)))
    shown = working.run(READ, path="a.txt", offset=3, limit=2).text
    assert "lines 3–4 of 10" in shown
    assert "     3\tline 3\n     4\tline 4" in shown
    assert "offset 5" in shown
    assert "line 5" not in shown


def test_a_folder_is_listed(working: Working) -> None:
    (working.folder / "sub").mkdir()
    (working.folder / "z.txt").write_text("")
    assert working.run(READ, path=".").text.endswith("2 entries\nsub/\nz.txt")


def test_what_cannot_be_read_says_why(working: Working) -> None:
    (working.folder / "b.bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="not UTF-8"):
        working.run(READ, path="b.bin")
    with pytest.raises(NotFound, match="no file"):
        working.run(READ, path="nowhere.txt")
    with pytest.raises(UserError, match="not a path"):
        working.run(READ, path="a\x00b")


def test_the_home_of_hermes_is_closed_also_through_a_link(working: Working) -> None:
    (working.home / "keys").mkdir()
    (working.folder / "door").symlink_to(working.home)
    for path in (str(working.home / "keys"), "door/keys", "../home/keys"):
        with pytest.raises(Refused, match="home of Hermes"):
            working.run(READ, path=path)
        with pytest.raises(Refused, match="home of Hermes"):
            working.run(WRITE, path=path + "/x", content="")


def test_outside_the_working_folder_is_asked_about(working: Working, tmp_path: Path) -> None:
    assert working.asked(READ, path="a.txt") is None
    assert working.asked(WRITE, path="sub/../b.txt", content="") is None
    question = working.asked(WRITE, path="../c.txt", content="")
    assert question is not None
    assert "outside the working folder" in question.reason
    allowed = open_working(tmp_path, question.rule)
    assert allowed.asked(WRITE, path="../d.txt", content="") is None
    assert allowed.asked(WRITE, path="/etc/hosts", content="") is not None


def test_a_link_out_of_the_folder_is_asked_about(working: Working, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    (working.folder / "link").symlink_to(tmp_path / "secret.txt")
    assert working.asked(READ, path="link") is not None


def test_writing_makes_folders_keeps_rights_and_can_be_taken_back(working: Working) -> None:
    new, old = working.folder / "x" / "new.sh", working.folder / "old.sh"
    old.write_text("one\n")
    old.chmod(0o750)
    working.run(WRITE, path="x/new.sh", content="hello\n")
    told = working.run(WRITE, path="old.sh", content="two\n").text
    assert "-one" in told
    assert "+two" in told
    assert old.stat().st_mode & 0o777 == 0o750
    working.vault.rollback(1)
    assert not new.exists()
    assert old.read_text() == "one\n"


def test_writing_the_same_changes_nothing(working: Working) -> None:
    (working.folder / "a").write_text("x")
    assert "already" in working.run(WRITE, path="a", content="x").text
    assert working.vault.list_recent() == []


def test_a_passage_is_replaced(working: Working) -> None:
    path = working.folder / "a.py"
    path.write_text("def f():\n    return 1\n")
    assert (
        "+    return 2"
        in working.run(PATCH, path="a.py", old_text="return 1", new_text="return 2").text
    )
    assert path.read_text() == "def f():\n    return 2\n"


def test_a_passage_that_is_not_there_names_the_nearest(working: Working) -> None:
    (working.folder / "a.py").write_text("x = 1\nreturn compute(a, b)\n")
    with pytest.raises(NotFound) as caught:
        working.run(PATCH, path="a.py", old_text="return compute(a,b)", new_text="")
    assert "nearest line is 2" in caught.value.hint


def test_a_passage_that_is_there_twice(working: Working) -> None:
    with pytest.raises(Conflict, match="2 times"):
        replaced("a b a", "a", "c")
    assert replaced("a b a", "a", "c", replace_all=True) == "c b c"


def test_line_ends_of_the_file_are_kept() -> None:
    assert replaced("a\r\nb\r\n", "a\nb", "x\ny") == "x\r\ny\r\n"


@given(st.text(min_size=1), st.text(), st.text(alphabet="xyz"))
def test_a_replaced_passage_leaves_the_rest(old: str, new: str, rest: str) -> None:
    text = f"{rest}|{old}|{rest}"
    if text.count(old) == 1 and "\r\n" not in text:
        assert replaced(text, old, new) == f"{rest}|{new}|{rest}"


def test_searching_by_pattern_and_by_name(working: Working) -> None:
    (working.folder / "a.py").write_text("import os\nprint('hi')\n")
    (working.folder / "b.txt").write_text("import nothing\n")
    (working.folder / ".git").mkdir()
    (working.folder / ".git" / "c.py").write_text("import os\n")
    assert working.run(SEARCH, pattern="^import", glob="*.py").text.endswith(":\na.py:1:import os")
    assert working.run(SEARCH, glob="*.txt").text.endswith(":\nb.txt")
    assert "Nothing found" in working.run(SEARCH, pattern="absent").text


def test_searching_runs_no_code_of_the_folder(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = working.folder / "ran"
    (working.folder / "fnmatch.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    monkeypatch.chdir(working.folder)
    assert "fnmatch.py" in working.run(SEARCH, pattern="open").text
    assert not mark.exists()


def test_searching_from_above_does_not_reach_into_the_home(working: Working) -> None:
    (working.home / "token").write_text("hidden words")
    above = replace_folder(working, working.home.parent)
    assert "Nothing found" in above.run(SEARCH, pattern="hidden words").text


def test_checkpoints_from_above_leave_the_home_alone(working: Working) -> None:
    (working.home / "memory.db").write_text("old")
    vault = Checkpoints(working.home / "checkpoints", FixedClock(), closed=(working.home,))
    with vault.around(Scope(working.home.parent), why="all"):
        (working.home / "memory.db").write_text("new")
        (working.folder / "a").write_text("x")
    assert [Path(each.path).name for each in vault.rollback(1)] == ["a"]
    assert (working.home / "memory.db").read_text() == "new"


def test_searching_passes_pipes_by(working: Working) -> None:
    os.mkfifo(working.folder / "a.pipe")
    (working.folder / "b.txt").write_text("needle")
    assert "b.txt:1:needle" in working.run(SEARCH, pattern="needle").text


def test_a_wrong_pattern_is_told(working: Working) -> None:
    with pytest.raises(UserError, match="pattern is wrong"):
        working.run(SEARCH, pattern="(")


def test_a_pattern_that_never_ends_is_stopped(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    (working.folder / "a").write_text("a" * 40 + "b")
    monkeypatch.setattr(search_files, "TIMEOUT_S", 0.7)
    with pytest.raises(Unavailable, match="took longer"):
        working.run(SEARCH, pattern="(a+)+$")


def test_a_search_that_breaks_off_is_not_told_as_nothing_found(
    working: Working, tmp_path: Path
) -> None:
    (tmp_path / "libc.so.6").write_text("no library: whatever is started with it ends at once")
    context = replace(working.context(), environ={"LD_LIBRARY_PATH": str(tmp_path)})
    with pytest.raises(Unavailable, match="broke off"):
        asyncio.run(_finish(SEARCH.run(SEARCH.arguments(), context)))


def swapped(working: Working, tool: AnyTool, **arguments: Any) -> ToolResult:
    """Ask as the loop does, let a stranger put a link in the path's place, then run."""
    context, args = working.context(), tool.arguments.model_validate(arguments)
    tool.approval(args, context)
    folder, outside = working.folder / "sub", working.folder.parent / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("not yours")
    folder.rename(working.folder / "was")
    folder.symlink_to(outside)
    return asyncio.run(_finish(tool.run(args, context)))


async def _finish(running: Awaitable[ToolResult]) -> ToolResult:
    return await running


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        (READ, {}),
        (WRITE, {"content": "mine"}),
        (PATCH, {"old_text": "yours", "new_text": "mine"}),
    ],
)
def test_a_link_put_there_after_the_answer_is_not_followed(
    working: Working, tool: AnyTool, more: dict[str, str]
) -> None:
    (working.folder / "sub").mkdir()
    (working.folder / "sub" / "a.txt").write_text("yours")
    with pytest.raises(Refused, match="leads elsewhere now"):
        swapped(working, tool, path="sub/a.txt", **more)
    assert (working.folder.parent / "outside" / "a.txt").read_text() == "not yours"


def test_a_file_that_became_a_link_is_not_followed(working: Working) -> None:
    file, secret = working.folder / "a.txt", working.folder.parent / "secret"
    file.write_text("yours")
    secret.write_text("not yours")
    context, args = working.context(), READ.arguments.model_validate({"path": "a.txt"})
    READ.approval(args, context)
    file.unlink()
    file.symlink_to(secret)
    with pytest.raises(Refused, match="leads elsewhere now"):
        asyncio.run(_finish(READ.run(args, context)))


def test_a_pipe_is_no_file_and_holds_nobody_up(working: Working) -> None:
    os.mkfifo(working.folder / "pipe")
    with pytest.raises(UserError, match="not a plain file"):
        working.run(READ, path="pipe")


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("# Notes\n\none\nTWO\n", "1 line changed"),
        ("# Notes\n\none\ntwo\nthree\n", "1 line added"),
        ("# Notes\n\n1\n2\n3\n", "3 lines added, 2 removed"),
        ("# Notes\n", "3 lines removed"),
        ("# Notes\n\none\ntwo", "only its line ends"),
    ],
)
def test_a_person_reads_how_many_lines_a_change_touched(
    working: Working, after: str, told: str
) -> None:
    path = working.folder / "notes.md"
    path.write_text("# Notes\n\none\ntwo\n")
    assert working.run(WRITE, path="notes.md", content=after).told == f"Wrote {path}: {told}"


def test_a_patch_tells_how_many_lines_it_touched(working: Working) -> None:
    path = working.folder / "notes.md"
    path.write_text("one\ntwo\n")
    done = working.run(PATCH, path="notes.md", old_text="two", new_text="2")
    assert done.told == f"Changed {path}: 1 line changed"
    assert "-two\n+2" in done.text


def test_changes_of_one_file_at_once_are_all_kept(working: Working) -> None:
    (working.folder / "a.txt").write_text("one\ntwo\nthree\n")
    met = threading.Barrier(3)

    @contextmanager
    def meet(root: Path, files: tuple[Path, ...], why: str) -> Iterator[None]:
        with suppress(threading.BrokenBarrierError):
            met.wait(0.5)  # by now each has read the file; nobody comes where one waits for another
        yield

    async def patch(word: str) -> object:
        args = PATCH.arguments(path="a.txt", old_text=word, new_text=word.upper())
        return await PATCH.run(args, replace(working.context(), changing=meet))

    async def go() -> None:
        await asyncio.gather(*(patch(word) for word in ("one", "two", "three")))

    asyncio.run(go())
    assert (working.folder / "a.txt").read_text() == "ONE\nTWO\nTHREE\n"
