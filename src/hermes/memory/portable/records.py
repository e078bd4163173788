"""What an export may hold, field by field. The published schema is made from this."""

from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from hermes.clock import EARLIEST_AT, LATEST_AT
from hermes.store.base.portable import BLOB_PART_BYTES, Section
from hermes.types import Confidence, EntityKind, EpisodeState, EventKind, FactKind, Origin, Role

FORMAT = "hermes-memory"
VERSION = 1
MAX_TEXT_CHARS = 9_000_000

_STRICT = ConfigDict(extra="forbid", strict=True)


def _one_of(names: type[StrEnum]) -> str:
    return f"^({'|'.join(names)})$"


Id = Annotated[int, Field(ge=1, le=2**62)]
Count = Annotated[int, Field(ge=0, le=2**62)]
Time = Annotated[int, Field(ge=EARLIEST_AT, le=LATEST_AT)]
Name = Annotated[str, Field(min_length=1, max_length=1_000)]
Line = Annotated[str, Field(max_length=100_000)]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Hex = Annotated[str, Field(pattern=r"^([0-9a-f]{2}){0,64}$")]
Key = Annotated[str, Field(pattern=r"^[0-9a-f]{24}([0-9a-f]{8})?$")]
BankName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
MaxPart = -(-BLOB_PART_BYTES // 3) * 4
Base64 = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]*={0,2}$", max_length=MaxPart)]
Trust = Literal["none", "low", "medium", "high"]
RoleName = Annotated[str, Field(pattern=_one_of(Role))]
OriginName = Annotated[str, Field(pattern=_one_of(Origin))]
StateName = Annotated[str, Field(pattern=_one_of(EpisodeState))]
FactKindName = Annotated[str, Field(pattern=_one_of(FactKind))]
EntityKindName = Annotated[str, Field(pattern=_one_of(EntityKind))]
EventKindName = Annotated[str, Field(pattern=_one_of(EventKind))]
ConfidenceName = Annotated[str, Field(pattern=_one_of(Confidence))]
Fields = dict[str, Any]


@with_config(_STRICT)
class BankRecord(TypedDict):
    name: BankName
    created_at: Time
    description: NotRequired[Line]


@with_config(_STRICT)
class EntityNameRecord(TypedDict):
    key: Line
    name: Line


@with_config(_STRICT)
class EntityRecord(TypedDict):
    id: Id
    bank: BankName
    kind: EntityKindName
    created_at: Time
    names: Annotated[list[EntityNameRecord], Field(min_length=1, max_length=10_000)]
    merged_into: NotRequired[Id]


@with_config(_STRICT)
class BlobRecord(TypedDict):
    sha256: Hash
    part: Count
    parts: Annotated[int, Field(ge=1, le=1_000)]
    content: Base64


@with_config(_STRICT)
class SessionRecord(TypedDict):
    id: Name
    bank: BankName
    started_at: Time
    last_at: Time
    platform: NotRequired[Line]
    identity: NotRequired[Line]
    title: NotRequired[Line]
    task: NotRequired[Text]
    parent: NotRequired[Line]
    ended_at: NotRequired[Time]
    hidden_at: NotRequired[Time]
    extracted_upto: NotRequired[Id]
    reflected_upto: NotRequired[Id]


@with_config(_STRICT)
class EpisodeRecord(TypedDict):
    id: Id
    session: Name
    at: Time
    state: StateName
    task: NotRequired[Text]


@with_config(_STRICT)
class CallRecord(TypedDict):
    id: Line
    name: Line
    arguments: Text


@with_config(_STRICT)
class PayloadRecord(TypedDict):
    media_type: Line
    sha256: Hash


@with_config(_STRICT)
class MentionRecord(TypedDict):
    entity: Id
    key: Line


@with_config(_STRICT)
class MessageRecord(TypedDict):
    id: Id
    episode: Id
    at: Time
    role: RoleName
    origin: OriginName
    trust: Trust
    text: Text
    speaker: NotRequired[Line]
    call_id: NotRequired[Line]
    calls: NotRequired[Annotated[list[CallRecord], Field(max_length=10_000)]]
    payloads: NotRequired[Annotated[list[PayloadRecord], Field(max_length=10_000)]]
    mentions: NotRequired[Annotated[list[MentionRecord], Field(max_length=100_000)]]


@with_config(_STRICT)
class KeyRecord(TypedDict):
    key: Key
    first: Id
    last: Id


@with_config(_STRICT)
class SummaryPartRecord(TypedDict):
    message: Id
    last: Id


@with_config(_STRICT)
class SummaryRecord(TypedDict):
    id: Id
    session: Name
    episode: Id
    first_at: Time
    last_at: Time
    made_at: Time
    purge_at: Time
    author: Line
    episodes: Count
    messages: Count
    raw_chars: Count
    chars: Count
    probes: Count
    found: Count
    parts: Annotated[list[SummaryPartRecord], Field(max_length=100_000)]


@with_config(_STRICT)
class FactSourceRecord(TypedDict):
    quote: Text
    trust: Trust
    message: NotRequired[Id]
    episode: NotRequired[Id]
    session: NotRequired[Line]
    start: NotRequired[Count]
    stop: NotRequired[Count]
    at: NotRequired[Time]


