"""Facts, and the questions people ask for them: in other words (`recall_asked.txt`), and beside
questions that come near them and that nothing kept answers (`recall_missed.txt`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

FITTED_ON = ("nurse", "student", "founder", "traveller", "project", "siblings", "release")
UNRELATED, MISSED = "??", "?!"


@dataclass(frozen=True, slots=True)
class AskedFact:
    """A fact of one memory and the questions that it answers."""

    memory: str
    fact: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """Memories of facts with their questions, and tasks that none of the facts bears on."""

    facts: tuple[AskedFact, ...]
    unrelated: tuple[str, ...]
    missed: tuple[tuple[str, str], ...] = ()  # a memory, and what it has nothing to answer with

    @property
    def memories(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.memory for each in self.facts))

    def part(self, *, fitted: bool) -> "Asked":
        """The half that is fitted on, or the half that is only reported."""
        facts = tuple(each for each in self.facts if (each.memory in FITTED_ON) == fitted)
        missed = tuple(each for each in self.missed if (each[0] in FITTED_ON) == fitted)
        return Asked(facts, self.unrelated[0 if fitted else 1 :: 2], missed)


def load_asked() -> Asked:
    return parse_asked(files(__package__).joinpath("recall_asked.txt").read_text("utf-8"))


def load_missed() -> Asked:
    """Memories with questions of what was never kept about people and things that were."""
    return parse_asked(files(__package__).joinpath("recall_missed.txt").read_text("utf-8"))


def parse_asked(text: str) -> Asked:
    facts: list[AskedFact] = []
    unrelated: list[str] = []
    missed: list[tuple[str, str]] = []
    memory = ""
    for line in _lines(text):
        if line.startswith("== "):
            memory = line[3:]
        elif line.startswith(MISSED):
            missed.append((memory, line[len(MISSED) :].strip()))
        elif line.startswith(UNRELATED):
            unrelated.append(line[len(UNRELATED) :].strip())
        else:
            fact, *questions = (part.strip() for part in line.split("|"))
            facts.append(AskedFact(memory, fact, tuple(questions)))
    return Asked(tuple(facts), tuple(unrelated), tuple(missed))


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
