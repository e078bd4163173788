"""What an erasure takes with it, found before anything is touched."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hermes.errors import NotFound, UserError
from hermes.memory.erase.archives import list_meant, list_of_session, take_parts
from hermes.memory.erase.texts import get_passage, iter_texts, list_resting
from hermes.memory.erase.words import (
    LEAST_HEAD,
    Phrases,
    Words,
    echoes,
    parse_phrase,
    split_words,
)
from hermes.memory.facts.audit import was_merged
from hermes.store.base import Tx
from hermes.store.base.erase import Passage, Quoted, TextKind
from hermes.types import FactSource

_TARGET = re.compile(r"(fact|reflection|message|session|event):(\S+)")
EVERYWHERE = (
    TextKind.MESSAGE,
    TextKind.ARCHIVE,
    TextKind.EPISODE,
    TextKind.SESSION,
    TextKind.FACT,
    TextKind.REFLECTION,
    TextKind.ENTITY,
    TextKind.EVENT,
    TextKind.HELD,
    TextKind.JOB,
    TextKind.BANK,
)
DERIVED = (TextKind.REFLECTION, TextKind.EVENT, TextKind.HELD, TextKind.JOB)


@dataclass(frozen=True, slots=True)
class Target:
    """What a person asked to be erased: a kind and a name."""

    kind: str
    name: str

    @property
    def number(self) -> int:
        if not self.name.isascii() or not self.name.isdigit():
            raise UserError(f"{self.name!r} is no number of a {self.kind}.", f"Try {self.kind}:42.")
        return int(self.name)


@dataclass(slots=True)
class Plan:
    """Rows by kind, the words asked for, and the phrases by which the rest would be recognised.

    Messages behind summaries are among the messages; `put_back` are those summaries, and others
    that repeat what is erased. `whole` are parts of summaries whose raw messages were dropped: such
    a part is all there is of them, so it goes with all it stands for. `rests_on` is what facts that
    were asked for were read from, `seen` how far each kind was searched, `names` those of an entity
    with several that nothing says once the plan was applied.
    """

    rows: dict[TextKind, dict[int, Passage]] = field(default_factory=dict)
    phrases: list[Words] = field(default_factory=list)
    wanted: list[Words] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    put_back: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)
    rests_on: list[FactSource] = field(default_factory=list)
    seen: dict[TextKind, int] = field(default_factory=dict)
    names: list[Words] = field(default_factory=list)

    def add(self, passage: Passage) -> None:
        kind = TextKind.MESSAGE if passage.behind else passage.kind
        self.rows.setdefault(kind, {})[passage.id] = passage

    def ids(self, kind: TextKind) -> list[int]:
        return sorted(self.rows.get(kind, {}))

    @property
    def messages(self) -> dict[int, Passage]:
        return self.rows.get(TextKind.MESSAGE, {})

    @property
    def is_empty(self) -> bool:
        return not any(self.rows.values()) and not self.put_back

    @property
    def left(self) -> list[FactSource]:
        """What stays although facts that were asked for were read from it."""
        return [each for each in self.rests_on if each.message_id not in self.messages]

    def counts(self) -> dict[str, int]:
        return {str(kind): len(rows) for kind, rows in self.rows.items() if rows}


def parse_target(text: str) -> Target:
    match = _TARGET.fullmatch(text.strip())
    if match is None:
        raise UserError(
            f"{text!r} cannot be erased.",
            "Say fact:42, reflection:3, message:7, session:ID or event:3, "
            'or --matching "some words".',
        )
    return Target(match[1], match[2])


def make_plan(tx: Tx, targets: Sequence[Target], matching: Sequence[str]) -> Plan:
    """All rows that go: those asked for, those that hold the words, those derived from them."""
    plan = Plan(wanted=[parse_phrase(text) for text in matching])
    for target in targets:
        _ADD[target.kind](tx, plan, target)
    _search(tx, plan)
    add_derived(tx, plan)
    return plan


def _add_message(tx: Tx, plan: Plan, target: Target) -> None:
    _add_said(plan, list_meant(tx, target.number))


def _add_said(plan: Plan, said: Sequence[Passage]) -> None:
    for passage in said:
        plan.add(passage)
        plan.phrases += echoes(passage.texts[0])


def _add_fact(tx: Tx, plan: Plan, target: Target) -> None:
    fact = tx.facts.find(target.number)
    if fact is None:
        raise NotFound(f"There is no fact:{target.number}.", "See `hermes memory facts list`.")
    plan.add(get_passage(tx, TextKind.FACT, fact.id, f"fact:{target.number}"))
    plan.phrases += echoes(fact.text)
    plan.rests_on += [each for each in fact.sources if each.episode_id is not None]


def _add_session(tx: Tx, plan: Plan, target: Target) -> None:
    number = tx.erasures.find_session_number(target.name)
    if number is None:
        raise NotFound(f"There is no session {target.name!r}.", "See `hermes sessions list`.")
    plan.sessions.append(target.name)
    plan.add(get_passage(tx, TextKind.SESSION, number, f"session {target.name!r}"))
    _add_said(plan, list_of_session(tx, target.name))


def _add_reflection(tx: Tx, plan: Plan, target: Target) -> None:
    passage = get_passage(tx, TextKind.REFLECTION, target.number, f"reflection:{target.number}")
    plan.add(passage)
    plan.phrases += echoes(passage.texts[0])


def _add_event(tx: Tx, plan: Plan, target: Target) -> None:
    plan.add(get_passage(tx, TextKind.EVENT, target.number, f"event {target.number}"))


_ADD: dict[str, Callable[[Tx, Plan, Target], None]] = {
    "message": _add_message,
    "fact": _add_fact,
    "reflection": _add_reflection,
    "session": _add_session,
    "event": _add_event,
}


def _search(tx: Tx, plan: Plan) -> None:
    """Find the words that are to go wherever they are."""
    phrases = Phrases(plan.wanted)
    for kind in EVERYWHERE if phrases else ():
        for passage in iter_texts(tx, kind):
            plan.seen[kind] = passage.id
            if phrases.is_in_any(passage.texts):
                plan.add(passage)


def add_derived(tx: Tx, plan: Plan) -> None:
    """Facts that rest on nothing else, then what repeats any of it in log, jobs and held writes."""
    plan.put_back |= take_parts(tx, plan.messages)
    plan.whole |= tx.summaries.find_parts([n for n, row in plan.messages.items() if not row.behind])
    quoted = tx.erasures.list_quoted(plan.ids(TextKind.MESSAGE), plan.put_back)
    for fact in list_resting(quoted, plan.messages):
        _add_fact_row(tx, plan, fact)
    _add_merged(tx, plan)
    plan.phrases += _quotes(quoted, plan)
    phrases = Phrases([phrase for phrase in plan.phrases if len(phrase) > 1])
    names = _references(tx, plan)
    for kind in DERIVED:
        for passage in iter_texts(tx, kind):
            if passage.where in names or phrases.is_in_any(passage.texts):
                plan.add(passage)


def _add_fact_row(tx: Tx, plan: Plan, fact: int) -> None:
    passage = get_passage(tx, TextKind.FACT, fact, f"fact {fact}")
    plan.add(passage)
    plan.phrases += echoes(passage.texts[0])


def _add_merged(tx: Tx, plan: Plan) -> None:
    """Facts that were merged into one that goes: they say the same."""
    waiting = plan.ids(TextKind.FACT)
    while waiting:
        for other in tx.facts.list_superseded(waiting.pop()):
            known = other.id in plan.rows[TextKind.FACT]
            if not known and was_merged(tx, other):
                _add_fact_row(tx, plan, other.id)
                waiting.append(other.id)


def _quotes(quoted: Sequence[Quoted], plan: Plan) -> list[Words]:
    """What facts, also those that stay, quoted from messages that go."""
    gone = sorted({each.quote for each in quoted if each.message in plan.messages})
    return [words for quote in gone if len(words := split_words(quote)) >= LEAST_HEAD]


def _references(tx: Tx, plan: Plan) -> frozenset[str]:
    """How the log refers to what goes."""
    facts = tx.facts.get_many(plan.ids(TextKind.FACT)).values()
    return frozenset(
        [
            *plan.sessions,
            *(f"session:{name}" for name in plan.sessions),
            *(f"reflection:{number}" for number in plan.ids(TextKind.REFLECTION)),
            *(f"message:{number}" for number in plan.ids(TextKind.MESSAGE)),
            *(f"fact:{fact.number}" for fact in facts),
        ]
    )
