"""What an MCP client can read by its address: the notebooks, the user model, a fact, a session."""

from __future__ import annotations

import json
from urllib.parse import quote, unquote

from mcp_types import Resource, ResourceTemplate, TextResourceContents

from hermes.app import App
from hermes.app.fact_shapes import user_shape, why_shape
from hermes.app.shapes import message_shape, session_shape
from hermes.errors import NotFound
from hermes.memory.notes import visible_text
from hermes.memory.notes.request import Target
from hermes.store.base import SessionFilter
from hermes.tools.fact_why import trust_of_why
from hermes.types import Trust

SCHEME = "hermes://"
MARKDOWN = "text/markdown"
JSON = "application/json"
LISTED = 20
MOST_MESSAGES = 1_000
NOTEBOOKS = {"memory": Target.MEMORY, "user": Target.USER}


def list_resources(app: App, bank: str) -> list[Resource]:
    """What is always there, and the latest sessions of a bank, as `session_search` lists them."""
    recent = [
        Resource(
            uri=f"{SCHEME}session/{quote(each.session.id, safe='')}",
            name=each.session.title or each.session.id,
            description=each.opening.text[:200],
            mime_type=JSON,
        )
        for each in app.conversations.browse(SessionFilter(bank), LISTED)
    ]
    return [
        Resource(
            uri=f"{SCHEME}memory",
            name="MEMORY.md",
            description="The agent's notebook.",
            mime_type=MARKDOWN,
        ),
        Resource(
            uri=f"{SCHEME}user",
            name="USER.md",
            description="The notebook about the person.",
            mime_type=MARKDOWN,
        ),
        Resource(
            uri=f"{SCHEME}user-model",
            name="User model",
            description="What is believed of the person, each line with the facts it rests on.",
            mime_type=JSON,
        ),
        *recent,
    ]


def list_templates() -> list[ResourceTemplate]:
    return [
        ResourceTemplate(
            uri_template=f"{SCHEME}fact/{{number}}",
            name="Fact",
            description="A fact, the words it rests on, and its history.",
            mime_type=JSON,
        ),
        ResourceTemplate(
            uri_template=f"{SCHEME}session/{{id}}",
            name="Session",
            description="A conversation, message by message.",
            mime_type=JSON,
        ),
    ]


def read_resource(app: App, uri: str, bank: str) -> tuple[TextResourceContents, Trust]:
    """The content at an address and its trust; NotFound where there is none."""
    place = uri.removeprefix(SCHEME)
    if not uri.startswith(SCHEME):
        raise NotFound(f"{uri[:80]!r} is no address of Hermes.", f"They begin with {SCHEME}.")
    if place in NOTEBOOKS:
        text = visible_text(app.notes.text(NOTEBOOKS[place]))
        return TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text), Trust.MEDIUM
    found, trust = _find(app, place, bank)
    text = json.dumps(found, ensure_ascii=False, indent=1)
    return TextResourceContents(uri=uri, mime_type=JSON, text=text), trust


def _find(app: App, place: str, bank: str) -> tuple[dict[str, object], Trust]:
    kind, _, name = place.partition("/")
    if place == "user-model":  # what stands there is the person's, or allowed by them
        return user_shape(app.user.show(bank)), Trust.MEDIUM
    if kind == "fact" and name:
        why = app.facts.why(f"fact:{unquote(name)}")
        earlier = [each.source.trust for each in why.earlier]
        shape = why_shape(why, app.compressing.find_among(why.messages))
        return shape, min([trust_of_why(why), *earlier])
    if kind == "session" and name:
        page = app.conversations.page(unquote(name), limit=MOST_MESSAGES)
        summaries = app.compressing.find_in(page.session.id)
        said = [message_shape(message, summaries) for message in page.messages]
        trust = min((message.trust for message in page.messages), default=Trust.MEDIUM)
        return session_shape(page.session) | {"said": said, "more": page.has_after}, trust
    hint = "List the resources to see what there is."
    raise NotFound(f"There is nothing at {place[:80]!r}.", hint)
