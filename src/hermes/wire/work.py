"""Background work, the log, backups and the state of things, on the wire."""

from typing import Literal, TypeAlias

from pydantic import Field

from hermes.types import EventKind
from hermes.wire.base import Count, Details, Line, Name, Request, Shape, example


class Progress(Shape):
    done: Count
    total: Count
    text: str


class Job(Shape):
    id: int
    kind: str
    key: str
    state: str
    lapsed: bool = False
    payload: Details
    progress: Progress
    attempts: Count
    max_attempts: Count
    error: str
    owner: str
    cancelling: bool
    created_at: str | None
    run_at: str | None
    leased_until_at: str | None
    started_at: str | None
    finished_at: str | None


class Event(Shape):
    id: int
    at: str | None
    kind: str
    summary: str
    details: Details
    ref: str
    erased_at: str | None


class NewEvent(Request):
    model_config = example(kind="decision", summary="Chose the blue kayak", ref="session:trip")

    kind: EventKind
    summary: Line = Field(min_length=1)
    ref: Name = ""
    details: Details = Field(default_factory=dict)


class JobsWanted(Request):
    model_config = example(kinds=["index", "vacuum"])

    kinds: list[Name] = Field(min_length=1, max_length=20)


class SpendingLine(Shape):
    """What one model cost on one day, in one role; `guessed` if a price or count was not told."""

    day: str
    role: str
    model: str
    calls: Count
    input_tokens: Count
    cached_tokens: Count
    cache_share: float
    output_tokens: Count
    usd: float
    guessed: bool


class Cap(Shape):
    """What a role has cost today, and the most it may."""

    role: str
    spent_usd: float
    cap_usd: float | None


class Spending(Shape):
    """What calls to models cost, and how far today's caps are."""

    lines: list[SpendingLine]
    today: list[Cap]


class Verdict(Shape):
    """Whether the log is what was written."""

    sound: bool
    events: Count
    head: str
    erased: Count
    first_bad: int | None
    problem: str


class JobsAtAGlance(Shape):
    unfinished: Count
    lapsed: Count = 0
    dead: Count
    oldest_at: str | None


class Daemon(Shape):
    running: bool
    pid: int | None
    started_at: str | None
    url: str | None = None
    jobs: JobsAtAGlance
    last_job: Job | None


class StoreState(Shape):
    backend: str
    schema_: int = Field(alias="schema")
    encrypted: bool
    size_bytes: Count
    seq: Count
    counts: dict[str, int]


class Status(Shape):
    version: str
    profile: str
    banks: Count
    embeddings: str
    space: str
    backlog: Count
    embedded: float
    refused: Count
    extraction: str
    store: StoreState
    daemon: Daemon


class Episodes(Shape):
    total: Count
    raw: Count
    compressed: Count


class Vectors(Shape):
    episodes: Count
    facts: Count


class MemoryStatus(Shape):
    episodes: Episodes
    facts: Count
    reflections: Count
    vectors: Vectors
    size_bytes: Count
    backlog: Count
    last_vacuum_at: str | None
    last_compression_at: str | None


class Finding(Shape):
    level: Literal["ok", "warning", "failed"]
    part: str
    message: str
    hint: str


class Profile(Shape):
    name: str
    active: bool


class NewProfile(Request):
    model_config = example(name="work")

    name: Name


class Trashed(Shape):
    """A profile that was put away."""

    id: str
    name: str


class Backup(Shape):
    name: str
    created_at: str | None
    bytes: Count
    label: str


class MadeBackup(Backup):
    """A new backup, and older ones that were removed because they were too many."""

    removed: list[str]


class BackupCheck(Shape):
    name: str
    sound: bool
    message: str
    counts: dict[str, int]


class Restored(Shape):
    left_out: dict[str, int]
    counts: dict[str, int]


class Pruned(Shape):
    deleted: Count


class EraseTask(Request):
    """What to erase for good: things by name, or everything that holds some words."""

    model_config = example(matching=["my old address"], prove=True, confirm=True)

    targets: list[Name] = Field(default_factory=list, max_length=1_000, examples=[["fact:42"]])
    matching: list[Line] = Field(default_factory=list, max_length=100)
    prove: bool = False
    confirm: bool = Field(
        default=False, description="Without it the plan is answered, nothing erased."
    )


Emptied: TypeAlias = Literal["episodes", "facts", "notes", "all"]


class ResetTask(Request):
    """What to empty; a verified backup is made first."""

    model_config = example(target="facts", confirm=True)

    target: Emptied
    confirm: Literal[True] = Field(description="Must be true: nothing is emptied by mistake.")


class ResetDone(Shape):
    """What went, and the backup that brings it back."""

    backup: str
    removed: dict[str, int]


class Reindexed(Shape):
    """How many texts were given a vector, how many still wait, and how many the model refused."""

    indexed: Count
    backlog: Count
    refused: Count


class Unsearched(Shape):
    """What could not be searched, and why."""

    name: str
    reason: str


class Proof(Shape):
    """What was searched for the erased words, and where they still are."""

    clean: bool
    found: list[str]
    texts: Count
    cells: Count
    pages: Count
    files: Count
    unsearched: list[Unsearched]


class Erased(Shape):
    """What went, or what would go: `planned` while it was not confirmed."""

    planned: dict[str, int]
    erased: dict[str, int]
    files: list[str]
    backups: list[str]
    purged: bool
    seed_holds_it: bool
    proof: Proof | None


class Imported(Shape):
    """What an import of a memory did, section by section."""

    sections: dict[str, dict[str, int]]
    warnings: list[str]


class CompactTask(Request):
    model_config = example(dry_run=True)

    dry_run: bool = False
    trust_clock: bool = False


class Summary(Shape):
    id: int
    session_id: str
    bank: str
    episode_id: int
    first_at: str | None
    last_at: str | None
    made_at: str | None
    undo_until_at: str | None
    author: str
    episodes: Count
    messages: Count
    raw_chars: Count
    chars: Count
    probes: Count
    found: Count
    archive_bytes: Count


class Draft(Shape):
    session_id: str
    bank: str
    episodes: Count
    messages: Count
    first_at: str | None
    last_at: str | None
    raw_chars: Count
    chars: Count
    parts: Count
    probes: Count
    found: Count
    left_raw_because: str | None


class CompactRun(Shape):
    doubt: str | None
    clusters: list[Draft]
    summaries: list[Summary]
    purged: list[int]
    more: bool


class UndoCompact(Request):
    model_config = example(ids=[])

    ids: list[int] = Field(default_factory=list, max_length=10_000, description="Empty: last run.")


class Login(Shape):
    """A link that logs one browser in, once, within a minute."""

    url: str
    expires_in_s: float


class Ready(Shape):
    """Whether the store answers; if not, why, in words that name no place."""

    ok: bool
    reason: str


class Seq(Shape):
    """How far the store's sequence of changes goes."""

    seq: Count


class StoreChange(Shape):
    """Rows `first` to `last` of a kind were changed."""

    seq: Count
    kind: str
    op: str
    first: int
    last: int
