"""What can be done with facts: add, list, correct, delete, restore, explain, extract.

The rules are hundreds of patterns, which take a fifth of a second to compile: what reads sentences
is imported where sentences are read, so that nothing else waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hermes.errors import NotFound, UserError
from hermes.guard.origin import trust_of
from hermes.guard.redact import KEEP_ALL, redact
from hermes.guard.text import clean, find_unreadable
from hermes.memory.banks import DEFAULT, check_bank
from hermes.memory.facts.audit import Act
from hermes.memory.facts.given import MAX_CHARS, PERSON, Given, Kept, Revision
from hermes.memory.facts.keeping import believe
from hermes.memory.facts.listing import FactQuery, list_facts
from hermes.memory.facts.merging import merge
from hermes.memory.facts.reference import get_fact, is_ref, parse_ref, render_ref
from hermes.memory.facts.revising import forget, revise
from hermes.memory.facts.search import search_facts
from hermes.memory.facts.times import began, require_order
from hermes.memory.facts.undo import bring_back, find_before_rewording, restore
from hermes.memory.facts.why import Why, explain
from hermes.memory.limits import check_limit
from hermes.memory.past_facts import list_closed, list_gone
from hermes.memory.pending import mark_rejected
from hermes.store.base import FactChange
from hermes.store.base.facts import FactTally
from hermes.types import Confidence, Fact, FactKind, FactSource, Origin

if TYPE_CHECKING:
    from hermes.app.light_model import LightModel
    from hermes.app.root import App
    from hermes.memory.facts.candidate import Candidate
    from hermes.memory.facts.extraction import Extracted, Reader
    from hermes.store.base import Tx

Ranked = list[tuple[Fact, float]]
Changes = list[FactChange]
Explained = tuple[Why, list[Fact]]

# Of letters that are written with spaces between words; in others one run may be a sentence.
_ONE_WORD = re.compile(r"[A-Za-z\u00c0-\u058f'’-]+[.!?]*")
ALSO = 3  # facts named beside the one that was asked for by its words


@dataclass(frozen=True, slots=True)
class NewFact:
    """A statement given by hand; what is not said of it is read from its words."""

    text: str
    bank: str = DEFAULT
    kind: FactKind | None = None
    confidence: Confidence | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    origin: Origin = Origin.USER
    keep_secrets: bool = False


class FactActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def add(self, new: NewFact, *, by: str = PERSON) -> Kept:
        """Believe a statement; it may turn out to be known, or to replace what was."""
        return self.add_all([new], by=by)[0]

    def add_all(self, news: Sequence[NewFact], *, by: str = PERSON) -> list[Kept]:
        """Believe statements, all in one transaction."""
        act = self._act(by)
        given = [self._give(new, act.at) for new in news]
        kept = self._app.store.write(
            lambda tx: [believe(tx, candidate, each, act) for candidate, each in given]
        )
        self._app.user.project()
        return kept

    def _give(self, new: NewFact, now: int) -> tuple[Candidate, Given]:
        candidate = self._read(new.text, keep_secrets=new.keep_secrets)
        ends = candidate.valid_to if new.valid_to is None else new.valid_to
        begins = began(candidate, ends) if new.valid_from is None else new.valid_from
        require_order(begins, ends)
        candidate = replace(
            candidate,
            kind=new.kind or candidate.kind,
            confidence=new.confidence or candidate.confidence,
            valid_from=begins,
            valid_to=ends,
        )
        source = FactSource(candidate.quote, at=now, trust=trust_of(new.origin))
        return candidate, Given(check_bank(new.bank), source, new.origin)

    def list(self, query: FactQuery | None = None, limit: int = 100) -> list[Fact]:
        """Newest first."""
        check_limit(limit)
        asked, now = query or FactQuery(), self._app.clock.now()
        return self._app.store.read(
            lambda tx: mark_rejected(tx, list_facts(tx, asked, limit=limit, now=now))
        )

    def search(self, words: str, *, bank: str = "", limit: int = 20) -> Ranked:
        """Facts that hold the words, best first, each with its score."""
        check_limit(limit)

        def read(tx: Tx) -> Ranked:
            found = search_facts(tx, words, bank=bank, limit=limit)
            facts = mark_rejected(tx, [fact for fact, _ in found])
            return [(fact, score) for fact, (_, score) in zip(facts, found, strict=True)]

        return self._app.store.read(read)

    def tally(self, bank: str = "") -> FactTally:
        """How many facts there are of which sort, and how much of what was extracted was junk."""
        return self._app.store.read(lambda tx: tx.facts.tally(bank))

    def count_by_bank(self) -> dict[str, int]:
        """How many facts are believed in each bank that has any."""

        def counts(tx: Tx) -> dict[str, int]:
            return {bank.name: tx.facts.count(bank.name) for bank in tx.banks.list()}

        found = self._app.store.read(counts)
        return {name: facts for name, facts in found.items() if facts}

    def get(self, ref: str) -> Fact:
        number = parse_ref(ref)
        return self._app.store.read(lambda tx: _told(tx, get_fact(tx, number)))

    def revise(
        self,
        ref: str,
        revision: Revision,
        *,
        text: str | None = None,
        restored: bool = False,
        by: str = PERSON,
    ) -> Fact:
        """Correct a fact, by a new wording or otherwise; how it was stays in its history.

        With `restored`, one that was deleted comes back by the same step, or not at all.
        """
        number, act = parse_ref(ref), self._act(by)
        if text is not None:
            revision = replace(revision, said=self._read(text))

        def write(tx: Tx) -> Fact:
            if restored:
                restore(tx, number, act)
            return _told(tx, revise(tx, number, revision, act))

        fact = self._app.store.write(write)
        self._app.user.project()
        return fact

    def forget(self, ref: str, *, by: str = PERSON) -> Fact:
        """Delete a fact; `restore` brings it back."""
        number, act = parse_ref(ref), self._act(by)
        fact = self._app.store.write(lambda tx: _told(tx, forget(tx, number, act)))
        self._app.user.project()
        return fact

    def restore(self, ref: str, *, change_id: int | None = None, by: str = PERSON) -> Fact:
        """Undo a deletion, a supersession or the last edit; or go back to after a change."""
        number, act = parse_ref(ref), self._act(by)

        def write(tx: Tx) -> Fact:
            if change_id is None:
                return _told(tx, bring_back(tx, number, act))
            return _told(tx, restore(tx, number, act, change_id=change_id))

        fact = self._app.store.write(write)
        self._app.user.project()
        return fact

    def reopen(self, numbers: Sequence[int], *, by: str = PERSON) -> None:
        """Restore facts that are closed, and give those that were reworded their words back."""
        act = self._act(by)

        def write(tx: Tx) -> None:
            for fact in filter(None, map(tx.facts.find, numbers)):
                is_closed = fact.retracted_at is not None or fact.superseded_by is not None
                change_id = None if is_closed else find_before_rewording(_changes(tx, fact))
                if is_closed or change_id is not None:
                    restore(tx, fact.number, act, change_id=change_id)

        self._app.store.write(write)
        self._app.user.project()

    def merge(self, ref: str, other: str, *, unlike: bool = False, by: str = PERSON) -> Fact:
        """Make one fact of two that say the same; the first stays, with the sources of both.

        Where they do not look it, only if `unlike` says so.
        """
        number, gone, act = parse_ref(ref), parse_ref(other), self._act(by)
        fact = self._app.store.write(
            lambda tx: _told(tx, merge(tx, number, gone, act, unlike=unlike))
        )
        self._app.user.project()
        return fact

    def history(self, ref: str) -> tuple[Fact, Changes]:
        number = parse_ref(ref)

        def read(tx: Tx) -> tuple[Fact, Changes]:
            fact = _told(tx, get_fact(tx, number))
            return fact, tx.facts.list_changes(fact.id)

        return self._app.store.read(read)

    def why(self, ref: str) -> Why:
        """The fact, the words it rests on in their place, and what it stands against."""
        number = parse_ref(ref)

        def read(tx: Tx) -> Why:
            why = explain(tx, number)
            return replace(
                why,
                fact=_told(tx, why.fact),
                replaced=tuple(mark_rejected(tx, why.replaced)),
                replaced_by=_told(tx, why.replaced_by) if why.replaced_by else None,
                contradicts=tuple(mark_rejected(tx, why.contradicts)),
            )

        return self._app.store.read(read)

    def why_of(self, asked: str) -> Explained:
        """As `why`, also for words: of the fact that holds them best, and the next best."""
        if is_ref(asked):
            return self.why(asked), []
        found = [fact for fact, _ in self.search(asked, limit=ALSO + 1)]
        if not found:
            raise self._none_holds(asked)
        return self.why(render_ref(found[0].number)), found[1:]

    def list_closed(self, words: str) -> Sequence[Fact]:
        """Facts that were replaced and hold the words, newest first."""
        return self._app.store.read(lambda tx: list_closed(tx, words, ALSO))

    def list_gone(self, words: str, bank: str = "") -> Sequence[Fact]:
        """Facts that were replaced or deleted and hold words of these, newest first."""
        return self._app.store.read(lambda tx: list_gone(tx, words, bank))

    def _none_holds(self, asked: str) -> NotFound:
        closed = [render_ref(fact.number) for fact in self.list_closed(asked)]
        if not closed:
            hint = "See `hermes memory facts list`, or ask `hermes memory recall`."
            return NotFound(f"No fact holds {asked[:80]!r}.", hint)
        told = f"No fact that is believed holds {asked[:80]!r}; closed: {', '.join(closed)}."
        return NotFound(told, f"See `hermes memory why {closed[0]}`.")

    def reader(self, bank: str) -> Reader:
        """Who extracts in a bank: the light model where one is configured, else the rules."""
        from hermes.memory.facts.extraction import ModelReader  # noqa: PLC0415 - slow

        if self._app.config.light_model.provider == "none":
            return self.rules(bank)
        names = self._app.user.names(bank)
        return self._app.erasing.barring(
            ModelReader(self.light_model.ask, names, zone=self._app.zone)
        )

    def rules(self, bank: str) -> Reader:
        """Who extracts in a bank where no model can."""
        from hermes.memory.facts.clauses.gate import judge_with  # noqa: PLC0415
        from hermes.memory.facts.clauses.reader import RuleExtractor  # noqa: PLC0415
        from hermes.memory.facts.extraction import RuleReader  # noqa: PLC0415 - slow

        judge = judge_with(self._app.embedder, self._app.comparer)
        names, zone = self._app.user.names(bank), self._app.zone
        rules = RuleExtractor(names, judge=judge, lean=True, zone=zone)
        return self._app.erasing.barring(RuleReader(rules))

    def extract(self, session_id: str = "") -> Iterator[Extracted]:
        """Read what a session, or every session, has new, and keep its facts.

        Of one that was asked for a failure is raised; of many it is told, and the others are read.
        """
        from hermes.app.extraction import extract_all, extract_one  # noqa: PLC0415 - slow

        if session_id:
            yield extract_one(self._app, session_id)
        else:
            yield from extract_all(self._app)
        self._app.user.project()

    @cached_property
    def light_model(self) -> LightModel:
        """The light model that is configured, to be asked from a thread without an event loop."""
        from hermes.app.light_model import LightModel  # noqa: PLC0415 - brings the network

        if self._app.config.light_model.provider == "none":
            hint = "Set one with `hermes config set lightModel.provider …`; see docs/config.md."
            raise UserError("No light model is configured.", hint)
        return LightModel(self._app)

    def _read(self, text: str, *, keep_secrets: bool = False) -> Candidate:
        from hermes.memory.facts.clauses.statement import parse_statement  # noqa: PLC0415 - slow

        said = _checked(text, keep_secrets=keep_secrets)
        return parse_statement(said, self._app.clock.now(), self._app.zone)

    def _act(self, by: str) -> Act:
        return Act(by, self._app.clock.now())


def _changes(tx: Tx, fact: Fact) -> Changes:
    return tx.facts.list_changes(fact.id)


def _told(tx: Tx, fact: Fact) -> Fact:
    """A fact as it is shown."""
    [told] = mark_rejected(tx, [fact])
    return told


def _checked(text: str, *, keep_secrets: bool = False) -> str:
    """The statement as it may be kept: visible characters, secrets cut out."""
    if found := find_unreadable(text):
        hint = "Give it as a sentence in plain text, in UTF-8; what a file holds is imported."
        raise UserError(f"The fact holds {found}, which is no text.", hint)
    kept = redact(clean(text).text, keep=KEEP_ALL if keep_secrets else ()).text.strip()
    if not kept:
        raise UserError("The fact is empty.", 'Say it in a sentence: "User lives in Lisbon".')
    if len(kept) > MAX_CHARS:
        hint = "A fact is one statement; record a longer text as a conversation."
        raise UserError(f"A fact has at most {MAX_CHARS:,} characters.", hint)
    if kept.endswith(("?", "？", "؟")):
        hint = "Say what is so; to ask, use `hermes memory recall`."
        raise UserError(f"{kept[:80]!r} asks, and states nothing.", hint)
    if _ONE_WORD.fullmatch(kept):
        hint = f'Say something of something: "User plays {kept}", "User\'s dog is called {kept}".'
        raise UserError(f"{kept!r} alone states nothing.", hint)
    return kept
