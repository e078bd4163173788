"""The settings around the memory: models, backups, server, terminals, gateways, MCP servers.

Shape, limits and meaning only; the descriptions are what `docs/config.md` is made of.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator
from pydantic.alias_generators import to_camel

from hermes.config.adapters import ModelProviderName, TerminalName

Count: TypeAlias = Annotated[int, Field(ge=0)]
Positive: TypeAlias = Annotated[int, Field(gt=0)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=86_400)]
Dollars: TypeAlias = Annotated[float, Field(ge=0)]
Port: TypeAlias = Annotated[int, Field(ge=1, le=65_535)]
Texts: TypeAlias = Annotated[tuple[str, ...], Field(strict=False)]
"""Written as a JSON array; kept as a tuple, so `strict` must let the array through."""
Secrets: TypeAlias = dict[str, SecretStr]


class Section(BaseModel):
    """camelCase in the file, snake_case in Python; nothing unknown, nothing converted."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        validate_default=False,
        hide_input_in_errors=True,
    )


class ModelSettings(Section):
    provider: ModelProviderName = "none"
    """Which kind of endpoint answers: `openai` means any compatible one (Ollama, vLLM, …), found by
    `baseUrl`; `none` switches it off."""
    model: str | None = None
    """The model's name, as its provider spells it; unset, the provider's usual one."""
    base_url: str | None = None
    """Where the endpoint is; unset, the provider's own address."""
    api_key: SecretStr | None = None
    """The key; write `${NAME}` here and the key itself into `.env`."""
    timeout_s: Seconds = 120.0
    """How long one request may take."""
    max_tokens: Positive = 4_096
    """The longest answer asked for; at most a quarter of `contextTokens`, where that is set."""
    context_tokens: Positive | None = None
    """The model's context window, where Hermes does not know it."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """How far answers may vary; unset, the provider's default."""
    max_retries: Annotated[int, Field(ge=0, le=20)] = 4
    """How often a request that failed for a passing reason is tried again."""
    daily_budget_usd: Dollars | None = None
    """Spending at which Hermes stops calling this model until the next day; unset, no cap."""
    input_usd_per_million: Dollars | None = None
    """Price of a million input tokens, where Hermes does not know it; set both prices: a high one
    is assumed in the place of one that is missing."""
    output_usd_per_million: Dollars | None = None
    """Price of a million output tokens, where Hermes does not know it; set both prices."""


class LightModelSettings(ModelSettings):
    """A model that works in the background."""

    daily_budget_usd: Dollars | None = 5.0
    """Spending at which Hermes stops calling this model until the next day: it works unasked, so
    it has a cap until you set another, or `null` for none."""


class BackupSettings(Section):
    enabled: bool = True
    """Whether backups are made by themselves."""
    schedule: Literal["hourly", "daily", "weekly"] = "daily"
    """How often."""
    path: str | None = None
    """Where backups go; unset, `backups/` of the profile."""
    keep_daily: Positive = 7
    """How many daily backups are kept."""
    keep_weekly: Count = 4
    """How many weekly backups are kept beside them."""
    keep_monthly: Count = 6
    """How many monthly backups are kept beside them."""
    recipients: Texts = ()
    """age public keys that may open a backup; empty, the profile's own backup key."""


class ServerSettings(Section):
    enabled: bool = True
    """Whether the daemon serves the REST API, MCP and the dashboard."""
    host: str = "127.0.0.1"
    """The address the daemon listens on; any but this machine's own needs TLS."""
    port: Port = 8765
    """The port the daemon listens on; unset and taken, one of the next fifteen."""
    token: SecretStr | None = None
    """The token clients show; unset, one is made at start and kept in `run/`, 0600."""
    allowed_origins: Texts = ()
    """Web pages that may call the API, besides the dashboard itself."""
    allowed_hosts: Texts = ()
    """Names clients may call this server by, besides `localhost` and the address itself."""
    max_body_mb: Annotated[int, Field(ge=1, le=1_024)] = 16
    """Longest request, in megabytes; an import may be longer."""
    request_timeout_s: Seconds = 60.0
    """How long a request may take, streams apart."""
    tls_cert: str | None = None
    """Certificate file, to serve HTTPS."""
    tls_key: str | None = None
    """Key file of the certificate."""

    @model_validator(mode="after")
    def _check_tls(self) -> "ServerSettings":
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tlsCert and tlsKey are set together, or not at all")
        return self


class TerminalBackend(Section):
    type: TerminalName
    """What runs the commands."""
    shell: str | None = None
    """`shell`: the program, e.g. `/bin/bash`; unset, the person's own."""
    image: str | None = None
    """`docker`, `modal`, `daytona`: the image."""
    host: str | None = None
    """`ssh`: the machine."""
    user: str | None = None
    """`ssh`: the account."""
    port: Port = 22
    """`ssh`: the port."""
    key_path: str | None = None
    """`ssh`: the private key file."""
    gpu: str | None = None
    """`modal`: the kind of GPU."""
    workdir: str | None = None
    """The folder commands start in."""
    timeout_s: Seconds | None = None
    """How long a command may take here; unset, `terminal.timeoutS`."""
    secrets: Texts = ()
    """Environment variables passed on, by name."""

    @model_validator(mode="after")
    def _check_target(self) -> "TerminalBackend":
        needed = {"docker": "image", "ssh": "host"}.get(self.type)
        if needed is not None and not getattr(self, needed):
            raise ValueError(f"a {self.type} terminal needs {needed!r}")
        return self


class TerminalSettings(Section):
    default: str = "local"
    """The backend commands run on: `local`, or a name in `terminal.backends`."""
    timeout_s: Seconds = 180.0
    """How long a command may take."""
    approval: Literal["ask", "allow", "deny"] = "ask"
    """What happens to a command that could do harm; `allow` asks nothing, `deny` refuses it."""
    allow: Texts = ()
    """What need not be asked about again: rules kept by "always", as `terminal: git push *`."""
    backends: dict[str, TerminalBackend] = Field(default_factory=dict)
    """Places to run commands, by name."""

    @model_validator(mode="after")
    def _check_default(self) -> "TerminalSettings":
        if self.default != "local" and self.default not in self.backends:
            known = ", ".join(["local", *self.backends])
            raise ValueError(f"default {self.default!r} is not one of the backends: {known}")
        return self


class Gateway(Section):
    enabled: bool = True
    """Whether it is to be opened; gateways come in a later version."""
    token: SecretStr | None = None
    """The bot's token; write `${NAME}` here and the token itself into `.env`."""
    app_token: SecretStr | None = None
    """The second token Slack asks for."""
    account: str | None = None
    """The phone number or account (Signal, WhatsApp)."""
    url: str | None = None
    """Address of the bridge, where the platform needs one."""
    allowed_users: Texts = ()
    """Who may talk to Hermes there, by the platform's user ids; empty, only linked identities."""


class McpServer(Section):
    command: str | None = None
    """The program to start (stdio)."""
    args: Texts = ()
    """Its arguments."""
    env: Secrets = Field(default_factory=dict)
    """Environment variables it gets."""
    cwd: str | None = None
    """The folder it starts in."""
    url: str | None = None
    """Address of a server that runs already (HTTP)."""
    headers: Secrets = Field(default_factory=dict)
    """Headers sent to it."""
    enabled: bool = True
    """Whether Hermes uses it."""
    timeout_s: Seconds = 60.0
    """How long a call may take."""

    @model_validator(mode="after")
    def _check_transport(self) -> "McpServer":
        if (self.command is None) == (self.url is None):
            raise ValueError("set either 'command' (a program) or 'url' (a running server)")
        return self
