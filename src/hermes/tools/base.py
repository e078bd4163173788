"""What every tool is: a name, typed arguments, a function, and what must be known to run it safely.

A tool is one file with one `TOOL`. It is found by the entry-point group `hermes.tools`, ours by the
same path as a plugin's. The loop checks arguments, asks for approval, cuts results and sets their
origin; a tool only does its work and raises `HermesError` where it cannot.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict

from hermes.guard.origin import is_tainted
from hermes.guard.own import is_own
from hermes.types import Origin, Trust

if TYPE_CHECKING:
    from hermes.tools.desk import Desk

MAX_CHARS = 16_000
WHICH = AliasChoices("fact", "ref", "id")  # small models take the one for the other


class Arguments(BaseModel):
    """The arguments of a tool; each field's description is what the model reads."""

    model_config = ConfigDict(frozen=True, extra="forbid")


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Question:
    """What a tool is about to do, for the person to allow or deny.

    `rule` is what "always" would allow from then on, e.g. `terminal: git push`; without one only
    this very call can be allowed. `reason` says why it is asked. What is `personal` only the person
    may allow, each time: no setting, and no yes to everything. What is `lasting` no checkpoint
    takes back, and `/yolo` is no yes to it.
    """

    tool: str
    action: str
    reason: str = ""
    rule: str = ""
    details: str = ""
    personal: bool = False
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """Something that was written to memory, or waits to be: what, and how to take it back."""

    text: str
    ref: str = ""
    held: bool = False
    why: str = ""
    """Why it is held."""
    before: tuple[str, ...] = ()
    """What was believed until then, and is no longer."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gives back to the model.

    `trust` is set where the result is worth less than its tool's origin says, or is memory's own.
    `kept` is what is recorded in its place, where the text itself was memory already. `fault` says
    of a failure in a fixed word what kind it is (`exit 3`), for whoever learns from it. `told` is
    the line a person sees of it, where its first line is written for the model.
    """

    text: str
    failed: bool = False
    trust: Trust | None = None
    kept: str | None = None
    receipts: tuple[Receipt, ...] = ()
    fault: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Delegated:
    """What a sub-agent came back with."""

    session_id: str
    text: str
    trust: Trust
    failed: bool = False


Delegate = Callable[[str, str], Awaitable[Delegated]]
"""Gives a task, with what must be known for it, to a sub-agent with a session of its own."""


async def no_delegate(task: str, background: str) -> Delegated:
    return Delegated("", "A sub-agent cannot have sub-agents.", Trust.MEDIUM, failed=True)


Changing = Callable[[Path, tuple[Path, ...], str], AbstractContextManager[None]]
"""Wraps a step that changes files: the named ones or, with none named, any below the folder.

What they held before is kept under the reason given, so that the step can be taken back.
"""


def _change_freely(root: Path, files: tuple[Path, ...], why: str) -> AbstractContextManager[None]:
    return nullcontext()


def _keep_quiet(progress: str) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may use. It is made anew for each step, so that `trust` is that of the moment.

    `trust` is the lowest of what the model has read: what it writes is worth no more. `workdir` is
    where relative paths begin; `forbidden` folders (the home itself) no file tool may touch. Steps
    that change files run inside `changing`. `allowed` are the rules the person allowed for good, as
    `Question.rule` gave them. In an incognito session nothing may be kept. `places` is where the
    paths of one call led when it was asked about: what was allowed is what is used. `said` is what
    the person said in this conversation, in their own words.
    """

    desk: "Desk"
    session_id: str
    bank: str
    workdir: Path
    trust: Trust = Trust.HIGH
    incognito: bool = False
    delegate: Delegate = no_delegate
    changing: Changing = _change_freely
    forbidden: tuple[Path, ...] = ()
    allowed: tuple[str, ...] = ()
    places: dict[str, Path] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    on_progress: Callable[[str], None] = _keep_quiet

    def worth(self, *texts: str) -> Trust:
        """How far texts written now are trusted: what only repeats the person is not tainted."""
        if is_tainted(self.trust) and texts and all(is_own(text, self.said) for text in texts):
            return Trust.MEDIUM
        return self.trust


Run = Callable[[A, ToolContext], Awaitable[ToolResult]]
Approval = Callable[[A, ToolContext], Question | None]


def _needs_none(args: Any, context: ToolContext) -> Question | None:
    return None


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """A tool: `run` gets checked arguments, `approval` says what must be asked before it.

    `parallel`: calls of one step may run side by side, as it changes nothing, or guards what it
    changes. `origin` is where its results come from (web, tool; agent for Hermes' own memory).
    `writes_memory`: its use resets the nudge, an interrupt waits for it, and neither sub-agents nor
    incognito sessions may use it.
    """

    name: str
    description: str
    arguments: type[A]
    run: Run[A]
    parallel: bool = False
    approval: Approval[A] = _needs_none
    origin: Origin = Origin.TOOL
    max_chars: int = MAX_CHARS
    writes_memory: bool = False
    timeout_s: float = 300.0


AnyTool = Tool[Any]
