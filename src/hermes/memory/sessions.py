"""Search over every past conversation: discover, scroll, browse.

A hit is never a bare line. It comes with the messages around it and with bookends, the start and
the end of its conversation, so that whoever reads it gets the gist of the whole.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from hermes.errors import NotFound
from hermes.memory.limits import check_limit
from hermes.memory.snippet import Snippet, cut_snippet, list_telling
from hermes.store.base import SessionFilter, Store, Tx
from hermes.store.base.texts import TextScope
from hermes.store.ranking import SCORED_CHARS, Plan, Sift, plan, rescore
from hermes.store.text import indexed_part, parse_query, render_calls
from hermes.types import Message, Role, Session, Trust

CANDIDATES = 150
AROUND = 2
BOOKEND = 1
_SPOKEN = (Role.USER, Role.ASSISTANT)
_TOOL_WEIGHT = 0.6  # what a tool printed answers less often than what someone said
_TYPED_ENDING = 5  # letters of an ending that the index may not hold
_LEAST_TYPED = 3
_WIDER = 8
_EACH = 16  # messages looked at, at most, for each conversation that is asked for
_SUPPORT = 0.15  # how much each further hit in the same session adds


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; the defaults are what a person or an agent mostly wants."""

    bank: str = ""
    limit: int = 10
    roles: tuple[Role, ...] = ()
    session_id: str = ""
    as_you_type: bool = False


