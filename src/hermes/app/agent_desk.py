"""The App as the agent and its tools see it: memory behind a small protocol, words with trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hermes.agent.journal import last_messages
from hermes.app.facts import NewFact
from hermes.app.pending import Approved
from hermes.clock import new_session_id
from hermes.guard.origin import Target as Place
from hermes.guard.origin import origin_of_agent
from hermes.memory.facts.audit import Act
from hermes.memory.facts.given import Kept, Revision
from hermes.memory.facts.reference import no_fact, render_ref
from hermes.memory.facts.why import Why
from hermes.memory.notekeeping import Outcome, Writer
from hermes.memory.notes import MemoryRequest
from hermes.memory.notes.change import Action
from hermes.memory.notes.request import parse_request
from hermes.memory.sessions import Preview, Scroll, SearchOptions, SessionSearch
from hermes.memory.takeback import take_back
from hermes.store.base import HeldWrite, SessionFilter
from hermes.tools.base import Receipt
from hermes.types import (
    EventKind,
    Fact,
    Message,
    Origin,
    Payload,
    Recorded,
    Session,
    Trust,
    Turn,
)

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from hermes.app.root import App
    from hermes.memory.recall.answer import Recall

AGENT = "agent"


class AppDesk:
    """`hermes.tools.desk.Desk` over an App."""

    def __init__(self, app: App) -> None:
        self._app = app

    @property
    def zone(self) -> ZoneInfo:
        return self._app.zone

    def change_notes(self, request: MemoryRequest, trust: Trust, said: str = "") -> Outcome:
        return self._app.notes.change(request, Writer(Origin.AGENT, trust, by=AGENT, said=said))

    def recall(self, task: str, *, bank: str, budget_tokens: int | None = None) -> Recall:
        return self._app.memory.recall(task, bank=bank, budget_tokens=budget_tokens)

    def search_sessions(self, query: str, options: SearchOptions) -> SessionSearch:
        return self._app.conversations.search(query, options)

    def scroll_session(self, place: str | int, *, bank: str, before: int, after: int) -> Scroll:
        return self._app.conversations.scroll(place, bank=bank, before=before, after=after)

    def browse_sessions(self, *, bank: str, limit: int) -> list[Preview]:
        return self._app.conversations.browse(SessionFilter(bank=bank), limit)

    def add_facts(self, told: Sequence[tuple[str, Trust]], *, bank: str) -> Sequence[Kept]:
        news = [NewFact(text, bank=bank, origin=origin_of_agent(trust)) for text, trust in told]
        return self._app.facts.add_all(news, by=AGENT)

    def get_fact(self, ref: str, *, bank: str) -> Fact:
        fact = self._app.facts.get(ref)
        if fact.bank != bank:
            raise no_fact(fact.number)  # as if it were not there: it may be another person's
        return fact

    def revise_fact(self, ref: str, text: str, *, bank: str, trust: Trust) -> Fact:
        self.get_fact(ref, bank=bank)
        return self._app.facts.revise(ref, Revision(worth=trust), text=text, by=AGENT)

    def forget_fact(self, ref: str, *, bank: str) -> Fact:
        self.get_fact(ref, bank=bank)
        return self._app.facts.forget(ref, by=AGENT)

    def list_gone_notes(self, fact: Fact) -> list[str]:
        return self._app.user.list_gone_notes(fact)

    def explain_fact(self, ref: str, *, bank: str) -> Why:
        self.get_fact(ref, bank=bank)
        return self._app.facts.why(ref)

    def find_facts(self, words: str, *, bank: str, limit: int) -> list[Fact]:
        return [fact for fact, _ in self._app.facts.search(words, bank=bank, limit=limit)]

    def find_held(self, fact: Fact) -> HeldWrite | None:
        return self._app.pending.find_of_fact(fact)

    def approve_held(self, ref: str) -> Receipt:
        done = self._app.pending.approve(ref)
        number = done.write.payload.get("fact")
        ref = render_ref(int(str(number))) if number else self._find_note(done)
        return Receipt(done.write.text, ref, before=tuple(f.text for f in done.notes.closed))

    def _find_note(self, done: Approved) -> str:
        """The one note that a write took off, to be restored, or added, to be forgotten; or ""."""
        write = done.write
        if write.target != Place.NOTES.value:
            return ""
        if len(done.gone) == 1:
            return f"restore:note:{done.gone[0]}"
        request = parse_request(write.payload)
        added = {each.content for each in request.operations if each.action is Action.ADD}
        made = [note.id for note in self._app.notes.list(request.target) if note.text in added]
        return f"note:{made[0]}" if len(made) == 1 else ""

    def reject_held(self, ref: str) -> None:
        self._app.pending.refuse(ref)

    def tell(
        self, kind: EventKind, summary: str, *, details: Mapping[str, object], ref: str
    ) -> None:
        self._app.events.record(kind, summary, details=details, ref=ref)


class AppJournal:
    """`hermes.agent.journal.Journal` over an App."""

    def __init__(self, app: App) -> None:
        self._app = app

    def record(self, turn: Turn) -> Recorded:
        (receipt,) = self._app.conversations.record([turn])
        self._app.agent.wake_indexer(turn.session.bank)
        return receipt

    def find_session(self, session_id: str) -> Session | None:
        return self._app.store.read(lambda tx: tx.conversations.find_session(session_id))

    def list_latest(self, session_id: str, *, before_id: int, limit: int) -> list[Message]:
        return self._app.store.read(
            lambda tx: tx.conversations.list_messages(session_id, before_id=before_id, limit=limit)
        )

    def list_first(self, session_id: str, limit: int) -> list[Message]:
        return self._app.store.read(
            lambda tx: tx.conversations.list_messages(session_id, limit=limit)
        )

    def list_payloads(self, message_id: int) -> list[Payload]:
        return self._app.conversations.list_payloads(message_id)

    def end(self, session_id: str) -> None:
        self._app.conversations.end(session_id)

    def seal(self, session_id: str) -> None:
        if last := last_messages(self, session_id, 1):
            self._mark_read(session_id, last[0].id)

    def withdraw(self, session_id: str, upto: int, seen: int) -> None:
        self._app.agent.learn_upto(session_id, upto)
        self._mark_read(session_id, seen)

    def take_back(self, session_id: str, after_id: int) -> str:
        app, now = self._app, self._app.clock.now()
        session = app.conversations.get_session(session_id)
        apart, act = new_session_id(now), Act(AGENT, now)
        gone = app.store.write(lambda tx: take_back(tx, session, after_id, into=apart, act=act))
        app.user.project()
        return apart if gone else ""

    def _mark_read(self, session_id: str, upto: int) -> None:
        now = self._app.clock.now()
        self._app.store.write(lambda tx: tx.extractions.mark(session_id, upto, now=now))
