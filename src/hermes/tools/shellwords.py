"""Reads a shell line as the commands it would run, as far as that can be told without running it.

Not a shell: where a line cannot be read (unbalanced quotes, evaluated text) it says so, and the
reader must take that as a reason to ask.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

_BREAKS = frozenset({";", "&", "&&", "||", "|", "|&", "\n", "(", ")", "{", "}", ";;"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_REDIRECT = re.compile(r"\d*(?:>>|>\||&>|>&|>|<<<|<<-|<<|<>|<)")
_PUNCTUATION = ";&|()<>\n"
_OPERATOR = re.compile(r"&>>?|>>|>\||>&|<<<|<<-?|<>|&&|\|\||\|&|;;|[;&|()<>\n]")
_SUBSTITUTION = re.compile(r"\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)|`([^`]*)`|[<>]\(([^()]*)\)")
_PREFIXES = frozenset(
    (
        "command",
        "builtin",
        "exec",
        "nohup",
        "time",
        "then",
        "else",
        "do",
        "if",
        "while",
        "until",
        "!",
    )
)
_VALUED = frozenset("-n -s -k -u -g -C -D -p -c -a -I -L -P -d -E -J -S --signal".split())
_WRAPPERS = frozenset(
    "env nice timeout stdbuf ionice setsid xargs watch busybox parallel coproc chronic doas".split()
)
_SHELLS = frozenset("sh bash zsh dash ksh ash fish su".split())


@dataclass(frozen=True, slots=True)
class Simple:
    """One command: its words without assignments, the files it writes, and whether it is piped."""

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    is_piped_into: bool = False

    @property
    def program(self) -> str:
        return self.words[0].rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.words[1:]

    def has_flag(self, letters: str, *names: str) -> bool:
        """Whether any of the one-letter flags, alone or joined, or of the long ones, is given."""
        for word in self.arguments:
            if word in names or word.partition("=")[0] in names:
                return True
            if re.fullmatch(r"-[A-Za-z]+", word) and set(word[1:]) & set(letters):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Line:
    """The commands of a line; `is_clear` is false where something could not be read."""

    commands: tuple[Simple, ...]
    is_clear: bool = True


def parse_line(line: str, depth: int = 0) -> Line:
    """The simple commands in `line`, those inside substitutions and `sh -c '…'` included."""
    if depth > 4:
        return Line((), is_clear=False)
    try:
        tokens = _tokens(line)
    except ValueError:
        return Line((), is_clear=False)
    found = [*_split(tokens)]
    inner = [parse_line(text, depth + 1) for text in _nested(line, found)]
    commands = (*found, *(each for read in inner for each in read.commands))
    return Line(commands, all(read.is_clear for read in inner))


def _tokens(line: str) -> list[str]:
    text = line.replace("\\\n", "").replace("\r", "\n")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace = " \t"
    lexer.whitespace_split = True
    lexer.commenters = ""
    return [part for token in lexer for part in _operators(token)]


def _operators(token: str) -> list[str]:
    """A run of punctuation as the operators in it: `;<` ends a command and begins a redirect."""
    return _OPERATOR.findall(token) if token.strip(_PUNCTUATION) == "" else [token]


def _split(tokens: list[str]) -> Iterator[Simple]:
    words: list[str] = []
    piped = False
    for token in [*tokens, ";"]:
        if not _is_break(token):
            words.append(token)
            continue
        if words:
            yield _simple(words, piped=piped)
        piped = token in ("|", "|&")
        words = []


def _is_break(token: str) -> bool:
    return token in _BREAKS or bool(token.strip("\n;&|()") == "" and token)


def _simple(tokens: list[str], *, piped: bool) -> Simple:
    words: list[str] = []
    writes: list[str] = []
    rest = iter(tokens)
    for token in rest:
        if not _REDIRECT.fullmatch(token):
            words.append(token)
        elif ">" in token:
            writes.append(next(rest, ""))
        else:
            next(rest, "")
    return Simple(tuple(_unwrap(words)), tuple(writes), piped)


def _unwrap(words: list[str]) -> list[str]:
    """The command itself, without what only stands before it: assignments, `env`, `nohup`, …"""
    while words and (words[0] in _PREFIXES or _ASSIGNMENT.fullmatch(words[0])):
        words = words[1:]
    program = words[0].rpartition("/")[2] if words else ""
    if program in _WRAPPERS - {"doas"}:
        return _unwrap(_after_options(words[1:], program)) or words
    return words


def _after_options(words: list[str], program: str) -> list[str]:
    while words and (words[0].startswith("-") or (program == "timeout" and words[0][:1].isdigit())):
        taken = 2 if words[0] in _VALUED else 1
        words = words[taken:]
    return words


def _nested(line: str, commands: list[Simple]) -> Iterator[str]:
    for match in _SUBSTITUTION.finditer(line):
        yield next(group for group in match.groups() if group is not None)
    for command in commands:
        yield from _nested_in(command)


def _nested_in(command: Simple) -> Iterator[str]:
    """Lines a command runs that are written in its own words."""
    program, words = command.program, list(command.arguments)
    if program in _SHELLS:
        yield from _after_c(words)
    elif program in ("sudo", "doas"):
        yield shlex.join(_after_options(words, program))
    elif program == "ssh":
        yield " ".join(_after_options(words, program)[1:])
    elif program == "trap":
        yield from words[:1]
    elif program == "find":
        for place, word in enumerate(words):
            if word in ("-exec", "-execdir", "-ok", "-okdir"):
                yield shlex.join(
                    each for each in words[place + 1 :] if each not in ("+", ";", "{}")
                )


def _after_c(words: list[str]) -> Iterator[str]:
    """What a shell is given to run: after `-c`, alone or joined with other letters."""
    for place, word in enumerate(words):
        if re.fullmatch(r"-[A-Za-z]*c[A-Za-z]*", word):
            yield from [each for each in words[place + 1 :] if each != "--"][:1]
            return
