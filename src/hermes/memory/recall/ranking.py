"""Candidates in, ranked candidates out: the union of the passes, fused.

First every candidate is scored by what the outline knows, then the best few are read and scored
with what their texts show. Nothing here does input or output but through the reader it is given.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from hermes.memory.recall import ends, plans
from hermes.memory.recall.copies import fold
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.features import FEATURES, add_text_features, outline_features
from hermes.memory.recall.fuse import Weights
from hermes.memory.recall.hits import Hits, union
from hermes.memory.recall.identifiers import FEW, holds_any
from hermes.memory.recall.outline import NOWHERE, Flags, Floats, Positions
from hermes.memory.recall.passes import lexical, neighbours, recency, semantic, temporal
from hermes.memory.recall.summaries import Lift

PER_PASS = 64
LARGE = 1_300  # messages from which on a pass gives more: what is wanted has more to stand out from
MOST_PER_PASS = 160
READ = 16  # candidates whose texts are looked at; of 24, 32 and 64 LoCoMo gains nothing
OF_THE_TIME = np.float32(4.0)  # what was said then goes first where nothing else is asked for
READ_AHEAD = 160  # candidates that are read for the days they tell, where a time ahead is named
TIME = FEATURES.index("time")

FIRST = np.float32(1_000)  # goes before whatever scores

Reader = Callable[[Sequence[int]], Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Places best first, with their scores and features, and what each pass had found."""

    places: Positions
    scores: Floats
    columns: Floats
    passes: tuple[Hits, ...]
    candidates: int
    is_then: Flags  # which tell a day in a time ahead that the task names…
    is_other: Flags  # …and which tell other days only
    repeats: Flags  # which say what a better one says, word for word, by the same speaker
    exact: Flags | None = None  # which hold an identifier that is asked for, where one is


def find_candidates(evidence: Evidence, recent: int) -> tuple[Positions, tuple[Hits, ...]]:
    """Every message that any pass finds, rising; hidden ones are left out."""
    width = per_pass(evidence.outline.count)
    found = [semantic.search(evidence, width), lexical.search(evidence, width)]
    if evidence.task.spans:
        found.append(temporal.search(evidence, width))
    if (outermost := ends.search(evidence)) is not None:
        found.append(outermost)
    found.append(neighbours.search(evidence, width, found))
    found.append(recency.search(evidence, recent))
    places = union(found)
    return places[evidence.may_show(places)], tuple(found)


def prepare(evidence: Evidence) -> None:
    """Work out what needs no meaning, while the question's vector is still being made."""
    evidence.prepare()
    lexical.prepare(evidence, per_pass(evidence.outline.count))


def per_pass(messages: int) -> int:
    """How many finds of a pass are looked at in a bank of so many messages."""
    return min(MOST_PER_PASS, round(PER_PASS * sqrt(max(1.0, messages / LARGE))))


def rank(
    evidence: Evidence,
    weights: Weights,
    read: Reader,
    *,
    limit: int,
    recent: int = 0,
    lift: Lift | None = None,
) -> Ranked:
    """The best messages for a task: `limit`, or all that were read if those are more, so that how
    relevant one is does not hang on the limit. `lift` is what the scores of some are raised by."""
    places, passes = find_candidates(evidence, recent)
    candidates, wanted = len(places), max(limit, READ)
    columns = outline_features(evidence, places)
    lifts = np.zeros(candidates, np.float32)
    if lift is not None:
        lifts = lift(evidence.outline.take("ids", places).tolist(), columns)
    told = np.zeros((2, candidates), np.bool_)
    if evidence.task.ahead and candidates:
        best = _best(weights.score(columns) + lifts, READ_AHEAD)
        told[:, best] = _read_ahead(evidence, places, columns, best, read)
    if evidence.task.is_about_time:
        lifts = lifts + OF_THE_TIME * (evidence.said_then(places) | told[0]).astype(np.float32)
    may_hold = _may_hold(evidence, places)
    first = lifts if may_hold is None else lifts + _first(may_hold)
    kept = _best(ends.put_in_order(evidence, places, weights.score(columns) + first), wanted)
    places, columns, lifts = places[kept], columns[kept], lifts[kept]
    _read_in(evidence, places[:wanted], columns, read)
    scores = ends.put_in_order(evidence, places, weights.score(columns) + lifts)
    if may_hold is None:
        order, exact = _best(scores, wanted), None
    else:
        holding = _hold(evidence, places, may_hold[kept], read)
        order = _best(scores + _first(holding), wanted)
        exact = holding[order]
    is_then, is_other = told[:, kept[order]]
    places = places[order]
    repeats = _find_repeats(evidence, places, read)
    columns, scores = columns[order], scores[order]
    return Ranked(places, scores, columns, passes, candidates, is_then, is_other, repeats, exact)


