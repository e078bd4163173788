"""Which commands could do harm that is hard to take back, so that the person is asked first.

A list can never be complete. It is the second line: checkpoints bring files back, the time and
output of a command are bounded, secrets are not in its environment. Where a line cannot be read,
or a word of it could become any command, asking is the answer.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from hermes.tools.running import RUNS, git_words, runs_another
from hermes.tools.shellscan import NAMES, UNKNOWN
from hermes.tools.shellwords import Simple, parse_line

MAX_LINE = 20_000


@dataclass(frozen=True, slots=True)
class Danger:
    """Why a command is asked about, and the words of it that "always" would allow."""

    reason: str
    rule: str
    personal: bool = False
    """Only the person may allow it, each time."""
    lasting: bool = False
    """Nothing takes it back, so that `/yolo` is no yes to it."""


_GIT_HARM = {
    "push": (("fd", "--force", "--force-with-lease", "--delete", "--mirror"), "rewrites a remote"),
    "reset": (("", "--hard"), "throws away uncommitted work"),
    "clean": (("fdx", "--force"), "deletes files git does not know"),
    "branch": (("D",), "deletes a branch"),
    "checkout": (("f", "--force"), "throws away uncommitted work"),
    "stash": ((), ""),
    "filter-branch": (None, "rewrites history"),
    "filter-repo": (None, "rewrites history"),
    "update-ref": (("d",), "deletes a reference"),
}
_STOPPING = frozenset(("shutdown", "reboot", "halt", "poweroff", "init", "telinit"))
_DISKS = frozenset(("mkfs", "fdisk", "parted", "sfdisk", "wipefs", "blkdiscard", "mkswap", "dd"))
_NEVER_FOR_GOOD = frozenset(("sudo", "doas", "su", "pkexec", "eval", *_DISKS, *_STOPPING))
_WITH_SUBCOMMANDS = frozenset(
    "git docker podman kubectl npm pnpm yarn cargo poetry uv gem terraform helm aws gcloud "
    "systemctl".split()
)
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish"))
_READERS = frozenset((*_SHELLS, "python", "perl", "ruby", "node", "php"))
_CODED = frozenset((*(_READERS - _SHELLS), "awk", "gawk", "mawk"))
_VERSION = re.compile(r"(?<=[a-z])[\d.]+$")
_STDIN = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
_GIT_PLAIN = frozenset(("--no-pager", "-P", "--no-optional-locks", "--version", "--help", "-v"))
_GIT_PLACED = frozenset(("-C", "--git-dir", "--work-tree"))
_GIT_SETTING = re.compile(
    r"(?:user|color|advice|init|pull|push|fetch|safe|i18n|column|log|rebase|commit\.gpgsign"
    r"|core\.(?:quotepath|autocrlf|safecrlf|filemode|longpaths|pager=(?:cat|less)$))[.\w=]",
    re.IGNORECASE,
)
_PLAIN_SET = re.compile(r"[-+][euxovnf]+|pipefail|errexit|nounset|xtrace")
_FETCHERS = frozenset(("curl", "wget", "fetch", "http", "https", "nc", "ncat"))
_SYSTEM = re.compile(r"/(?:etc|boot|dev|sys|proc|usr|bin|sbin|lib\w*|var/lib|root/\.ssh)(?:/|$)")
_SECRET_FILES = re.compile(
    r"(?:^|/)(?:\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.npmrc|\.pypirc|\.docker/config\.json"
    r"|id_(?:rsa|ed25519|ecdsa)|authorized_keys|\.bash_history)(?:/|$|\b)|/etc/(?:shadow|sudoers)"
)
_STARTUP = re.compile(r"(?:^|/)\.(?:bashrc|zshrc|profile|bash_profile|zprofile|gitconfig)$")
_SQL_HARM = re.compile(
    r"\b(?:drop\s+(?:table|database|schema|index|view|user|role)|truncate\s+(?:table\s+)?\w"
    r"|delete\s+from\s+\w+\s*(?:;|$|['\"])|alter\s+table\s+\w+\s+drop)",
    re.IGNORECASE,
)
_CODE_HARM = re.compile(
    r"rmtree|system\s*\(|\bunlink\b|os\.(?:remove|unlink|rmdir|system|kill)|unlinkSync|rmSync|rm_rf|File\.delete"
    r"|subprocess|child_process|popen|os\.(?:exec|spawn|posix_spawn)|pty\.spawn|\bqx\b|%x|Path\([^)]*\)\.unlink|shutil\.move"
)
_HIDDEN_GLOB = re.compile(r"(?:^|/)(?:~[^/]*/|/.*/)?\.[^/]*[*?\[]|/\.[^/]*[*?\[]")
_FORK_BOMB = re.compile(r":\s*\(\s*\)\s*\{.*:\s*\|\s*:")


def list_dangers(line: str, allowed: Collection[str] = ()) -> list[Danger]:
    """Every reason to ask about this shell line.

    `allowed` holds rules: a command's words as they are, or their start followed by ` *`.
    """
    if len(line) > MAX_LINE:
        return [Danger("it is too long to be read", "")]
    if _FORK_BOMB.search(line):
        return [Danger("it is a fork bomb", "")]
    read = parse_line(line)
    found = [each for command in read.commands for each in _dangers_of(command, allowed)]
    if _fetches_and_runs(read.commands):
        found.append(Danger("it runs what it fetches from the network", ""))
    if not read.is_clear:
        found.append(Danger("it cannot be read with certainty", ""))
    return found


def _dangers_of(command: Simple, allowed: Collection[str]) -> Iterator[Danger]:
    if not is_allowed(command, allowed):
        reasons = (check(command) for check in _CHECKS)
        yield from (Danger(reason, rule_for(command)) for reason in reasons if reason)


def join_dangers(dangers: Collection[Danger]) -> Danger | None:
    """All of them as one; "always" is offered only where one rule covers every one of them."""
    if not dangers:
        return None
    reasons = dict.fromkeys(each.reason for each in dangers)
    rules = {each.rule for each in dangers}
    rule = rules.pop() if len(rules) == 1 else ""
    personal = any(each.personal for each in dangers)
    lasting = any(each.lasting for each in dangers)
    return Danger("; ".join(reasons), rule, personal, lasting)


def is_allowed(command: Simple, allowed: Collection[str]) -> bool:
    said = " ".join((command.program, *command.arguments))
    is_open = not runs_another(command)  # what it runs is another command each time
    return not (command.writes or command.is_fed) and any(
        said == rule or (is_open and rule.endswith(" *") and f"{said} ".startswith(rule[:-1]))
        for rule in allowed
    )


def rule_for(command: Simple) -> str:
    """What "always" allows: the subcommand with any arguments, else these very words."""
    if not re.fullmatch(r"[\w.-]+", command.program) or command.program in _NEVER_FOR_GOOD:
        return ""
    if command.is_fed or any("$" in word or word == "{}" for word in command.arguments):
        return ""  # the same words mean other files each time
    has_subcommand = command.program in _WITH_SUBCOMMANDS and not runs_another(command)
    if has_subcommand and re.fullmatch(r"[a-z][a-z-]*", "".join(command.arguments[:1])):
        return f"{command.program} {command.arguments[0]} *"
    return " ".join((command.program, *command.arguments))


def _deletes(command: Simple) -> str:
    if command.program in ("rm", "rmdir", "unlink", "shred", "srm", "trash"):
        is_deep = command.has_flag("rRf", "--recursive", "--force", "--no-preserve-root")
        named = [word for word in command.arguments if not word.startswith("-")]
        is_wide = any(set("*?[~${") & set(word) for word in named)
        is_told = bool(named) and not command.is_fed  # else `find` or `xargs` says which files
        is_plain = command.program == "rm" and is_told and not is_deep and not is_wide
        return "" if is_plain else "it deletes files"
    if command.program == "find" and "-delete" in command.words:
        return "it deletes files"
    if command.program == "truncate":
        return "it empties files"
    return "it deletes files" if command.program == "rsync" and _mentions(command, "--del") else ""


def _mentions(command: Simple, start: str) -> bool:
    return any(word.startswith(start) for word in command.arguments)


def _rewrites_git(command: Simple) -> str:
    if command.program != "git" or not (words := git_words(command)):
        return ""
    flags, reason = _GIT_HARM.get(words[0], ((), ""))
    asked = Simple(("git", *words[1:]))
    if flags is None:
        return f"it {reason}"
    if flags and asked.has_flag(flags[0], *flags[1:]):
        return f"it {reason}"
    if words[0] == "push" and any(word.startswith((":", "+")) for word in words[1:]):
        return "it rewrites a remote"
    is_staged = words[0] == "restore" and asked.has_flag("S", "--staged")
    if (words[0] == "checkout" and (words[-1] == "." or "--" in words)) or (
        words[0] == "restore" and not is_staged
    ):
        return "it throws away uncommitted work"
    if words[:2] in (["stash", "drop"], ["stash", "clear"], ["reflog", "expire"]):
        return "it throws away kept work"
    return ""


def _steers_git(command: Simple) -> str:
    """Options and settings of git may name commands that it runs on the way."""
    if command.program != "git":
        return ""
    words = list(command.arguments)
    while words and words[0].startswith("-"):
        name = words[0].partition("=")[0]
        if words[0] == "-c" and not _GIT_SETTING.match("".join(words[1:2])):
            return "it sets what git runs or does"
        if name not in (*_GIT_PLAIN, *_GIT_PLACED, "-c"):
            return f"it gives git the option {name}, which is not known"
        words = words[2:] if words[0] == "-c" or words[0] in _GIT_PLACED else words[1:]
    if words[:1] == ["config"] and not _is_plain_setting(words[1:]):
        return "it sets what git runs or does"
    return ""


def _is_plain_setting(words: list[str]) -> bool:
    """Whether `git config …` only asks, or sets what is known to run nothing."""
    asking = ("--get", "--list", "-l", "--get-all", "get", "list")
    named = [word for word in words if not word.startswith("-")]
    if len(named) < 2 or words[0] in asking:
        return not any(word in ("-e", "--edit") for word in words)
    return bool(_GIT_SETTING.match("=".join(named[:2])))


def _touches_the_machine(command: Simple) -> str:
    program, words = command.program, command.arguments
    if program in _STOPPING:
        return "it stops the machine"
    if program in _DISKS or program.startswith("mkfs."):
        return "it writes to a disk or device"
    if program in ("sudo", "doas", "su", "pkexec"):
        return "it asks for the rights of another user"
    if program in ("systemctl", "service", "launchctl") and not _is_asking(words):
        return "it changes services of the machine"
    if program in ("useradd", "userdel", "usermod", "passwd", "visudo", "crontab"):
        return "it changes accounts or schedules of the machine" if words != ("-l",) else ""
    if program in ("iptables", "nft", "ufw", "ip", "route") and not _is_asking(words):
        return "it changes the network"
    return ""


def _is_asking(words: tuple[str, ...]) -> bool:
    asking = {"status", "show", "list", "list-units", "is-active", "is-enabled", "cat", "a", "addr"}
    return not words or bool(asking & set(words)) or words[0] in ("-L", "-V", "--version")


def _changes_rights(command: Simple) -> str:
    if command.program not in ("chmod", "chown", "chgrp", "setfacl"):
        return ""
    is_open = any(re.fullmatch(r"0?[0-7]*[2367]|[ao]*\+[rx]*w\w*", w) for w in command.arguments)
    is_deep = command.has_flag("R", "--recursive")
    return "it changes who may use files" if is_deep or is_open else ""


def _ends_programs(command: Simple) -> str:
    if command.program in ("killall", "pkill"):
        return "it ends programs by name"
    if command.program == "kill" and any(word in ("-1", "1") for word in command.arguments[-1:]):
        return "it ends every program"
    return ""


def _writes_outside(command: Simple) -> str:
    targets = [*command.writes]
    if command.program in ("sed", "perl") and command.has_flag("i", "--in-place"):
        targets += [word for word in command.arguments if not word.startswith("-")]
    if command.program in ("tee", "cp", "mv", "install", "ln", "touch"):
        targets += [word for word in command.arguments if not word.startswith("-")][-1:]
    if command.program == "find":
        targets += [b for a, b in pairwise(command.words) if a.startswith(("-fprint", "-fls"))]
    for target in targets:
        if _SECRET_FILES.search(target) or _STARTUP.search(target):
            return "it writes keys or start-up files"
        is_sink = target in ("/dev/null", "/dev/stdout", "/dev/stderr") and command.program != "mv"
        if _SYSTEM.match(target) and not is_sink:
            return "it writes to the system"
    return ""


def _reads_secrets(command: Simple) -> str:
    if command.program in ("ssh", "scp", "ssh-keygen", "ssh-add", "git"):
        return ""
    if any(_SECRET_FILES.search(word) for word in command.arguments):
        return "it reads keys or passwords"
    hidden = (word for word in command.arguments if word.startswith(("~", "/", "$")))
    return "it reads hidden files by a pattern" if any(map(_HIDDEN_GLOB.search, hidden)) else ""


def _destroys_stores(command: Simple) -> str:
    said = " ".join(command.arguments)
    if _SQL_HARM.search(said):
        return "it deletes from a database"
    words = set(command.arguments)
    if command.program in ("docker", "podman", "kubectl", "terraform", "helm", "aws", "gcloud"):
        harm = words & {"rm", "rmi", "prune", "delete", "destroy", "down", "apply", "terminate"}
        return f"it {' '.join(sorted(harm))}s what runs elsewhere" if harm else ""
    if command.program in ("dropdb", "redis-cli") and (
        command.program == "dropdb" or words & {"flushall", "flushdb", "FLUSHALL", "FLUSHDB"}
    ):
        return "it deletes from a database"
    return ""


def _publishes(command: Simple) -> str:
    first = command.arguments[:1]
    if command.program in ("npm", "cargo", "poetry", "twine", "gem", "pnpm", "yarn", "uv") and (
        first in (("publish",), ("upload",), ("unpublish",))
    ):
        return "it publishes a package"
    return ""


def _evaluates(command: Simple) -> str:
    program = _family(command)
    if program in ("eval", "alias", "enable", "shopt", "hash"):
        return "it runs text made up on the way, or changes what words mean"
    if program == "set" and not all(map(_PLAIN_SET.fullmatch, command.arguments)):
        return "it changes how the line is read"
    if program == "git" and any("=!" in word for word in command.arguments):
        return "it has git run a command"
    said = " ".join((*command.arguments, *command.given))
    if program in _CODED and _CODE_HARM.search(said):
        return "its code deletes files or starts programs"
    if _is_fed_text(command, program):
        return "it runs text piped into it"
    return "it runs text made up on the way" if _is_made_up(command) else ""


def _is_fed_text(command: Simple, program: str) -> bool:
    if program == "make" and _STDIN & set(command.arguments):
        return True
    if program not in _READERS:
        return False
    return command.is_fed or (command.is_piped_into and not _has_script(command))


def _is_made_up(command: Simple) -> bool:
    """Whether the name of the program itself is something the shell has to expand."""
    return bool(set("".join(command.live[:1])) & set(f"$*?~{UNKNOWN}{NAMES}")) or bool(
        re.search(r"\{.*(?:,|\.\.).*\}", "".join(command.live[:1]))
    )


def _family(command: Simple) -> str:
    """A program without its version: `python3.11` is `python`."""
    return _VERSION.sub("", command.program)


def _runs_another(command: Simple) -> str:
    """Programs that run what they are given, and options of others whose value is run."""
    if runs_another(command):
        return RUNS
    if command.program == "ssh" and re.search(r"command", " ".join(command.arguments), re.I):
        return "one of its options runs a command"
    mounts = re.compile(r"(?:source=|src=)?(?:/|~|\$HOME)/?(?::.*|,.*)")
    if command.program in ("docker", "podman") and any(map(mounts.fullmatch, command.arguments)):
        return "it gives a container the whole machine"
    return ""


def _has_script(command: Simple) -> bool:
    scripts = (word for word in command.arguments if word not in _STDIN)
    return any(not word.startswith("-") for word in scripts) or "-c" in command.words


def _fetches_and_runs(commands: tuple[Simple, ...]) -> bool:
    """`sh -c "$(curl …)"`, `bash <(curl …)`: the fetch is inside the runner's own words."""
    fetches = any(command.program in _FETCHERS for command in commands)
    if fetches and any(_runs_a_file(command) for command in commands):
        return True
    return fetches and any(
        command.program in _SHELLS and re.search(r"\$\(|`|^<\(|^$|<", " ".join(command.arguments))
        for command in commands
    )


def _runs_a_file(command: Simple) -> bool:
    """A script beside a fetch may well be what was fetched."""
    if _family(command) in _READERS:
        words = [word for word in command.arguments if not word.startswith("-")]
        return bool(words or command.reads) and not {"-m", "-c", "-e"} & set(command.words)
    if command.program in (".", "source"):
        return True
    is_made_runnable = command.program == "chmod" and any("x" in w for w in command.arguments)
    return is_made_runnable or bool(command.words and command.words[0].startswith("./"))


def _checks() -> Iterator[Callable[[Simple], str]]:
    yield from (_deletes, _rewrites_git, _touches_the_machine, _changes_rights, _ends_programs)
    yield from (_writes_outside, _reads_secrets, _destroys_stores, _publishes, _evaluates)
    yield from (_steers_git, _runs_another)


_CHECKS = tuple(_checks())
