"""What stands before a command and only starts it: assignments, `env`, `timeout`, `xargs`, ….

Each is known by the options it is understood with. Any other option may do anything (`env -S` runs
its value), so that the command behind it is not understood.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\[.*?\])?(\+?)=(.*)", re.DOTALL)
KEYWORDS = frozenset("then else elif do if while until ! builtin nohup chronic coproc time".split())
_SETTERS = frozenset("export declare typeset local readonly".split())
_PLAIN_VALUE = re.compile(r"(?:[\w./:,+=@%\ue011-]|\$\{\w+\})*|(?: ?-[\w./:,+=-]+)+")
_STEERING = re.compile(
    r"PATH|CDPATH|IFS|ENV|HOME|SHELL|PS\d|PROMPT_COMMAND|VISUAL|BROWSER|MAKEFLAGS|MANPATH"
    r"|(?:BASH|LD|DYLD|GIT|SSH|LESS|PERL5|RIPGREP|GREP|HERMES|XDG|SUDO|SYSTEMD)\w*"
    r"|RUBY(?:OPT|LIB)|PYTHON(?:STARTUP|HOME|INSPECT|USERBASE|BREAKPOINT|WARNINGS)"
    r"|\w*(?:PAGER|EDITOR|PRELOAD|ASKPASS|COMMAND|_OPTIONS|OPTS?|_CONFIG|_RC|WRAPPER|LAUNCHER)"
)


@dataclass(frozen=True, slots=True)
class _Wrapper:
    """The options a program is understood with: alone, or with a value behind them."""

    alone: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    skipped: int = 0
    """How many words of its own come before the command."""


def _wrapper(alone: str = "", valued: str = "", skipped: int = 0) -> _Wrapper:
    return _Wrapper(frozenset(alone.split()), frozenset(valued.split()), skipped)


_WRAPPERS = {
    "command": _wrapper("-p --"),
    "exec": _wrapper("-c -l --", "-a"),
    "env": _wrapper("- -i --ignore-environment --", "-u --unset"),
    "nice": _wrapper("--", "-n --adjustment"),
    "timeout": _wrapper("--preserve-status --foreground -v --", "-s --signal -k --kill-after", 1),
    "stdbuf": _wrapper("--", "-i -o -e --input --output --error"),
    "ionice": _wrapper("-t --", "-c -n --class --classdata"),
    "setsid": _wrapper("-f -w -c --fork --wait --"),
    "xargs": _wrapper(
        "-0 -r -t -x --null --no-run-if-empty --verbose --",
        "-n -P -L -I -d -s --max-args --max-procs --max-lines --replace --delimiter",
    ),
    "busybox": _wrapper(),
    "parallel": _wrapper("--", "-j --jobs"),
}
_GLUED = re.compile(r"-[nPLIdsuijoek]\S+|-\d+")


@dataclass(slots=True)
class Unwrapped:
    """The command itself, what is assigned for it, and whether all before it was understood."""

    words: list[str]
    assigned: list[str] = field(default_factory=list)
    is_clear: bool = True
    is_fed: bool = False
    """Its last words are what is piped into it, as `xargs` gives them."""


def unwrap(words: Sequence[str]) -> Unwrapped:
    """Take off what only stands before a command."""
    found = Unwrapped(list(words))
    while found.words:
        first = found.words[0].rpartition("/")[2]
        if found.words[0] in KEYWORDS:
            found.words = found.words[1:]
            found.words = found.words[1:] if found.words[:1] == ["-p"] else found.words
        elif ASSIGNMENT.fullmatch(found.words[0]):
            found.assigned.append(found.words.pop(0))
        elif first in _WRAPPERS and not _is_question(first, found.words):
            _take_off(found, first)
        else:
            break
    if found.words[:1] and found.words[0] in _SETTERS:
        found.assigned += [word for word in found.words if ASSIGNMENT.fullmatch(word)]
    return found


def _is_question(program: str, words: list[str]) -> bool:
    """`command -v` names a program, `env` alone lists what is set."""
    return words[1:2] in (["-v"], ["-V"]) if program == "command" else len(words) == 1


def _take_off(found: Unwrapped, program: str) -> None:
    wrapper, words = _WRAPPERS[program], found.words[1:]
    while words and words[0].startswith("-"):
        option = words[0].partition("=")[0] if words[0].startswith("--") else words[0]
        if option in wrapper.valued and "=" not in words[0]:
            words = words[1:]
        elif option not in wrapper.alone | wrapper.valued and not _GLUED.fullmatch(option):
            found.is_clear = False
        elif _GLUED.fullmatch(option) and option[:2] not in wrapper.valued and program != "nice":
            found.is_clear = False
        words = words[1:]
    found.words = words[wrapper.skipped :]
    found.is_fed |= program in ("xargs", "parallel")


def is_understood(assignment: str, has_command: bool) -> bool:
    """Whether an assignment is plain, and of a name that steers no program we know of.

    `PAGER`, `LD_PRELOAD` or `GIT_EXTERNAL_DIFF` name what is run, `PATH` what a name means. One
    for the line itself may hold anything: what is made of it shows where it is used.
    """
    found = ASSIGNMENT.fullmatch(assignment)
    if found is None or found[2] or found[3] or _STEERING.fullmatch(found[1]):
        return False
    return not has_command or bool(_PLAIN_VALUE.fullmatch(found[4]))
