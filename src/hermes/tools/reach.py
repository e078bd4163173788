"""Which places the words of a shell line lead to: the home of Hermes, or out of the working folder.

Words are followed as the shell would: variables of the environment and of the line, `~`, patterns.
Where a word could be anything, it could be the home of Hermes as well, and is asked about.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import dropwhile, pairwise, takewhile
from pathlib import Path

from hermes.tools.danger import Danger, is_allowed, rule_for
from hermes.tools.shellscan import MARKED, NAMES, QUOTED, UNKNOWN
from hermes.tools.shellwords import Line, Simple
from hermes.tools.wrappers import ASSIGNMENT

HOME = "it reaches into the home of Hermes, with its keys"
UNTOLD = "it cannot be told which files it reaches, and the home of Hermes may be among them"
ELSEWHERE = "it goes on outside the working folder"
CHANGES = "it changes files outside the working folder"
_MOST = 40
_MOST_WAYS = 400
_MOST_PATHS = 3_000
_ANY = "\ue012"  # what a pattern of the shell stands for: no slash
_VARIABLE = re.compile(r"\$\{([^{}]+)\}")
_BRACES = re.compile(r"\{([^{}]*(?:,|\.\.)[^{}]*)\}")
_RANGE = re.compile(r"\w+\.\.\w+(?:\.\.\d+)?")
_LITERAL = str.maketrans({mark: sign for sign, mark in MARKED.items()})
_TEXTS = frozenset(
    "echo printf exit return true false : test [ [[ sleep kill seq expr date let read".split()
)
_LISTS = frozenset("ls cd pushd stat test [ du df mkdir".split())
_DELETES = frozenset("rm rmdir unlink shred mv truncate".split())
_WRITES = frozenset("cp ln install tee touch mkdir sed".split())
_OUTPUTS = {
    "tar": ("-C", "--directory"),
    "unzip": ("-d",),
    "curl": ("-o", "--output"),
    "wget": ("-O", "-P", "--output-document", "--directory-prefix"),
    "patch": ("-d", "--directory"),
    "dd": ("of",),
}
"""Options that say where a program writes."""
_SINKS = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d)|\d|-|")


@dataclass(slots=True)
class Places:
    """Where a line runs, what it may not reach, and what its variables hold."""

    folder: Path
    workdir: Path
    closed: tuple[Path, ...]
    variables: Mapping[str, str]
    assigned: dict[str, list[str]] = field(default_factory=dict)
    entered: list[str] = field(default_factory=list)
    """The folders the line goes to."""
    followed: int = 0

    def note(self, commands: Sequence[Simple]) -> None:
        """Take in what the line itself sets and where it goes, wherever it does."""
        for command in commands:
            for name, value in _assignments(command):
                self.assigned.setdefault(name, []).append(value)
        for target in (word for each in commands for word in _targets(each)):
            paths = [path for word in self.expand(target) for path in self.paths_of(word)]
            self.entered += [path for path in paths if path is not None][:_MOST]

    def expand(self, word: str, depth: int = 0) -> list[str]:
        """What a word may become; `UNKNOWN` in it where that cannot be told."""
        found = _VARIABLE.search(word)
        if found is None:
            return [word]
        if depth > _MOST:
            return [UNKNOWN]
        ahead, behind = word[: found.start()], word[found.end() :]
        values = self._values(found[1])
        words: list[str] = []
        for value in values:
            words += self.expand(ahead + value + behind, depth + 1)
            if len(words) > _MOST or UNKNOWN in words[-1]:
                return [UNKNOWN]
        return words

    def _values(self, name: str) -> list[str]:
        if name in self.assigned:
            return self.assigned[name]
        if name in ("?", "#", "$", "!"):
            return ["0"]
        value = str(self.folder) if name == "PWD" else self.variables.get(name)
        return [UNKNOWN] if value is None else [value.replace("$", QUOTED["$"])]

    def paths_of(self, word: str) -> list[str | None]:
        """The paths an expanded word may be, patterns in them; None where it is anywhere."""
        word = _as_pattern(word)
        if UNKNOWN in word or re.match(r"~[^/]", word) or len(self.entered) > _MOST:
            return [None]
        if word[:1] == "~":
            word = self.variables.get("HOME", str(Path.home())) + word[1:]
        plain = word.translate(_LITERAL)
        folders = dict.fromkeys((str(self.folder), *self.entered))
        self.followed += len(folders)
        if self.followed > _MOST_PATHS:
            return [None]
        ways = [os.path.join(folder, plain) for folder in folders]
        return [*map(_resolve, ways), *(each for way in ways for each in self._linked(way))]

    def _linked(self, way: str) -> Iterator[str | None]:
        """Where links that a pattern fits lead to; None where there are too many to follow."""
        sure, mark, rest = way.partition(_ANY)
        head, _, begun = sure.rpartition("/")
        first, slash, behind = f"{begun}{mark}{rest}".partition("/")
        for entry in _entries(head or "/") if mark else ():
            if not _fits(entry.name, first) or not (slash or entry.is_symlink()):
                continue
            self.followed += 1
            if self.followed > _MOST_PATHS:
                yield None
                return
            below = f"{entry.path}{slash}{behind}"
            yield _resolve(below)
            yield from self._linked(below)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []  # nothing there that a pattern could fit


def _as_pattern(word: str) -> str:
    """A word with one mark for all that the shell fills in: `*`, `[…]`, `{a,b}`."""
    while (found := _BRACES.search(word)) is not None:
        word = f"{word[: found.start()]}{_filled(found[1])}{word[found.end() :]}"
    word = re.sub(r"\[[^/]*", _ANY, word)
    return re.sub(f"[*?{NAMES}]", _ANY, word)


def _filled(braces: str) -> str:
    """What may stand for the text in braces: a part of a name, or a way to anywhere."""
    if _RANGE.fullmatch(braces):
        return _ANY
    is_way = any("/" in part or part.startswith(".") for part in braces.split(","))
    return UNKNOWN if is_way or "," not in braces else _ANY


def _assignments(command: Simple) -> Iterator[tuple[str, str]]:
    for word in command.assigned:
        if found := ASSIGNMENT.fullmatch(word):
            yield found[1], found[4]
    if command.program == "for" and command.live[2:3] == ("in",):
        yield from ((command.live[1], word) for word in command.live[3:])
    if command.program in ("read", "mapfile", "readarray", "printf", "getopts"):
        yield from ((word, UNKNOWN) for word in command.live[1:])


def _resolve(path: str) -> str | None:
    """A path without links and dots, as far as it is no pattern."""
    sure, mark, rest = path.partition(_ANY)
    if not mark:
        return os.path.realpath(path)
    head, _, begun = sure.rpartition("/")
    if any(_fits("..", part) for part in f"{begun}{mark}{rest}".split("/")):
        return None  # it may lead up again
    return f"{os.path.realpath(head or '/').rstrip('/')}/{begun}{mark}{rest}"


def find_closed(read: Line, places: Places) -> str:
    """A path in the home of Hermes that the words of a line plainly name; "" where none does.

    Where only a pattern leads there, the person may know better: that is asked about.
    """
    for word in (word for command in read.commands for word in _ways(command, places)):
        sure, mark, _ = _as_pattern(word).partition(_ANY)
        plain = sure.rpartition("/")[0] if mark else sure
        for path in places.paths_of(plain):
            if path is not None and any(is_below(path, folder) for folder in places.closed):
                return path
    return ""


def _ways(command: Simple, places: Places) -> Iterator[str]:
    """What the words of a command may mean, as far as it may be a path; patterns stay."""
    for word in _words(command):
        for part in _parts(word):
            yield from places.expand(part)


def is_beyond(read: Line, places: Places) -> bool:
    """Whether a line that does not only look may change what lies outside the working folder.

    No checkpoint keeps anything there. Words are taken for paths wherever they could be some.
    """
    if not read.is_clear:
        return True
    return any(_leaves(each, places) or _names_outside(each, places) for each in read.commands)


def _names_outside(command: Simple, places: Places) -> bool:
    for word in (*command.live[1:], *command.given):
        ways = re.sub(r"\w+://\S*", "", word.translate(_LITERAL))
        for part in re.split(r"[=:@,;\s'\"()]+", ways):
            is_way = re.search(r"/|^~|^\.\.$", part) and not _SINKS.fullmatch(part)
            if is_way and _is_outside(part, places) and not _is_temporary(part, places):
                return True
    return False


def list_reaches(read: Line, places: Places, allowed: tuple[str, ...] = ()) -> list[Danger]:
    """Every reason to ask about a line for where it leads; none if it stays where it may."""
    found: list[Danger] = []
    for command in read.commands:
        if reason := _reach(command, places):
            found.append(Danger(reason, "", lasting=reason == HOME))
        elif (reason := _leaves(command, places)) and not is_allowed(command, allowed):
            found.append(Danger(reason, "" if command.writes else rule_for(command)))
    return found


def _reach(command: Simple, places: Places) -> str:
    for word in _words(command):
        if any(name in word.translate(_LITERAL) for name in (".hermes", "HERMES_HOME")):
            return HOME
    paths = (path for way in _ways(command, places) for path in places.paths_of(way))
    return next(filter(None, (_judge(path, command, places.closed) for path in paths)), "")


def _words(command: Simple) -> Iterator[str]:
    """The words that may name files."""
    if command.program not in _TEXTS:
        words = list(command.live)
        if command.program == "git" and command.arguments[:1] == ("commit",):
            words = [w for i, w in enumerate(words) if not re.fullmatch(r"-\w*m", words[i - 1])]
        yield from words
    yield from (*command.writes, *command.reads)
    yield from (found[4] for each in command.assigned if (found := ASSIGNMENT.fullmatch(each)))


def _parts(word: str) -> Iterator[str]:
    """A word, and what in it may be a path by itself: `--file=/x`, `@/x`, `-C/x`, `open("/x")`."""
    yield word
    ways = [part for part in re.split(r"[=:@,\s'\"()]+", word) if re.search(r"/|^[~.]", part)]
    if len(ways) > _MOST_WAYS:
        yield UNKNOWN
        return
    yield from ways
    if word.startswith("-") and (begun := re.search(r"[/~$.]", word)):
        yield word[begun.start() :]


def _judge(path: str | None, command: Simple, closed: tuple[Path, ...]) -> str:
    if path is None:
        return UNTOLD
    for folder in closed:
        if is_below(path, folder):
            return HOME
        is_above = is_below(str(folder), Path(path)) if _ANY not in path else False
        if is_above and command.program not in _LISTS and command.program:
            return HOME
    return ""


def is_below(path: str, folder: Path) -> bool:
    """Whether a path, with patterns in it, may be a folder or in it."""
    parts, closed = path.split("/"), str(folder).rstrip("/").split("/")
    if len(parts) < len(closed):
        return False
    return all(_fits(name, part) for name, part in zip(closed, parts, strict=False))


def _fits(name: str, part: str) -> bool:
    if _ANY not in part:
        return name == part
    if name.startswith(".") and part.startswith(_ANY) and part.strip(_ANY) == "":
        return False  # `*` leaves out what is hidden
    pattern = re.sub(r"([*?\[])", r"[\1]", part).replace(_ANY, "*")
    return fnmatchcase(name, pattern)


def _leaves(command: Simple, places: Places) -> str:
    """Whether a command goes to another folder, or changes what is in one."""
    for target in _targets(command):
        if any(_is_outside(each, places) for each in places.expand(target)):
            return ELSEWHERE
    for word, is_free in _changed(command):
        for each in places.expand(word):
            if _is_outside(each, places) and not (is_free and _is_temporary(each, places)):
                return CHANGES
    return ""


def _targets(command: Simple) -> list[str]:
    """The folder a command goes to: `cd` alone goes home, and `cd -` anywhere."""
    if command.program not in ("cd", "pushd", "popd"):
        return []
    words = [word for word in command.live[1:] if not re.fullmatch(r"-[LPe@]+|--", word)][:1]
    return [UNKNOWN if word == "-" else word for word in words] or ["~"]


def _changed(command: Simple) -> Iterator[tuple[str, bool]]:
    """The words of a command that name what it changes; whether it may be a temporary file."""
    yield from ((word, True) for word in command.writes if not _SINKS.fullmatch(word))
    words = [word for word in command.live[1:] if not word.startswith("-")]
    if command.program == "find":
        yield from ((word, False) for word in _searched(command))
    elif command.program in _DELETES:
        yield from ((word, False) for word in words)
    elif command.program in ("cp", "ln", "install", "rsync", "scp"):
        yield from ((word, True) for word in words[-1:])
    elif command.program in _OUTPUTS:
        yield from ((word, True) for word in _outputs(command))
    elif command.program in _WRITES and (command.program != "sed" or command.has_flag("i")):
        yield from ((word, True) for word in words)


def _outputs(command: Simple) -> Iterator[str]:
    """What the options of a command say it writes to: `-C ~/x`, `-o~/x`, `--output=~/x`."""
    names = _OUTPUTS[command.program]
    for word, behind in pairwise((*command.live[1:], "")):
        if word in names:
            yield behind
        yield from (
            word[len(name) :].removeprefix("=")
            for name in names
            if word.startswith(name) and word != name
        )


def _searched(command: Simple) -> list[str]:
    """The folders in which `find` changes files; none where it only looks."""
    pairs = pairwise(command.words)
    runs = {b.rpartition("/")[2] for a, b in pairs if a.startswith(("-exec", "-ok"))}
    if not (runs & (_DELETES | _WRITES) or "-delete" in command.words):
        return []
    words = dropwhile(lambda word: word in ("-H", "-L", "-P"), command.live[1:])
    return list(takewhile(lambda word: word.translate(_LITERAL)[:1] not in "-(!", words)) or ["."]


def _is_outside(word: str, places: Places) -> bool:
    paths = places.paths_of(word)
    return any(path is None or not is_below(path, places.workdir) for path in paths)


def _is_temporary(word: str, places: Places) -> bool:
    folders = (Path("/tmp"), Path("/var/tmp"), Path(places.variables.get("TMPDIR", "/tmp")))  # noqa: S108
    return all(
        path is not None and any(is_below(path, folder.resolve()) for folder in folders)
        for path in places.paths_of(word)
    )
