"""Both stores, fed the same, answer the same: every method, searches and rankings included."""

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from any_call import WORDS, Call, list_methods, make_call

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.errors import HermesError
from hermes.memory.indexing import index_pending
from hermes.store.base import Store, Tx
from hermes.store.base.jobs import Lease
from hermes.store.base.recall import OutlineRows, WordPostings
from hermes.store.base.summaries import NewSummary, SummaryPart
from hermes.store.base.texts import TextScope
from hermes.store.ranking import plan, rescore
from hermes.store.text import parse_query
from hermes.store.vectors.index import VectorIndex
from hermes.types import (
    Entity,
    EntityKind,
    Fact,
    FactKind,
    FactSource,
    NewSession,
    Payload,
    Reflection,
    Role,
    ToolCall,
    Turn,
    Utterance,
)
from places import new_place

RUNS, STEPS = 40, 500  # 20,000 operations, shared by the workers of a run
# The same steps each time, whatever else was imported; another number looks for new ones.
FIRST_SEED = int(os.environ.get("HERMES_PARITY_SEED", "0"))
NOW = 1_767_603_600_000
VOCABULARY = (
    *("red", "blue", "house", "houses", "Paris", "tea", "coffee", "meeting", "deadline", "Ada"),
    *("likes", "lives", "moved", "to", "in", "the", "a", "and", "what's", "c++", "e-mail"),
    *("東京", "京都に", "naïve", "café", "🙂", "\x00", "Straße", "می‌خواهم"),
)
Op = Callable[[Tx], Any]


def sentence(random: Random) -> str:
    return " ".join(random.choices(VOCABULARY, k=random.randrange(1, 12)))


def record(random: Random) -> Op:
    session = f"s{random.randrange(1, 6)}"
    bank = "work" if session in ("s1", "s2") else random.choice(("home", "home", ""))
    said = tuple(
        Utterance(
            random.choice(list(Role)),
            sentence(random),
            at=NOW + random.randrange(10**9),
            speaker=random.choice(("", "Ada", "Bert")),
            calls=(ToolCall("c", "read_file", sentence(random)),) if random.random() < 0.1 else (),
            payloads=(Payload("text/plain", random.randbytes(2)),) if random.random() < 0.1 else (),
        )
        for _ in range(random.randrange(1, 4))
    )
    key = f"k{random.randrange(200)}" if random.random() < 0.5 else ""
    turn = Turn(NewSession(session, bank), said, sentence(random), key, random.random() < 0.3)
    return lambda tx: tx.conversations.record([turn], NOW)


def believe(random: Random) -> Op:
    text, subject, bank = sentence(random), random.choice(WORDS), random.choice(("work", "home"))
    kind = random.choice(list(FactKind))
    message = random.randrange(1, 60) if random.random() < 0.7 else None
    source = FactSource(sentence(random), message, 1, "s1", NOW)

    def add(tx: Tx) -> Any:
        fact = Fact(*tx.facts.reserve(), bank, text, kind, NOW, subject, sources=(source,))
        tx.facts.add(fact, subject_key=subject)
        return tx.facts.get_many([fact.id])

    return add


def name_someone(random: Random) -> Op:
    names = [(random.choice(WORDS), random.choice(WORDS)) for _ in range(random.randrange(1, 4))]
    entity = Entity(0, random.choice(("work", "home")), "x", random.choice(list(EntityKind)))
    fact, message = random.randrange(1, 20), random.randrange(1, 60)

    def add(tx: Tx) -> Any:
        added = tx.entities.add(entity, names, NOW)
        if tx.facts.get_many([fact]):
            tx.entities.mention_in_fact(fact, [(added.id, names[0][0])])
        if tx.conversations.get_messages([message]):
            tx.entities.mention_in_message(message, [(added.id, names[0][0])])
        return tx.entities.list(), tx.entities.version()

    return add


def reflect(random: Random) -> Op:
    lesson = Reflection(0, "work", random.choice(("index", "code")), sentence(random))
    key = f"lesson {random.randrange(30)}"

    def add(tx: Tx) -> Any:
        known = tx.reflections.find_same("work", lesson.task_type, key)
        return known or tx.reflections.add(lesson, lesson_key=key)

    return add


