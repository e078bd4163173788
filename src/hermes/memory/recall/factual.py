"""Facts beside messages: found by words, by meaning and by the entities a task names.

A fact is scored by the same weights as a message. It stands alone, so it counts as its own
neighbourhood and session; whom it is about counts as who speaks.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hermes.memory.entities.gazetteer import find_entities
from hermes.memory.entities.known import KnownNames
from hermes.memory.facts.reference import render_ref
from hermes.memory.recall import plans, windows
from hermes.memory.recall.belief import DEEPEST, GROWTH, Belief, pages_of, told_at
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.fact_features import fact_columns
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.features import HELD as HELD_COLUMNS
from hermes.memory.recall.fitting import (
    OF_ANOTHER,
    is_of_another,
    lacks_number,
    set_beside,
    shows,
)
from hermes.memory.recall.fuse import GIVEN_FROM, LEAST_GIVEN, SAID_FROM, Weights
from hermes.memory.recall.identifiers import LACKING, holds_any
from hermes.memory.recall.lacks import LACKS, measure_lacks
from hermes.memory.recall.likeness import Usual, load_lines
from hermes.memory.recall.outline import Flags, Floats
from hermes.memory.recall.passage import model_of
from hermes.memory.recall.passes import asked, due, entity
from hermes.memory.recall.relevance import DOUBTFUL
from hermes.memory.recall.result import Found, Item
from hermes.memory.recall.succession import BY_REPLACED, Succession, find_succession
from hermes.memory.recall.task import OF_ANY_TIME, Task, name_parts, telling_words
from hermes.memory.recall.then import Then, asked_for, asks_of_then, begun_at, since, tell_over
from hermes.memory.recall.wanted import find_untold
from hermes.store.base import Tx
from hermes.store.base.texts import TextScope
from hermes.store.base.vectors import VectorKind
from hermes.store.ranking import Plan, plan
from hermes.store.vectors.index import VectorIndex
from hermes.types import Fact, Kind, Trust

PER_PASS = 32
FITTING = 0.5  # how well a fact's time must fit a time that is asked for
HELD = (0.45, 0.45)  # relevance of holding none and, beside that, all of the words asked for
MOST_HELD = 0.6
RIVALS, RIVAL_CHARS = 3, 160  # of a contested fact that are told, and how much of each
NEAR, TIME = FEATURES.index("near"), FEATURES.index("time")
AWAY = 0.5  # what a fact of another time is worth at most


@dataclass(frozen=True, slots=True)
class FactSearch:
    """What finding facts needs beside a transaction."""

    index: VectorIndex
    names: KnownNames

    def other_names(self, tx: Tx, text: str, bank: str) -> list[str]:
        """The words of the other names of whom a text names: "Katarina" where it says Kat."""
        hits = find_entities(text, self.names.gazetteer(tx, bank))
        named = (tx.entities.find(number) for number in dict.fromkeys(h.entity_id for h in hits))
        names = [name for each in named if each for name in (each.name, *each.aliases)]
        said = {word.casefold() for word in telling_words(text)}
        words = dict.fromkeys(word for name in names for word in telling_words(name))
        return [word for word in words if word.casefold() not in said]

    def search(
        self,
        tx: Tx,
        evidence: Evidence,
        query: Floats | None,
        *,
        bank: str,
        weights: Weights,
        limit: int = PER_PASS,
    ) -> tuple[list[Item], Succession]:
        """The facts of a bank that may bear on the task, best first, and what they replaced."""
        task, belief, wanted = evidence.task, Belief(tx, evidence.as_of), max(PER_PASS, limit)
        planned = plan(tx.facts.texts, list(task.terms), TextScope(bank), DEEPEST)
        sight = _Sight.of(tx, query)
        near = self._near(belief, sight, bank, wanted)
        passes = self._find(belief, task, bank, planned, [fact for fact, _ in near], wanted)
        facts = list({fact.id: fact for found in passes.values() for fact in found}.values())
        succession = find_succession(belief)
        then = Then.of(task, succession)
        facts += succession.replaced
        cosines = dict(zip((fact.id for fact, _ in near), sight.cosines(near), strict=True))
        told = plans.read_facts(task, facts, as_given=then.given)
        columns = fact_columns(tx, evidence, facts, planned, cosines)
        columns[:, TIME] = np.maximum(columns[:, TIME], told.fit)
        scores, held = weights.score(columns), columns[:, HELD_COLUMNS.start]
        near_by = _by_nearness(sight, evidence, facts, cosines)
        likely = np.maximum(np.maximum(_by_scores(evidence, scores), near_by), _by_words_held(held))
        relevance = self._doubt(tx, task, bank, facts, (likely, held))
        relevance = _at_most(relevance, sight.is_unsure(held), DOUBTFUL)
        relevance = _less(relevance, _is_far(evidence, columns, relevance), LEAST_GIVEN)
        succession = succession.asked_by(facts, scores, (held > 0) | (relevance >= GIVEN_FROM))
        answers = _answers(task, passes[asked.NAME], then)
        relevance = _asked_first(task, facts, answers, then, relevance)
        away = _of_another_time(tx, evidence, facts, then=then, answers=answers)
        relevance = _less(relevance, _lacks_identifier(task, facts, then), LACKING)
        relevance = _at_most(relevance, away, AWAY)
        of_the_time = then.best_begun(facts, scores)
        relevance[of_the_time] = np.maximum(relevance[of_the_time], LEAST_GIVEN)
        relevance = due.lift(task, facts, told, relevance)
        order = _rank(relevance, scores)[:wanted]
        gains = (columns * weights.values).tolist()
        items: dict[str, Item] = {}
        for n in order:
            fact, ways = then.given(facts[n]), _ways(facts[n], passes) or BY_REPLACED
            item = _item(fact, float(relevance[n]), float(scores[n]), ways, gains[n])
            items.setdefault(item.ref, item)
        given = [facts[n] for n in order]
        notes = tell_over(given, task.asked_at) | succession.tell(given)
        notes |= _contested(belief, map(succession.now, given)) | then.tell(given)
        return [replace(item, note=notes.get(ref, "")) for ref, item in items.items()], succession

    def _find(
        self,
        belief: Belief,
        task: Task,
        bank: str,
        planned: Plan,
        near: Sequence[Fact],
        wanted: int,
    ) -> dict[str, list[Fact]]:
        """What each way of finding facts finds, by its name."""
        read = _reader(belief.tx)
        return {
            "lexical": belief.first(pages_of(planned.candidates, wanted, read), wanted),
            "semantic": [fact for fact in near if fact.id not in belief.replaced],
            entity.NAME: entity.search(belief, self.names, task.text, bank, wanted),
            asked.NAME: asked.search(belief, task.text, bank, of_then=asks_of_then(task)),
            due.NAME: due.search(belief, task, bank, wanted),
        }

    def _doubt(
        self, tx: Tx, task: Task, bank: str, facts: Sequence[Fact], known_of: tuple[Floats, Floats]
    ) -> Floats:
        """The relevance, less where a fact that is near enough to be given lacks what is asked.

        Known of each are its relevance and the share of the asked words that it holds.
        """
        relevance, held = known_of
        lacking = np.zeros((len(facts), len(LACKS)), np.float32)
        known: dict[str, list[str]] = {}
        if near := np.flatnonzero(relevance >= GIVEN_FROM).tolist():
            texts, known = [facts[n].text for n in near], self._known(tx, task, bank)
            lacking[near] = measure_lacks(task.text, texts, held[near], known)
        others = is_of_another(task, facts)
        told = load_lines().tell(relevance, lacking, others | ~shows(task, facts))
        if sure := np.flatnonzero(told >= SAID_FROM).tolist():
            untold = find_untold(task, [facts[n].text for n in sure], known)
            told[sure] = _at_most(told[sure], np.array(untold, np.bool_), DOUBTFUL)
        return lacks_number(task, facts, _at_most(told, others, OF_ANOTHER))

    def _known(self, tx: Tx, task: Task, bank: str) -> dict[str, list[str]]:
        """The words of the task that belong to known names, with those of all their spellings."""
        known: dict[str, list[str]] = {}
        for hit in find_entities(task.text, self.names.gazetteer(tx, bank)):
            entity = tx.entities.find(hit.entity_id)
            names = (entity.name, *entity.aliases) if entity else (hit.name,)
            words = [word for name in names for word in name_parts(name)]
            known |= dict.fromkeys(name_parts(task.text[hit.start : hit.end]), words)
        return known

    def _near(
        self, belief: Belief, sight: "_Sight", bank: str, wanted: int
    ) -> list[tuple[Fact, float]]:
        """The nearest facts and their products; looks further where many are not believed.

        Replaced ones that were met are among them.
        """
        limit, query = wanted, sight.query
        while query is not None:
            found = self.index.search(
                belief.tx, query, limit=limit, bank=bank, kinds=(VectorKind.FACT,)
            )
            known = belief.tx.facts.get_by_vector([each.item for each in found])
            cosines = {known[e.item].id: e.cosine for e in found if e.item in known}
            kept = belief.among(known[e.item] for e in found if e.item in known)
            if len(kept) >= wanted or len(found) < limit or limit >= DEEPEST:
                met = [fact for fact in belief.replaced.values() if fact.id in cosines]
                return [(fact, cosines[fact.id]) for fact in (*kept[:wanted], *met)]
            limit = min(DEEPEST, limit * GROWTH)
        return []


@dataclass(frozen=True, slots=True)
class _Sight:
    """The question as facts are compared with it: less what every question has, where known."""

    asked: Floats | None
    usual: Usual | None

    @classmethod
    def of(cls, tx: Tx, asked: Floats | None) -> "_Sight":
        space = tx.vectors.find_current()
        return cls(asked, None if space is None else load_lines().usual.get(model_of(space.model)))

    @property
    def query(self) -> Floats | None:
        if self.asked is None or self.usual is None:
            return self.asked
        return self.usual.sharpen(self.asked)

    def cosines(self, near: Sequence[tuple[Fact, float]]) -> list[float]:
        products = np.array([product for _, product in near], np.float32)
        cosines = products if self.usual is None else self.usual.restore(products)
        found: list[float] = cosines.tolist()
        return found

    def is_unsure(self, held: Floats) -> Flags:
        """Of which facts only nearness tells, and how surely is not known of this model."""
        return (held <= 0) & (self.usual is None)


def _asked_first(
    task: Task, facts: Sequence[Fact], answers: set[int], then: Then, relevance: Floats
) -> Floats:
    """What the task asks for by its attribute is before all other facts.

    Where it asks for more than that ("which pill does my father take"), it is given and no more.
    """
    is_asked = np.array([fact.id in answers for fact in facts], np.bool_)
    if not is_asked.any():
        return relevance
    aside = task.time_words
    alone = is_asked & (shows(task, facts) | asked.asks_of_self(task.text))
    if not then.former:  # "before Priya" names another of the same kind
        alone &= np.array([not asked.asks_more(task.text, fact, aside) for fact in facts], np.bool_)
    relevance = np.where(is_asked, np.maximum(relevance, LEAST_GIVEN), relevance)
    if not alone.any():
        return relevance
    others = np.minimum(relevance, asked.RELEVANCE - 0.01)
    return np.where(alone, np.maximum(relevance, asked.RELEVANCE), others)


def _rank(relevance: Floats, scores: Floats) -> list[int]:
    """Best first; of those told alike, by score. What is doubtful lies close together."""
    is_doubtful = (relevance >= GIVEN_FROM) & (relevance < SAID_FROM)
    steps = np.where(is_doubtful, relevance.round(3), relevance.round(2))
    order: list[int] = np.lexsort((-scores, -steps)).tolist()
    return order


def _by_scores(evidence: Evidence, scores: Floats) -> Floats:
    lines = load_lines()
    line = lines.by_words if evidence.meaning is None else lines.with_meaning
    return line.relevance(scores)


def _by_nearness(
    sight: _Sight, evidence: Evidence, facts: Sequence[Fact], cosines: dict[int, float]
) -> Floats:
    """What the nearness of each fact says of its relevance; nothing where meaning found it not."""
    if evidence.meaning is None or sight.asked is None or not cosines:
        return np.zeros(len(facts), np.float32)
    near = np.array([cosines.get(fact.id, -1.0) for fact in facts], np.float32)
    if sight.usual is not None:
        return sight.usual.relevance(near, sight.asked)
    return load_lines().by_steps.relevance(evidence.meaning.scale(near))


def _answers(task: Task, found: Sequence[Fact], then: Then) -> set[int]:
    """What the task asks for by its attribute: as it is, and as it was in the time asked about.

    Who asks how it was before does not ask how it is.
    """
    was = then.answering
    held = asked_for(was, asked.read_asked(task.text)) if was else set()
    return held if held and then.former else held | {fact.id for fact in found}


def _is_far(evidence: Evidence, columns: Floats, relevance: Floats) -> Flags:
    """Which doubtful facts hold no word of the task and are no nearer than what is said on average:
    all that is said for them is that other facts are further still, so they come last."""
    if evidence.meaning is None or not evidence.outline.count:
        return np.zeros(len(columns), np.bool_)
    far = (columns[:, HELD_COLUMNS.start] <= 0) & (columns[:, NEAR] <= 0)
    return np.asarray(far & (relevance < SAID_FROM))


def _less(relevance: Floats, which: Flags, most: float) -> Floats:
    """The relevance, of some no more than `most`, and less where one of the others is sure."""
    return _at_most(set_beside(relevance, which, ~which), which, most)


def _at_most(relevance: Floats, which: Flags, most: float) -> Floats:
    return np.where(which, np.minimum(relevance, most), relevance)


def _lacks_identifier(task: Task, facts: Sequence[Fact], then: Then) -> Flags:
    """Which facts do not hold the identifier that is asked for, where one is."""
    wanted = task.identifiers
    lacks = [bool(wanted) and not holds_any(then.given(f).text, wanted) for f in facts]
    return np.array(lacks, np.bool_)


def _of_another_time(
    tx: Tx, evidence: Evidence, facts: Sequence[Fact], *, then: Then, answers: set[int]
) -> Flags:
    """Which facts are of another time than a past one that the task names.

    Not those that hold words of that time, nor those that held then and answer the task, or have
    other words of it: "who was my manager in March" is answered by what was learnt in January.
    """
    task, spans = evidence.task, then.spans
    if not spans or not facts:
        return np.zeros(len(facts), np.bool_)
    tokens = tx.facts.texts.tokens
    rest = [term for term in task.terms if term.casefold() not in task.time_words | OF_ANY_TIME]
    # "Before the launch" has an edge: what lies beyond it is not of that time, though it names it.
    near = tuple(span for span in spans if not windows.is_open(span))
    named = telling_words(" ".join(span.text for span in near)) if near else []
    timed, wanted = set(tokens(" ".join(named))), set(tokens(" ".join(rest)))
    fits = windows.fit(near, np.array([since(f) for f in facts]), evidence.oldest_at)
    fits = np.where(then.begun(facts), np.float32(1), fits)  # "before the launch": however long

    def is_away(fact: Fact, fit: float) -> bool:
        if then.held(fact) and (fact.id in answers or not wanted.isdisjoint(tokens(fact.text))):
            return False
        was_replaced = fact.id in then.succession.later and not then.held(fact)
        return was_replaced or (fit < FITTING and timed.isdisjoint(tokens(fact.text)))

    return np.array([is_away(f, fit) for f, fit in zip(facts, fits.tolist(), strict=True)])


def _contested(belief: Belief, given: Iterable[Fact]) -> dict[str, str]:
    """What the believed rivals of contested facts say, by the fact's reference."""
    facts = list(given)
    known = belief.tx.facts.get_many(sorted({i for fact in facts for i in fact.contradicts}))
    rivals = {fact.id: fact for fact in belief.among(known.values())}
    told: dict[str, str] = {}
    for fact in facts:
        others = [rivals[i] for i in fact.contradicts if i in rivals]
        if others:
            shown = others[:RIVALS]
            said = ", ".join(f"{render_ref(o.number)} says {o.text[:RIVAL_CHARS]}" for o in shown)
            more = f" and {len(others) - RIVALS} more" if len(others) > RIVALS else ""
            told[render_ref(fact.number)] = f"contested: {said}{more}"
    return told


