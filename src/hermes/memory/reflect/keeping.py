"""Keeping lessons: one met again is counted, not repeated; a tainted one waits for a yes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from hermes.errors import NotFound, Refused
from hermes.guard.origin import Decision, Target, decide_write
from hermes.guard.scan import is_certain, scan
from hermes.llm.base import ModelReply, ModelRequest
from hermes.memory.events import add_event
from hermes.memory.pending import REJECTED, Tainted, hold
from hermes.memory.reflect import llm
from hermes.memory.reflect.call_outcome import Told, read_told
from hermes.memory.reflect.lessons import Lesson, draw_lessons, lesson_key, type_of
from hermes.memory.reflect.outcome import Outcome, read_outcome
from hermes.memory.reflect.types import learnt_terms
from hermes.store.base import HeldWrite, Store, Tx
from hermes.types import EventKind, Message, Reflection, Session

MESSAGES = 2_000
ALL = 1 << 40
_HELD_KEY = "reflection"

Learnt = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Past:
    """A task to look back at: what was said, how its calls ended where that is known.

    `learnt` are the types of task that use has taught, with their telling terms.
    """

    session: Session
    messages: Sequence[Message]
    learnt: Learnt = field(default_factory=dict)
    told: Mapping[int, Told] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome:
        return read_outcome(self.messages, self.told)


class Reflector(Protocol):
    """Draws lessons from a task; may wait for a model."""

    @property
    def author(self) -> str: ...

    def draw(self, past: Past) -> list[Lesson]: ...


class RuleReflector:
    """Lessons from what happened, without a model."""

    author = "rules"

    def draw(self, past: Past) -> list[Lesson]:
        outcome = past.outcome
        task_type = type_of(outcome, past.session.title, past.learnt)
        return draw_lessons(outcome, task_type, past.messages)


@dataclass(frozen=True, slots=True)
class ModelReflector:
    """Lessons by a light model, for what was a task at all."""

    ask: Callable[[ModelRequest], ModelReply]
    author: str = "model"

    def draw(self, past: Past) -> list[Lesson]:
        outcome = past.outcome
        if not outcome.is_task:
            return []
        asked = llm.request(outcome, past.messages, sorted(past.learnt))
        return llm.apply(self.ask(asked), past.messages)


def reflect_session(
    store: Store, session_id: str, reflector: Reflector, now: int
) -> Callable[[Tx], list[Reflection]]:
    """Reflect on what a session has new; what is returned keeps it, once."""
    past, upto = store.read(lambda tx: _unread(tx, session_id))
    session, messages = past.session, past.messages
    lessons = reflector.draw(past) if messages else []

    def keep(tx: Tx) -> list[Reflection]:
        if tx.reflections.upto(session_id) != upto:
            return []  # somebody else was faster
        kept = [
            keep_lesson(tx, lesson, session, by=reflector.author, now=now) for lesson in lessons
        ]
        last = messages[-1].id if messages else 0
        tx.reflections.mark(session_id, max(last, tx.extractions.upto(session_id)))
        return kept

    return keep


def keep_lesson(tx: Tx, lesson: Lesson, session: Session, *, by: str, now: int) -> Reflection:
    """A lesson as a reflection: a new one, or one more time for one that is known."""
    key = lesson_key(lesson.text)
    known = tx.reflections.find_same(session.bank, lesson.task_type, key)
    if known is not None:
        return _count(tx, known, lesson, session, now)
    verdict = decide_write(
        Target.PROCEDURES, lesson.trust, is_suspect=is_certain(scan(_whole(lesson)))
    )
    new = Reflection(
        id=0,
        bank=session.bank,
        task_type=lesson.task_type,
        lesson=lesson.text,
        worked=lesson.worked,
        failed=lesson.failed,
        next_time=lesson.next_time,
        successes=int(lesson.succeeded),
        failures=int(not lesson.succeeded),
        created_at=now,
        updated_at=now,
        trust=lesson.trust,
        held=verdict is Decision.HOLD,
        author=by,
        session_id=session.id,
    )
    kept = tx.reflections.add(new, lesson_key=key)
    _note(tx, kept, "Learnt", now)
    if kept.held:
        payload = {_HELD_KEY: kept.id}
        tainted = Tainted(Target.PROCEDURES, kept.lesson, payload, kept.bank, trust=kept.trust)
        hold(tx, tainted, now)
    return kept


def approve_held(store: Store, write: HeldWrite) -> None:
    """Let a held reflection be put before tasks; what approving a held write does here."""
    number = write.payload.get(_HELD_KEY)
    if not isinstance(number, int):
        raise Refused("This held write is no reflection.", "Reject it, or write it by hand.")
    store.write(lambda tx: _release(tx, number))


def mark_rejected(tx: Tx, reflections: Sequence[Reflection]) -> list[Reflection]:
    """Reflections to be shown: those that were held, and that the person refused, say so."""
    if not any(each.held for each in reflections):
        return list(reflections)
    decided = tx.pending.list(decided=True, limit=ALL)
    refused = {each.payload.get(_HELD_KEY) for each in decided if each.verdict == REJECTED}
    return [replace(each, rejected=each.held and each.id in refused) for each in reflections]


def delete_reflection(tx: Tx, number: int, now: int) -> Reflection:
    """Forget a reflection; its number is not used again."""
    [found] = mark_rejected(tx, [get_reflection(tx, number)])
    tx.reflections.delete(number, at=now)
    _note(tx, found, "Deleted", now)
    return found


def get_reflection(tx: Tx, number: int) -> Reflection:
    found = tx.reflections.find(number)
    if found is None:
        hint = "See `hermes memory reflections list`."
        raise NotFound(f"There is no reflection:{number}.", hint)
    return found


def _unread(tx: Tx, session_id: str) -> tuple[Past, int]:
    session = tx.conversations.find_session(session_id)
    if session is None:
        raise NotFound(f"There is no session {session_id!r}.", "See `hermes sessions list`.")
    upto = tx.reflections.upto(session_id)
    found = tx.conversations.list_messages(session_id, after_id=upto, limit=MESSAGES)
    learnt = learnt_terms(tx, session.bank)
    return Past(session, found, learnt, read_told(tx, found)), upto


def _count(tx: Tx, known: Reflection, lesson: Lesson, session: Session, now: int) -> Reflection:
    """One more time; trust falls to the least of all it was learnt from, and never rises."""
    counted = replace(
        known,
        successes=known.successes + int(lesson.succeeded),
        failures=known.failures + int(not lesson.succeeded),
        worked=lesson.worked or known.worked,
        failed=lesson.failed or known.failed,
        trust=min(known.trust, lesson.trust),
        updated_at=now,
        session_id=session.id,
    )
    tx.reflections.save(counted)
    return counted


def _release(tx: Tx, number: int) -> None:
    tx.reflections.save(replace(get_reflection(tx, number), held=False))


def _whole(lesson: Lesson) -> str:
    return "\n".join((lesson.text, lesson.worked, lesson.failed, lesson.next_time))


def _note(tx: Tx, reflection: Reflection, verb: str, now: int) -> None:
    what = f"{verb} about {reflection.task_type}: {reflection.lesson}"
    add_event(tx, EventKind.MEMORY, what, now=now, ref=f"reflection:{reflection.id}")
