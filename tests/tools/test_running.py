"""What runs a command that it is given is asked about; what only looks or edits is not."""

import time

import pytest
from lines import find_danger

from hermes.tools.calling import opens_door
from hermes.tools.running import RUNS
from hermes.tools.shellwords import parse_line

RUNNING = """\
sed '1e rm x' f
sed -n -e '1p' -e '$e' f
sed -ne '/x/e cat y' f
sed 's/a/rm x/e' f
sed 's/a/rm x/ge' f
sed --expression='e rm x' f
sed --expr 'e rm x' f
sed 's/a/b/w out' f
sed 'w out' f
sed -f script f
sed -i '/a/{p;e rm x;}' f
sed '1!e rm x' f
sed '1,3e' f
awk 'BEGIN { "date" | getline d; print d }'
awk '{ print $1 | "sh" }' f
gawk -F '|' '{ print | "sh" }' f
awk '$1/2 | "sh" /1/' f
awk '@load "filefuncs"'
awk 'BEGIN { system ("ls") }'
git bisect run make
git -C x submodule --quiet foreach ls
git difftool -y -x ls HEAD
git mergetool
git rebase -x make HEAD~1
git rebase -i --exec make HEAD~1
git rebase -ixmake HEAD~1
git grep -Oless x
git grep --open x
git clone -c core.fsmonitor=x url
git clone 'ext::sh -c ls' x
git fetch --upload-pack=x
man -P ls ls
man --pager=ls ls
fd . -x sh -c 'rm -rf x'
fd --exec=rm
flock f ls
script -c ls
/usr/bin/time rm x
tar -I 'sh -c ls' -cf a b
tar --use-comp=x -cf a b
rsync -e 'sh -c ls' a b:
rsync -avesh a b:
rg --pre ls x
tool --on-change-cmd ls
at now
tmux new -d ls
systemd-run --user ls
prlimit --pid 1
vim -c '!ls' f
""".splitlines()

PLAIN = """\
sed s/a/b/ f
sed -i 's/e/e/g; s|x y|e z|2p' f
sed -E -i.bak 's/(a|b)+/\\1/' f
sed -n '1,20p' f
sed -n '/start/,/end/p' f
sed -n '$=' f
sed '/^$/d' f
sed '$d' f
sed ':a;N;$!ba;s/\\n/ /g' f
sed '1!G;h;$!d' f
sed -e '1i # echo' -e '$a the end' f
sed '/x/{n;d;}' f
sed --quiet '5q' f
sed "s/VERSION/$VERSION/" f
awk '{print $1}' f
awk -F'|' '{print $2}' f
awk -F '|' '{print $2}' f
awk '/a|b/ {print}' f
awk '$1 ~ /a|b/ || $2 == "x|y"' f
awk 'NR==1; {n += $1} END {print n/2}' f
git rebase main
git rebase -Xtheirs main
git bisect start
git submodule update --init
git grep -n Open
git clone https://example.com/x
git --no-pager log
man ls
fd -e py -x wc -l
fd pattern
find . -name '*.py' -exec wc -l {} +
tar -I zstd -xf a.tar.zst
tar -czf a.tgz b
rsync -av -e ssh a b
rsync -e 'ssh -p 22' a b
psql --command 'select 1'
script
cp hermes.txt x
cp -r src/hermes x
""".splitlines()


@pytest.mark.parametrize("line", RUNNING)
def test_what_runs_a_command_is_asked_about(line: str) -> None:
    assert find_danger(line) is not None


@pytest.mark.parametrize("line", PLAIN)
def test_what_runs_none_is_not(line: str) -> None:
    assert find_danger(line) is None
    assert not any(map(opens_door, parse_line(line).commands))


def test_always_allows_these_very_words_only() -> None:
    danger = find_danger("git bisect run make")
    assert danger is not None
    assert (danger.reason, danger.rule) == (RUNS, "git bisect run make")
    assert find_danger("git bisect run make", [danger.rule]) is None
    assert find_danger("git bisect run rm x", ["git bisect *"]) is not None


@pytest.mark.parametrize(
    "line",
    [
        "sed '1e hermes memory approve held:1' f",
        "awk 'BEGIN { \"hermes memory approve held:1\" | getline }'",
        "git bisect run hermes memory approve held:1",
        "git grep -O'hermes memory approve held:1' x",
        "man -P 'hermes memory approve held:1' ls",
        "fd . -x hermes memory approve held:1",
        "ln -s /usr/bin/hermes h; ./h memory approve held:1",
        "cp .venv/bin/hermes h",
    ],
)
def test_hermes_itself_is_seen_in_it(line: str) -> None:
    assert any(map(opens_door, parse_line(line).commands))


@pytest.mark.parametrize("script", ["p   " * 4_000, "s/a/b/ ;" * 2_000, "1," * 9_000, "/a" * 9_000])
def test_a_long_script_is_read_in_time(script: str) -> None:
    begun = time.perf_counter()
    find_danger(f"sed '{script}!' f")
    assert time.perf_counter() - begun < 2
