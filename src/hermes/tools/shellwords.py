"""Reads a shell line as the commands it would run, as far as that can be told without running it.

Not a shell: where a line cannot be read (unbalanced quotes, evaluated text) it says so, and the
reader must take that as a reason to ask.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes.tools.shellscan import NAMES, UNKNOWN, Scanned, inner_number, scan
from hermes.tools.wrappers import KEYWORDS, is_understood, unwrap

_BREAKS = frozenset({";", "&", "&&", "||", "|", "|&", "\n", "(", ")", "{", "}", ";;"})
_BRACES = frozenset("{}")
_PIPES = frozenset({"|", "|&"})
_BREAKS_LINE = frozenset({"\n", "|", "|&"})
_REDIRECT = re.compile(r"\d*(?:>>|>\||&>>?|>&|>|<<<|<>|<&|<)")
_PUNCTUATION = ";&|()<>\n"
_OPERATOR = re.compile(r"&>>?|>>|>\||>&|<&|<<<|<>|&&|\|\||\|&|;;|[;&|()<>\n]")
_SHELLS = frozenset("sh bash zsh dash ksh ash fish su".split())
_DEEPEST = 4
_NAMERS = frozenset(
    "ls find fd pwd date nproc whoami id uname hostname which seq pgrep wc tty basename dirname "
    "realpath mktemp command".split()
)
_FILTERS = frozenset("grep head tail sort uniq wc".split())
_GIT_NAMERS = frozenset("ls-files rev-parse merge-base describe symbolic-ref tag".split())


@dataclass(frozen=True, slots=True)
class Simple:
    """One command: its words without assignments, the files it writes, and whether it is piped.

    `live` are its words with marks that tell what the shell expands from what is quoted; `reads`,
    `writes` and `assigned` have them, too. `given` is what here-strings and -documents hold.
    """

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    is_piped_into: bool = False
    live: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    is_clear: bool = True
    is_fed: bool = False

    @property
    def program(self) -> str:
        return self.words[0].rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.words[1:]

    def has_flag(self, letters: str, *names: str) -> bool:
        """Whether any of the one-letter flags, alone or joined, or of the long ones, is given.

        A long one may be cut short as far as its program allows: `--recurs`.
        """
        for word in self.arguments:
            name = word.partition("=")[0]
            if len(name) > 2 and name[:2] == "--" and any(n.startswith(name) for n in names):
                return True
            if word in names:
                return True
            if re.fullmatch(r"-[A-Za-z]+", word) and set(word[1:]) & set(letters):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Line:
    """The commands of a line; `is_clear` is false where something could not be read."""

    commands: tuple[Simple, ...]
    is_clear: bool = True

    @property
    def names_only(self) -> bool:
        """Whether all it prints are names of what is there, or numbers: no text from elsewhere."""
        is_plain = self.is_clear and not any(each.assigned for each in self.commands)
        return is_plain and _names_only(self.commands)


def _names_only(commands: Sequence[Simple]) -> bool:
    if not commands or not _is_namer(commands[0]):
        return False
    return all(_is_namer(each) or each.program in _FILTERS for each in commands[1:])


def _is_namer(command: Simple) -> bool:
    if command.program == "git":
        return "--name-only" in command.words or command.arguments[:1] in {
            (each,) for each in _GIT_NAMERS
        }
    return command.program in _NAMERS


def parse_line(line: str, depth: int = 0) -> Line:
    """The simple commands in `line`, those inside substitutions and `sh -c '…'` included."""
    if depth > _DEEPEST:
        return Line((), is_clear=False)
    try:
        scanned = scan(line)
        tokens = _tokens(scanned.text)
    except ValueError:
        return Line((), is_clear=False)
    inner = [parse_line(text, depth + 1) for text in scanned.inner]
    found = [*_split(tokens, _Reader(scanned, inner))]
    inner += [parse_line(text, depth + 1) for each in found for text in _nested_in(each)]
    commands = (*found, *(each for read in inner for each in read.commands))
    is_read = all(each.is_clear for each in found) and all(each.is_clear for each in inner)
    return Line(commands, scanned.is_clear and is_read)


def _tokens(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace = " \t"
    lexer.whitespace_split = True
    lexer.commenters = ""
    return [part for token in lexer for part in _operators(token)]


def _operators(token: str) -> list[str]:
    """A run of punctuation as the operators in it: `;<` ends a command and begins a redirect."""
    return _OPERATOR.findall(token) if token.strip(_PUNCTUATION) == "" else [token]


def _split(tokens: list[str], reader: "_Reader") -> Iterator[Simple]:
    words: list[str] = []
    pipeline: list[Simple] = []
    for token in [*tokens, ";"]:
        if not _is_break(token) or (token in _BRACES and not _may_open(words)):
            words.append(token)
            continue
        if words:
            pipeline.append(reader.read(words, pipeline))
            yield pipeline[-1]
        if words or token not in _BREAKS_LINE:  # a line may end behind the sign of a pipe
            pipeline = pipeline if token in _PIPES else []
        words = []


def _may_open(words: Sequence[str]) -> bool:
    """Whether a brace behind these words groups commands; among a command's words it is one."""
    return not words or words[0] == "function" or words[-1] in KEYWORDS


