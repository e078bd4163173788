"""A conversation as the agent holds it: the frozen prefix, what was said, and where it came from.

It grows at its end only. What recall brings is never part of it: it is put in when a request is
built, and gone afterwards.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from hermes.agent.journal import Journal, get_session, last_messages
from hermes.agent.keepsakes import (
    Branch,
    Summary,
    find_branch,
    find_prefix,
    find_summary,
    images_among,
)
from hermes.agent.lineage import END, MOST_ANCESTORS, branch_of
from hermes.agent.pairs import pair_results
from hermes.guard.origin import lowest
from hermes.llm.base import ChatMessage
from hermes.memory.recall.tokens import count_tokens
from hermes.types import Message, Payload, Role, ToolCall, Trust

PAGE = 200
MOST_LINES = 20_000  # of a conversation that was never put into few words: an import, say
MOST_IMAGES = 4
IMAGE_TOKENS = 1_600
MESSAGE_TOKENS = 8  # what a message takes besides its text
LOST = "[interrupted: the outcome is unknown; it may have been done, wholly or in part]"


@dataclass(frozen=True, slots=True)
class Injected:
    """The time and what was recalled for a message: a block of data, its sources, its worth."""

    block: str = ""
    refs: frozenset[str] = frozenset()
    trust: Trust = Trust.HIGH
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A message as the model gets it; `id` is its number in the store, 0 where it has none.

    `injected` is what recall put before it: shown to the model, never recorded.
    """

    message: ChatMessage
    id: int = 0
    trust: Trust = Trust.HIGH
    at: int = 0
    tokens: int = 0
    injected: "Injected | None" = None


@dataclass(slots=True)
class Thread:
    """One conversation. `undone` are sessions and the message after which they do not count here.

    `since_review` counts the person's messages since something was last saved; `reviewed` is the
    number of the last message that was looked through for what to save. `seen` is how many
    messages the store had of it, and the newest one's number, when it was last read or written
    here: where the store says otherwise, someone else wrote in it. `heard` counts the messages with
    which turns began here and that were kept, however those turns ended.
    """

    id: str
    bank: str
    prefix: str = ""
    lines: list[Line] = field(default_factory=list)
    summary: Summary | None = None
    branch: Branch | None = None
    ancestors: dict[str, int] = field(default_factory=dict)
    platform: str = "cli"
    identity: str = ""
    is_kept: bool = False
    unsaved_summary: bool = False
    since_review: int = 0
    reviewed: int = 0
    seen: tuple[int, int] = (0, 0)
    heard: int = 0

    @property
    def trust(self) -> Trust:
        """The lowest of what the model has before it: what it writes is worth no more."""
        held = [line.trust for line in self.lines]
        held += [line.injected.trust for line in self.lines if line.injected]
        if self.summary is not None:
            held.append(self.summary.trust)
        return lowest([Trust.HIGH, *held])

    @property
    def said(self) -> tuple[str, ...]:
        """What the person said themselves."""
        theirs = (line for line in self.lines if line.trust is Trust.HIGH)
        return tuple(each.message.text for each in theirs if each.message.role is Role.USER)

    @property
    def tokens(self) -> int:
        """An estimate, from above, of what it takes."""
        told = count_tokens(self.summary.text) if self.summary else 0
        return told + self.injected_tokens + sum(line.tokens for line in self.lines)

    @property
    def injected_tokens(self) -> int:
        return sum(line.injected.tokens for line in self.lines if line.injected)

    @property
    def shown_refs(self) -> frozenset[str]:
        """The memories that stand before earlier messages already."""
        return frozenset[str]().union(*(ln.injected.refs for ln in self.lines if ln.injected))

    def drop_injected(self) -> None:
        """Take out what was recalled for earlier messages: it filled its budget."""
        self.lines = [replace(line, injected=None) for line in self.lines]

    @property
    def cut_calls(self) -> tuple[ToolCall, ...]:
        """The calls that were cut off in the midst, where nothing was said since."""
        results = list(takewhile(lambda line: line.message.role is Role.TOOL, reversed(self.lines)))
        lost = {line.message.call_id for line in results if line.message.text == LOST}
        asked = self.lines[-len(results) - 1].message.calls if lost else ()
        return tuple(call for call in asked if call.id in lost)

    @property
    def first_id(self) -> int:
        """The number of the first message still in sight."""
        return next((line.id for line in self.lines if line.id), END)

    def is_in_sight(self, session_id: str, message_id: int) -> bool:
        """Whether a remembered message needs no recalling: it stands here, or was undone."""
        if session_id == self.id:
            return message_id >= self.first_id
        upto = self.ancestors.get(session_id)
        return upto is not None and (message_id > upto or message_id >= self.first_id)


