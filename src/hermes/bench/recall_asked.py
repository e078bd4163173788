"""Facts, and the questions people ask for them in other words (`recall_asked.txt`)."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

FITTED_ON = ("nurse", "student", "founder", "traveller", "project")
UNRELATED = "??"


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

    @property
    def memories(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.memory for each in self.facts))

    def part(self, *, fitted: bool) -> "Asked":
        """The half that is fitted on, or the half that is only reported."""
        facts = tuple(each for each in self.facts if (each.memory in FITTED_ON) == fitted)
        return Asked(facts, self.unrelated[0 if fitted else 1 :: 2])


def load_asked() -> Asked:
    return parse_asked(files(__package__).joinpath("recall_asked.txt").read_text("utf-8"))


def parse_asked(text: str) -> Asked:
    facts: list[AskedFact] = []
    unrelated: list[str] = []
    memory = ""
    for line in _lines(text):
        if line.startswith("== "):
            memory = line[3:]
        elif line.startswith(UNRELATED):
            unrelated.append(line[len(UNRELATED) :].strip())
        else:
            fact, *questions = (part.strip() for part in line.split("|"))
            facts.append(AskedFact(memory, fact, tuple(questions)))
    return Asked(tuple(facts), tuple(unrelated))


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
