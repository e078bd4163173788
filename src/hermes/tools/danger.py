"""Which commands could do harm that is hard to take back, so that the person is asked first.

A list can never be complete. It is the second line: checkpoints bring files back, the time and
output of a command are bounded, secrets are not in its environment. Where a line cannot be read,
asking is the answer.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from hermes.tools.shellwords import Simple, parse_line

MAX_LINE = 20_000


@dataclass(frozen=True, slots=True)
class Danger:
    """Why a command is asked about, and the words of it that "always" would allow."""

    reason: str
    rule: str


_GIT_HARM = {
    "push": (("f", "--force", "--force-with-lease", "--delete", "--mirror"), "rewrites a remote"),
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
_READERS = frozenset((*_SHELLS, "python", "python3", "perl", "ruby", "node", "php"))
_CODED = frozenset((*(_READERS - _SHELLS), "awk", "gawk", "mawk"))
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
    r"rmtree|system\s*\(|os\.(?:remove|unlink|rmdir|system|kill)|unlinkSync|rmSync|rm_rf|File\.delete"
    r"|subprocess|child_process|Path\([^)]*\)\.unlink|shutil\.move"
)
_HIDDEN_GLOB = re.compile(r"(?:^|/)(?:~[^/]*/|/.*/)?\.[^/]*[*?\[]|/\.[^/]*[*?\[]")
_FORK_BOMB = re.compile(r":\s*\(\s*\)\s*\{.*:\s*\|\s*:")


def find_danger(line: str, allowed: Collection[str] = ()) -> Danger | None:
    """Why this shell line should be asked about; None if nothing speaks against it.

    `allowed` holds rules: a command's words as they are, or their start followed by ` *`.
    """
    if len(line) > MAX_LINE:
        return Danger("it is too long to be read", "")
    if _FORK_BOMB.search(line):
        return Danger("it is a fork bomb", "")
    read = parse_line(line)
    for command in read.commands:
        for check in _CHECKS:
            if (reason := check(command)) and not is_allowed(command, allowed):
                return Danger(reason, _rule(command))
    if _fetches_and_runs(read.commands):
        return Danger("it runs what it fetches from the network", "")
    if not read.is_clear:
        return Danger("it cannot be read with certainty", "")
    return None


def is_allowed(command: Simple, allowed: Collection[str]) -> bool:
    said = " ".join((command.program, *command.arguments))
    return not command.writes and any(
        said == rule or (rule.endswith(" *") and f"{said} ".startswith(rule[:-1]))
        for rule in allowed
    )


def _rule(command: Simple) -> str:
    """What "always" allows: the subcommand with any arguments, else these very words."""
    if not re.fullmatch(r"[\w.-]+", command.program) or command.program in _NEVER_FOR_GOOD:
        return ""
    has_subcommand = command.program in _WITH_SUBCOMMANDS and command.arguments
    if has_subcommand and re.fullmatch(r"[a-z][a-z-]*", command.arguments[0]):
        return f"{command.program} {command.arguments[0]} *"
    return " ".join((command.program, *command.arguments))


def _deletes(command: Simple) -> str:
    if command.program in ("rm", "rmdir", "unlink", "shred", "srm", "trash"):
        is_deep = command.has_flag("rRf", "--recursive", "--force", "--no-preserve-root")
        is_wide = any(set("*?[~") & set(word) for word in command.arguments)
        return "it deletes files" if is_deep or is_wide or command.program != "rm" else ""
    if command.program == "find" and "-delete" in command.words:
        return "it deletes files"
    if command.program == "truncate":
        return "it empties files"
    return "it deletes files" if command.program == "rsync" and _mentions(command, "--del") else ""


def _mentions(command: Simple, start: str) -> bool:
    return any(word.startswith(start) for word in command.arguments)


def _rewrites_git(command: Simple) -> str:
    if command.program != "git" or not (words := _git_words(command)):
        return ""
    flags, reason = _GIT_HARM.get(words[0], ((), ""))
    asked = Simple(("git", *words[1:]))
    if flags is None:
        return f"it {reason}"
    if flags and asked.has_flag(flags[0], *flags[1:]):
        return f"it {reason}"
    if words[0] == "push" and any(word.startswith((":", "+")) for word in words[1:]):
        return "it rewrites a remote"
    if words[0] in ("checkout", "restore") and words[-1] == ".":
        return "it throws away uncommitted work"
    if words[:2] in (["stash", "drop"], ["stash", "clear"], ["reflog", "expire"]):
        return "it throws away kept work"
    return ""


def _git_words(command: Simple) -> list[str]:
    """What follows `git` and its own options."""
    words = list(command.arguments)
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-C", "-c", "--git-dir", "--work-tree") else words[1:]
    return words


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
    for target in targets:
        if _SECRET_FILES.search(target) or _STARTUP.search(target):
            return "it writes keys or start-up files"
        if _SYSTEM.match(target) and target not in ("/dev/null", "/dev/stdout", "/dev/stderr"):
            return "it writes to the system"
    return ""


def _reads_secrets(command: Simple) -> str:
    if command.program in ("ssh", "scp", "ssh-keygen", "ssh-add", "git"):
        return ""
    if any(_SECRET_FILES.search(word) for word in command.arguments):
        return "it reads keys or passwords"
    hidden = (word for word in command.arguments if word.startswith(("~", "/", "$HOME")))
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
    if command.program in ("eval", "source", ".") and command.program == "eval":
        return "it runs text made up on the way"
    if command.program == "git" and any("=!" in word for word in command.arguments):
        return "it has git run a command"
    if command.program in _CODED and _CODE_HARM.search(" ".join(command.arguments)):
        return "its code deletes files or starts programs"
    if command.is_piped_into and command.program in _READERS and not _has_script(command):
        return "it runs text piped into it"
    return "it runs text piped into it" if command.program.startswith("$") else ""


def _has_script(command: Simple) -> bool:
    return any(not word.startswith("-") for word in command.arguments) or "-c" in command.words


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
    if command.program in _SHELLS:
        return any(not word.startswith("-") for word in command.arguments)
    is_made_runnable = command.program == "chmod" and any("x" in w for w in command.arguments)
    return is_made_runnable or bool(command.words and command.words[0].startswith("./"))


def _checks() -> Iterator[Callable[[Simple], str]]:
    yield from (_deletes, _rewrites_git, _touches_the_machine, _changes_rights, _ends_programs)
    yield from (_writes_outside, _reads_secrets, _destroys_stores, _publishes, _evaluates)


_CHECKS = tuple(_checks())
