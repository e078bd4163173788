"""Which commands are given another command, in their own words or by an option, and run it.

Such a command can do anything, and what it is given is written in ways that are not all read here.
So what is known to run nothing is left alone, and the rest is a reason to ask: a script of `sed` is
plain or it is not, whatever else stands in it.
"""

import re
from collections.abc import Iterator, Sequence

from hermes.tools.shellwords import Simple

RUNS = "it runs a command that it is given"
_TAKERS = frozenset(
    "flock script scriptreplay strace ltrace gdb lldb valgrind perf unshare nsenter chroot runuser "
    "setpriv capsh prlimit taskset chrt numactl setarch cpulimit firejail bwrap proot fakeroot "
    "systemd-run systemd-inhibit dbus-run-session xvfb-run at batch tmux screen dtach abduco "
    "zellij xterm socat expect unbuffer rlwrap hyperfine entr watchexec nodemon reflex daemonize "
    "start-stop-daemon run-parts logsave torsocks torify proxychains proxychains4 faketime sem "
    "time toybox osascript ssh-agent vim vi nvim ex view emacs ed nix-shell direnv".split()
)
"""Their arguments are a command, or a script that may hold one. Those whose options are known are
taken off before (`wrappers`)."""
_NAMED_SO = re.compile(
    r"--(?!no-)(?:[a-z]+-)*(?:exec|exec-batch|cmd|extcmd|command|pager|rsh|program|shell)(?:=.*)?",
    re.DOTALL,
)
"""Long options whose names say that their value is run, of whatever program."""
_OPTIONS = {
    "rg": ("", "--pre", "--hostname-bin"),
    "tar": ("IF", "--checkpoint-action", "--to-command", "--use-compress-program", "--rsh-command"),
    "sort": ("", "--compress-program"),
    "rsync": ("e", "--rsh", "--rsync-path"),
    "man": ("PH", "--pager", "--html"),
    "nc": ("ec", "--exec", "--sh-exec", "--lua-exec"),
    "ncat": ("ec", "--exec", "--sh-exec", "--lua-exec"),
    "make": ("", "--eval"),
}
"""Letters and names of options whose value is run, where the name does not say so or is cut."""
_OWN_WORDS = frozenset(("psql", "fd", "fdfind", "find"))  # a language of theirs, or read as a line
_PLAIN_VALUE = re.compile(
    r"(?:gzip|pigz|bzip2|pbzip2|xz|zstd|lz4|lzma|lzip|brotli)(?: -[\w-]+)*"
    r"|ssh(?: -[46CTqx]+| -[pil] [\w./~@-]+)*"
)
"""Commands that such options are given every day: packers, and a connection."""
_GIT_ALWAYS = frozenset(
    "difftool mergetool for-each-repo send-email instaweb filter-branch hook daemon".split()
)
_GIT_SECOND = frozenset((("bisect", "run"), ("submodule", "foreach")))
_GIT_OPTIONS = {
    "rebase": ("x", "--exec"),
    "grep": ("O", "--open-files-in-pager"),
    "clone": ("uc", "--upload-pack", "--config"),
}
_GIT_ANY = ("", "--upload-pack", "--receive-pack", "--exec", "--open-files-in-pager", "--extcmd")
_SED_ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:\\.|[^/\\\n])+/[IM]*)"
_SED_SPAN = rf"(?:{_SED_ADDRESS}(?:\s*,\s*(?:[+~]\d+|{_SED_ADDRESS}))?\s*!?\s*)?"
_SED_PART = r"(?:\\.|(?!(?P=sign))[^\\])*"
_SED_PLAIN = re.compile(
    rf"(?:[\s;]|#[^\n]*|{_SED_SPAN}(?:"
    rf"[sy](?P<sign>[^\w\s\\]){_SED_PART}(?P=sign){_SED_PART}(?P=sign)[gpIiMm\d]*(?=[\s;}}#]|\Z)"
    r"|[pdPDgGhHxnNlFzqQ=]\s*\d*(?=[\s;}#]|\Z)|[btT:]\s*[\w-]*(?=[\s;}]|\Z)|[{}]"
    r"|[aic](?:\\\n|[^\n])*|r\s*[^\n]+))*+",
    re.DOTALL,
)
"""A script of `sed` that only edits: no `e`, no flag `e`, no file to write."""
_SED_OPTION = re.compile(r"-[nErsuzb]*(?:(?P<script>e.*)|(?P<file>f.*)|[il].*)?", re.DOTALL)
_AWKS = frozenset(("awk", "gawk", "mawk", "nawk"))
_AWK_QUOTED = re.compile(
    r'"(?:\\.|[^"\\])*"|(?P<before>[({},;!~&|\n]|\A)\s*/(?:\\.|\[[^\]\n]*\]|[^/\\\n])+/', re.DOTALL
)
_AWK_PIPE = re.compile(r"(?<!\|)\|(?!\|)|\bsystem\s*\(|@load")


