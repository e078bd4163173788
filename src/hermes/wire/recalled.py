"""Recall on the wire: the question, the items, and the trace that says why each is there."""

from pydantic import AliasChoices, Field, JsonValue

from hermes.types import Kind, Role
from hermes.wire.base import AS_OF, AsOf, Count, Name, Request, Shape, Text, example


class RecallTask(Request):
    model_config = example(task="Plan Sunday's trip", bank="default", budget_tokens=2_000)

    task: Text
    bank: Name = "default"
    budget_tokens: int | None = Field(
        default=None,
        ge=150,
        le=1_000_000,
        validation_alias=AliasChoices("budget_tokens", "budget"),
        description="How long the context may be; unset: as configured. Also `budget`.",
    )
    as_of: AsOf | None = Field(default=None, description=f"What was believed then. {AS_OF}")


class MemoryQuestion(Request):
    model_config = example(query="where does the user live", limit=5)

    query: Text
    bank: Name = "default"
    limit: int = Field(default=10, ge=1, le=200)
    types: list[Kind] = Field(
        default_factory=list, max_length=4, description="Only these; `facts` is `fact`, too."
    )


class Found(Shape):
    by: str
    rank: int


class ItemLine(Shape):
    message_id: int | None
    at: str | None
    role: Role
    by: str
    text: str = Field(
        description="At most 20,000 characters around what was found, ` …` where it was cut."
    )
    trust: str = ""
    hit: bool


class Item(Shape):
    """One memory, where it came from, and which passes found it."""

    type: Kind
    ref: str
    at: str | None
    relevance: float
    why: str = Field(
        default="", description="`relevance`, or `newest`: there for nothing else than that."
    )
    score: float
    text: str = Field(
        description="At most 20,000 characters around what was found, ` …` where it was cut."
    )
    session_id: str
    episode_id: int | None
    trust: str
    held: bool = False
    note: str = Field(default="", description="What must be told with it: taken back, contested.")
    found: list[Found]
    parts: dict[str, float]
    lines: list[ItemLine]


class Trace(Shape):
    """How recall went: which rung of the ladder, how many candidates, how long each step took."""

    bank: str = ""
    went_by: str
    reason: str
    candidates: Count
    passes: dict[str, JsonValue]
    task_type: str = Field(default="", description="Such as research, writing, coding; or chat.")
    terms: list[str]
    times: list[str]
    spans: list[JsonValue] = Field(default_factory=list)
    min_relevance: float = 0.0
    dropped: dict[str, JsonValue]
    ms: dict[str, float]


class Recall(Shape):
    """What bears on a task; `context` is the block to put before a model."""

    task: str
    budget_tokens: int
    sure: bool = Field(description="Whether some of it answers the task, as far as can be told.")
    items: list[Item]
    context: str
    trace: Trace


class MemorySearch(Shape):
    query: str
    items: list[Item]
    trace: Trace