def _is_break(token: str) -> bool:
    return token in _BREAKS or bool(token.strip("\n;&|()") == "" and token)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes commands of marked words."""

    scanned: Scanned
    inner: list[Line]

    def read(self, tokens: list[str], before: Sequence[Simple]) -> Simple:
        words, writes, reads, given = self._redirects(tokens)
        found = unwrap(words)
        live = tuple(map(self._live, found.words))
        assigned = tuple(map(self._live, found.assigned))
        is_clear = found.is_clear and all(is_understood(each, bool(live)) for each in assigned)
        if found.is_fed and not _names_only(before):
            live += (UNKNOWN,)
        return Simple(
            tuple(map(self.scanned.plain, found.words)),
            tuple(map(self._live, writes)),
            bool(before),
            live,
            tuple(map(self._live, reads)),
            assigned,
            tuple(map(self.scanned.plain, given)),
            is_clear,
            found.is_fed,
        )

    def _redirects(self, tokens: list[str]) -> tuple[list[str], list[str], list[str], list[str]]:
        words: list[str] = []
        writes: list[str] = []
        reads: list[str] = []
        given: list[str] = []
        rest = iter(tokens)
        for token in rest:
            if not _REDIRECT.fullmatch(token):
                words.append(token)
            else:
                kind = given if "<<<" in token else writes if ">" in token else reads
                kind.append(next(rest, ""))
        return words, writes, reads, given

    def _live(self, word: str) -> str:
        """A word where substitutions are names of what is there, or unknown."""
        return "".join(map(self._mark, word))

    def _mark(self, sign: str) -> str:
        number = inner_number(sign)
        if number is None:
            return sign
        is_name = number in self.scanned.files or self.inner[number].names_only
        return NAMES if is_name else UNKNOWN


def _nested_in(command: Simple) -> Iterator[str]:
    """Lines a command runs that are written in its own words."""
    program, words = command.program, list(command.arguments)
    if program in _SHELLS:
        yield from _after_c(words)
        yield from command.given
    elif program in ("sudo", "doas"):
        yield shlex.join(_after_options(words))
    elif program == "ssh":
        yield " ".join(_after_options(words)[1:])
    elif program == "watch":
        yield " ".join(_after_options(words))
    elif program == "trap":
        yield from words[:1]
    elif program in ("find", "fd", "fdfind"):
        yield from _for_each(words, _FIND_EXEC if program == "find" else _FD_EXEC)


def _for_each(words: list[str], option: re.Pattern[str]) -> Iterator[str]:
    """What is run for each file found."""
    for place, word in enumerate(words):
        if found := option.fullmatch(word):
            behind = (each for each in words[place + 1 :] if each not in ("+", ";"))
            yield shlex.join(filter(None, (found[1], *behind)))


_FIND_EXEC = re.compile(r"-(?:exec|ok)(?:dir)?()")
_FD_EXEC = re.compile(r"(?:-[A-Za-z]*[xX]|--exec(?:-batch)?)(?:=(.*))?", re.DOTALL)
_VALUED = frozenset("-n -s -k -u -g -C -D -p -c -a -I -L -P -d -E -J -S -o -i -l -F".split())


def _after_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in _VALUED else 1 :]
    return words


def _after_c(words: list[str]) -> Iterator[str]:
    """What a shell is given to run: after `-c`, alone or joined with other letters."""
    for place, word in enumerate(words):
        if re.fullmatch(r"-[A-Za-z]*c[A-Za-z]*", word):
            yield from [each for each in words[place + 1 :] if each != "--"][:1]
            return
