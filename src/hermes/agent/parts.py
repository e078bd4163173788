"""What an agent is made of; the App puts it together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path

from hermes.agent.approval import Approver, DenyAll
from hermes.agent.compact import Compactor, no_compactor
from hermes.agent.journal import Journal
from hermes.agent.prompt import PrefixParts
from hermes.agent.thread import Thread
from hermes.agent.window import USUAL
from hermes.clock import Clock
from hermes.errors import HermesError, Unavailable
from hermes.llm.base import Model
from hermes.memory.recall.tokens import count_tokens
from hermes.tools.base import Receipt, ToolContext
from hermes.tools.desk import Desk
from hermes.tools.registry import Toolbox

MAX_STEPS = 50
LEAST_RESULT = 1_000  # characters of what a tool gives back, however small the window
LEAST_TALK = 800  # tokens: with less room for what is said, every turn is put into few words


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What a person may choose of an agent."""

    window_tokens: int = USUAL
    reply_tokens: int = 4_096
    recall_tokens: int = 20_000
    max_steps: int = MAX_STEPS
    review_every: int = 10
    incognito: bool = False
    workdir: Path = field(default_factory=Path.cwd)
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class Parts:
    """Without a model the agent answers from memory alone, and `lack` says why.

    `prefix` gathers what a new session of a bank begins with; `equip` adds to a tool's context what
    only the App knows: checkpoints, folders not to be touched, rules allowed for good. `light`
    reviews in the background; `learn` reads the facts of a session without one.
    """

    desk: Desk
    journal: Journal
    clock: Clock
    toolbox: Toolbox
    prefix: Callable[[str], PrefixParts]
    model: Model | None = None
    light: Model | None = None
    lack: HermesError | None = None
    approver: Approver = field(default_factory=DenyAll)
    compactor: Compactor = field(default_factory=no_compactor)
    equip: Callable[[ToolContext], ToolContext] = lambda context: context
    learn: Callable[[str], tuple[Receipt, ...]] = lambda session_id: ()
    options: AgentOptions = field(default_factory=AgentOptions)


def tokens_fixed(thread: Thread, parts: Parts) -> int:
    """What every request of a conversation takes before a word is said: prefix and tools."""
    return count_tokens(thread.prefix) + parts.toolbox.tokens


def tokens_besides(thread: Thread, parts: Parts) -> int:
    """What a request takes besides what is said: the prefix, the tools, room for the answer."""
    return parts.options.reply_tokens + tokens_fixed(thread, parts)


def tokens_left(thread: Thread, parts: Parts) -> int:
    """What a window has for everything said, recalled and read; 0 where it has no room at all."""
    return max(0, parts.options.window_tokens - tokens_besides(thread, parts))


def chars_of_result(thread: Thread, parts: Parts) -> int:
    """What one result may take: a quarter of the window, and half of what it has for talk."""
    half = 2 * tokens_left(thread, parts)
    return max(LEAST_RESULT, min(parts.options.window_tokens, half))


def find_cramp(thread: Thread, parts: Parts) -> str:
    """That the window is too small to talk in, and what to set; "" where it is not."""
    window = parts.options.window_tokens
    if parts.model is None or not thread.prefix or tokens_left(thread, parts) >= LEAST_TALK:
        return ""
    taken = min(window, tokens_besides(thread, parts))
    return (
        f"The model's window is taken to be {window:,} tokens, and rules, notes, tools and "
        f"the answer take {taken:,}: every turn has to be shortened. Set model.contextTokens to "
        "what the model reads; 16,384 or more is a good size."
    )


def cut_short(name: str, options: AgentOptions) -> Unavailable:
    """A reply that came to its limit before a word of it, or a call, was whole."""
    most = options.reply_tokens
    told = f"The model {name} came to the limit of {most:,} tokens an answer (model.maxTokens) "
    told += "before it had said anything, or written a call to its end; nothing was done."
    raised = f"model.maxTokens {4 * most}"
    if most >= options.window_tokens // 4:  # an answer gets no more of the window
        raised += f" model.contextTokens {16 * most}"
    hint = (
        f"Raise it, if the model allows it: `hermes config set {raised}`; or ask for less at once."
    )
    return Unavailable(told, hint)
