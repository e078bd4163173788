"""Which commands of a shell line call Hermes itself to do more than read.

Memory, settings and keys have tools that ask and tell; the command line is the person's own way to
them. What a program does whose name says nothing of it is not seen here: its environment is marked.
"""

import re

from hermes.guard.door import COMMANDS, is_looking
from hermes.tools.running import runs_another
from hermes.tools.shellwords import Simple

DOOR = "it has Hermes itself do what is yours to do"
_RUNNERS = frozenset("uv uvx pipx poetry pdm hatch rye pixi pipenv conda python pypy".split())
_SAYING = frozenset(
    "echo printf grep egrep fgrep rg ag cat less more head tail ls cd find fd git wc diff stat "
    "file sed awk which type whereis man read test [ [[ mkdir touch rm cp mv ln du tree".split()
)
_NAMING = frozenset("cp ln mv install link".split())  # by another name it is not known
_VERSION = re.compile(r"[\d.]+$")
_MODULE = re.compile(r"-[A-Za-z]*m(hermes(?:\..*)?)?")
_SAID = re.compile(
    rf"(?:\b|(?<=-[A-Za-z]))hermes['\"]?\s+(?:-\S+\s+)*(?:{'|'.join(sorted(COMMANDS))})\b"
)
_CODE = re.compile(r"(?:import|from)\s+hermes\b|['\"]hermes(?:\.\w+)*['\"]")
_TOKEN = re.compile(r"\bhermes\.[\w-]+\.[\w-]{20,}")


def opens_door(command: Simple) -> bool:
    """Whether a command has Hermes do anything but plainly read."""
    said = " ".join((*command.arguments, *command.given))
    if _TOKEN.search(said):
        return True
    if command.program in _NAMING and any(map(_names_hermes, command.arguments)):
        return not command.has_flag("rRa", "--recursive", "--archive")  # a folder of that name
    if command.program in _SAYING and not runs_another(command):
        return False
    words = _words_behind(command)
    if words is None:
        return bool(_SAID.search(said)) or (_is_runner(command) and bool(_CODE.search(said)))
    is_plain = not command.is_fed and not any(set("$`*{") & set(word) for word in words)
    return not (is_plain and is_looking(words))


def _words_behind(command: Simple) -> tuple[str, ...] | None:
    """What a command gives to Hermes; None where it does not call it as a command."""
    if command.program == "hermes":
        return command.arguments
    for place, word in enumerate(command.arguments):
        behind = command.arguments[place + 1 :]
        if (found := _MODULE.fullmatch(word)) and _is_runner(command):
            if found[1]:
                return behind
            if "".join(behind[:1]).partition(".")[0] == "hermes":
                return behind[1:]
        elif _names_hermes(word) and (_is_runner(command) or set(behind[:1]) & COMMANDS):
            return behind
    return None


def _names_hermes(word: str) -> bool:
    return word.rpartition("/")[2] == "hermes" or word.endswith("hermes/__main__.py")


def _is_runner(command: Simple) -> bool:
    return _VERSION.sub("", command.program) in _RUNNERS
