"""Runs the labelled chats through the product's own path: record, extract, decide, keep, read back.

Each chat lies in a bank of its own in one temporary store, so that nothing is known before its
first message. The figures are those of `scorer`; how they are shown is here, too.
"""

import secrets
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes.bench.facts.loader import Conversation, Half, load_half
from hermes.bench.facts.rulings import Rulings, find_ruling, load_rulings
from hermes.bench.facts.scorer import Extraction, LinkTally, Score, Tally, score
from hermes.clock import DAY_MS, FixedClock
from hermes.embed.base import EmbedderOptions
from hermes.embed.comparer import Comparer
from hermes.embed.local import open_embedder
from hermes.memory.facts.clauses.gate import judge_with
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.extraction import Reader, RuleReader, extract_session
from hermes.memory.facts.given import ALL
from hermes.memory.record import record_turns
from hermes.store.base import FactFilter, Store
from hermes.store.sqlite import Database, open_store
from hermes.types import Fact, NewSession, Turn, Utterance

GOALS = {"precision": 0.95, "recall": 0.6, "junk rate": 0.03}


@dataclass(frozen=True, slots=True)
class Read:
    """A fact as the scorer reads it; `message` counts from 0 within the chat."""

    text: str
    kind: str
    subject: str
    value: str
    quote: str
    message: int
    valid_from: int | None


@dataclass(frozen=True, slots=True)
class FactsResult:
    """The figures of one half, and who extracted.

    `score` goes by the labels alone; `judged` by what people said of the readings, `rulings` of
    which they have judged.
    """

    half: Half
    extractor: str
    conversations: int
    messages: int
    facts: int
    score: Score
    judged: Score
    rulings: int


def run_facts(half: Half, reader: Reader | None = None) -> FactsResult:
    """Measure a reader, the rules if none is given, on one half of the labelled chats."""
    used = reader or rule_reader()
    conversations, rulings = load_half(half), load_rulings(half)
    with tempfile.TemporaryDirectory(prefix="hermes-facts-") as folder:
        store = open_store(Database(Path(folder) / "memory.db", secrets.token_bytes(32)))
        try:
            found = {chat.id: extract_chat(store, chat, used) for chat in conversations}
        finally:
            store.close()
    return FactsResult(
        half,
        used.name,
        len(conversations),
        sum(len(chat.messages) for chat in conversations),
        sum(len(extraction.facts) for extraction in found.values()),
        score(conversations, found),
        score(conversations, found, rulings),
        _count_ruled(found, rulings),
    )


def _count_ruled(found: Mapping[str, Extraction], rulings: Rulings) -> int:
    read = ((chat, fact) for chat, extraction in found.items() for fact in extraction.facts)
    return sum(find_ruling(rulings, chat, fact) is not None for chat, fact in read)


def rule_reader() -> Reader:
    """The rules as they are shipped: with the bundled models behind their gate."""
    judge = judge_with(open_embedder(EmbedderOptions()), Comparer())
    return RuleReader(RuleExtractor(judge=judge, lean=True))


def extract_chat(store: Store, chat: Conversation, reader: Reader) -> Extraction:
    """Record one chat, extract it, and read the facts back out of the store."""
    clock = FixedClock(chat.messages[-1].at + DAY_MS)
    session = NewSession(id=chat.id, bank=chat.id)
    said = [Utterance(m.role, m.text, at=m.at, speaker=m.speaker) for m in chat.messages]
    receipts = record_turns(store, [Turn(session, (each,)) for each in said], clock.now())
    places = {receipt.message_ids[0]: place for place, receipt in enumerate(receipts)}
    extract_session(store, chat.id, reader, clock)
    facts = store.read(lambda tx: tx.facts.list(FactFilter(bank=chat.id), ALL))[::-1]
    return _extraction(facts, places)


def _extraction(facts: Sequence[Fact], places: dict[int, int]) -> Extraction:
    at = {fact.id: place for place, fact in enumerate(facts)}
    return Extraction(
        [_read(fact, places) for fact in facts],
        [(at[f.superseded_by], at[f.id]) for f in facts if f.superseded_by is not None],
        [(at[f.id], at[other]) for f in facts for other in f.contradicts if f.id < other],
    )


def _read(fact: Fact, places: dict[int, int]) -> Read:
    source = fact.sources[0]
    place = places[source.message_id] if source.message_id is not None else -1
    told = (fact.text, str(fact.kind), fact.subject, fact.value, source.quote)
    return Read(*told, place, fact.valid_from)


def render_result(result: FactsResult) -> str:
    """The figures as a table in Markdown, with the goals beside them."""
    figures, judged = result.score, result.judged.overall
    overall = figures.overall
    lines = [
        f"{result.half} half, extractor {result.extractor}: {result.conversations} chats, "
        f"{result.messages} messages, {result.facts} facts, {result.rulings} judged one by one",
        "",
        "| figure | value | judged | goal |",
        "|---|---|---|---|",
        f"| precision | {_share(overall.precision)} | {_share(judged.precision)} "
        f"| ≥ {GOALS['precision']} |",
        f"| recall | {_share(overall.recall)} | {_share(judged.recall)} | ≥ {GOALS['recall']} |",
        f"| junk rate | {_share(overall.junk_rate)} | {_share(judged.junk_rate)} "
        f"| ≤ {GOALS['junk rate']} |",
        *_link_lines("supersession", figures.supersession),
        *_link_lines("contradiction", figures.contradiction),
        "",
        "| kind | precision | recall | junk | expected | extracted |",
        "|---|---|---|---|---|---|",
        *_kind_lines(figures.by_kind.items()),
    ]
    return "\n".join(lines)


def _link_lines(name: str, tally: LinkTally) -> list[str]:
    done = f"{_share(tally.accuracy)} ({tally.done} of {tally.expected})"
    return [f"| {name} accuracy | {done} | | |", f"| {name}s wrong | {tally.wrong} | | |"]


def _kind_lines(kinds: Iterable[tuple[str, Tally]]) -> list[str]:
    return [
        f"| {kind} | {_share(tally.precision)} | {_share(tally.recall)} | {tally.junk} "
        f"| {tally.expected} | {tally.extracted} |"
        for kind, tally in kinds
    ]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
