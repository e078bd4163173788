"""The terminal: what it runs, what it asks, what it can take back."""

from pathlib import Path

import pytest
from working import Working, open_working

from hermes.errors import NotFound, Refused
from hermes.tools.reading import is_reading
from hermes.tools.terminal import TOOL as TERMINAL


@pytest.fixture
def working(tmp_path: Path) -> Working:
    return open_working(tmp_path)


def test_output_and_exit_code(working: Working) -> None:
    done = working.run(TERMINAL, command="echo hello; exit 3")
    assert done.text.startswith("hello\n[exit 3,")
    assert done.failed


def test_what_is_told_of_a_long_output_are_lines_of_it(working: Working) -> None:
    working.run(TERMINAL, command="seq 1000000 1200000")
    assert working.progress
    assert {len(line) for line in working.progress} == {7}
    working.progress.clear()
    working.run(TERMINAL, command="printf '10%%\\r50'; printf '%%\\r100%%\\n'")
    assert working.progress[-1] == "100%"
    assert set(working.progress) <= {"10%", "50%", "100%"}


def test_secrets_of_the_environment_are_not_there(working: Working) -> None:
    assert "hush" not in working.run(TERMINAL, command="env").text


def test_what_a_command_changed_can_be_taken_back(working: Working) -> None:
    for name in ("a.txt", "b.txt"):
        (working.folder / name).write_text(name)
    working.run(TERMINAL, command="rm a.txt; echo new > b.txt; mkdir d; echo c > d/c.txt")
    working.vault.rollback(1)
    names = {p.name: p.read_text() for p in working.folder.rglob("*") if p.is_file()}
    assert names == {"a.txt": "a.txt", "b.txt": "b.txt"}


def test_looking_takes_no_checkpoint(working: Working) -> None:
    (working.folder / "a").write_text("x")
    working.run(TERMINAL, command="ls -la | wc -l && git status 2>/dev/null")
    assert working.vault.list_recent() == []


@pytest.mark.parametrize(
    "line",
    [
        *("make", "echo x > f", "sed -i s/a/b/ f", "cat a && rm b", "find . -delete", "git commit"),
        *("env -S 'rm -rf x'", "GIT_EXTERNAL_DIFF=./x git diff", "PATH=. ls", "FOO=1 ls"),
        *("rg --pre ./x y", "./ls", "git -c core.fsmonitor=./x status", "git diff --ext-diff"),
        *("command -p rm x", "bash <<< 'rm x'", "env -C .. ls"),
    ],
)
def test_what_may_change_files_is_no_looking(line: str) -> None:
    assert not is_reading(line)


@pytest.mark.parametrize(
    "line",
    ["git status", "ls -la", "grep -rn x src | head", "cd sub && ls", "git log | cat", "env"],
)
def test_looking_is_neither_asked_about_nor_kept(working: Working, line: str) -> None:
    assert is_reading(line)
    assert working.asked(TERMINAL, command=line) is None


def test_harm_is_asked_about_and_may_be_allowed_for_good(tmp_path: Path) -> None:
    question = open_working(tmp_path).asked(TERMINAL, command="git push --force")
    assert question is not None
    assert question.reason == "it rewrites a remote"
    allowed = open_working(tmp_path, question.rule)
    assert allowed.asked(TERMINAL, command="git push --force") is None
    assert allowed.asked(TERMINAL, command="rm -rf x") is not None


def test_the_home_of_hermes_is_refused_and_what_may_reach_it_never_allowed_for_good(
    working: Working,
) -> None:
    with pytest.raises(Refused, match="home of Hermes"):
        working.asked(TERMINAL, command=f"cat {working.home}/keys/db.key")
    question = working.asked(TERMINAL, command="cat ../h*/keys/db.key")
    assert question is not None
    assert question.rule == ""
    with pytest.raises(Refused, match="home of Hermes"):
        working.run(TERMINAL, command="ls", workdir=str(working.home))


def test_a_folder_elsewhere_is_asked_about(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    question = open_working(tmp_path).asked(TERMINAL, command="cat *", workdir=str(other))
    assert question is not None
    assert question.action == f"cat * (in {other})"
    allowed = open_working(tmp_path, question.rule)
    assert allowed.asked(TERMINAL, command="cat *", workdir=str(other)) is None
    harmful = open_working(tmp_path).asked(TERMINAL, command="rm -rf x", workdir=str(other))
    assert harmful is not None
    assert "deletes files" in harmful.reason
    assert harmful.rule == ""


def test_a_folder_that_is_not_there(working: Working) -> None:
    with pytest.raises(NotFound, match="no folder"):
        working.run(TERMINAL, command="ls", workdir="nowhere")


def test_the_time_limit_is_told(working: Working) -> None:
    done = working.run(TERMINAL, command="sleep 30", timeout_s=0.2)
    assert "[stopped after 0.2 s]" in done.text
    assert done.failed


def test_every_danger_is_named_and_always_is_offered_for_no_several(tmp_path: Path) -> None:
    line = "rm -rf build; git push --force"
    question = open_working(tmp_path).asked(TERMINAL, command=line)
    assert question is not None
    assert question.reason == "it deletes files; it rewrites a remote"
    assert question.rule == ""
    allowed = open_working(tmp_path, "terminal: rm -rf build").asked(TERMINAL, command=line)
    assert allowed is not None
    assert (allowed.reason, allowed.rule) == ("it rewrites a remote", "terminal: git push *")


def test_always_is_offered_where_one_rule_covers_what_is_asked(working: Working) -> None:
    question = working.asked(TERMINAL, command="rm -rf ../build")
    assert question is not None
    assert "deletes files; it changes files outside" in question.reason
    assert question.rule == "terminal: rm -rf ../build"


def test_what_it_runs_is_marked_as_an_agents(working: Working) -> None:
    assert working.run(TERMINAL, command="echo $HERMES_AGENT").text.startswith("3\n")