@dataclass(frozen=True, slots=True)
class SessionHit:
    """A conversation that answers a question, and where in it."""

    session: Session
    score: float
    message: Message
    snippet: Snippet
    around: tuple[Message, ...]
    first: tuple[Message, ...]
    last: tuple[Message, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class SessionSearch:
    """The answer to a question: conversations, best first."""

    query: str
    words: tuple[str, ...]
    hits: tuple[SessionHit, ...] = ()
    candidates: int = 0
    is_all: bool = True


@dataclass(frozen=True, slots=True)
class Scroll:
    """Messages in order around a place in a conversation."""

    session: Session
    messages: tuple[Message, ...]
    anchor_id: int
    has_before: bool
    has_after: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """A conversation in a listing: what it is, how it began, and how far that is trusted."""

    session: Session
    opening: Snippet = field(default_factory=lambda: Snippet(""))
    trust: Trust = Trust.MEDIUM


def search_sessions(store: Store, query: str, options: SearchOptions) -> SessionSearch:
    """Discover: the conversations that best answer `query`. Any string is a question."""
    return store.read(lambda tx: _discover(tx, query, options))


def scroll_session(
    store: Store, place: str | int, *, bank: str = "", before: int = 5, after: int = 5
) -> Scroll:
    """Scroll: the messages around a message (by number), or the start of a session (by id).

    With a bank, what lies in another one is not there.
    """
    return store.read(lambda tx: _scroll(tx, _place(tx, place, bank), before, after))


def browse_sessions(store: Store, wanted: SessionFilter, limit: int = 20) -> list[Preview]:
    """Browse: recent conversations, newest first."""
    return store.read(lambda tx: _browse(tx, wanted, limit))


def _discover(tx: Tx, query: str, options: SearchOptions) -> SessionSearch:
    check_limit(options.limit)
    scope = _scope(tx, options)
    words = parse_query(query, as_you_type=options.as_you_type)
    if options.as_you_type:
        words = [_shortened(tx, word, scope) for word in words]
    if not _is_told(tx, words, scope):
        return SessionSearch(query, tuple(words))
    planned, messages, is_all = _candidates(tx, words, scope, options)
    scores = rescore(tx.texts, {i: _indexed(m) for i, m in messages.items()}, planned)
    ranked = sorted(_by_session(messages, scores), key=lambda group: group[0], reverse=True)
    hits = [
        _hit(tx, score, [messages[i] for i in ids], words) for score, ids in ranked[: options.limit]
    ]
    return SessionSearch(query, tuple(words), tuple(hits), len(ranked), is_all)


def _is_told(tx: Tx, words: Sequence[str], scope: TextScope) -> bool:
    """Whether any word that says what is looked for was said: little words alone find anything."""
    return any(tx.texts.postings(word, scope, 1).ids for word in list_telling(words))


def _scope(tx: Tx, options: SearchOptions) -> TextScope:
    if options.session_id:
        _session(tx, options.session_id, options.bank)
    return TextScope(options.bank, tuple(options.roles), session_id=options.session_id)


def _shortened(tx: Tx, word: str, scope: TextScope) -> str:
    """A beginning that finds something: the index knows `deploy`, not the `deploym` of a typist."""
    shorter = word.removesuffix("*")
    if shorter == word or not shorter.isascii():
        return word
    for end in range(len(shorter), max(len(shorter) - _TYPED_ENDING, _LEAST_TYPED) - 1, -1):
        if tx.texts.postings(shorter[:end] + "*", scope, 1).ids:
            return shorter[:end] + "*"
    return word


def _candidates(
    tx: Tx, words: Sequence[str], scope: TextScope, options: SearchOptions
) -> tuple[Plan, dict[int, Message], bool]:
    """What is worth scoring, and whether that is all there is.

    More is planned where much of it is hidden, or of one session, or where more is asked for.
    Neither a long conversation on a subject nor deleted ones must hide all the others.
    """
    keep = CANDIDATES
    sift: Sift | None = None  # only where it is needed: asking for every posting takes time
    while True:
        planned = plan(tx.texts, words, scope, keep, sift=sift)
        messages = tx.conversations.get_messages(planned.candidates, chars=SCORED_CHARS)
        if options.session_id:
            messages = {i: m for i, m in messages.items() if m.session_id == options.session_id}
        if sift is None and 2 * len(messages) < len(planned.candidates):
            sift = partial(tx.conversations.find_visible, session_id=options.session_id)
            continue
        sessions = {message.session_id for message in messages.values()}
        looked_far = bool(options.session_id) or keep >= _EACH * options.limit
        wanted = 1 if looked_far else options.limit
        enough = len(messages) >= CANDIDATES // 2 and len(sessions) >= wanted
        is_all = len(planned.candidates) < keep
        if enough or is_all:
            return planned, messages, is_all
        keep *= _WIDER


def _by_session(
    messages: dict[int, Message], scores: dict[int, float]
) -> list[tuple[tuple[float, int], list[int]]]:
    """Each session's score and its hits, best first; equal scores go to the newer message."""
    grouped: dict[str, list[tuple[float, int]]] = {}
    for i, score in scores.items():
        weight = 1.0 if messages[i].role in _SPOKEN else _TOOL_WEIGHT
        grouped.setdefault(messages[i].session_id, []).append((score * weight, i))
    found: list[tuple[tuple[float, int], list[int]]] = []
    for hits in grouped.values():
        hits.sort(reverse=True)
        support = sum(score * _SUPPORT / (n + 1) for n, (score, _) in enumerate(hits[1:4]))
        found.append(((hits[0][0] + support, hits[0][1]), [i for _, i in hits]))
    return found


def _hit(
    tx: Tx, score: tuple[float, int], messages: Sequence[Message], words: Sequence[str]
) -> SessionHit:
    best = tx.conversations.get_messages([messages[0].id])[messages[0].id]  # the whole of it
    session = _session(tx, best.session_id)
    read = tx.conversations.list_messages
    before = read(session.id, before_id=best.id, limit=AROUND)
    after = read(session.id, after_id=best.id, limit=AROUND)
    return SessionHit(
        session=session,
        score=round(score[0], 4),
        message=best,
        snippet=cut_snippet(_shown(best), list_telling(words)),
        around=(*before, best, *after),
        first=tuple(read(session.id, limit=BOOKEND)),
        last=tuple(read(session.id, before_id=_END, limit=BOOKEND)),
        hits=len(messages),
    )


def _indexed(message: Message) -> str:
    return indexed_part(message.role, message.text, message.calls)


def _shown(message: Message) -> str:
    """What of a message can have answered: its text, and the calls it asked for."""
    calls = render_calls(message.calls)
    return f"{message.text}\n{calls}" if message.text and calls else message.text or calls


_END = 2**62


def _scroll(tx: Tx, place: tuple[int, Session], before: int, after: int) -> Scroll:
    before, after = max(0, before), max(0, after)
    anchor, session = place
    read = tx.conversations.list_messages
    earlier = read(session.id, before_id=anchor, limit=before + 1) if anchor else []
    found = tx.conversations.get_messages([anchor]) if anchor else {}
    later = read(session.id, after_id=anchor, limit=after + 1)
    return Scroll(
        session=session,
        messages=(*earlier[max(0, len(earlier) - before) :], *found.values(), *later[:after]),
        anchor_id=anchor,
        has_before=len(earlier) > before,
        has_after=len(later) > after,
    )


def _place(tx: Tx, place: str | int, bank: str) -> tuple[int, Session]:
    if isinstance(place, str):
        return 0, _session(tx, place, bank)
    message = tx.conversations.get_messages([place]).get(place)
    session = _session(tx, message.session_id) if message else None
    if session is None or (bank and session.bank != bank):
        raise NotFound(f"There is no message {place}.", "See `hermes sessions search`.")
    return place, session


def _session(tx: Tx, session_id: str, bank: str = "") -> Session:
    session = tx.conversations.find_session(session_id)
    if session is None or (bank and session.bank != bank):
        raise NotFound(f"There is no session {session_id!r}.", "See `hermes sessions list`.")
    return session


def _browse(tx: Tx, wanted: SessionFilter, limit: int) -> list[Preview]:
    check_limit(limit)
    sessions = tx.conversations.list_sessions(wanted, limit)
    return [_preview(tx, session) for session in sessions]


def _preview(tx: Tx, session: Session) -> Preview:
    """A title is mostly made of the opening, and worth no more."""
    messages: Iterable[Message] = tx.conversations.list_messages(session.id, limit=4)
    spoken = [m for m in messages if m.role in _SPOKEN and m.text.strip()]
    if not spoken:
        return Preview(session)
    return Preview(session, cut_snippet(spoken[0].text, (), width=120), spoken[0].trust)