def make_line(message: ChatMessage, *, id: int = 0, trust: Trust = Trust.HIGH, at: int = 0) -> Line:
    called = sum(count_tokens(call.arguments) + MESSAGE_TOKENS for call in message.calls)
    images = IMAGE_TOKENS * len(message.images)
    thought = sum(count_tokens(each.text) for each in message.thoughts if each.signature)
    tokens = count_tokens(message.text) + called + images + thought + MESSAGE_TOKENS
    return Line(message, id, trust, at, tokens)


def open_thread(journal: Journal, session_id: str) -> Thread:
    """A conversation as it was left: the same prefix, and as much of it as can still matter."""
    session = get_session(journal, session_id)
    thread = Thread(session.id, session.bank, platform=session.platform, identity=session.identity)
    thread.is_kept, thread.seen = True, look_at(journal, session_id)
    thread.reviewed = thread.seen[1]  # what was said before is read when it ends
    first = journal.list_first(session_id, 1)
    kept = journal.list_payloads(first[0].id) if first and first[0].payload_count else []
    thread.prefix, thread.branch = find_prefix(kept), find_branch(kept)
    _fill(journal, thread)
    return thread


def look_at(journal: Journal, session_id: str) -> tuple[int, int]:
    """How many messages a conversation has, and the number of its newest."""
    session = journal.find_session(session_id)
    newest = last_messages(journal, session_id, 1)
    return session.messages if session else 0, newest[0].id if newest else 0


def reopen_thread(journal: Journal, thread: Thread) -> Thread | None:
    """A conversation as it is now, where it went on elsewhere or was taken back; None if it is not.

    What was recalled for its messages stays before them.
    """
    seen = look_at(journal, thread.id)
    if not thread.seen[1] or seen == thread.seen:  # without a number nothing of it is in a store
        return None
    if not seen[0]:
        return _emptied(thread)
    again = open_thread(journal, thread.id)
    injected = {line.id: line.injected for line in thread.lines if line.injected}
    again.lines = [replace(line, injected=injected.get(line.id)) for line in again.lines]
    again.since_review, again.heard = thread.since_review, thread.heard
    again.reviewed = thread.reviewed
    return again


def _emptied(thread: Thread) -> Thread:
    """A conversation of which nothing is left: it begins again, with what it branched from."""
    upto = thread.branch.upto if thread.branch else 0
    summary = thread.summary if thread.summary and thread.summary.upto <= upto else None
    return replace(
        thread,
        lines=[line for line in thread.lines if line.id <= upto],
        summary=summary,
        unsaved_summary=summary is not None,
        is_kept=False,
        seen=(0, 0),
    )


def branch_thread(thread: Thread, session_id: str, *, keep: int | None = None) -> Thread:
    """A new conversation that begins with what was said here, or with the first `keep` lines."""
    lines = thread.lines if keep is None else thread.lines[:keep]
    # One that was never kept cannot be referred to: the new one begins where it did.
    parent = thread.branch.session_id if thread.branch and not thread.is_kept else thread.id
    summed = thread.summary.upto if thread.summary else 0
    upto = max((line.id for line in lines), default=summed)
    return Thread(
        session_id,
        thread.bank,
        prefix=thread.prefix,
        lines=list(lines),
        summary=thread.summary,
        branch=Branch(parent, upto),
        ancestors={name: min(its, upto) for name, its in thread.ancestors.items()} | {parent: upto},
        platform=thread.platform,
        identity=thread.identity,
        unsaved_summary=thread.summary is not None,
        reviewed=thread.reviewed,
    )


