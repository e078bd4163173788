"""What an import did, or would do."""

from dataclasses import dataclass, field

SAMPLES = 20


@dataclass(slots=True)
class Outcome:
    """Of one section: what is new, what changed, what was there already, what had been erased."""

    added: int = 0
    changed: int = 0
    same: int = 0
    erased: int = 0
    samples: list[str] = field(default_factory=list)

    def note(self, sample: str) -> None:
        if len(self.samples) < SAMPLES:
            self.samples.append(sample[:200])


@dataclass(slots=True)
class Report:
    sections: dict[str, Outcome] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def of(self, section: str) -> Outcome:
        return self.sections.setdefault(section, Outcome())

    def counts(self) -> dict[str, dict[str, int]]:
        return {
            name: {
                key: value
                for key in ("added", "changed", "same", "erased")
                if (value := getattr(outcome, key))
            }
            for name, outcome in self.sections.items()
            if outcome.added or outcome.changed or outcome.same or outcome.erased
        }