@with_config(_STRICT)
class FactChangeRecord(TypedDict):
    at: Time
    action: Line
    by: Line
    reason: Line
    before: Fields
    after: Fields


@with_config(_STRICT)
class RivalRecord(TypedDict):
    fact: Id
    at: Time


@with_config(_STRICT)
class FactRecord(TypedDict):
    id: Id
    number: Id
    bank: BankName
    text: Text
    kind: FactKindName
    recorded_at: Time
    confidence: ConfidenceName
    origin: OriginName
    trust: Trust
    subject: NotRequired[Line]
    subject_key: NotRequired[Line]
    attribute: NotRequired[Line]
    value: NotRequired[Text]
    valid_from: NotRequired[Time]
    valid_to: NotRequired[Time]
    retracted_at: NotRequired[Time]
    superseded_by: NotRequired[Id]
    extractor: NotRequired[Line]
    single: NotRequired[bool]
    ended: NotRequired[bool]
    held: NotRequired[bool]
    sources: NotRequired[Annotated[list[FactSourceRecord], Field(max_length=100_000)]]
    history: NotRequired[Annotated[list[FactChangeRecord], Field(max_length=100_000)]]
    mentions: NotRequired[Annotated[list[MentionRecord], Field(max_length=100_000)]]
    contradicts: NotRequired[Annotated[list[RivalRecord], Field(max_length=100_000)]]


@with_config(_STRICT)
class ReflectionRecord(TypedDict):
    id: Id
    bank: BankName
    task_type: Line
    lesson: Text
    lesson_key: Text
    successes: Count
    failures: Count
    created_at: Time
    updated_at: Time
    origin: OriginName
    trust: Trust
    worked: NotRequired[Text]
    failed: NotRequired[Text]
    next_time: NotRequired[Text]
    author: NotRequired[Line]
    session: NotRequired[Line]
    deleted_at: NotRequired[Time]
    held: NotRequired[bool]


@with_config(_STRICT)
class HeldRecord(TypedDict):
    id: Id
    bank: BankName
    target: Line
    text: Text
    held_at: Time
    origin: OriginName
    trust: Trust
    payload: Fields
    reason: NotRequired[Line]
    fact: NotRequired[Id]
    decided_at: NotRequired[Time]
    verdict: NotRequired[Literal["approved", "rejected", "withdrawn"]]


@with_config(_STRICT)
class EventRecord(TypedDict):
    id: Id
    at: Time
    kind: EventKindName
    content: Hash
    hash: Hash
    summary: NotRequired[Line]
    details: NotRequired[Text]
    ref: NotRequired[Line]
    salt: NotRequired[Hex]
    erased_at: NotRequired[Time]


@with_config(_STRICT)
class NoteRecord(TypedDict):
    file: Literal["memories/MEMORY.md", "memories/USER.md", "workspace/MEMORY.md"]
    text: Text


@with_config(_STRICT)
class NumbersRecord(TypedDict):
    episode: Count
    message: Count
    fact: Count
    fact_number: Count
    entity: Count
    reflection: Count


@with_config(_STRICT)
class Export(TypedDict):
    """All that Hermes remembers, or what it remembers in one bank."""

    format: Literal["hermes-memory"]
    version: Literal[1]
    bank: NotRequired[BankName]
    numbers: NumbersRecord
    banks: list[BankRecord]
    entities: list[EntityRecord]
    blobs: list[BlobRecord]
    sessions: list[SessionRecord]
    episodes: list[EpisodeRecord]
    messages: list[MessageRecord]
    keys: list[KeyRecord]
    summaries: list[SummaryRecord]
    facts: list[FactRecord]
    reflections: list[ReflectionRecord]
    held_writes: list[HeldRecord]
    events: list[EventRecord]
    notes: list[NoteRecord]


NOTES = "notes"
HEAD = ("format", "version", "bank", "numbers")
SECTIONS: dict[str, TypeAdapter[Any]] = {
    Section.BANKS: TypeAdapter(BankRecord),
    Section.ENTITIES: TypeAdapter(EntityRecord),
    Section.BLOBS: TypeAdapter(BlobRecord),
    Section.SESSIONS: TypeAdapter(SessionRecord),
    Section.EPISODES: TypeAdapter(EpisodeRecord),
    Section.MESSAGES: TypeAdapter(MessageRecord),
    Section.KEYS: TypeAdapter(KeyRecord),
    Section.SUMMARIES: TypeAdapter(SummaryRecord),
    Section.FACTS: TypeAdapter(FactRecord),
    Section.REFLECTIONS: TypeAdapter(ReflectionRecord),
    Section.HELD: TypeAdapter(HeldRecord),
    Section.EVENTS: TypeAdapter(EventRecord),
    NOTES: TypeAdapter(NoteRecord),
}
NUMBERS: TypeAdapter[Any] = TypeAdapter(NumbersRecord)


def export_schema() -> dict[str, Any]:
    """The published JSON schema of an export."""
    schema = TypeAdapter(Export).json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Hermes memory export, version 1"
    return schema
