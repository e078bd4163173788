"""Every setting Hermes knows, with its type, limits, default and meaning.

The shape is that of `config.json`. Nothing here reads a file or the environment.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, SecretStr, model_validator

from hermes.config.adapters import EmbedderName, GatewayName, MemoryProviderName, StoreName
from hermes.config.sections import (
    BackupSettings,
    Count,
    Gateway,
    LightModelSettings,
    McpServer,
    ModelSettings,
    Positive,
    Seconds,
    Section,
    ServerSettings,
    TerminalSettings,
)

Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]


class RetrievalSettings(Section):
    context_budget_tokens: Annotated[int, Field(ge=150, le=1_000_000)] = 20_000
    """How many tokens of memory are put into a task. More recalls more, and costs more."""
    recency_episodes: Annotated[int, Field(ge=0, le=1_000)] = 3
    """How many of the latest episodes are always in."""
    semantic_top_k: Annotated[int, Field(ge=1, le=1_000)] = 5
    """How many results the semantic pass gives."""
    min_relevance_score: Share = 0.65
    """Results scored below this, on a scale from 0 to 1, are left out."""
    deadline_ms: Positive | None = None
    """Time until recall goes on without what it waits for: the question's embedding (then it goes
    by words) and an optional reranker (then the order without it stands). Unset, a server has 5
    seconds for the embedding, a reranker 3."""


class EmbeddingSettings(Section):
    provider: EmbedderName = "local"
    """`local` is bundled and needs nothing; `anthropic` means Voyage, which it points to; with
    `none` memory is searched by words only."""
    model: str | None = None
    """The model's name; unset, the provider's usual one (`text-embedding-3-small` for `openai`,
    `nomic-embed-text` for `ollama`)."""
    dimensions: Annotated[int, Field(ge=8, le=8_192)] | None = None
    """Length of a vector; unset, what the model gives (1536 for `text-embedding-3-small`)."""
    batch_size: Annotated[int, Field(ge=1, le=2_048)] = 100
    """How many texts are embedded in one request; the bundled model takes 32 at most."""
    base_url: str | None = None
    """Where the endpoint is; unset, the provider's own address."""
    api_key: SecretStr | None = None
    """The key; write `${NAME}` here and the key itself into `.env`."""
    timeout_s: Seconds = 30.0
    """How long one request may take; that of a question 5 seconds at most."""


class RerankerSettings(Section):
    base_url: str | None = None
    """Where a server answers `/rerank` (Cohere, Jina, Voyage, vLLM, llama.cpp, TEI); unset, the
    order found without one stands."""
    model: str | None = None
    """The model's name, where the server has several."""
    api_key: SecretStr | None = None
    """The key; write `${NAME}` here and the key itself into `.env`."""
    timeout_s: Seconds = 10.0
    """How long a request may take at most; `memory.retrieval.deadlineMs` may end it before."""


class MemorySettings(Section):
    backend: StoreName = "sqlite"
    """The store: `sqlite`, one file and no service, or `postgres`, shared by several machines."""
    path: str | None = None
    """The SQLite file; unset, `memory.db` of the profile."""
    vacuum_schedule: Literal["daily", "weekly", "monthly", "never"] = "weekly"
    """How often space is given back (SQLite)."""
    compress_after_days: Annotated[int, Field(ge=1, le=36_500)] = 30
    """After how many days raw episodes are compressed into summaries."""
    compress_grace_days: Annotated[int, Field(ge=1, le=3_650)] = 30
    """For how many days after that `hermes memory compact --undo` can put them back."""
    wal_mode: bool = True
    """Write-ahead logging, so that reading and writing do not wait for each other (SQLite)."""
    connection_string: SecretStr | None = None
    """Address of the database, e.g. `${HERMES_DB_URL}` (PostgreSQL)."""
    pool_size: Annotated[int, Field(ge=1, le=1_000)] = 5
    """How many connections are kept open (PostgreSQL)."""
    ssl_mode: Literal["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] = (
        "require"
    )
    """How the connection is protected (PostgreSQL)."""
    encryption: Literal["keyfile", "keyring", "passphrase", "off"] = "keyfile"
    """How the database is encrypted at rest: by a key in a file, in the system's keyring, by a
    passphrase asked for at start, or not at all (SQLite)."""
    key_path: str | None = None
    """The key file, for those who keep it apart from the home; unset, in `keys/`."""
    provider: MemoryProviderName = "builtin"
    """An external memory beside the built-in one, which is always on."""
    bank_strategy: Literal["single", "user", "project", "customer"] = "single"
    """What a conversation's bank is named after."""
    memory_char_limit: Annotated[int, Field(ge=200, le=100_000)] = 2_200
    """Longest `memories/MEMORY.md`, in characters."""
    user_char_limit: Annotated[int, Field(ge=200, le=100_000)] = 1_375
    """Longest `memories/USER.md`, in characters."""
    nudge_interval: Count = 10
    """After how many user turns Hermes reviews what to save; 0 switches it off."""
    retrieval: RetrievalSettings = RetrievalSettings()
    """What is recalled for a task."""
    embeddings: EmbeddingSettings = EmbeddingSettings()
    """How meaning is compared."""
    reranker: RerankerSettings = RerankerSettings()
    """A second opinion on the order of what was found; none unless it is set."""

    @model_validator(mode="after")
    def _check_connection(self) -> "MemorySettings":
        if self.backend == "postgres" and self.connection_string is None:
            raise ValueError("backend 'postgres' needs 'connectionString', e.g. ${HERMES_DB_URL}")
        return self


class AgentSettings(Section):
    max_steps: Annotated[int, Field(ge=1, le=10_000)] = 50
    """How often the model is asked in one turn, at most: each round of calls is a step."""


class Config(Section):
    memory: MemorySettings = MemorySettings()
    """What is remembered, where, and how it is found again."""
    model: ModelSettings = ModelSettings()
    """The main model: it answers, and does the tasks."""
    fallback_model: ModelSettings = ModelSettings()
    """Answers in the main model's place while that one cannot be reached."""
    light_model: LightModelSettings = LightModelSettings()
    """The small model: it extracts facts, compresses and reflects in the background."""
    backups: BackupSettings = BackupSettings()
    """Encrypted copies of the store."""
    server: ServerSettings = ServerSettings()
    """The daemon's REST API and dashboard."""
    agent: AgentSettings = AgentSettings()
    """How long the agent works on its own."""
    terminal: TerminalSettings = TerminalSettings()
    """Where commands run."""
    gateways: dict[GatewayName, Gateway] = Field(default_factory=dict)
    """Chat platforms, by name."""
    mcp_servers: dict[str, McpServer] = Field(default_factory=dict)
    """MCP servers whose tools Hermes may use, by name."""
