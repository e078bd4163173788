"""A preference is told, noted, and changed: each way leaves the new one alone in the prefix.

By the real program over real HTTP, each step in a process of its own. The model writes notes and
facts as a model does; what it does not say twice must not stand twice.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from real_program import Program

from hermes.testing import Call, Received, Say, ScriptedServer
from hermes.types import ToolCall

ADD = ("memory", {"action": "add", "target": "user", "content": "Prefers green tea"})


@dataclass
class Noting:
    """A model that makes one call where the person says something, and answers everything else."""

    calls: dict[str, tuple[str, Mapping[str, object]]] = field(default_factory=dict)

    def __call__(self, received: Received) -> Say | Call:
        messages = received.body["messages"]
        assert isinstance(messages, list)
        if messages[-1]["role"] == "user":
            for words, (name, arguments) in self.calls.items():
                if str(messages[-1]["content"]).rstrip().endswith(words):
                    return Call((ToolCall("1", name, json.dumps(arguments)),))
        return Say("Very well.")


@dataclass
class Life:
    """A home, the model it talks to, and what can be asked of both."""

    program: Program
    server: ScriptedServer
    model: Noting

    def say(self, words: str, name: str = "", **arguments: object) -> str:
        """Say something in a process of its own; the model may call a tool for it."""
        if name:
            self.model.calls[words] = (name, arguments)
        done = self.program.run("chat", stdin=f"{words}\n")
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def prefix(self) -> str:
        """What a new session begins with, in a new process."""
        self.program.ok("run", "good morning")
        messages = self.server.requests[-1].body["messages"]
        assert isinstance(messages, list)
        return "\n".join(str(m["content"]) for m in messages if m["role"] == "system")

    def facts(self) -> dict[str, bool]:
        """Every fact there ever was, and whether it is believed."""
        found = self.program.json("memory", "facts", "list", "--all")
        return {f["text"]: not (f["superseded"] or f["retracted_at"]) for f in found}

    @property
    def page(self) -> Path:
        return self.program.home / "memories" / "USER.md"


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    program, model = Program(tmp_path / "home"), Noting()
    with ScriptedServer(model) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "small"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
        )
        yield Life(program, server, model)


def noted(life: Life) -> None:
    """ "I prefer green tea", both noted by the model and read from the conversation."""
    name, arguments = ADD
    life.say("I prefer green tea.", name, **arguments)
    assert life.prefix().lower().count("green tea") == 1, "told once, though kept twice"


def test_a_note_goes_with_the_fact_that_is_revised(life: Life) -> None:
    noted(life)
    told = life.say("No: black.", "fact_revise", fact="fact:1", text="User prefers black tea")
    assert "Prefers green tea" in told, "what left the page is told"
    prefix = life.prefix()
    assert "black tea" in prefix
    assert "green tea" not in prefix
    assert "green tea" in life.program.ok("memory", "fact", "history", "fact:1")
    life.program.ok("chat", stdin="/restore fact:1\n")
    assert "Prefers green tea" in life.page.read_text(), "the undo brings the note back, too"
    assert "black tea" not in life.prefix()


def test_a_fact_goes_with_the_note_that_is_replaced(life: Life) -> None:
    noted(life)
    change = {"action": "replace", "target": "user", "old_text": "green tea"}
    life.say("No: black.", "memory", content="Prefers black tea", **change)
    prefix = life.prefix()
    assert "Prefers black tea" in prefix
    assert "green tea" not in prefix
    assert life.facts()["User prefers green tea"] is False


@pytest.mark.parametrize("is_noted", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        "Actually I prefer black tea now, not green tea.",
        "Correction: I prefer black tea, not green tea.",
    ],
)
def test_what_is_said_to_have_changed_closes_fact_and_note(
    life: Life, words: str, *, is_noted: bool
) -> None:
    if is_noted:
        noted(life)
    else:
        life.say("I prefer green tea.")
    life.say(words)
    prefix = life.prefix()
    assert "black tea" in prefix
    assert "green tea" not in prefix
    assert life.facts()["User prefers green tea"] is False


def test_who_changed_their_mind_a_minute_later_is_believed(life: Life) -> None:
    life.say("I prefer dark mode.")
    life.say("I changed my mind: I prefer light mode")
    prefix = life.prefix()
    assert "Prefers light mode" in prefix
    assert "dark mode" not in prefix
