"""`hermes sessions`: find, read and put away past conversations; take them in, give them out."""

import sys
from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from hermes.app import App
from hermes.app.conversations import ConversationActions
from hermes.app.shapes import preview_shape, scroll_shape, search_shape
from hermes.cli.context import Call, Invocation, enter_call, invocation
from hermes.cli.conversation import print_previews, print_scroll, print_search
from hermes.cli.layout import tame
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, InBank, Yes
from hermes.cli.render import aside, clean, confirm, count, print_json, tell
from hermes.cli.transfer import export_sessions, import_files, record_turn
from hermes.errors import HermesError, NotFound, UserError
from hermes.memory.sessions import Scroll, SearchOptions
from hermes.memory.snippet import list_telling
from hermes.memory.takeback import TITLE as TAKEN_BACK
from hermes.store.base import SessionFilter
from hermes.types import Role, Session

app = typer.Typer(help="Search, read and put away past conversations.", no_args_is_help=True)
COMPLETED = 50


def complete_session(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Recent sessions, for the shell; nothing is made, and nothing is said if it cannot be read."""
    root = ctx.find_root()
    enter_call(Call(root.obj.environ, root.params.get("home"), root.params.get("profile")))
    try:
        return [(s.id, s.title) for s in _recent(invocation()) if s.id.startswith(incomplete)]
    except HermesError:
        return []


def _recent(called: Invocation) -> Iterable[Session]:
    if not called.paths.database.exists():
        return []
    with opened(called) as hermes:
        return hermes.conversations.list_sessions(limit=COMPLETED)


SessionId = Annotated[
    str,
    typer.Argument(metavar="SESSION", help="The session's id.", autocompletion=complete_session),
]
Limit = Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="How many at most.")]


@app.command("search")
def search(
    query: Annotated[
        list[str],
        typer.Argument(metavar="WORD", help='Any words, in any language; "in quotes", a phrase.'),
    ],
    *,
    bank: InBank = "",
    role: Annotated[
        list[Role] | None,
        typer.Option(metavar="ROLE", help="Only what this role said; may be repeated."),
    ] = None,
    session: Annotated[
        str,
        typer.Option(metavar="ID", help="Only in this session.", autocompletion=complete_session),
    ] = "",
    limit: Limit = 5,
    as_json: AsJson = False,
) -> None:
    """Find past conversations by what was said in them."""
    options = SearchOptions(bank=bank, limit=limit, roles=tuple(role or ()), session_id=session)
    with opened(looking=True) as hermes:
        _expect(hermes.conversations.get_bank, bank)
        _expect(hermes.conversations.get_session, session)
        found = hermes.conversations.search(" ".join(query), options)
        summaries = hermes.compressing.find_among(hit.message for hit in found.hits)
    if as_json:
        print_json(search_shape(found, summaries))
    elif found.hits:
        print_search(found)
    else:
        sought = ", ".join(clean(word) for word in list_telling(found.words))
        told = f"nothing found with {sought}" if sought else "nothing found"
        typer.echo(f"{told}; `hermes sessions list` shows what there is", err=True)


@app.command("list")
def list_sessions(
    *,
    bank: InBank = "",
    platform: Annotated[str, typer.Option(metavar="NAME", help="Only from this platform.")] = "",
    identity: Annotated[str, typer.Option(metavar="NAME", help="Only with this identity.")] = "",
    deleted: Annotated[bool, typer.Option("--deleted", help="Those that were deleted.")] = False,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Show recent conversations, newest first."""
    wanted = SessionFilter(bank=bank, platform=platform, identity=identity, deleted=deleted)
    with opened(looking=True) as hermes:
        _expect(hermes.conversations.get_bank, bank)
        found = hermes.conversations.browse(wanted, limit)
    if as_json:
        print_json([preview_shape(preview) for preview in found])
        return
    if found or not sys.stdout.isatty():
        print_previews(found)
    if not found:
        typer.echo("nothing here yet; `hermes sessions import FILE` takes in a file", err=True)


@app.command("show")
def show(
    session: Annotated[
        str,
        typer.Argument(
            metavar="SESSION",
            help="The session's id; the latest if left out.",
            autocompletion=complete_session,
        ),
    ] = "",
    *,
    around: Annotated[
        int | None, typer.Option(metavar="MESSAGE", min=1, help="Only around this message.")
    ] = None,
    after: Annotated[
        int | None, typer.Option(metavar="MESSAGE", min=0, help="From after this message.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=10_000, help="How many messages; 100, or 11 with --around."
        ),
    ] = None,
    prefix: Annotated[
        bool, typer.Option("--prefix", help="What the model got before it: rules, notes, you.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read a conversation, the part of it around a message, or what the model got before it."""
    if around and after is not None:
        raise UserError("--around and --after do not go together", "Give one of them.")
    with opened(looking=True) as hermes:
        talk = hermes.conversations
        if prefix:
            _show_prefix(hermes, session or _latest(talk), as_json=as_json)
            return
        shown = (
            _around(talk, around, session, limit or 11)
            if around
            else talk.page(session or _latest(talk), after_id=after or 0, limit=limit or 100)
        )
        summaries = hermes.compressing.find_in(shown.session.id)
    print_json(scroll_shape(shown, summaries)) if as_json else print_scroll(shown, summaries)


def _show_prefix(hermes: App, session: str, *, as_json: bool) -> None:
    text = hermes.agent.get_prefix(session)
    if as_json:
        print_json({"session": session, "prefix": text})
        return
    typer.echo("\n".join(tame(line) for line in text.splitlines()))


def _around(talk: ConversationActions, message: int, session: str, limit: int) -> Scroll:
    half = max(1, (limit - 1) // 2)
    shown = talk.scroll(message, before=half, after=half)
    if session and shown.session.id != session:
        raise NotFound(
            f"message {message} is not in session {session!r}",
            f"It is in {shown.session.id!r}; leave the session out.",
        )
    return shown


def _latest(talk: ConversationActions) -> str:
    newest = talk.list_sessions(limit=1)
    if not newest:
        raise NotFound("nothing was recorded yet", "Take in a file with `hermes sessions import`.")
    return newest[0].id


@app.command("title")
def retitle(
    session: SessionId,
    title: Annotated[str, typer.Argument(metavar="TITLE", help='The title; "" takes it away.')],
    as_json: AsJson = False,
) -> None:
    """Give a conversation a title."""
    with opened() as hermes:
        hermes.conversations.get_session(session)
        hermes.conversations.retitle(session, title)
    text = f"{session} is called {clean(title)!r}" if title else f"{session} has no title"
    tell(text, as_json=as_json, session=session, title=title)


@app.command("end")
def end(session: SessionId, as_json: AsJson = False) -> None:
    """Mark a conversation as over; recording into it opens it again."""
    with opened() as hermes:
        hermes.conversations.get_session(session)
        hermes.conversations.end(session)
    tell(f"ended {session}", as_json=as_json, ended=session)


@app.command("delete")
def delete(session: SessionId, yes: Yes = False, as_json: AsJson = False) -> None:
    """Put a conversation away: no search and no listing shows it until it is restored."""
    with opened() as hermes:
        found = hermes.conversations.get_session(session)
        what = f"{clean(found.title) or session!r}, {count(found.messages, 'message')}"
        confirm(f"Delete this conversation ({what})?", yes=yes)
        hermes.conversations.delete(session)
    tell(f"deleted {session}", as_json=as_json, deleted=session)
    aside(f"bring it back with `hermes sessions restore {session}`")


@app.command("restore")
def restore(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The session's id.")],
    as_json: AsJson = False,
) -> None:
    """Bring a deleted conversation back, or what /undo took back, as one of its own."""
    with opened() as hermes:
        hermes.conversations.restore(session)
        back = hermes.conversations.get_session(session)
    tell(f"{session} is back", as_json=as_json, restored=session)
    if back.title.startswith(TAKEN_BACK):
        aside(f"it is a conversation of its own: nothing was put back into {back.parent_id}")


app.command("import")(import_files)
app.command("export")(export_sessions)
app.command("record")(record_turn)


def _expect(get: Callable[[str], object], name: str) -> None:
    """NotFound for a name that was given and is not there: nothing found would hide a typo."""
    if name:
        get(name)
