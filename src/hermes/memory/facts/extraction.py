"""Facts out of conversations: what is new is read, checked against its source, decided and kept.

Reading may wait for a model and happens outside any transaction. Keeping happens in one, together
with the note of how far the session has been read: a kill leaves both or neither, and what was read
before is not kept again. What recall put into a message is cut out before anyone reads it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from typing import Protocol

from hermes.clock import Clock
from hermes.errors import HermesError, NotFound, Refused
from hermes.guard.fence import strip_fences
from hermes.llm.base import ModelReply, ModelRequest
from hermes.memory.entities.aliases import learn_aliases
from hermes.memory.entities.gazetteer import Gazetteer
from hermes.memory.facts import llm
from hermes.memory.facts.audit import Act
from hermes.memory.facts.backlog import list_unread
from hermes.memory.facts.believed import Believed
from hermes.memory.facts.candidate import Candidate, Extractor, verify_quote
from hermes.memory.facts.clauses.prose import read_upto
from hermes.memory.facts.clauses.reader import speaks_for_user
from hermes.memory.facts.clauses.speakers import Speakers
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.given import ALL, Given
from hermes.memory.facts.grounding import verify_named
from hermes.memory.facts.hindsight import Doubt, look_back
from hermes.memory.facts.keeping import believe
from hermes.memory.facts.quotes import locate
from hermes.memory.facts.revising import forget
from hermes.memory.facts.tagging import tag_messages
from hermes.memory.facts.undo import restore
from hermes.store.base import FactFilter, Store, Tx
from hermes.store.base.extractions import EXTRACT
from hermes.store.base.jobs import UNFINISHED, JobFilter
from hermes.types import EventKind, FactSource, Message, Role, Session

CONTEXT = 200  # earlier messages that a correction may lean on
NEIGHBOURS = 4  # earlier messages that may say who "she" is

Ask = Callable[[ModelRequest], ModelReply]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in messages, why some of it was refused, and which were read in part.

    `taken_back` are readings of messages before these that these take back. Readings that were held
    against the talk as they were read are `grounded`.
    """

    candidates: tuple[Candidate, ...] = ()
    refused: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    taken_back: tuple[Doubt, ...] = ()
    grounded: bool = False


class Reader(Protocol):
    """Finds facts in messages; `context` is what was said before them in the same session."""

    @property
    def name(self) -> str: ...

    def read(self, messages: Sequence[Message], context: Sequence[Message]) -> Reading: ...


class RuleReader:
    """Reads by an extractor that needs no model, and leaves what later messages make unsure."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.name = extractor.name

    def read(self, messages: Sequence[Message], context: Sequence[Message]) -> Reading:
        bounded = [_bounded(message) for message in messages]
        cut = tuple(filter(None, map(_told_cut, messages, [len(each.text) for each in bounded])))
        reading = self._read(bounded, [*map(_bounded, context), *bounded])
        return replace(reading, cut=cut)

    def _read(self, messages: Sequence[Message], whole: Sequence[Message]) -> Reading:
        try:
            found = self._extractor.extract(whole)
        except Refused:
            return self._one_by_one(messages, whole)
        seen = look_back(found, messages, whole)
        return Reading(seen.kept, seen.left_out, taken_back=seen.taken_back)

    def _one_by_one(self, messages: Sequence[Message], whole: Sequence[Message]) -> Reading:
        """One message that is refused must not take the others with it.

        Who else speaks stays known: what they say of themselves is about them.
        """
        voices = {each.speaker: replace(each, text="") for each in whole if each.role is Role.USER}
        found: list[Candidate] = []
        refused: list[str] = []
        for message in messages:
            try:
                read = self._extractor.extract([*voices.values(), message])
                found += [each for each in read if each.message_id == message.id]
            except Refused as refusal:
                refused.append(refusal.message)
        seen = look_back(found, messages)
        return Reading(seen.kept, (*refused, *seen.left_out))


class ModelReader:
    """Reads by a light model; `ask` waits for its reply, `owners` are names of the user."""

    name = "model"

    def __init__(self, ask: Ask, owners: Sequence[str] = (), *, zone: tzinfo = UTC) -> None:
        self._ask = ask
        self._zone = zone
        self._owners = owners

    def read(self, messages: Sequence[Message], context: Sequence[Message]) -> Reading:
        found: list[Candidate] = []
        refused: list[str] = []
        speakers = Speakers([*context, *messages], self._owners)
        for batch in llm.batches(messages):
            request = llm.request(batch, self._zone)
            if request is not None:
                applied = llm.apply(self._ask(request), batch, speakers)
                found += applied.candidates
                refused += applied.refused
        cut = [_told_cut(each, llm.LONGEST_MESSAGE) for each in messages]
        return Reading(tuple(found), tuple(refused), tuple(filter(None, cut)), grounded=True)


def _bounded(message: Message) -> Message:
    return replace(message, text=message.text[: read_upto(message.text)])


def _told_cut(message: Message, upto: int) -> str:
    """That of a message no more was read, if it was a person's and there is more."""
    if not speaks_for_user(message) or upto >= len(message.text):
        return ""
    told = f"The rest of message:{message.id} was not read for facts, as it is long: "
    read = f"{upto:,} of its {len(message.text):,} characters were"
    return f"{told}{read}. All of it is kept and searched; `hermes memory fact add` what it lacks."


