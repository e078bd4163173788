"""Conversations on the wire: turns in, sessions and messages out."""

from pydantic import Field, JsonValue

from hermes.types import Origin, Role
from hermes.wire.base import Count, Line, Name, Request, Shape, Text, Time, example

MOST_MESSAGES = 1_000
MOST_TURNS = 1_000


class SessionOf(Request):
    """The session a turn belongs to; it is made by its first turn."""

    id: Name = Field(default="", description="Empty: a new session.")
    bank: Name = Field(
        default="", description="Empty: where the session lies, `default` for a new one."
    )
    platform: Name = "rest"
    identity: Name = ""
    title: Line = ""
    task: Line = ""
    parent_id: Name = ""


class Said(Request):
    """One message in the style of OpenAI; `content` is a text or a list of parts."""

    model_config = example(role="user", content="We paddle on the Elbe every Sunday.")

    role: Role
    content: Text | list[dict[str, JsonValue]] | None = ""
    name: Name = ""
    at: Time | None = None
    tool_calls: list[dict[str, JsonValue]] = Field(default_factory=list, max_length=1_000)
    tool_call_id: Name = ""
    origin: Origin | None = Field(
        default=None, description="Who brought the text; never raises its trust."
    )


class NewTurn(Request):
    """One turn to keep. With a `key` it is kept once, however often it is sent."""

    model_config = example(
        session={"id": "kayak-trip", "platform": "rest"},
        messages=[
            {"role": "user", "content": "We paddle on the Elbe every Sunday."},
            {"role": "assistant", "content": "I will remember the kayaks."},
        ],
        key="turn-1",
    )

    messages: list[Said] = Field(min_length=1, max_length=MOST_MESSAGES)
    session: SessionOf = SessionOf()
    task: Line = ""
    key: Name = ""
    continues: bool = Field(default=False, description="The messages join the last episode.")


class NewTurns(Request):
    """Several turns, kept all or none."""

    model_config = example(
        turns=[
            {"session": {"id": "kayak-trip"}, "messages": [{"role": "user", "content": "Hello."}]}
        ]
    )

    turns: list[NewTurn] = Field(min_length=1, max_length=MOST_TURNS)


class Receipt(Shape):
    """Proof that a turn is on disk."""

    session_id: str
    episode_id: int
    message_ids: list[int]
    duplicate: bool


class Receipts(Shape):
    receipts: list[Receipt]


class Session(Shape):
    id: str
    title: str
    bank: str
    platform: str
    identity: str
    task: str
    parent_id: str
    started_at: str | None
    last_at: str | None
    ended_at: str | None
    episodes: Count
    messages: Count


class SessionsQuestion(Request):
    """Which conversations a listing wants; what is left out asks for nothing."""

    bank: Name = Field(default="", description="Only in this bank.")
    platform: Name = ""
    identity: Name = ""
    before: Time | None = Field(default=None, description="Spoken in last before then.")
    before_id: Name = Field(default="", description="Those listed after this session.")
    before_last_at: Time | None = Field(
        default=None, description="The `last_at` of that session on the page: it may have changed."
    )
    deleted: bool = Field(default=False, description="Those that were put away.")
    limit: int = Field(default=20, ge=1, le=1_000)


class Preview(Session):
    """A session in a listing, and how it began."""

    opening: str


class ToolCall(Shape):
    id: str
    name: str
    arguments: str


class Message(Shape):
    id: int
    session_id: str
    episode_id: int
    at: str | None
    role: Role
    speaker: str
    text: str
    tool_calls: list[ToolCall]
    tool_call_id: str
    origin: Origin
    trust: str
    payloads: Count
    summary_id: int | None = Field(
        default=None, description="Set where it stands for messages that were compressed."
    )


class Payload(Shape):
    """Bytes that belong to a message, as base64."""

    media_type: str
    content: str


class Snippet(Shape):
    text: str
    highlights: list[tuple[int, int]]


class Hit(Shape):
    """A conversation that answers, where in it, and its bookends."""

    session: Session
    score: float
    hits: Count
    message: Message
    snippet: Snippet
    around: list[Message]
    first: list[Message]
    last: list[Message]


class SessionSearch(Shape):
    query: str
    words: list[str]
    found: Count
    found_all: bool
    hits: list[Hit]


class SessionQuestion(Request):
    """What to look for in past conversations."""

    model_config = example(query="kayak", limit=5)

    query: Line
    bank: Name = ""
    limit: int = Field(default=5, ge=1, le=100)
    roles: list[Role] = Field(default_factory=list, max_length=4)
    session_id: Name = ""
    as_you_type: bool = False


class Scroll(Shape):
    """A stretch of a conversation."""

    session: Session
    messages: list[Message]
    anchor_id: int | None
    has_before: bool
    has_after: bool


class Retitle(Request):
    model_config = example(title="Kayaks on the Elbe")

    title: Line


class Taken(Shape):
    """What an import of conversations kept."""

    source: str
    sessions: Count
    turns: Count
    messages: Count
    duplicates: Count


class Bank(Shape):
    name: str
    description: str
    created_at: str | None
    sessions: Count


class NewBank(Request):
    model_config = example(name="atlas", description="The Atlas project")

    name: Name
    description: Line = ""