def _reader(tx: Tx) -> Callable[[Sequence[int]], list[Fact]]:
    def read(ids: Sequence[int]) -> list[Fact]:
        found = tx.facts.get_many(ids)
        return [found[each] for each in ids if each in found]

    return read


def _by_words_held(held: Floats) -> Floats:
    """What the words of a fact say by themselves: one that holds most of those asked for answers.

    A fact that was just added has no vector yet, and a memory of few facts gives scores no scale.
    """
    least, more = HELD
    lifted: Floats = np.where(held >= MOST_HELD, least + more * held, 0).astype(np.float32)
    return lifted


def _ways(fact: Fact, passes: dict[str, list[Fact]]) -> tuple[Found, ...]:
    return tuple(
        Found(name, rank)
        for name, facts in passes.items()
        for rank, each in enumerate(facts, start=1)
        if each.id == fact.id
    )


def _item(
    fact: Fact, relevance: float, score: float, found: tuple[Found, ...], gains: list[float]
) -> Item:
    source = fact.sources[0] if fact.sources else None
    return Item(
        kind=Kind.FACT,
        ref=render_ref(fact.number),
        relevance=relevance,
        score=score,
        at=min(begun_at(fact), told_at(fact)),  # never the day it is due on
        text=fact.text,
        session_id=source.session_id if source else "",
        episode_id=(source.episode_id or 0) if source else 0,
        trust=min(fact.trust, Trust.LOW) if fact.held else fact.trust,
        found=found,
        gains=tuple(gains),
        sources=tuple({s.message_id: None for s in fact.sources if s.message_id is not None}),
        held=fact.held,
    )