@dataclass(frozen=True, slots=True)
class Extracted:
    """What came of a session's new messages; or the problem for which they still wait."""

    session_id: str
    messages: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    refused: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    problem: HermesError | None = None

    @property
    def learnt(self) -> int:
        return len(self.numbers)

    def with_more(self, step: "Extracted") -> "Extracted":
        """This and what a further step of the same session brought."""
        return Extracted(
            self.session_id,
            self.messages + step.messages,
            self.verdicts + step.verdicts,
            self.refused + step.refused,
            self.numbers + step.numbers,
        )


def extract_session(store: Store, session_id: str, reader: Reader, clock: Clock) -> Extracted:
    """Read what a session has new and keep its facts, step by step as the job does.

    Each step is one transaction: a long session keeps no one else from writing.
    """
    session = store.read(lambda tx: _get_session(tx, session_id))
    done = Extracted(session_id)
    while messages := store.read(lambda tx: list_unread(tx, session_id)):
        done = done.with_more(_extract_step(store, session, messages, reader, clock))
    return done


def _extract_step(
    store: Store, session: Session, messages: Sequence[Message], reader: Reader, clock: Clock
) -> Extracted:
    context = store.read(lambda tx: _before(tx, session.id, messages[0].id))
    keep = read_facts(session, messages, context, reader)
    now = clock.now()

    def change(tx: Tx) -> Extracted:
        kept = keep(tx, now)
        tx.extractions.mark(session.id, messages[-1].id, now=now)
        return kept

    return store.write(change)


def list_pending(store: Store, clock: Clock) -> list[str]:
    """Every session that has something new to read, queued or not."""
    now = clock.now()
    return store.read(lambda tx: _list_unread(tx, now))


def _list_unread(tx: Tx, now: int) -> list[str]:
    queued = tx.jobs.list(JobFilter(kind=EXTRACT, states=UNFINISHED), ALL)
    due = tx.extractions.list_due(now=now, idle_ms=0, limit=ALL)
    return list(dict.fromkeys([*(job.key for job in reversed(queued)), *(s.id for s in due)]))


def effect_for(store: Store, reader: Reader, clock: Clock) -> Callable[..., Callable[[Tx], object]]:
    """What the `extract` job asks for: it gives the messages and marks them; this keeps facts."""

    def extract(session: Session, messages: Sequence[Message]) -> Callable[[Tx], object]:
        context = store.read(lambda tx: _before(tx, session.id, messages[0].id))
        keep = read_facts(session, messages, context, reader)
        now = clock.now()
        return lambda tx: keep(tx, now)

    return extract


def read_facts(
    session: Session, messages: Sequence[Message], context: Sequence[Message], reader: Reader
) -> Callable[[Tx, int], Extracted]:
    """Read messages now; what is returned keeps the facts in a transaction."""
    own = {message.id: _without_recalled(message) for message in messages}
    before = [_without_recalled(each) for each in context]
    reading = _grounded(reader.read(list(own.values()), before), [*before, *own.values()])

    def keep(tx: Tx, now: int) -> Extracted:
        return _keep(tx, session, own, reading, Act(reader.name, now))

    return keep


