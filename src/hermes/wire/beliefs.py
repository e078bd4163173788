"""What is believed, on the wire: facts, entities, notes, the user model, and what waits."""

from typing import Literal

from pydantic import Field

from hermes.types import Confidence, EntityKind, FactKind, Origin
from hermes.wire.base import (
    AS_OF,
    AsOf,
    Count,
    Details,
    Id,
    Line,
    Name,
    Ref,
    Request,
    Shape,
    Time,
    example,
)
from hermes.wire.talk import Message


class Source(Shape):
    """The exact words a fact rests on, and where they stand."""

    quote: str
    message_id: int | None
    episode_id: int | None
    session_id: str
    at: str | None
    start: int | None
    end: int | None
    trust: str


class Fact(Shape):
    ref: str
    number: int
    bank: str
    text: str
    kind: FactKind
    subject: str
    attribute: str
    value: str
    entities: list[str]
    confidence: Confidence
    ended: bool
    valid_from: str | None
    valid_to: str | None
    recorded_at: str | None
    retracted_at: str | None
    superseded: bool
    contested: bool
    origin: Origin
    trust: str
    held: bool
    rejected: bool
    extractor: str
    sources: list[Source]


class NewFact(Request):
    """One statement; what is not said of it is read from its words."""

    model_config = example(text="User lives in Lisbon", confidence="high")

    text: Line
    bank: Name = "default"
    kind: FactKind | None = None
    confidence: Confidence | None = None
    valid_from: Time | None = None
    valid_to: Time | None = None
    origin: Origin = Field(
        default=Origin.USER, description="Who says so; the trust follows from it."
    )


class FactsQuestion(Request):
    """Which facts a listing wants; what is left out asks for nothing."""

    bank: Name = ""
    kind: list[FactKind] = Field(default_factory=list, max_length=8)
    subject: Name = ""
    entity: Name = ""
    as_of: AsOf | None = Field(default=None, description=f"What was true then. {AS_OF}")
    believed_on: AsOf | None = Field(default=None, description=f"What was believed then. {AS_OF}")
    everything: bool = Field(default=False, description="Also closed and deleted ones.")
    before: Id | None = Field(default=None, description="Only facts with a smaller number.")
    limit: int = Field(default=100, ge=1, le=1_000)


class Kept(Shape):
    """What became of a statement: the verdict, the fact that now says it, others it touched."""

    verdict: str
    reason: str
    fact: Fact | None
    others: list[str]


class FactEdit(Request):
    """What is to change of a fact; what is left out stays."""

    model_config = example(text="User lives in Porto")

    text: Line | None = None
    kind: FactKind | None = None
    confidence: Confidence | None = None
    valid_from: Time | None = None
    valid_to: Time | None = None


class RestoreTo(Request):
    model_config = example()

    change_id: Id | None = Field(
        default=None, description="As it was after this change; unset: undo."
    )


class MergeFact(Request):
    model_config = example(other="fact:7")

    other: Ref
    unlike: bool = Field(default=False, description="Also where they say different things.")


class Change(Shape):
    """One change of a fact."""

    id: int
    at: str | None
    action: str
    by: str
    reason: str
    before: Details
    after: Details


class Evidence(Source):
    """A source with the words around it."""

    before: str
    after: str
    session_title: str
    message: Message | None


class Why(Shape):
    """Why a fact is believed, and what it stands against."""

    fact: Fact
    evidence: list[Evidence]
    earlier_evidence: list[Evidence] = Field(default_factory=list)
    replaced: list[Fact]
    replaced_by: Fact | None
    contradicts: list[Fact]
    history: list[Change]


class Tally(Shape):
    """How many facts there are of which sort."""

    counts: dict[str, int]
    junk_rate: float | None


class ExtractTask(Request):
    model_config = example(session="trip")

    session: Name = Field(default="", description="Only this conversation; else all with news.")


class Extracted(Shape):
    """What was learnt from one conversation, and why the rest of it could not be read yet."""

    session_id: str
    messages: Count
    verdicts: dict[str, int]
    refused: list[str]
    facts: list[str]
    problem: str | None = None


class Synced(Shape):
    """How full USER.md is after it was brought up to what is known; nothing where nothing is."""

    size: Count
    limit: Count


class Entity(Shape):
    id: int
    bank: str
    name: str
    kind: EntityKind
    aliases: list[str]
    mentions: Count


class EntityView(Entity):
    """An entity, the facts about it, and where it was last spoken of."""

    facts: list[Fact]
    messages: list[Message]


class MergeEntities(Request):
    model_config = example(keep="Atlas", other="Project Atlas")

    keep: Name
    other: Name
    bank: Name = ""


class SplitEntity(Request):
    model_config = example(name="Atlas", aliases=["Atlas Copco"])

    name: Name
    aliases: list[Name] = Field(min_length=1, max_length=100)
    bank: Name = ""


class Suggestion(Shape):
    """Two entities that may be one."""

    keep: int
    merge: int
    reason: str


class Held(Shape):
    """A write that waits for the person's word."""

    id: int
    bank: str
    target: str
    text: str
    reason: str
    origin: Origin
    trust: str
    held_at: str | None
    decided_at: str | None
    verdict: str | None


class Approved(Held):
    """A held write that was made, and the facts that went with notes it took off."""

    closed: list[str]


class UserLine(Shape):
    section: str
    text: str
    facts: list[str]
    confidence: Confidence
    contested: bool


class UserEdge(Shape):
    kind: str
    source: str
    target: str
    reason: str


class UserModel(Shape):
    """What is believed of the person, each line with the facts it rests on."""

    lines: list[UserLine]
    graph: list[UserEdge]


class Note(Shape):
    id: str
    text: str


class Notebook(Shape):
    """MEMORY.md or USER.md."""

    target: Literal["memory", "user"]
    size: Count
    limit: Count
    notes: list[Note]
    text: str


class NoteOperation(Request):
    action: Literal["add", "replace", "remove"]
    content: Line = ""
    old_text: Line = Field(default="", description="A note's id, or words only that note holds.")


class NoteChange(Request):
    """Changes of one notebook: all are made, or none."""

    model_config = example(operations=[{"action": "add", "content": "Tests run with `make test`."}])

    operations: list[NoteOperation] = Field(min_length=1, max_length=50)
    origin: Origin = Origin.USER


class NoteOutcome(Shape):
    """What became of it: done, held for approval (each by itself), or kept as facts on a full page.

    `closed` are the facts that went with notes that were taken off.
    """

    done: list[str]
    closed: list[str]
    held: list[Held]
    overflow: list[Kept]


class Reflection(Shape):
    """What was learnt of how a type of task works."""

    id: str
    bank: str
    task_type: str
    lesson: str
    worked: str
    failed: str
    next_time: str
    successes: Count
    failures: Count
    warning: bool
    weight: float
    trust: str
    held: bool
    rejected: bool
    author: str
    session_id: str
    created_at: str | None
    updated_at: str | None