def shorten_thread(thread: Thread, keep: int, session_id: str, *, seen: tuple[int, int]) -> Thread:
    """The conversation with its first `keep` lines only, as the session `session_id`.

    That is the one it was, or a new one where nothing of that is left: the journal knows.
    """
    return replace(
        thread,
        id=session_id,
        seen=seen,
        lines=thread.lines[:keep],
        is_kept=thread.is_kept and session_id == thread.id,
        # It may have lain with what was taken back.
        unsaved_summary=thread.summary is not None,
    )


def _fill(journal: Journal, thread: Thread) -> None:
    """Read a conversation back from its end, to all that its last summary does not tell.

    The summary may lie many messages after what it tells of: what stayed as it was said.
    """
    found: list[Message] = []
    session_id, before = thread.id, END
    branch, upto = thread.branch, END
    while not _is_filled(thread, found):
        page = journal.list_latest(session_id, before_id=before, limit=PAGE)
        thread.summary = thread.summary or _last_summary(journal, page)
        found[:0] = page
        if len(page) == PAGE:
            before = page[0].id
            continue
        if branch is None or len(thread.ancestors) >= MOST_ANCESTORS:
            break
        upto = min(upto, branch.upto)  # one that left below its parent's place shares no more
        thread.ancestors[branch.session_id] = upto
        session_id, before = branch.session_id, upto + 1
        branch = branch_of(journal.list_first(session_id, 1), journal.list_payloads)
    told = thread.summary.upto if thread.summary else 0
    thread.lines = mend(_to_lines(journal, [each for each in found if each.id > told]))


def _is_filled(thread: Thread, found: Sequence[Message]) -> bool:
    """Whether nothing that is still to be in sight lies before what was found."""
    if thread.summary is None:
        return len(found) >= MOST_LINES
    return bool(found) and found[0].id <= thread.summary.upto + 1


def _last_summary(journal: Journal, messages: Sequence[Message]) -> Summary | None:
    marked = (each for each in messages if each.payload_count and each.role is not Role.TOOL)
    for message in reversed(list(marked)):
        if found := find_summary(journal.list_payloads(message.id)):
            return found
    return None


def _to_lines(journal: Journal, messages: Sequence[Message]) -> Iterator[Line]:
    pictured = [each.id for each in messages if each.payload_count and each.role is Role.USER]
    shown = set(pictured[-MOST_IMAGES:])
    for message in messages:
        payloads = journal.list_payloads(message.id) if message.id in shown else ()
        if message.role is not Role.SYSTEM:
            yield _to_line(message, payloads)


def _to_line(message: Message, payloads: Sequence[Payload]) -> Line:
    said = ChatMessage(
        Role.USER if message.role is Role.TOOL and not message.call_id else message.role,
        message.text,
        calls=message.calls,
        call_id=message.call_id,
        images=images_among(payloads),
    )
    return make_line(said, id=message.id, trust=message.trust, at=message.at)


def mend(lines: Iterable[Line]) -> list[Line]:
    """Every call followed by its result, and no result without its call: models insist on both.

    Where two programs talk in one conversation at once, something may have been said in between.
    """
    return list(_mended(list(lines)))


def _mended(found: Sequence[Line]) -> Iterator[Line]:
    results = pair_results(line.message for line in found)
    for place, line in enumerate(found):
        if line.message.role is not Role.TOOL:
            yield line
            for call in line.message.calls:
                result = results.get((place, call.id))
                yield _lost(call, line) if result is None else found[result]


def _lost(call: ToolCall, line: Line) -> Line:
    return make_line(ChatMessage(Role.TOOL, LOST, call_id=call.id), id=line.id, at=line.at)
