"""Which shell lines only look, so that nothing needs to be kept before them."""

from hermes.tools.shellwords import Simple, parse_line

_LOOKING = frozenset(
    "ls cat head tail less more grep egrep fgrep rg wc pwd echo printf which type file stat du df "
    "ps date whoami id uname hostname env printenv cut tr diff cmp nl basename "
    "dirname realpath readlink jq sleep true false test cd".split()
)
_GIT_LOOKING = frozenset(
    "status log diff show branch blame describe remote rev-parse ls-files".split()
)


def is_reading(line: str) -> bool:
    """Whether every command of the line is known to change no file."""
    read = parse_line(line)
    return read.is_clear and all(_looks(command) for command in read.commands)


def _looks(command: Simple) -> bool:
    if any(target not in ("/dev/null", "1", "2") for target in command.writes):
        return False
    if command.program == "git":
        looks = command.arguments[:1] != () and command.arguments[0] in _GIT_LOOKING
        return looks and not command.has_flag("dDmMcC", "--output", "--delete", "--move")
    if command.program == "find":
        return not any(word.startswith(("-exec", "-ok", "-delete", "-f")) for word in command.words)
    return not command.words or command.program in _LOOKING