def runs_another(command: Simple) -> bool:
    """Whether a command runs one that it is given, or may."""
    program = command.program
    if program in _TAKERS:
        return len(command.words) > 1
    if program == "git":
        return _git_runs(git_words(command))
    if program in ("sed", "gsed"):
        return not all(map(_SED_PLAIN.fullmatch, _sed_scripts(command.arguments)))
    if program in _AWKS:
        return any(_AWK_PIPE.search(_unquoted(word)) for word in _awk_programs(command.arguments))
    if program not in _OWN_WORDS and any(map(_NAMED_SO.fullmatch, command.arguments)):
        return True
    return program in _OPTIONS and _has_value(command.arguments, *_OPTIONS[program])


def git_words(command: Simple) -> list[str]:
    """What follows `git` and its own options."""
    words = list(command.arguments)
    while words and words[0].startswith("-"):
        is_valued = words[0] in ("-c", "--namespace", "-C", "--git-dir", "--work-tree")
        words = words[2:] if is_valued else words[1:]
    return words


def _git_runs(words: Sequence[str]) -> bool:
    if not words:
        return False
    second = next((word for word in words[1:] if not word.startswith("-")), "")
    if words[0] in _GIT_ALWAYS or (words[0], second) in _GIT_SECOND:
        return True
    if any(word.startswith("ext::") for word in words):
        return True
    letters, *names = _GIT_OPTIONS.get(words[0], _GIT_ANY)
    return _has_value(words[1:], letters, *names, *_GIT_ANY[1:])


def _has_value(words: Sequence[str], letters: str, *names: str) -> bool:
    """Whether an option that takes a command is given one that is not plain."""
    short = re.compile(rf"-[A-Za-z]*?[{letters}](.*)", re.DOTALL) if letters else None
    for place, word in enumerate(words):
        name, has_value, value = word.partition("=")
        if len(name) > 2 and name[:2] == "--":
            if not any(each.startswith(name) for each in names):
                continue
        elif short is not None and (found := short.fullmatch(word)):
            has_value = value = found[1]
        else:
            continue
        given = value if has_value else "".join(words[place + 1 : place + 2])
        if not _PLAIN_VALUE.fullmatch(given):
            return True
    return False


def _sed_scripts(words: Sequence[str]) -> Iterator[str]:
    """The scripts in the words of `sed`; one that lies in a file is none that is plain: `e`."""
    if "--sandbox" in words:
        return
    rest, is_told, named = iter(words), False, list[str]()
    for word in rest:
        found = _SED_OPTION.fullmatch(word)
        name, _, value = word.partition("=")
        is_long = len(name) > 2 and name.startswith("--")
        if is_long and "--expression".startswith(name):
            yield value or next(rest, "")
        elif is_long and "--file".startswith(name):
            yield "e"
        elif found and found["script"]:
            yield found["script"][1:] or next(rest, "")
        elif found and found["file"]:
            yield "e"
        else:
            named += [] if is_long or found else [word]
            continue
        is_told = True
    if not is_told:
        yield from named[:1]


def _awk_programs(words: Sequence[str]) -> Iterator[str]:
    """What may be a program among the words of `awk`: not the sign that parts fields."""
    for before, word in zip(("", *words), words, strict=False):
        if before not in ("-F", "--field-separator") and not word.startswith(("-F", "--field-s")):
            yield word


def _unquoted(program: str) -> str:
    """A program of `awk` without its strings and patterns."""
    return _AWK_QUOTED.sub(lambda found: f'{found["before"] or ""}""', program)
