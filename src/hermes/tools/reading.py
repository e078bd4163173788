"""Which shell lines only look, so that nothing needs to be kept before them."""

from hermes.tools.shellwords import Simple, parse_line

_LOOKING = frozenset(
    "ls cat head tail less more grep egrep fgrep rg wc pwd echo printf which type file stat du df "
    "ps date whoami id uname hostname env printenv cut tr diff cmp nl basename "
    "dirname realpath readlink jq sleep true false test [ : cd seq nproc command".split()
)
_STILL_DOING = {
    "rg": ("", "--pre", "--hostname-bin"),
    "less": ("oO", "--log-file", "--LOG-FILE"),
    "date": ("s", "--set"),
    "hostname": ("bF", "--boot", "--file"),
    "file": ("C", "--compile"),
    "diff": ("l", "--paginate"),
    "printf": ("v",),
}
"""What these do besides looking when they are asked to."""
_GIT_LOOKING = frozenset(
    "status log diff show branch blame describe rev-parse ls-files merge-base".split()
)


def is_reading(line: str) -> bool:
    """Whether every command of the line is known to change no file."""
    read = parse_line(line)
    return read.is_clear and all(_looks(command) for command in read.commands)


def _looks(command: Simple) -> bool:
    if command.assigned or any(target not in ("/dev/null", "1", "2") for target in command.writes):
        return False
    program = command.program
    if program == "git":
        return _git_looks(command)
    if program == "find":
        return not any(word.startswith(("-exec", "-ok", "-delete", "-f")) for word in command.words)
    if "/" in "".join(command.words[:1]) or command.has_flag(*_STILL_DOING.get(program, ("",))):
        return False
    if program in ("less", "more", "hostname") and any(w[:1] != "-" for w in command.arguments):
        return program != "hostname" and not any(w[:1] == "+" for w in command.arguments)
    return not command.words or program in _LOOKING


def _git_looks(command: Simple) -> bool:
    words = list(command.arguments)
    while words[:1] in (["--no-pager"], ["-P"]):
        words = words[1:]
    if words[:1] == ["remote"]:
        return words[1:] in ([], ["-v"])
    asked = Simple(("git", *words[1:]))
    runs = asked.has_flag("O", "--ext-diff", "--textconv", "--open-files-in-pager")
    changes = asked.has_flag("dDmMcC", "--output", "--delete", "--move", "--edit-description")
    return bool(words) and words[0] in _GIT_LOOKING and not runs and not changes
