"""How much a ranked message bears on a task, from 0 to 1: what the threshold looks at.

The fused score ranks. As a measure of relevance it was fitted on whole questions and full
sentences, and says too little of a task of one word or a message of three. So some things speak
for a message by themselves, whatever it scores: that it holds the task's rare words, that it was
said in the time the task names, and, for the best of all, that it stands out. The numbers are set
for everyday memories (docs/recall.md), not fitted: no public set asks in single words. For whole
questions they only let a message pass: of what they lifted there one in thirty was an answer.
"""

import numpy as np
import numpy.typing as npt

from hermes.memory.recall.ends import asking_words, find_asked
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import LEAST_GIVEN, SAID_FROM, Weights
from hermes.memory.recall.identifiers import LACKING
from hermes.memory.recall.outline import Floats, Positions
from hermes.memory.recall.passes import lexical, semantic
from hermes.memory.recall.ranking import Ranked
from hermes.memory.recall.words import rarity

RARE_SHARE = 0.02  # of the messages may hold a rare word…
RARE = 3  # …and in a small bank so many
HELD = (0.45, 0.45)  # relevance of holding none and, beside that, all of what was asked, by weight
ENOUGH_HELD = 1 / 3  # of what was asked, for the best message to be sure…
ENOUGH_NEAR = 0.3  # …unless it is near in meaning as well
# What the best message is at least, where it is sure: 0.70 itself rounds below it.
SURE = np.nextafter(np.float32(SAID_FROM), np.float32(1))
OF_THE_TIME = (0.68, 0.30)  # said in a time that was named, and what the rest of the task adds
OUTSTANDING = 1.0  # steps of the scatter of cosines: near enough to go by meaning alone…
AHEAD = 0.6  # …where every other conversation is so much further away
DOUBTFUL = 0.69  # what they make of a message at most where a whole question was asked
AWAY = 0.5  # what a message of another time is worth at most, where only a time was asked for…
FITTING = 0.5  # …unless its time fits so well: what happened is told in the days after
NEAR, TIME = FEATURES.index("near"), FEATURES.index("time")


def judge(evidence: Evidence, ranked: Ranked, weights: Weights) -> Floats:
    """The relevance of each ranked message."""
    fused = weights.relevance(ranked.scores, ranked.repeats)
    if not len(fused):
        return fused
    held = _held(evidence, ranked.places)
    least, more = HELD
    lifted = np.where(held > 0, least + more * held, 0)
    if (best := _sure(evidence, ranked, held)) is not None:
        lifted[best] = max(lifted[best], SURE)
    lifted[find_asked(evidence, ranked.places)] = DOUBTFUL
    if evidence.task.spans:
        lifted = np.maximum(lifted, _of_the_time(evidence, ranked, fused))
    if not (evidence.task.is_lookup or evidence.task.is_about_time):
        most = DOUBTFUL if ranked.exact is None else np.where(ranked.exact, SURE, DOUBTFUL)
        lifted = np.minimum(lifted, most)
    judged: Floats = np.maximum(fused, lifted).astype(np.float32)
    if ranked.exact is not None:
        judged = _by_identifier(judged, ranked.exact)
    if evidence.task.is_about_time:
        judged = np.where(_is_of_another_time(evidence, ranked), np.minimum(judged, AWAY), judged)
    return judged


def in_order(evidence: Evidence, ranked: Ranked, relevance: Floats) -> tuple[Positions, Floats]:
    """The rows of messages in an order that agrees with what is told of them, and that.

    Where the lifts are told in full, they go before the score. Where they only let a message pass,
    its score says more: then none that may be given is told more than one before it.
    """
    if evidence.task.is_lookup or evidence.task.is_about_time:
        rows = np.argsort(-relevance.round(2), kind="stable")
        return rows, relevance[rows]
    given = relevance >= LEAST_GIVEN
    told = np.minimum.accumulate(np.where(given, relevance, np.float32(1)))
    return np.arange(len(ranked.places)), np.where(given, told, relevance).astype(np.float32)


def _by_identifier(judged: Floats, exact: npt.NDArray[np.bool_]) -> Floats:
    """What holds the identifier that is asked for is given, and told before what lacks it."""
    found: Floats = np.where(exact, np.maximum(judged, DOUBTFUL), np.minimum(judged, LACKING))
    return found.astype(np.float32)


def _is_of_another_time(evidence: Evidence, ranked: Ranked) -> npt.NDArray[np.bool_]:
    """Which messages tell of another day than one ahead that is asked for; where nothing was said
    in a past one, which tell nothing of it."""
    if evidence.silence:
        return ranked.columns[:, TIME] < FITTING
    return ranked.is_other & ~evidence.said_then(ranked.places)


def _held(evidence: Evidence, places: Positions) -> Floats:
    """The share of the asked words, by weight, that each message holds; 0 if none is rare."""
    words, outline = evidence.words, evidence.outline
    task = evidence.task
    aside = task.time_words | task.order | task.plan_words | task.little_words
    aside |= asking_words(evidence)
    kept = [n for n, term in enumerate(words.terms) if term.word.casefold() not in aside]
    missing = sum(word.casefold() not in aside for word in words.missing)
    if not kept:
        return np.zeros(len(places), np.float32)
    most = max(RARE, RARE_SHARE * outline.count)
    present = words.presence(places)[kept].astype(np.float32)
    weights = words.weights[kept]
    rare = np.array([len(words.terms[n].places) <= most for n in kept], np.float32)
    asked = float(weights.sum()) + missing * rarity(0, outline.count)
    shares: Floats = weights @ present / np.float32(asked)
    return np.where(rare @ present > 0, shares, np.float32(0))


def _sure(evidence: Evidence, ranked: Ranked, held: Floats) -> int | None:
    """The row of the best message that surely bears on the task, if there is one."""
    near = ranked.columns[:, NEAR]
    by_words = (held >= ENOUGH_HELD) | ((held > 0) & (near >= ENOUGH_NEAR))
    if by_words.any():
        return int(np.argmax(by_words))
    if evidence.meaning is None:
        return None
    first = {hits.name: hits.places[:1].tolist() for hits in ranked.passes}
    both = first.get(lexical.NAME) == first.get(semantic.NAME) == ranked.places[:1].tolist()
    both = both and not evidence.task.order  # the order alone may have found it
    return 0 if both or _stands_out(evidence, ranked) else None


def _stands_out(evidence: Evidence, ranked: Ranked) -> bool:
    """Whether the best message is near, and no other conversation is nearly as near."""
    near = ranked.columns[:, NEAR]
    sessions = evidence.outline.take("sessions", ranked.places)
    others = near[sessions != sessions[0]]
    next_best = float(others.max()) if len(others) else 0.0
    return bool(near[0] >= OUTSTANDING and near[0] - max(0.0, next_best) >= AHEAD)


def _of_the_time(evidence: Evidence, ranked: Ranked, fused: Floats) -> Floats:
    least, more = OF_THE_TIME
    inside = evidence.said_then(ranked.places) | ranked.is_then
    found: Floats = np.where(inside, least + more * fused, 0).astype(np.float32)
    return found