def _grounded(reading: Reading, talk: Sequence[Message]) -> Reading:
    """What was read, without what its message or the talk before it does not bear out."""
    if reading.grounded:
        return reading
    told = {message.id: message for message in talk}
    kept: list[Candidate] = []
    refused: list[str] = []
    for each in reading.candidates:
        message = told.get(each.message_id or 0)
        if message is None:
            continue
        try:
            verify_quote(each, message.text)
            kept.append(verify_named(each, _said_upto(message, talk), message.at))
        except Refused as refusal:
            refused.append(refusal.message)
    return replace(reading, candidates=tuple(kept), refused=(*reading.refused, *refused))


def _said_upto(message: Message, talk: Sequence[Message]) -> str:
    return "\n".join(each.text for each in talk if each.id <= message.id)


def _without_recalled(message: Message) -> Message:
    return replace(message, text=strip_fences(message.text))


def _get_session(tx: Tx, session_id: str) -> Session:
    session = tx.conversations.find_session(session_id)
    if session is None:
        raise NotFound(f"There is no session {session_id!r}.", "See `hermes sessions list`.")
    return session


def _before(tx: Tx, session_id: str, message_id: int) -> list[Message]:
    return tx.conversations.list_messages(session_id, before_id=message_id, limit=CONTEXT)


def _keep(
    tx: Tx, session: Session, messages: dict[int, Message], reading: Reading, act: Act
) -> Extracted:
    """Keep what no other process has kept meanwhile; one refused item leaves the others."""
    done = tx.extractions.upto(session.id)
    verdicts: Counter[str] = Counter()
    refused = [*reading.refused, *reading.cut]
    for told in reading.cut:
        tx.events.add(EventKind.MEMORY, told, at=act.at, ref=f"session:{session.id}")
    numbers: list[int] = []
    known = Believed(tx, session.bank)
    for candidate in reading.candidates:
        message = messages.get(candidate.message_id or 0)
        if message is None or message.id <= done:
            continue
        given = Given(session.bank, source_in(candidate, message), message.origin)
        kept = believe(tx, candidate, given, act, known=known)
        verdicts[kept.verdict] += 1
        if kept.fact is not None and kept.verdict is not Verdict.MERGE:
            numbers.append(kept.fact.number)
    refused += _take_back(tx, session, messages, reading.taken_back, act)
    unread = [message for message in messages.values() if message.id > done]
    if unread:
        _tag(tx, session, unread)
    return Extracted(session.id, len(unread), verdicts, tuple(refused), tuple(numbers))


def _take_back(
    tx: Tx,
    session: Session,
    messages: dict[int, Message],
    taken_back: Sequence[Doubt],
    act: Act,
) -> list[str]:
    """Unbelieve what rests on nothing but words that were taken back at once; it can be restored.

    What it had taken the place of is believed again.
    """
    told: list[str] = []
    for doubt in taken_back:
        why = replace(act, reason=f"taken back at once: {doubt.said[:40]!r}")
        reading, by = doubt.reading, messages[doubt.message_id]
        wanted = FactFilter(bank=session.bank, message_id=reading.message_id, current=True)
        for fact in tx.facts.list(wanted, ALL):
            alone = {source.message_id for source in fact.sources} == {reading.message_id}
            quoted = any(source.quote == reading.quote for source in fact.sources)
            if alone and quoted and by.trust >= fact.trust:
                forget(tx, fact.number, why)
                for old in tx.facts.list_superseded(fact.id):
                    restore(tx, old.number, why)
                told.append(f"A fact was taken back by {doubt.said[:40]!r}: {fact.text[:80]!r}")
    return told


def source_in(candidate: Candidate, message: Message) -> FactSource:
    """The words a candidate rests on, where they stand, and how far they are trusted."""
    start, end = locate(candidate.quote, message.text) or (None, None)
    return FactSource(
        quote=candidate.quote,
        message_id=message.id,
        episode_id=message.episode_id,
        session_id=message.session_id,
        at=message.at,
        start=start,
        end=end,
        trust=message.trust,
    )


def _tag(tx: Tx, session: Session, messages: Sequence[Message]) -> None:
    spoken = [message for message in messages if message.role in {Role.USER, Role.ASSISTANT}]
    context = tx.conversations.list_messages(session.id, before_id=messages[0].id, limit=NEIGHBOURS)
    learn_aliases(tx, session.bank, spoken, [_without_recalled(each) for each in context])
    known = tx.entities.list(session.bank)
    if spoken and known:
        tag_messages(tx, spoken, Gazetteer.of(known))