def _find_repeats(evidence: Evidence, places: Positions, read: Reader) -> Flags:
    """Which messages say what one before them says, by whom alike."""
    ids, roles, speakers = (
        evidence.outline.take(of, places).tolist() for of in ("ids", "roles", "speakers")
    )
    texts, seen, found = read(ids), set[tuple[str, int, int]](), []
    for number, role, speaker in zip(ids, roles, speakers, strict=True):
        said = fold(texts.get(number, "")), role, speaker
        found.append(said in seen)
        seen.add(said)
    return np.array(found, np.bool_)


def _read_ahead(
    evidence: Evidence, places: Positions, columns: Floats, rows: Positions, read: Reader
) -> tuple[Flags, Flags]:
    """Which of some candidates tell a day in a time ahead that is named, and which others only.

    The column of time is raised for the first: so much of what is planned lies in it.
    """
    ids = evidence.outline.take("ids", places[rows]).tolist()
    texts, said_at = read(ids), evidence.outline.take("at", places[rows]).tolist()
    told = plans.read_texts(evidence.task, [texts.get(i, "") for i in ids], said_at)
    columns[rows, TIME] = np.maximum(columns[rows, TIME], told.fit)
    return told.is_then, told.is_other


def _first(flags: Flags) -> Floats:
    return FIRST * flags.astype(np.float32)


def _may_hold(evidence: Evidence, places: Positions) -> Flags | None:
    """Which messages hold the words of an identifier that is asked for, in their order.

    None where none is asked for, or where so many hold it that it does not tell which is meant.
    """
    asked = evidence.task.identifiers
    if not asked:
        return None
    found = [term.places for term in evidence.words.terms if term.word in asked]
    if any(len(each) > FEW for each in found):
        return None
    return np.isin(places, np.concatenate(found)) if found else np.zeros(len(places), np.bool_)


def _hold(evidence: Evidence, places: Positions, may_hold: Flags, read: Reader) -> Flags:
    """Which of the messages that may hold an identifier that is asked for do, by their texts."""
    rows, held = np.flatnonzero(may_hold), np.zeros(len(places), np.bool_)
    ids = evidence.outline.take("ids", places[rows]).tolist()
    texts = read(ids)
    held[rows] = [holds_any(texts.get(each, ""), evidence.task.identifiers) for each in ids]
    return held


def examine(evidence: Evidence, read: Reader) -> tuple[Positions, Floats]:
    """Every candidate with all its features, read whole: what weights are fitted on."""
    places, _ = find_candidates(evidence, 0)
    columns = outline_features(evidence, places)
    _read_in(evidence, places, columns, read)
    return places, columns


def _read_in(evidence: Evidence, places: Positions, columns: Floats, read: Reader) -> None:
    outline = evidence.outline
    before = outline.neighbours(places, -1)
    ids = outline.take("ids", places).tolist()
    ids_before = np.where(before == NOWHERE, 0, outline.take("ids", before)).tolist()
    texts = read(sorted({*ids, *ids_before} - {0}))
    rows = columns[: len(places)]
    add_text_features(
        rows,
        evidence,
        [texts.get(each, "") for each in ids],
        texts_before=[texts.get(each, "") for each in ids_before],
        held_before=evidence.words.held_only_before(places, before),
    )


def _best(scores: Floats, limit: int) -> Positions:
    """The order of the best `limit`; equals keep the newer first."""
    newest_first = np.arange(len(scores))[::-1]
    order = newest_first[np.argsort(-scores[::-1], kind="stable")]
    return order[:limit]
