"""Half a year of two people with an assistant: short sessions, and 94 questions of eight kinds.

What is asked for was said directly or in other words, on a date, by or about a person, over several
sessions, by the assistant, or was changed since; 25 questions ask for what was never said, most of
them about people and things that were. Half of the questions are for fitting how relevant a message
is (`is_fitted_on`), the other half only for reporting. All of it is written by hand.
"""

from collections.abc import Iterator
from importlib.resources import files

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.clock import MINUTE_MS, parse_time
from hermes.types import Role

ASKED_TIME = "T09:00:00Z"
ROLES = {"U": Role.USER, "A": Role.ASSISTANT}


def load_lives() -> list[Case]:
    """A case a person."""
    told = dict(_people(_text("lives_told.txt")))
    asked = dict(_people(_text("lives_asked.txt")))
    numbers = iter(range(1, 1 + sum(map(len, asked.values()))))
    return [
        Case(f"lives {who}", tuple(_talks(lines)), tuple(_questions(asked[who], numbers)))
        for who, lines in told.items()
    ]


def _people(text: str) -> Iterator[tuple[str, list[str]]]:
    who, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith("=== "):
            if who:
                yield who, lines
            who, lines = line[4:], []
        elif line and not line.startswith("#"):
            lines.append(line)
    yield who, lines


def _talks(lines: list[str]) -> Iterator[Talk]:
    name, at, said = "", 0, list[Said]()
    for line in [*lines, "== "]:
        sign, _, text = line.partition(" ")
        if sign != "==":
            key, then = f"{name}#{len(said)}", at + len(said) * MINUTE_MS
            said.append(Said(key, text, then, ROLES[sign]))
            continue
        if said:
            yield Talk(name, tuple(said))
        if text:
            name, day, hour = text.split()
            at, said = parse_time(f"{day}T{hour}:00Z"), []


def _questions(lines: list[str], numbers: Iterator[int]) -> Iterator[Question]:
    for line in lines:
        kind, day, text, keys = (part.strip() for part in line.split("|"))
        yield Question(
            f"q{next(numbers)}",
            text,
            kind,
            parse_time(day + ASKED_TIME),
            evidence=frozenset(keys.split()),
            sessions=frozenset(key.partition("#")[0] for key in keys.split()),
        )


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
