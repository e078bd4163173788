"""Prompts an MCP client offers its person: what is known of a topic, and how a task went before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from hermes.app import App
from hermes.errors import NotFound, UserError
from hermes.mcp_server.tools import render_items, trust_of_items
from hermes.types import Trust

BUDGET_TOKENS = 4_000
MOST_CHARS = 2_000
MATCHES = 10
NOTHING = "Nothing in memory bears on it."


@dataclass(frozen=True, slots=True)
class Wording:
    """A prompt: its argument, and the words around what is recalled for it."""

    name: str
    title: str
    description: str
    argument: str
    asks: str
    question: str


WORDINGS = (
    Wording(
        name="what_do_you_know_about",
        title="What do you know about…",
        description="All that memory holds of a person, project or topic, with its sources.",
        argument="topic",
        asks="A person, a project, a place, anything.",
        question=(
            "What do you know about {topic}? Answer from what is remembered below, name the "
            "reference (fact:…, message:…) of each statement, and say what is old or contested."
        ),
    ),
    Wording(
        name="how_did_we_do",
        title="How did we do this before?",
        description="Lessons and past turns that bear on a task, before it is begun.",
        argument="task",
        asks="The task you are about to begin.",
        question=(
            "I am about to do this: {task}. Go by what is remembered below: what did we decide, "
            "what worked, what failed, and what should be done differently?"
        ),
    ),
)


def list_prompts() -> list[Prompt]:
    return [
        Prompt(
            name=each.name,
            title=each.title,
            description=each.description,
            arguments=[PromptArgument(name=each.argument, description=each.asks, required=True)],
        )
        for each in WORDINGS
    ]


def render_prompt(
    app: App, name: str, arguments: Mapping[str, str], bank: str
) -> tuple[GetPromptResult, Trust]:
    """A prompt with what is remembered already in it, and how far that is trusted."""
    wording = next((each for each in WORDINGS if each.name == name), None)
    if wording is None:
        raise NotFound(f"There is no prompt {name[:80]!r}.", "List the prompts to see them.")
    about = arguments.get(wording.argument, "").strip()
    if not about or len(about) > MOST_CHARS:
        told = f"`{wording.argument}` needs 1 to {MOST_CHARS:,} characters."
        raise UserError(told, wording.asks)
    question = wording.question.format(**{wording.argument: about})
    remembered, trust = _remembered(app, about, bank)
    text = f"{question}\n\n{remembered}"
    message = PromptMessage(role="user", content=TextContent(type="text", text=text))
    return GetPromptResult(description=wording.description, messages=[message]), trust


def _remembered(app: App, about: str, bank: str) -> tuple[str, Trust]:
    """What recall gives; where nothing is close enough for that, the best matches there are."""
    recall = app.memory.recall(about, bank=bank, budget_tokens=BUDGET_TOKENS)
    if context := recall.context():
        return context, trust_of_items(recall.items)
    items, _ = app.memory.search(about, bank=bank, limit=MATCHES)
    return render_items(items) if items else NOTHING, trust_of_items(items)