def work(random: Random) -> Op:
    now = NOW + random.randrange(10**6)
    kind, key = random.choice(("index", "extract")), random.choice(("", "s1", "s2"))
    step, retry_at = random.randrange(5), random.choice((None, now))

    def run(tx: Tx) -> Any:
        if step < 2:
            return tx.jobs.add(kind, key, now=now)
        job = tx.jobs.claim([kind], Lease("me", now, 1_000))
        if job is None:
            return tx.jobs.count()
        if step == 2:
            tx.jobs.complete(job, now=now)
        elif step == 3:
            return tx.jobs.fail(job, "failed", now=now, retry_at=retry_at)
        return job

    return run


def search(random: Random) -> Op:
    words = parse_query(sentence(random), as_you_type=random.random() < 0.3)
    scope = TextScope(random.choice(("", "work", "home")), session_id=random.choice(("", "s1")))

    def look(tx: Tx) -> Any:
        found = plan(tx.texts, words, scope, 20)
        return found, rescore(tx.texts, tx.recall.texts(found.candidates), found)

    return look


def recall(random: Random) -> Op:
    bank, after = random.choice(("work", "home")), random.choice((0, 0, 10))
    terms = [word for word in parse_query(sentence(random)) if not word.endswith("*")]
    return lambda tx: (tx.recall.outline(bank, after), tx.recall.postings(terms, bank, 30))


def summarise(random: Random) -> Op:
    session, is_undone = f"s{random.randrange(1, 6)}", random.random() < 0.5

    def compress(tx: Tx) -> Any:
        raw = tx.summaries.list_raw(session)[:2]
        said = [message for episode in raw for message in episode.messages]
        if not said:
            return raw
        part = SummaryPart(said[0].id, said[-1].id, f"summary of {len(said)}")
        episodes, ids = tuple(e.id for e in raw), tuple(m.id for m in said)
        new = NewSummary(session, episodes, ids, (part,), "test", 1, 1, NOW, NOW + 1)
        made = tx.summaries.add(new)
        if is_undone:
            tx.summaries.restore(made.id)
        return made, tx.conversations.list_messages(session)

    return compress


def erase(random: Random) -> Op:
    ids = sorted({random.randrange(1, 80) for _ in range(2)})
    return lambda tx: tx.erasures.remove_messages(
        [number for number in ids if tx.conversations.get_messages([number])]
    )


def call_any(random: Random) -> Op:
    return make_call(random, random.choice(METHODS))


METHODS = list_methods()
OPS: tuple[tuple[Callable[[Random], Op], int], ...] = (
    (record, 8),
    (believe, 3),
    (name_someone, 2),
    (reflect, 2),
    (work, 2),
    (search, 6),
    (recall, 4),
    (summarise, 1),
    (erase, 1),
    (call_any, 30),
)


def outcome(store: Store, op: Op) -> Any:
    """What an operation answers, or how it fails: a broken constraint in each store's own words."""
    try:
        return plain(store.write(op))
    except HermesError as error:
        said = "failed" if type(error) is HermesError else (error.message, error.hint)
        return type(error).__name__, said
    except Exception as error:
        return type(error).__name__


def plain(value: Any) -> Any:
    """Arrays as lists, so that answers can be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, OutlineRows | WordPostings):
        return [plain(getattr(value, each.name)) for each in dataclasses.fields(value)]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def index(store: Store, embedder: WordEmbedder) -> None:
    index_pending(store, embedder, FixedClock(), is_told=True)  # any call may have moved it


def neighbours(store: Store, finder: VectorIndex, text: str, bank: str) -> Any:
    query = WordEmbedder().embed_queries([text])[0]
    return store.read(lambda tx: finder.search(tx, query, limit=10, bank=bank))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + RUNS))
def test_both_stores_answer_alike(tmp_path: Path, seed: int) -> None:
    one, other = (new_place(kind, tmp_path).open() for kind in ("sqlite", "postgres"))
    finders = VectorIndex(), VectorIndex()
    random = Random(seed)
    makers = [maker for maker, weight in OPS for _ in range(weight)]
    try:
        for step in range(STEPS):
            op = random.choice(makers)(random)
            told = outcome(one, op), outcome(other, op)
            what = op if isinstance(op, Call) else getattr(op, "__qualname__", op)
            assert told[0] == told[1], (seed, step, what)
            if step % 125 == 124:
                for store in (one, other):
                    index(store, WordEmbedder())
                text, bank = sentence(random), random.choice(("", "work", "home"))
                near = [
                    neighbours(store, finder, text, bank)
                    for store, finder in zip((one, other), finders, strict=True)
                ]
                assert near[0] == near[1], (seed, step, "neighbours", text)
    finally:
        one.close()
        other.close()
